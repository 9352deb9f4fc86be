import {commodityOf} from "./cattle-class.ts";
import {fromCellLines} from "./cell-lines.ts";
import {readComment} from "./comment-lines.ts";
import {splitLabel, tradeTerms} from "./delivery.ts";
import {sectionOf} from "./headings.ts";
import {rejectAfterLostLines, statedHead} from "./lost-lines.ts";
import {fromNewswire, wireNumbers} from "./newswire.ts";
import {type PrintedPages, splitPages} from "./pages.ts";
import {lastReportedDate, readReceipts} from "./receipts.ts";
import type {RawReportHeader, RawReportRow} from "./report-columns.ts";
import {ReportError} from "./report-error.ts";
import {type ReportHeader, readReportHeader, severalReports} from "./report-header.ts";
import {marketTypeOf} from "./report-kind.ts";
import {reportSlug, slugFromPlace} from "./report-slug.ts";
import {readReportTitle} from "./report-title.ts";
import {type PrintedRow, rowsOfPage, strayRows} from "./segment-rows.ts";
import {segmentsOf} from "./table-segments.ts";
import {rangeOf} from "./tokens.ts";

/**
 * Header and price rows of a printed report, as published. Throws a `ReportError` for a text that is no such report: without a line
 * `… Report for <date>`, without a report number in its address, file name or `url`, or with several reports.
 */
export function parsePrintedReport(
  print: string,
  path: string,
  url?: string,
): {header: RawReportHeader; rows: RawReportRow[]; missing: string | null} {
  const plain = plainPrint(print);
  const [text, wires] = [fromCellLines(fromNewswire(plain)), wireNumbers(plain)];
  const printed = splitPages(text);
  const header = readReportHeader(text, printed);
  if (header === null) {
    throw new ReportError(
      `${printedPeriod(text)}; expected a line "… Report for <month>/<day>/<year>" with days of the calendar.`,
    );
  }
  const several = wires.length > 1 ? wires : severalReports(text);
  if (several.length > 0)
    throw new ReportError(
      `expected one report, got several (${several.join(", ")}): put each into its own file.`,
    );
  const slug = reportSlug(header.reportNumber ?? wires[0]) ?? slugFromPlace(url, path);
  if (slug === null)
    throw new ReportError(
      `no report number: expected ".../viewReport/<number>" in the text or ams_<number> in the file name.`,
    );
  const above = rawHeader(header, slug, printed);
  const placed = segmentsOf(printed.pages).flatMap((tables, page) =>
    rowsOfPage(tables).map((row) => ({...row, page})),
  );
  const found = [...placed, ...strayRows(printed.outside)];
  const rows = rejectAfterLostLines(found, statedHead(text, above.receipts)).map((row) =>
    rawRow(row, header, slug),
  );
  const missing = printed.missingPages;
  return {
    header: above,
    rows: missing === null ? rows : rows.map((row) => partialRow(row, missing)),
    missing,
  };
}

/** Normalises line ends, spaces and hyphens, which tools and web pages change. */
function plainPrint(text: string): string {
  return text
    .replaceAll(/\r+\n|\r/g, "\n")
    .replaceAll(/[\u00A0\u2007\u202F]/g, " ")
    .replaceAll(/[\u00AD\u200B\uFEFF]/g, "")
    .replaceAll(/[\u2010-\u2012\u2212]/g, "-")
    .replaceAll(/(?<=\d)[–—](?=\d)/g, "-");
}

/** Describes the line that should have dated the report. */
function printedPeriod(text: string): string {
  const line = /Report for\s+.*/i.exec(text)?.[0].trim().slice(0, 80);
  return line === undefined ? "no date of a printed market report was found" : `got ${JSON.stringify(line)}`;
}

/** The columns that rows and header of an issue share. */
function issueColumns({title, beginDate, endDate, issueDate, finalMark}: ReportHeader, slug: string) {
  return {
    slug,
    report_title: title,
    report_begin_date: beginDate,
    report_end_date: endDate,
    published: issueDate,
    final_ind: finalMark,
  };
}

function rawHeader(header: ReportHeader, slug: string, printed: PrintedPages): RawReportHeader {
  const above = linesAboveTables(printed);
  const top = [...printed.letterhead, ...above];
  const receipts = readReceipts(top);
  return {
    ...issueColumns(header, slug),
    is_correction: header.isCorrection,
    ...readComment(printed.letterhead, above, header.endDate),
    ...tradeTerms(above.join(" ")),
    receipts: {...receipts?.thisWeek},
    receipts_prior: {...receipts?.lastReported},
    last_reported_date: lastReportedDate(top),
    receipts_year_ago: {...receipts?.lastYear},
  };
}

/** The lines above the first table: of the first page, and of the next where the comment fills it. */
function linesAboveTables({pages}: PrintedPages): string[] {
  const above: string[] = [];
  for (const page of pages.slice(0, 2)) {
    const lines = page.map(({text}) => text);
    const tables = lines.findIndex((line) => sectionOf(line) !== null);
    above.push(...(tables < 0 ? lines : lines.slice(0, tables)));
    if (tables >= 0) break;
  }
  return above;
}

/** Rejects a row of a partial issue, unless it was rejected before. */
function partialRow(row: RawReportRow, missing: string): RawReportRow {
  return row.reject_reason ? row : {...row, reject_reason: "partial_issue", reject_detail: missing};
}

function rawRow({heading, cells, rejection}: PrintedRow, header: ReportHeader, slug: string): RawReportRow {
  const doubt = heading?.doubt ? {reason: "layout_uncertain", detail: heading.doubt} : null;
  const isCattle = heading?.commodity == null || commodityOf(heading.commodity) !== null;
  const rowRejection = isCattle
    ? (rejection ?? doubt ?? missingDelivery(cells.Delivery, header, slug))
    : doubt;
  const label = splitLabel(cells.Delivery ?? "");
  const [weightMin, weightMax] = ends(cells["Wt Range"]);
  const [priceMin, priceMax] = ends(cells["Price Range"]);
  return {
    ...issueColumns(header, slug),
    commodity: heading?.commodity ?? null,
    class: heading?.class ?? null,
    grade: heading?.grade ?? null,
    offspring_weight: heading?.offspringWeight ?? null,
    price_unit: heading?.priceUnit ?? null,
    weight_collect: heading?.weightCollect ?? null,
    delivery: label.delivery === "" ? null : label.delivery,
    freight: label.freight,
    region: heading?.region ?? directRegion(header),
    dressing: cells.Dressing ?? null,
    age: cells.Age ?? null,
    pregnancy_stage: cells.Stage ?? null,
    lot_desc: cells.comment ?? null,
    head_count: cells.Head === "*" ? null : ends(cells.Head)[0],
    avg_weight: ends(cells["Avg Wt"])[0],
    avg_weight_min: weightMin,
    avg_weight_max: weightMax,
    avg_price: ends(cells["Avg Price"])[0],
    avg_price_min: priceMin,
    avg_price_max: priceMax,
    reject_reason: rowRejection?.reason ?? null,
    reject_detail: rowRejection?.detail ?? null,
  };
}

/** Rejects a trade without a known delivery: it may be a forward price and would pass for a current one. */
function missingDelivery(label: string | undefined, {title}: ReportHeader, slug: string) {
  const {scope} = readReportTitle(title, marketTypeOf(slug));
  const needed = label !== undefined || scope === "video_internet" || scope === "direct";
  return needed && !label
    ? {reason: "layout_uncertain", detail: "no delivery stands on the line or above it"}
    : null;
}

/** State or region of a direct report, with its states: `Southeast (AL/FL/GA)`; null for other reports. */
function directRegion({title}: ReportHeader): string | null {
  if (readReportTitle(title).scope !== "direct") return null;
  const match = /^(.*?)\s*\bDirect\b.*?(\([A-Z]{2}(?:\/[A-Z]{2})*\))?$/.exec(title);
  return [match?.[1] ?? "", match?.[2] ?? ""].filter((part) => part !== "").join(" ") || null;
}

function ends(text: string | undefined): [number, number] | [null, null] {
  return text === undefined ? [null, null] : rangeOf(text);
}
