import {
  cutoutMeasures,
  dateFrom,
  mandatoryCells,
  mandatoryProduct,
  mandatoryRecords,
  reportRegion,
  reportSlug,
  statedRecords,
} from "@open-cattle/usda-reports";
import {UserError} from "../../../lib/errors.ts";
import {mandatoryMaxAgeDays} from "../../../lib/market/pricing-rules.ts";
import {mandatory_prices} from "../answers/mandatory-prices.ts";
import {slug} from "../documents/json-values.ts";
import {everyState, plainSql} from "../signals/context.ts";
import {reject} from "../signals/reading.ts";
import {type Row, tableReader} from "../signals/signal-reader.ts";
import type {SignalFeed} from "./feed.ts";

const dates = ["reportdate", "reportedfordate", "reportenddate"];

/** Report lines that the answers of a state carry at most, what matters first. */
const maxLines = 20;
/** SQL: lines with a price of cattle, and values and volume of the cutout; single cuts are left to the table. */
const priced = `(signal = 'direct_cattle' AND regexp_matches(measures, '(?i)price')) OR (signal = 'boxed_beef' AND regexp_matches(section, '(?i)cutout|volume'))`;
/** SQL: the served lines of each report row, with the change against the week before: one of cattle, of the cutout one for each grade. */
const servedLines = `(SELECT CASE WHEN price_basis_live = 'cutout' THEN regexp_replace(line_id, '/[^/]*$', '') ELSE line_id END AS key,
    report_date AS valid_from, list({class: class_printed, grade: grade_printed, price_basis_live: price_basis_live,
      delivery: delivery_printed, price_unit: price_unit, price_avg: ${plainSql("price_avg")}, change_week: ${plainSql("change_week")},
      change_week_from: change_week_from, head_count: head_count, avg_weight_lb: avg_weight_lb} ORDER BY importance) AS lines, min(importance) AS importance FROM mandatory_prices GROUP BY ALL)`;
/** SQL: the states of a row's region, or all of them. */
const regionStates = `CASE WHEN area_type = 'states' THEN string_split(area, ' ') ELSE ${everyState} END`;

/**
 * Mandatory price reporting: Datamart sections, the older XML service, the list of its reports (metadata) and the cutout
 * export. The rows are packers' purchases: they get a file of their own and never enter a price of this service.
 */
export const lmr: SignalFeed = {
  kind: "signals",
  source: "ams-lmr-datamart",
  // Keys of the Datamart's statistics end in a colon, and its report list names each report's sections.
  sign: /"[a-zA-Z]+:"\s*:|"sectionNames"\s*:\s*\[\s*"/,
  tables: ["mandatory_reports"],
  read: tableReader("mandatory_reports", {
    needs: [[...dates, "sectionnames"]],
    expected: "a report date: sections of the Datamart, its list of reports or a cutout export",
    records: mandatoryRecords,
    counted: statedRecords,
    // A row equal in all cells is a repeat.
    identity: ({record}) => JSON.stringify(record),
    columns(row, {file}) {
      // The market-news service uses the same envelope, but only its rows have `final_ind`.
      if (row.has("finalind"))
        throw new UserError(
          `${file.path}: expected sections of the Datamart, got rows of the market-news service.`,
        );
      if (!row.has(...dates)) return "report_list_entries";
      // A day of the XML service, whose rows follow it.
      if (row.has("report")) return null;
      // The cutout export names no report.
      return row.has("reporttitle", "slugname", "slugid") ? reportColumns(row) : cutoutColumns(row);
    },
  }),
  context: [
    {
      table: "mandatory_reports",
      signal: "mandatory_prices",
      beside: `LEFT JOIN ${servedLines} USING (key, valid_from)`,
      carries: priced,
      newestOf: "key",
      order: "importance",
      most: maxLines,
      days: String(mandatoryMaxAgeDays),
      places: {state: regionStates},
      group: "key",
      values: [
        "'mandatory' AS report_scope",
        "report_title",
        "section",
        "valid_from AS report_date",
        "first(labels ORDER BY seq)::JSON AS labels",
        "first(measures ORDER BY seq)::JSON AS measures",
        "coalesce(first(lines ORDER BY seq), []) AS lines",
      ],
      limitation:
        "Packers' purchases as reported by law, under the report's own names and units: live, dressed and cutout prices are not comparable, and none is part of an auction price of this service.",
    },
  ],
  contextReads: [mandatory_prices],
  sample: ["sample-section.json"],
};

/** A row of a report. */
function reportColumns(row: Row) {
  const title = row.text("reporttitle") ?? "";
  const legacy = /\((LM_[A-Z]{2}\d+)\)/i.exec(title)?.[1]?.toUpperCase();
  const code = legacy ?? row.text("slugname", "slugid") ?? "unknown";
  const section = row.text("reportsection") ?? "Summary";
  const {labels, measures} = mandatoryCells(row.record);
  const signal = mandatoryProduct(code, title) ?? reject("not_cattle", `report ${code}: ${title}`);
  const valid_from = row.day("reportdate", "reportedfordate", "reportenddate");
  if (Object.keys(measures).length === 0) reject("no_value", "a row without a number");
  // Days of a line differ by issue; its other labels are what makes it the same line.
  const words = Object.values(labels).filter((label) => dateFrom(label) === null);
  const key = [code, section, ...words].map(slug).filter((part) => part !== "");
  const {states} = reportRegion(title, labels);
  return {
    signal,
    key: key.join("/"),
    valid_from,
    ...(states.length === 0 ? nation : {area_type: "states", area: states.join(" ")}),
    report_title: title,
    report_slug: reportSlug(row.text("slugname", "slugid") ?? legacy),
    section,
    published_at_source: row.text("publisheddate"),
    labels: JSON.stringify(labels),
    measures: JSON.stringify(measures),
  };
}

const nation = {area_type: "nation", area: "US"};

/** One day of the boxed-beef cutout export. */
function cutoutColumns(row: Row) {
  const valid_from = row.day("reportdate");
  const measures = cutoutMeasures(row.record);
  if (Object.keys(measures).length === 0) reject("no_value", "no cutout value on the day");
  return {
    signal: "boxed_beef",
    key: "lm-xb403/cutout-export",
    valid_from,
    ...nation,
    report_title: "National Daily Boxed Beef Cutout (export)",
    report_slug: null,
    section: "Current Cutout Values",
    labels: "{}",
    measures: JSON.stringify(measures),
  };
}
