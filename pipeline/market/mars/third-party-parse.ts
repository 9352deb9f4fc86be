import {UserError} from "../../../lib/errors.ts";
import {matchColumns} from "../column-aliases.ts";
import {isObject, type Json, numberOf} from "../json-values.ts";
import type {RawReportHeader, RawReportRow, Receipts} from "../staging.ts";
import {headerOf} from "./json-rows.ts";
import {rawRecord} from "./raw-record.ts";

/**
 * A third party's parse of a printed report. Receipts, their breakdown and the presence of a comment are reliable; the
 * lot comment (`note`) and the class of replacement cattle are not, and without them no row can be put into a cell:
 * the sale is taken and every price row is kept back with its reason.
 */
export function stagedParse(
  parse: Json,
  entries: readonly Json[],
  path: string,
): {rows: RawReportRow[]; header: RawReportHeader} {
  const facts = rawRecord(parse, matchColumns(Object.keys(parse)), null);
  const [header] = headerOf(facts, {receipts: receiptsOf(parse)});
  if (header === undefined) {
    throw new UserError(
      `${path}: a parse needs report_id and sale_date or period_end; came ${Object.keys(parse).join(", ")}.`,
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

/** Receipts by `total` and by the parse's own words for commodities (`feeder`). */
function receiptsOf(parse: Json): Receipts {
  const breakdown = isObject(parse["breakdown"]) ? Object.entries(parse["breakdown"]) : [];
  const parts = breakdown.map(([name, part]) => [name, numberOf(isObject(part) ? part["head"] : part)]);
  return {total: numberOf(parse["total_receipts"]), ...Object.fromEntries(parts)};
}
