import type {VintageRule} from "../../../schemas/parcel-source.ts";
import {sqlText} from "../../sql/duckdb.ts";
import {type ConformEntry, cellSql, namesOf, prefixOf} from "./column-references.ts";
import {groupNames, groupOf, type ProvenanceGroup} from "./file-cells.ts";
import {textSql} from "./transforms.ts";
import {placeholders} from "./value-sql.ts";

type Step = {readonly basis: string; readonly sql: string; readonly prefix: string | null};

const readers = {
  ymd: "ymd_text",
  mdy: "mdy_text",
  longDate: "long_date_text",
  epochMs: "epoch_ms_text",
} as const;

/** The column with the vintage of a group, or the default vintage. */
export function vintageColumn(group: ProvenanceGroup | "default"): string {
  return `_vintage_${group}`;
}

/** SQL columns for the cells that the entry's vintage rules read. */
export function vintageCells({vintage}: ConformEntry): string[] {
  return vintage.flatMap((rule, i) => {
    if (typeof rule === "string" || "edition" in rule) return [];
    if ("row" in rule) return [`null_text(${cellSql(rule.row)}) AS "~vintage cell ${i}"`];
    return typeof rule.rollYear === "number" ? [] : [`${textSql(rule.rollYear)} AS "~vintage cell ${i}"`];
  });
}

/** SQL columns over those cells: the date or year that each rule finds in its cell, unchecked. */
export function vintageDays({vintage}: ConformEntry): string[] {
  return vintage.flatMap((rule, i) => {
    const day = daySql(rule, `"~vintage cell ${i}"`);
    return day === null ? [] : [`${day} AS "~vintage day ${i}"`];
  });
}

/**
 * SQL columns over those: the result of each rule, null for a placeholder, for a date after the build's, and for a roll year after the next.
 */
export function vintageDates({vintage}: ConformEntry, asOf: string): string[] {
  return vintage.flatMap((rule, i) => {
    if (typeof rule === "string") return [];
    const day = `"~vintage day ${i}"`;
    if ("edition" in rule) return [`${day} AS "~vintage ${i}"`];
    const canBe =
      "row" in rule
        ? `${day} <= ${sqlText(asOf)} AND ${day} NOT IN ${placeholders}`
        : `${day} <= '${Number(asOf.slice(0, 4)) + 1}'`;
    return [`CASE WHEN ${canBe} THEN ${day} END AS "~vintage ${i}"`];
  });
}

function daySql(rule: VintageRule, cell: string): string | null {
  if (typeof rule === "string") return null;
  if ("edition" in rule) return sqlText(rule.edition);
  if ("row" in rule) return `${readers[rule.format]}(${cell})`;
  return typeof rule.rollYear === "number" ? `'${rule.rollYear}'` : yearSql(cell);
}

/** SQL for a four-digit year, also from the `2025.0` of a numeric column. */
function yearSql(text: string): string {
  return String.raw`CASE WHEN regexp_full_match(${text}, '(?:19|20|21)\d\d') THEN ${text} ELSE nullif(regexp_extract(${text}, '^((?:19|20|21)\d\d)(?:\.0+)?$', 1), '') END`;
}

/**
 * SQL columns `_vintage_default` (`<basis> <vintage>`), for each group its own vintage or null, and
 * `~roll_year`, the first roll year as a number. Facts from a joined table get the vintage that the entry
 * takes from that table; values get the roll year if the entry names one. The first rule that yields a date
 * wins, with `retrieved` as the last fallback.
 */
export function vintageColumns(entry: ConformEntry): string[] {
  const steps = entry.vintage.map((rule, i) => stepOf(rule, i, entry));
  const main = [...steps.filter(({prefix}) => prefix === null), stepOf("retrieved", -1, entry)];
  const stepsOfGroup = (group: ProvenanceGroup): Step[] => {
    const prefixes = prefixesOf(entry, group);
    const joined = steps.filter(({prefix}) => prefix !== null && prefixes.has(prefix));
    const rolls = group === "value" ? main.filter(({basis}) => basis === "roll_year") : [];
    return [...joined, ...rolls];
  };
  const years = steps
    .filter(({basis}) => basis === "roll_year")
    .map(({sql}) => `try_cast(${sql} AS SMALLINT)`);
  return [
    `${years.length === 0 ? "NULL::SMALLINT" : `coalesce(${years.join(", ")})`} AS "~roll_year"`,
    `${chain(main)} AS ${vintageColumn("default")}`,
    ...groupNames.map((group) => {
      const first = stepsOfGroup(group);
      return `${first.length === 0 ? "NULL::VARCHAR" : chain([...first, ...main])} AS ${vintageColumn(group)}`;
    }),
  ];
}

function chain(steps: readonly Step[]): string {
  return `coalesce(${steps.map(({basis, sql}) => `${sqlText(`${basis} `)} || ${sql}`).join(", ")})`;
}

function stepOf(rule: VintageRule, i: number, entry: ConformEntry): Step {
  if (rule === "retrieved") return {basis: "retrieved", sql: '"~retrieved"', prefix: null};
  if (rule === "layer_edit") return {basis: "layer_edit", sql: '"~layer_edit"', prefix: null};
  const sql = `"~vintage ${i}"`;
  if ("edition" in rule) return {basis: "edition", sql, prefix: null};
  if ("row" in rule) return {basis: "row_date", sql, prefix: prefixOf(rule.row, entry)};
  const names = typeof rule.rollYear === "number" ? [] : namesOf(rule.rollYear);
  return {basis: "roll_year", sql, prefix: names.map((name) => prefixOf(name, entry))[0] ?? null};
}

function prefixesOf(entry: ConformEntry, group: ProvenanceGroup): Set<string | null> {
  const names = [
    ...Object.entries(entry.fields).flatMap(([column, spec]) =>
      groupOf(column) === group ? namesOf(spec) : [],
    ),
    ...(group === "use" ? [entry.use?.codeFrom ?? []].flat() : []),
    ...(group === "land" ? [entry.area?.from ?? []].flat() : []),
  ];
  return new Set(names.map((name) => prefixOf(name, entry)));
}
