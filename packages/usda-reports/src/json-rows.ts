import {commodityOf} from "./cattle-class.ts";
import {type ColumnMatch, matchColumns, missingColumns, type SpecialColumn} from "./column-aliases.ts";
import {tradeTerms} from "./delivery.ts";
import {statesNoSale} from "./held-sales.ts";
import type {JsonRows} from "./json-shapes.ts";
import {plainText} from "./plain-text.ts";
import {noUnitColumn} from "./price-unit.ts";
import {dateFrom} from "./published-date.ts";
import {type Json, numberOf} from "./published-values.ts";
import {
  issueDateColumns,
  issueTextColumns,
  type RawColumn,
  type RawReportHeader,
  type RawReportRow,
  rawNumberColumns,
  wordColumns,
} from "./report-columns.ts";
import {ReportError} from "./report-error.ts";
import {reportPeriod} from "./report-title.ts";

type PublishedRows = {rows: RawReportRow[]; headers: RawReportHeader[]; notes: Record<string, number>};

/**
 * Turns the objects of an answer into rows and headers of reports. Report and date of the envelope apply to each row without its
 * own. Receipts in the envelope are those of the whole sale, unless the rows have more head: then they came from one row and
 * cover one commodity group. Throws a ReportError that names a missing column.
 */
export function publishedRows(
  {rows: answerRows, headers, envelope, unread, stated}: JsonRows,
  slug: string | null,
): PublishedRows {
  const {receipts, receipts_prior, receipts_year_ago, ...facts} = foldEnvelope(envelope);
  const names = [...new Set([...Object.keys(facts), ...answerRows.flatMap((row) => Object.keys(row))])];
  const match = matchColumns(names);
  const added = {
    ...(match.has("price_unit") ? {} : {price_unit: noUnitColumn}),
    ...(stated === null
      ? {}
      : {reject_reason: "partial_issue", reject_detail: partialDetail(answerRows.length, stated)}),
  };
  const rows = answerRows.map(
    (row): RawReportRow => ({...rawRecord({...facts, ...row}, match, slug), ...added}),
  );
  const missing = missingColumns(match, names);
  if (missing !== null && rows.length > 0 && hasCattle(rows, match)) throw new ReportError(`${missing}.`);
  const head = rows.reduce((sum, {head_count}) => sum + (head_count ?? 0), 0);
  const oneGroup = typeof receipts === "number" && head > receipts;
  const ofSale = {
    receipts: {total: receipts ?? null},
    receipts_prior: {total: receipts_prior ?? null},
    receipts_year_ago: {total: receipts_year_ago ?? null},
  };
  return {
    rows: [
      ...rows,
      ...unread.map((text) => ({reject_reason: "unread_line", reject_detail: `no row of a report: ${text}`})),
    ],
    headers: [
      ...(receipts === undefined || oneGroup ? [] : headerOf(rawRecord(facts, match, slug), ofSale)),
      ...headers.flatMap((header) => sectionHeader(header, slug)),
    ],
    notes: oneGroup ? {receipts_of_one_group: 1} : {},
  };
}

/** The detail of a partial answer: it has fewer rows than it states. */
export function partialDetail(received: number, stated: number): string {
  return `${received} of the ${stated} rows that the answer says it has`;
}

function hasCattle(rows: readonly RawReportRow[], match: ColumnMatch): boolean {
  return !match.has("commodity") || rows.some((row) => commodityOf(row.commodity ?? null) !== null);
}

const envelopeAmounts = ["receipts", "receipts_prior", "receipts_year_ago"] as const;

/** The scalars of an envelope, with receipts under our names. */
function foldEnvelope(envelope: Json): Json & {[Name in (typeof envelopeAmounts)[number]]?: number | null} {
  const match = matchColumns(Object.keys(envelope));
  const amounts = envelopeAmounts.filter((column) => match.has(column));
  const taken = new Set(amounts.flatMap((column) => match.get(column)!));
  return Object.fromEntries([
    ...Object.entries(envelope).filter(([name, value]) => typeof value !== "object" && !taken.has(name)),
    ...amounts.map((column) => [column, numberOf(columnValue(envelope, match, column))]),
  ]) as Json;
}

/** Reads a header section: the report's narrative flag, status, trade terms and, if present, receipts. */
function sectionHeader(header: Json, slug: string | null): RawReportHeader[] {
  const match = matchColumns(Object.keys(header));
  const total = numberOf(columnValue(header, match, "total_receipts"));
  const comment = wordsOf(columnValue(header, match, "narrative"));
  const row = rawRecord(header, match, slug);
  const endDate = reportPeriod(row)?.end;
  return headerOf(row, {
    ...tradeTerms(comment),
    no_sale: endDate !== undefined && statesNoSale(comment ?? "", endDate),
    receipts: total === null ? {} : {total},
  });
}

type HeaderReceipts = Pick<RawReportHeader, "receipts" | "shrink" | "slide" | "no_sale"> &
  Partial<Pick<RawReportHeader, "receipts_prior" | "receipts_year_ago">>;

/** The header of a row's report; none if its report or period is unknown. */
export function headerOf(row: RawReportRow, receipts: HeaderReceipts): RawReportHeader[] {
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
      office: row.office ?? null,
      receipts_prior: {},
      receipts_year_ago: {},
      ...receipts,
    },
  ];
}

/**
 * Turns a published object into a row by the matched columns; `slug` is for sources that do not name the report. An
 * invalid date stays as published, so that the rejection can quote it.
 */
export function rawRecord(record: Json, match: ColumnMatch, slug: string | null): RawReportRow {
  const value = (column: RawColumn): unknown => columnValue(record, match, column);
  const texts = [...issueTextColumns, ...wordColumns].map((column) => [column, wordsOf(value(column))]);
  const dates = issueDateColumns.map((column) => [column, dateFrom(value(column)) ?? wordsOf(value(column))]);
  const numbers = rawNumberColumns.map((column) => [column, numberOf(value(column))]);
  const row = Object.fromEntries([...texts, ...dates, ...numbers]) as RawReportRow;
  // A comment `N/A` is none: rows of an issue may have both.
  return {...row, narrative: plainText(row.narrative) && row.narrative, slug: row.slug ?? slug};
}

/** The value of a column: that of its first name with one, else what the first has (`N/A`); null without the column. */
function columnValue(record: Json, match: ColumnMatch, column: RawColumn | SpecialColumn): unknown {
  const names = match.get(column);
  if (names === undefined) return null;
  const given = (name: string) => plainText(wordsOf(record[name])) !== null;
  return record[(names.length > 1 ? names.find(given) : undefined) ?? names[0]];
}

/**
 * Text as published, including `N/A` and white space; null for nothing and for a blank text. A list is joined and an object
 * becomes JSON: as null, a described lot would become a plain one.
 */
export function wordsOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return wordsOf(value.flatMap((each) => wordsOf(each) ?? []).join(", "));
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.trim() === "" ? null : text;
}
