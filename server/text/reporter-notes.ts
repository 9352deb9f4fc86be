import {z} from "zod";
import {moneyWords} from "../../lib/market/cell-words.ts";
import type {Trend} from "../../schemas/vocabulary/reporter.ts";
import {joined} from "./description.ts";
import type {MarketRecord} from "./market-record.ts";

/** What the reporter of one report says, for programs. */
export const ReporterFacts = z.object({
  report_title: z.string().nullable(),
  report_date: z.string().nullable(),
  report_url: z.string().nullable(),
  document_url: z.string().nullable(),
  trend: z.array(z.string()),
  demand: z.string().nullable(),
  supply: z.string().nullable(),
  market_test: z.string(),
  text: z.string(),
  credit: z.string(),
});
type ReporterFacts = z.infer<typeof ReporterFacts>;

/** The reports behind records that say something beside their figures, each once, in the order of the records. */
export function reportersOf(records: readonly MarketRecord[]): ReporterFacts[] {
  const factsByText = new Map<string, ReporterFacts>();
  for (const record of records) {
    const {reporter, report_title = null, report_url = null, document_url = null} = record;
    if (reporter == null) continue;
    const report_date = record.report_end_date ?? record.week_end_date ?? record.last_sale_date ?? null;
    const key = `${report_url ?? report_title} ${report_date}`;
    if (factsByText.has(key)) continue;
    const {trend, demand, demand_to, supply, supply_to, market_test, text, credit} = reporter;
    factsByText.set(key, {
      ...{report_title, report_date, report_url, document_url, trend: trend.map(trendWords)},
      ...{demand: rangeWords(demand, demand_to), supply: rangeWords(supply, supply_to)},
      ...{market_test, text, credit},
    });
  }
  return [...factsByText.values()];
}

/** The reporters as lines for people: the trend, demand and supply of each report. */
export function reporterLines(reporters: readonly ReporterFacts[]): string[] {
  return reporters.map(({report_title, report_date, trend, demand, supply}) =>
    [
      joined([report_title, report_date], " "),
      trend.length === 0 ? "no trend said" : trend.join("; "),
      ...(demand === null ? [] : [`demand ${demand}`]),
      ...(supply === null ? [] : [`supply ${supply}`]),
    ].join(" | "),
  );
}

function rangeWords(from: string | null, to: string | null): string | null {
  return from === null ? null : joined([from, to], " to ").replaceAll("_", " ");
}

/** A statement such as `steers 600 lb and over 2.00 to 5.00 higher than last week`. */
function trendWords(trend: Trend): string {
  const {weight_low_lb: low, weight_high_lb: high, compared_with: compared} = trend;
  const weight =
    low === null && high === null
      ? ""
      : low === null
        ? `under ${high} lb`
        : high === null
          ? `over ${low} lb`
          : low === high
            ? `${low} lb`
            : `${low} to ${high} lb`;
  const use = trend.commodity === null ? null : trend.commodity.split("_")[0];
  const isNoun = trend.kind === "calves" || trend.kind === "yearlings";
  const unnamed = use === null ? "all cattle" : isNoun ? null : "cattle";
  const cattle = joined([use, trend.grade, trend.kind, trend.class ?? unnamed], " ");
  const against = compared === null ? "" : `against ${compared === "two_weeks" ? "two weeks ago" : compared}`;
  return joined([cattle, weight, directionWords(trend), against], " ").replaceAll("_", " ");
}

function directionWords({direction, low, high, qualifier}: Trend): string {
  const how = qualifier === null ? "" : `${qualifier} `;
  if (direction === "mixed" && low !== null && high !== null)
    return `${how}${moneyWords(-low)} lower to ${moneyWords(high)} higher`;
  if (low === null && high === null) return `${how}${direction.replaceAll("_", " ")}`;
  if (high === null) return `${how}steady to ${direction}`;
  const range =
    low === 0
      ? `steady to ${moneyWords(high)}`
      : low === high || low === null
        ? moneyWords(high)
        : `${moneyWords(low)} to ${moneyWords(high)}`;
  return `${how}${range} ${direction}`;
}
