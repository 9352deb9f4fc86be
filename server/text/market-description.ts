import {z} from "zod";
import {CountyPriceAnswer, DealerSummary, PriceSummary} from "../../schemas/market-answer.ts";
import type {Endpoint} from "../http/endpoint.ts";
import {type ColumnOf, type Description, type Given, joined, type Note, tableOf} from "./description.ts";
import {marketColumns, marketFacts, marketRow, type Stated, StatedEvidence} from "./market-columns.ts";
import {cattleWords, MarketRecord, priceWords, withSureChanges} from "./market-record.ts";

/** An answer of any market endpoint; county prices have every member that is worded here. */
const MarketAnswer = CountyPriceAnswer.omit({query: true, context: true, source_registry: true}).extend({
  records: z.array(MarketRecord),
  evidence: z.array(StatedEvidence).optional(),
  summary: z.union([PriceSummary, DealerSummary]).nullish(),
  query: z
    .object({
      applied: z.object({county: z.string().optional(), state: z.string().optional()}),
      resolution: z.object({counties: z.array(z.string()).optional()}),
    })
    .optional(),
});
type MarketAnswer = z.infer<typeof MarketAnswer>;

/** Schemas of what programs receive from the answers of a market endpoint. */
export function marketSchemas({response}: Endpoint): Given {
  const {as_of_date, source_date, records} = (response as typeof MarketAnswer).shape;
  return {facts: {as_of_date, source_date}, row: marketRow(records.element.shape)};
}

/** Describes a market answer: its table, histories if requested, and sources, dates and limitations. */
export function describeMarket(path: string, body: unknown): Description {
  const read = MarketAnswer.parse(body);
  const answer = {...read, records: read.records.map(withSureChanges)};
  const byId = new Map(answer.evidence?.map((item) => [item.evidence_id, item]));
  const {as_of_date, source_date, nearest_market, state_summary, summary, summary_reason, page} = answer;
  const stated = answer.records.map((record) => ({record, evidence: byId.get(record.evidence_id ?? "")}));
  return {
    headline: headline(path, answer),
    claims: [...new Set(stated.flatMap(({evidence}) => evidence?.claim ?? []))],
    tables: [...tableOf(marketColumns, stated), ...stated.flatMap(historyTable)],
    page: {first: page.offset + 1, returned: page.returned, total: page.total},
    notes: notes(answer),
    limitations: answer.limitations,
    records: stated.map(marketFacts),
    facts: {as_of_date, source_date, nearest_market, state_summary, summary, summary_reason},
  };
}

/** States the answer in a sentence, or why there is none or a part is missing. */
function headline(path: string, answer: MarketAnswer): string[] {
  const {records, result_status: status, summary, summary_reason: reason} = answer;
  if (status === "unresolved_location") return ["The place is not known: no such ZIP code in this build."];
  if (summary && "states_with_list" in summary) return [dealerWords(DealerSummary.parse(summary))];
  const sentence = summary ? PriceSummary.parse(summary).sentence : reason;
  return [
    ...(records.length === 0 ? noneWords(answer) : []),
    ...(status === "partial" && records.length > 0 ? ["A part of the question has no answer here."] : []),
    ...(sentence === undefined ? [] : [sentence]),
    ...(path === "/barns" || path === "/cattle-sale-barn-directory" ? saleWords(answer) : []),
  ];
}

function noneWords({last_known_source_date: last, nearest_market: nearest, query}: MarketAnswer): string[] {
  const {applied = {}, resolution} = query ?? {};
  // A date or a market beside these words would be that of the whole state.
  if (resolution?.counties?.length === 0 && applied.county !== undefined)
    return [`No county is called "${applied.county}"${applied.state ? ` in ${applied.state}` : ""}.`];
  const nothing = `Nothing is reported for this question.${last ? ` The last one known is of ${last}.` : ""}`;
  if (nearest === undefined) return [nothing];
  const {venue_name, city, state, distance_mi, last_sale_date} = nearest;
  const place = joined([venue_name, city, state]);
  return [nothing, `The nearest market is ${place}: ${distance_mi} miles, last sale ${last_sale_date}.`];
}

function dealerWords({
  states_with_list: lists,
  total_entities: total,
}: z.infer<typeof DealerSummary>): string {
  if (lists === 0) return "No state's public list of licensed dealers is in this build.";
  return `${total?.toLocaleString("en-US") ?? "An unstated number of"} licensed dealers and markets at least, on the lists of ${lists} of 50 states.`;
}

/** The next sale of the one barn in the answer, or the earliest among the barns on the page. */
function saleWords({records, page}: MarketAnswer): string[] {
  const dayOf = ({next_sale_date: day}: MarketRecord) => day ?? "~";
  const first = records.reduce<MarketRecord | undefined>(
    (soonest, each) => (soonest !== undefined && dayOf(soonest) <= dayOf(each) ? soonest : each),
    undefined,
  );
  if (first === undefined) return [];
  const {venue_name, city, state, next_sale_date: day, last_reported_sale_date: last} = first;
  const barn = joined([venue_name, city, state]);
  const before = last == null ? "" : `; its last reported sale was on ${last}`;
  if (page.total === 1)
    return [
      `${barn}: ${day == null ? "no coming sale day is known" : `next sale ${dayWords(day)}`}${before}.`,
    ];
  if (day == null) return [`${page.total} barns; no coming sale day is known of those shown.`];
  return [`${page.total} barns; of those shown ${barn} sells first, on ${dayWords(day)}.`];
}

/** A date with its weekday, such as `Thursday 2026-11-26`. */
function dayWords(date: string): string {
  return `${new Date(date).toLocaleDateString("en-US", {weekday: "long", timeZone: "UTC"})} ${date}`;
}

function notes({records, summary, state_summary: fresher, ...answer}: MarketAnswer): Note[] {
  const {sources, source_date, as_of_date} = answer;
  const estimated = records.some(({price_basis}) => price_basis === "nearest_market_estimate");
  const week = fresher && `${fresher.state}, week to ${fresher.week_end_date} (${fresher.report_slug})`;
  return [
    ["Changes", unmatchedWords(records, summary)],
    ["Estimate", estimated ? "* no market in the county reported; from the nearest markets" : ""],
    ["Fresher", week === undefined ? "" : `summary of ${week}`],
    ["Sources", joined(sources)],
    ["Dates", source_date === null ? "" : `newest source ${source_date}; ages count from ${as_of_date}`],
  ];
}

/** Explains why neither the summary nor any record has a change, since the empty columns are dropped from the table. */
function unmatchedWords(records: MarketAnswer["records"], summary: MarketAnswer["summary"]): string {
  // A single sale has no change of its own.
  const prices = records.filter((one) => one.change_week !== undefined && one.report_end_date === undefined);
  const changes = [
    ...prices,
    summary as Pick<MarketRecord, "change_week" | "change_year"> | null | undefined,
  ];
  const gone = (["week", "year"] as const).filter((back) =>
    changes.every((one) => one?.[`change_${back}`] == null),
  );
  if (prices.length === 0 || gone.length === 0) return "";
  return `none against ${gone.map((back) => `last ${back}`).join(" and ")}: too few like cattle are known of that time`;
}

/** The table of a record's weeks, if it has any. */
function historyTable({record}: Stated) {
  const {history = [], county_name, state, weight_bin, price_unit} = record;
  const columns: ColumnOf<(typeof history)[number]>[] = [
    {header: "week to", cell: (week) => week.week_end_date},
    {header: "USD", cell: (week) => priceWords(week.price_avg, price_unit), right: true},
    {header: "head", cell: (week) => week.head_count},
    {header: "barns", cell: (week) => week.venues_reporting, priority: 1},
  ];
  const bin = weight_bin == null ? "" : ` ${weight_bin} lb`;
  return tableOf(columns, history, `Weeks: ${joined([county_name, state, cattleWords(record)])}${bin}`);
}
