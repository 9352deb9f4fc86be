import {matchColumns} from "./column-aliases.ts";
import {headerOf, publishedRows, rawRecord, wordsOf} from "./json-rows.ts";
import {type JsonShape, shapeOf} from "./json-shapes.ts";
import {dateFrom} from "./published-date.ts";
import {isObject, type Json, membersOf, numberOf} from "./published-values.ts";
import type {RawReportHeader, RawReportRow, Receipts} from "./report-columns.ts";
import {ReportError} from "./report-error.ts";
import {reportSlug} from "./report-slug.ts";
import {areMandatory} from "./report-title.ts";

/** What JSON of My Market News, or a table made from it, holds. */
export type JsonReport =
  | {readonly kind: "list"; readonly entries: readonly ReturnType<typeof reportEntry>[]}
  /** Reports that the law requires, which are no rows of auctions: a list of them, or their sections. */
  | {readonly kind: "mandatory"; readonly isList: boolean}
  /** The sale of a third party's parse of a printed report, and its rows, all rejected. */
  | {readonly kind: "parse"; readonly rows: readonly RawReportRow[]; readonly header: RawReportHeader}
  | {
      readonly kind: "rows";
      readonly rows: readonly RawReportRow[];
      readonly headers: readonly RawReportHeader[];
      /** Members of the answer that are sections of headers rather than rows. */
      readonly sections: number;
      /** What a partial answer has of the rows that it states (`2 of 90 rows`); null for a complete one. */
      readonly missing: string | null;
      readonly notes: Readonly<Record<string, number>>;
    };

/**
 * Reads parsed JSON in any shape of My Market News; a CSV or a worksheet is the shape `{cols, rows}`. `slug` is the report of an answer
 * that does not name it. Throws a `ReportError` for an error message of the service, for rows of cattle without a needed column, and for
 * any other body.
 */
export function readJsonReport(body: unknown, slug: string | null): JsonReport {
  const shape = shapeOf(body);
  if (shape.kind === "parse") return {kind: "parse", ...parsedReport(shape.parse, shape.entries)};
  if (isMandatory(shape)) return {kind: "mandatory", isList: shape.kind === "list"};
  if (shape.kind === "list") return {kind: "list", entries: shape.entries.map(reportEntry)};
  const {rows, headers, notes} = publishedRows(shape, slug);
  const sections = shape.headers.length;
  if (rows.length + headers.length === 0 && sections > 0)
    throw new ReportError(
      `got ${membersOf(body)}; expected price rows, or a report number and a date for the header of a report.`,
    );
  const missing = shape.stated === null ? null : `${shape.rows.length} of ${shape.stated} rows`;
  return {kind: "rows", rows, headers, sections, missing, notes};
}

function isMandatory(shape: Exclude<JsonShape, {kind: "parse"}>): boolean {
  const reports = shape.kind === "list" ? shape.entries : [...shape.rows, ...shape.headers];
  return areMandatory(
    reports.map(({market_type, market_types, report_title}) =>
      [market_type, market_types, report_title].map(String).join(" "),
    ),
  );
}

/** An entry of the publisher's list of reports. */
function reportEntry(entry: Json) {
  return {
    report_slug: reportSlug(wordsOf(entry["slug_name"]) ?? wordsOf(entry["slug_id"])),
    report_title: wordsOf(entry["report_title"]),
    report_status: wordsOf(entry["report_status"]),
    last_report_date: dateFrom(entry["report_date"]),
    published_at_source: wordsOf(entry["published_date"]),
    markets: textList(entry["markets"]),
    market_types: textList(entry["market_types"]),
  };
}

function textList(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/**
 * Reads a third party's parse of a printed report. Receipts, their breakdown and the presence of a comment are reliable. The
 * lot comment (`note`) and the class of replacement cattle are not, and without them no row has a cell: the sale is kept, and
 * every price row is rejected.
 */
function parsedReport(
  parse: Json,
  entries: readonly Json[],
): {rows: RawReportRow[]; header: RawReportHeader} {
  const facts = rawRecord(parse, matchColumns(Object.keys(parse)), null);
  const [header] = headerOf(facts, {receipts: receiptsOf(parse)});
  if (header === undefined) {
    throw new ReportError(
      `a parse needs report_id and sale_date or period_end; got ${Object.keys(parse).join(", ")}.`,
    );
  }
  const {slug, report_title, report_begin_date, report_end_date} = header;
  const ofReport = {slug, report_title, report_begin_date, report_end_date};
  const match = matchColumns([...new Set(entries.flatMap((entry) => Object.keys(entry)))]);
  return {
    rows: entries.map((entry) => ({...rawRecord(entry, match, slug), ...ofReport, ...rejection(entry)})),
    header,
  };
}

function rejection(entry: Json): Pick<RawReportRow, "reject_reason" | "reject_detail"> {
  const feeder = /^(steers|heifers)$/i.test(String(entry["type"]));
  return feeder
    ? {
        reject_reason: "unreliable_note",
        reject_detail: "the parse loses lot comments: a described lot cannot be told from a plain one",
      }
    : {
        reject_reason: "unreliable_class",
        reject_detail: "the parse mixes slaughter and replacement classes and cuts the dressing",
      };
}

/** Receipts as `total` and by the parse's own commodity words (`feeder`). */
function receiptsOf(parse: Json): Receipts {
  const breakdown = isObject(parse["breakdown"]) ? Object.entries(parse["breakdown"]) : [];
  const parts = breakdown.map(([name, part]) => [name, numberOf(isObject(part) ? part["head"] : part)]);
  return {total: numberOf(parse["total_receipts"]), ...Object.fromEntries(parts)};
}
