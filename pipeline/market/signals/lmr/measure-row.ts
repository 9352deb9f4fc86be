import {type Json, numberOf, slug, textAt, textOf} from "../../json-values.ts";
import {dateFrom} from "../../words/published-date.ts";
import type {RowOutcome} from "../reading.ts";

/** Columns that are equal in every row of a report. */
const reportMembers =
  /^(report_(date|title|begin_date|end_date)|reported_for_date|slug_(name|id)|office_.*|market_.*|published_date|narrative|trend|comments?)$/i;

export type ReportRow = {
  readonly slug: string;
  readonly title: string;
  readonly section: string;
  readonly record: Json;
  /** Number of the row among those of its report, section and date that have the same labels, from 1. */
  readonly twin: number;
};

/** One row of a section of a mandatory report: its texts are labels, its numbers measures, under their published names. */
export function measureRow({slug: code, title, section, record, twin}: ReportRow): RowOutcome {
  const kind = cattleKind(code, title);
  if (kind === null) return {reject: "not_cattle", detail: `report ${code}: ${title}`};
  const date =
    dateFrom(record["report_date"]) ??
    dateFrom(record["reported_for_date"]) ??
    dateFrom(record["report_end_date"]);
  if (date === null)
    return {reject: "bad_date", detail: `report_date ${String(record["report_date"])}, a date was expected`};
  const {labels, measures} = labelsAndMeasures(record);
  if (Object.keys(measures).length === 0) return {reject: "no_value", detail: "a row without a number"};
  const name = [code, section, ...Object.values(labels)].map(slug).filter((part) => part !== "");
  return {
    accept: {
      table: "mandatory_reports",
      values: {
        signal: kind === "beef" ? "boxed_beef" : "direct_cattle",
        key: `${name.join("/")}${twin > 1 ? `#${twin}` : ""}`,
        valid_from: date,
        area_type: "nation",
        area: "US",
        source_date: date,
        report_title: title,
        section,
        published_at_source: textOf(record["published_date"]),
        labels: JSON.stringify(labels),
        measures: JSON.stringify(measures),
      },
    },
  };
}

/** The texts of a row by which it is told from the others of its section. */
export function labelKey(record: Json): string {
  return JSON.stringify([record["report_date"], labelsAndMeasures(record).labels]);
}

function labelsAndMeasures(record: Json): {labels: Record<string, string>; measures: Record<string, number>} {
  const labels: Record<string, string> = {};
  const measures: Record<string, number> = {};
  for (const [name, value] of Object.entries(record)) {
    if (reportMembers.test(name) || textOf(value) === null) continue;
    const number = numberOf(value);
    if (number === null) labels[name] = textOf(value)!;
    else measures[name] = number;
  }
  return {labels, measures};
}

/** Slug of a report from its row: `LM_XB403` where the title has it, else the number. */
export function codeOf(record: Json, title: string): string {
  return (
    /\((LM_[A-Z]{2}\d+)\)/i.exec(title)?.[1]?.toUpperCase() ??
    textAt(record, "slug_name", "slug_id") ??
    "unknown"
  );
}

/**
 * The goods of a mandatory report, by its legacy code (`LM_CT…` cattle, `LM_XB…` boxed beef) and its title. Null for hogs,
 * pork, lamb, sheep and dairy: those reports are no part of this service.
 */
function cattleKind(code: string, words: string): "cattle" | "beef" | null {
  const legacy = /LM[_ ]?([A-Z]{2})\d/i.exec(`${code} ${words}`)?.[1]?.toUpperCase();
  if (legacy === "CT") return "cattle";
  if (legacy === "XB" || legacy === "XS") return "beef";
  if (legacy !== undefined) return null;
  if (/\b(hogs?|swine|pork|lambs?|sheep|mutton|butter|cheese|milk|whey)\b/i.test(words)) return null;
  if (/\b(beef|cutout|trimmings)\b/i.test(words)) return "beef";
  return /\b(cattle|steers?|heifers?|cows?|bulls?)\b/i.test(words) ? "cattle" : null;
}
