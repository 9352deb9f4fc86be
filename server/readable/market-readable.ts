import {MarketShape} from "./market-shape.ts";
import {historyTables, marketTable, type Stated} from "./market-tables.ts";
import type {Readable} from "./readable.ts";

/** Gives a market answer in words: its table, weeks where they were wanted, and sources, dates and limitations below. */
export function marketReadable(path: string, answer: unknown): Readable {
  const shape = MarketShape.parse(answer);
  const stated = statedRecords(shape);
  const tables = stated.length === 0 ? [] : [marketTable(path, stated), ...historyTables(stated)];
  return {above: absent(shape), tables, below: below(shape, stated)};
}

/** Gives each record of an answer with its evidence. */
export function statedRecords({records, evidence}: MarketShape): Stated[] {
  const byId = new Map((evidence ?? []).map((item) => [item.evidence_id, item]));
  return records.map((record) => ({record, evidence: byId.get(record.evidence_id ?? "")}));
}

/** Says why an answer has no records, or that a part of it is missing. */
function absent({
  records,
  result_status,
  last_known_source_date,
  nearest_market: near,
}: MarketShape): string[] {
  if (result_status === "unresolved_location")
    return ["The place is not known: no such ZIP code in this build."];
  if (records.length > 0)
    return result_status === "partial" ? ["A part of the question has no answer here."] : [];
  const known = last_known_source_date == null ? "" : ` The last one known is of ${last_known_source_date}.`;
  const market =
    near == null
      ? []
      : [
          `The nearest market is ${near.venue_name}, ${near.city}, ${near.state}: ${near.distance_mi} miles, last sale ${near.last_sale_date}.`,
        ];
  return [`Nothing is reported for this question.${known}`, ...market];
}

function below(shape: MarketShape, stated: readonly Stated[]): [string, string][] {
  const {page, state_summary: summary} = shape;
  const first = (page.offset ?? 0) + 1;
  const estimated = stated.some(({record}) => record.price_basis === "nearest_market_estimate");
  const lines: [string, string | null][] = [
    ["Shown", page.returned === 0 ? null : `${first} to ${first + page.returned - 1} of ${page.total}`],
    ["Estimate", estimated ? "* no market in the county reported; from the nearest markets" : null],
    [
      "Fresher",
      summary == null
        ? null
        : `summary of ${summary.state}, week to ${summary.week_end_date} (${summary.report_slug})`,
    ],
    ["Sources", shape.sources.length === 0 ? null : shape.sources.join(", ")],
    [
      "Dates",
      shape.source_date === null
        ? null
        : `newest source ${shape.source_date}; ages count from ${shape.as_of_date}`,
    ],
    ["Limitations", shape.limitations.join(" ")],
  ];
  return lines.filter((line): line is [string, string] => line[1] !== null && line[1] !== "");
}
