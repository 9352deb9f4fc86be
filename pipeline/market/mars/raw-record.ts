import type {ColumnMatch} from "../column-aliases.ts";
import {
  type RawDateColumn,
  type RawNumberColumn,
  type RawReportRow,
  type RawTextColumn,
  rawDateColumns,
  rawNumberColumns,
  rawTextColumns,
} from "../staging.ts";
import {isoDateOf} from "../words/published-date.ts";

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** A number as published: `1,234`, `$5.00` and numbers as they are; null for anything else. */
export function numberOf(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  const text = typeof value === "string" ? value.replace(/[,$\s]/g, "") : "";
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : null;
}

/** A published object as a staging row, by the columns that were matched; `slug` for sources that do not say it themselves. */
export function rawRecord(record: Json, match: ColumnMatch, slug: string | null): RawReportRow {
  const value = (column: RawTextColumn | RawDateColumn | RawNumberColumn | "narrative"): unknown =>
    match.has(column) ? record[match.get(column)!] : null;
  const texts = rawTextColumns.map((column) => [column, textOf(value(column))]);
  const dates = rawDateColumns.map((column) => [column, isoDateOf(value(column))]);
  const numbers = rawNumberColumns.map((column) => [column, numberOf(value(column))]);
  const row = Object.fromEntries([...texts, ...dates, ...numbers]) as RawReportRow;
  return {
    ...row,
    slug: row.slug ?? slug,
    narrative: match.has("narrative") ? textOf(value("narrative")) !== null : null,
  };
}

export function textOf(value: unknown): string | null {
  if (value === null || value === undefined || typeof value === "object") return null;
  return String(value).trim() === "" ? null : String(value);
}
