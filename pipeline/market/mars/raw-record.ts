import type {ColumnMatch} from "../column-aliases.ts";
import {type Json, numberOf} from "../json-values.ts";
import {
  issueDateColumns,
  issueTextColumns,
  type RawColumn,
  type RawReportRow,
  rawNumberColumns,
  wordColumns,
} from "../staging.ts";
import {dateFrom} from "../words/published-date.ts";

/**
 * A published object as a staging row, by the matched columns; `slug` is for sources that do not name the report. A date that no
 * calendar has stays as it came, for the reason of the rejection.
 */
export function rawRecord(record: Json, match: ColumnMatch, slug: string | null): RawReportRow {
  const value = (column: RawColumn | "narrative"): unknown =>
    match.has(column) ? record[match.get(column)!] : null;
  const texts = [...issueTextColumns, ...wordColumns].map((column) => [column, wordsOf(value(column))]);
  const dates = issueDateColumns.map((column) => [column, dateFrom(value(column)) ?? wordsOf(value(column))]);
  const numbers = rawNumberColumns.map((column) => [column, numberOf(value(column))]);
  const row = Object.fromEntries([...texts, ...dates, ...numbers]) as RawReportRow;
  return {
    ...row,
    slug: row.slug ?? slug,
    narrative: match.has("narrative") ? wordsOf(value("narrative")) !== null : null,
  };
}

/**
 * Words as published, with `N/A` and white space; null for nothing and for a blank text. A list of words is one text, and an object
 * its JSON: neither is nothing, or a described lot would become a plain one.
 */
export function wordsOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return wordsOf(value.flatMap((each) => wordsOf(each) ?? []).join(", "));
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.trim() === "" ? null : text;
}
