import {UserError} from "../../../lib/errors.ts";
import {matchColumns} from "../column-aliases.ts";
import {isObject, type Json, numberOf} from "../json-values.ts";
import type {RawReportHeader, RawReportRow} from "../staging.ts";
import {vocabulary} from "../words/plain-text.ts";
import {reportPeriod} from "../words/report-period.ts";
import {rawRecord, wordsOf} from "./raw-record.ts";

const commodities = vocabulary({
  feeder: "Feeder Cattle",
  slaughter: "Slaughter Cattle",
  replacement: "Replacement Cattle",
});

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
  const period = reportPeriod(facts);
  if (!facts.slug || period === null) {
    throw new UserError(
      `${path}: a parse needs report_id and sale_date or period_end; came ${Object.keys(parse).join(", ")}.`,
    );
  }
  const match = matchColumns([...new Set(entries.flatMap((entry) => Object.keys(entry)))]);
  const ofReport = {
    slug: facts.slug,
    report_title: facts.report_title ?? null,
    report_begin_date: period.begin,
    report_end_date: period.end,
  };
  return {
    rows: entries.map((entry) => ({
      ...rawRecord(entry, match, facts.slug ?? null),
      ...ofReport,
      ...rejection(entry),
    })),
    header: {
      ...ofReport,
      published: facts.published ?? null,
      final_ind: facts.final_ind ?? null,
      narrative: wordsOf(parse["narrative"]) !== null,
      receipts: receiptsOf(parse),
      receipts_prior: {},
      receipts_year_ago: {},
    },
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

function receiptsOf(parse: Json): Record<string, number | null> {
  const breakdown = isObject(parse["breakdown"]) ? parse["breakdown"] : {};
  const parts = Object.entries(breakdown).map(([name, part]) => [
    commodities.get(name) ?? name,
    numberOf(isObject(part) ? part["head"] : part),
  ]);
  return {total: numberOf(parse["total_receipts"]), ...Object.fromEntries(parts)};
}
