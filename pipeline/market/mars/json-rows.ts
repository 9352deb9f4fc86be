import {UserError} from "../../../lib/errors.ts";
import {type ColumnMatch, matchColumns, missingColumns} from "../column-aliases.ts";
import {type Json, numberOf} from "../json-values.ts";
import type {RawReportHeader, RawReportRow} from "../staging.ts";
import {commodityOf} from "../words/cattle-class.ts";
import {noUnitColumn} from "../words/price-unit.ts";
import {reportPeriod} from "../words/report-period.ts";
import {rawRecord, wordsOf} from "./raw-record.ts";

type StagedJson = {rows: RawReportRow[]; headers: RawReportHeader[]; notes: Record<string, number>};

type JsonRows = {
  rows: readonly Json[];
  headers: readonly Json[];
  envelope: Json;
  unread: readonly string[];
  stated: number | null;
};

/**
 * Published rows and header sections as staging rows. Report and date of the envelope hold for each row without its own;
 * receipts in the envelope are those of the whole sale, unless the rows have more head. Throws a UserError that names a
 * missing column.
 */
export function stagedJson(
  {rows, headers, envelope, unread, stated}: JsonRows,
  path: string,
  slug: string | null,
): StagedJson {
  const {receipts, receipts_prior, receipts_year_ago, ...facts} = foldEnvelope(envelope);
  const names = [...new Set([...Object.keys(facts), ...rows.flatMap((row) => Object.keys(row))])];
  const match = matchColumns(names);
  const unit = match.has("price_unit") ? {} : {price_unit: noUnitColumn};
  const staged = rows.map((row) => ({...rawRecord({...facts, ...row}, match, slug), ...unit}));
  const missing = missingColumns(match, names);
  if (missing !== null && staged.length > 0 && hasCattle(staged, match))
    throw new UserError(`${path}: ${missing}.`);
  const ofEnvelope = headerOf(
    rawRecord(facts, match, slug),
    {total: receipts ?? null},
    {total: receipts_prior ?? null},
    {total: receipts_year_ago ?? null},
  );
  const oneGroup = typeof receipts === "number" && headOf(staged) > receipts;
  return {
    rows: [
      ...(stated === null ? staged : staged.map((row) => partialRow(row, stated, rows.length))),
      ...unread.map(unreadRow),
    ],
    headers: [
      ...(receipts === undefined || oneGroup ? [] : ofEnvelope),
      ...headers.flatMap((header) => sectionHeader(header, slug)),
    ],
    notes: oneGroup ? {receipts_of_one_group: 1} : {},
  };
}

function partialRow(row: RawReportRow, stated: number, came: number): RawReportRow {
  return {
    ...row,
    reject_reason: "partial_issue",
    reject_detail: partialDetail(came, stated),
  };
}

/** Says that an answer has fewer rows than it states. */
export function partialDetail(came: number, stated: number): string {
  return `${came} of the ${stated} rows that the answer says it has`;
}

/** A member of the list of rows that is no row: it is counted and kept back with what came. */
function unreadRow(came: string): RawReportRow {
  return {reject_reason: "unread_line", reject_detail: `no row of a report: ${came}`};
}

/** Head of all rows. Receipts of an envelope that took them from a row are of one commodity group, and fewer. */
function headOf(rows: readonly RawReportRow[]): number {
  return rows.reduce((sum, row) => sum + (row.head_count ?? 0), 0);
}

function hasCattle(rows: readonly RawReportRow[], match: ColumnMatch): boolean {
  return !match.has("commodity") || rows.some((row) => commodityOf(row.commodity ?? null) !== null);
}

type Envelope = Json & {
  receipts?: number | null;
  receipts_prior?: number | null;
  receipts_year_ago?: number | null;
};

function foldEnvelope(envelope: Json): Envelope {
  const match = matchColumns(Object.keys(envelope));
  const scalars = Object.fromEntries(
    Object.entries(envelope).filter(([, value]) => typeof value !== "object"),
  );
  const amounts = (["receipts", "receipts_prior", "receipts_year_ago"] as const).filter((column) =>
    match.has(column),
  );
  for (const column of amounts) delete scalars[match.get(column)!];
  return {
    ...scalars,
    ...Object.fromEntries(amounts.map((column) => [column, numberOf(envelope[match.get(column)!])])),
  };
}

/** A header section gives the report's narrative mark, status and, where it has them, receipts. */
function sectionHeader(header: Json, slug: string | null): RawReportHeader[] {
  const match = matchColumns(Object.keys(header));
  const total = match.has("total_receipts") ? numberOf(header[match.get("total_receipts")!]) : null;
  return headerOf(rawRecord(header, match, slug), total === null ? {} : {total}, {}, {});
}

type ReceiptsByLabel = Record<string, number | null>;

function headerOf(
  row: RawReportRow,
  receipts: ReceiptsByLabel,
  prior: ReceiptsByLabel,
  yearAgo: ReceiptsByLabel,
): RawReportHeader[] {
  const period = reportPeriod(row);
  if (period === null || !row.slug) return [];
  return [
    {
      slug: row.slug,
      report_title: wordsOf(row.report_title),
      report_begin_date: period.begin,
      report_end_date: period.end,
      published: row.published ?? null,
      final_ind: row.final_ind ?? null,
      narrative: row.narrative ?? null,
      receipts,
      receipts_prior: prior,
      receipts_year_ago: yearAgo,
    },
  ];
}
