import {z} from "zod";
import {countWords} from "../../lib/counts.ts";
import {
  CellSummary,
  CountyPriceAnswer,
  DealerSummary,
  Indicator,
  PriceSummary,
} from "../../schemas/market-answer.ts";
import {BarnPrice} from "../../schemas/market-barn-price.ts";
import type {Endpoint} from "../http/endpoint.ts";
import {barnPriceTable, nearbyBarnTable} from "./barn-tables.ts";
import {saleWords} from "./barn-words.ts";
import {curveNotes} from "./curve-notes.ts";
import {type ColumnOf, type Description, type Given, joined, type Note, tableOf} from "./description.ts";
import {apartFromMandatory, mandatoryFacts, mandatoryTable} from "./mandatory-table.ts";
import {
  isGuessedDay,
  marketColumns,
  marketFacts,
  marketRow,
  type Stated,
  StatedEvidence,
} from "./market-columns.ts";
import {cattleWords, MarketRecord, priceWords} from "./market-record.ts";
import {noneWords, partialWords} from "./none-words.ts";
import {placeSignals, Signal, wordsOf} from "./place-signals.ts";
import {ReporterFacts, reporterLines, reportersOf} from "./reporter-notes.ts";

/** An answer of any market endpoint; county prices have every other member that is worded here. */
const MarketAnswer = CountyPriceAnswer.extend({
  indicators: z.array(Indicator).optional(),
  barns: z.array(BarnPrice).optional(),
  records: z.array(MarketRecord),
  context: z.array(Signal),
  evidence: z.array(StatedEvidence).optional(),
  summary: z
    .looseObject({
      ...{...PriceSummary.shape, ...CellSummary.shape, ...DealerSummary.shape},
      ...{reason: z.string().nullable(), reasons: z.array(z.string())},
    })
    .partial()
    .nullish(),
  query: z.object({
    applied: z.looseObject({
      ...{county: z.string().optional(), state: z.string().optional(), to: z.string().optional()},
      ...{
        class: z.array(z.string()).optional(),
        weight: z.number().optional(),
        history: z.number().optional(),
      },
    }),
    resolution: z.object({counties: z.array(z.string()).optional()}),
  }),
});
type MarketAnswer = z.infer<typeof MarketAnswer>;

const REPORT = "report:";
/** Number of report issues listed below a table; programs get all. */
const MAX_REPORTS = 8;
/** Number of reports whose reporter is quoted below a table; programs get all. */
const MAX_REPORTERS = 4;
/** Number of sentences about several kinds of cattle; programs get all. */
const MAX_SENTENCES = 4;

/** Schemas of what programs receive from the answers of a market endpoint. */
export function marketSchemas({response}: Endpoint): Given {
  const {build_id, as_of_date, source_date, records} = (response as typeof MarketAnswer).shape;
  // The first of two kinds of record is the endpoint's own.
  const {element: kinds} = records as z.ZodArray<typeof MarketRecord | z.ZodUnion<[typeof MarketRecord]>>;
  const element = kinds instanceof z.ZodUnion ? kinds.options[0] : kinds;
  const facts = {
    ...{build_id, as_of_date, source_date, reports: z.array(z.string())},
    ...("reporter" in element.shape ? {reporters: z.array(ReporterFacts)} : {}),
  };
  return {facts, row: marketRow(element.shape)};
}

/** Describes a market answer: its table, histories if requested, and sources, dates and limitations. */
export function describeMarket(path: string, body: unknown): Description {
  const {own, lines} = apartFromMandatory(body);
  const answer = MarketAnswer.parse(own);
  const byId = new Map(answer.evidence?.map((item) => [item.evidence_id, item]));
  const {build_id, as_of_date, source_date, nearest_market, state_summary} = answer;
  const {summary, summaries, summary_reason} = answer;
  const {indicators, barns, nearest_barns, page} = answer;
  const {applied} = answer.query;
  const stated = answer.records.map((record) => ({record, evidence: byId.get(record.evidence_id ?? "")}));
  return {
    headline: headline(path, answer, lines.length > 0),
    claims: [...new Set(stated.flatMap(({evidence}) => evidence?.claim ?? []))],
    tables: [
      ...barnPriceTable(barns, `${joined(applied.class ?? [])} of ${applied.weight} lb`),
      ...tableOf(columnsOf(path), stated),
      ...stated.flatMap((one) => historyTable(one, applied.history)),
      ...mandatoryTable(lines),
      ...nearbyBarnTable(nearest_barns),
    ],
    page: {first: page.offset + 1, returned: page.returned, total: page.total},
    notes: [["Next page", nextPage(path, answer)], ...notes(answer)],
    limitations: answer.limitations,
    records: stated.map(marketFacts),
    facts: {
      ...{build_id, as_of_date, source_date, reports: reportsOf(answer)},
      ...(hasReporters(path) ? {reporters: reportersOf(answer.records)} : {}),
      ...{nearest_market, state_summary, summary, summaries, summary_reason, indicators},
      ...{barns, nearest_barns, mandatory: mandatoryFacts(lines)},
    },
  };
}

/** The columns of an endpoint: the miles of a county price are to the middle of the county, not to a barn. */
function columnsOf(path: string): typeof marketColumns {
  if (path !== "/price-by-county") return marketColumns;
  return marketColumns.map((column) =>
    column.header === "miles" ? {...column, header: "miles to middle of county"} : column,
  );
}

/** States the answer in a sentence, or why there is none or a part is missing. */
function headline(path: string, answer: MarketAnswer, tellsPackers: boolean): string[] {
  const {records, result_status: status, summary, summary_reason: reason} = answer;
  if (status === "unresolved_location")
    return ["The place is not known: no such ZIP code in this build. Ask by county or state instead."];
  if (summary?.states_with_list !== undefined) return [dealerWords(DealerSummary.parse(summary), answer)];
  const sentences = summarySentences(answer);
  const isBarns = path === "/barns" || path === "/cattle-sale-barn-directory";
  return [
    ...(records.length > 0 ? [] : noneWords(answer, {isBarns, tellsPackers})),
    ...(status === "partial" && records.length > 0 ? [partialWords(answer)] : []),
    ...(sentences.length > 0 || reason === undefined ? sentences : [reason]),
    ...(isBarns ? saleWords(answer) : []),
    ...nearestBarnWords(answer),
  ];
}

/** What the nearest barn with a price paid for the weight asked for, where barns are compared; the rows are of whole bins of weight and all grades. */
function nearestBarnWords({barns = [], evidence = []}: MarketAnswer): string[] {
  const [nearest] = barns
    .filter(({price_avg}) => price_avg !== null)
    .sort((a, b) => a.distance_mi - b.distance_mi);
  const claim = evidence.find(({evidence_id}) => evidence_id === nearest?.evidence_id)?.claim;
  return claim === undefined ? [] : [claim];
}

/** The figures over all sales in words, most head first, each behind that of a newer official week. Of several kinds of cattle those without one are not told each; where none has one, the rows speak. */
function summarySentences({summary, summaries = [], records}: MarketAnswer): string[] {
  const figures = [summary, ...summaries]
    .filter((each) => each != null)
    .sort((a, b) => headOfFigure(b) - headOfFigure(a));
  const toldFigures = figures.filter(({price_avg, official}) => (price_avg ?? official) != null);
  const sentences = toldFigures.flatMap(({price_avg, official, sentence}) => [
    ...(official == null ? [] : [official.sentence]),
    ...(price_avg == null || sentence === undefined ? [] : [sentence]),
  ]);
  const missing = [...new Set(figures.flatMap(({sentence}) => sentence ?? []))];
  if (missing.length < 2) return [...new Set([...sentences, ...missing])];
  if (sentences.length > 0) return [...new Set(sentences)].slice(0, MAX_SENTENCES);
  return records.length === 0 ? missing.slice(0, 1) : [noneOverSales];
}

/** The head behind a figure of feeders near its weight, or of other cattle. */
function headOfFigure({fit, head_count, official}: NonNullable<MarketAnswer["summary"]>): number {
  return Math.max(fit?.head_near ?? head_count ?? 0, official?.head_count ?? 0);
}

const noneOverSales =
  "No kind of these cattle sold often enough for one figure over several sales; the rows have the reports.";

function dealerWords(summary: z.infer<typeof DealerSummary>, {query}: MarketAnswer): string {
  const {states_with_list: lists, states_without_list: others, total_entities: total} = summary;
  const state = query.applied.state;
  const ofState = state === undefined ? "" : ` of ${state}`;
  if (lists === 0)
    return `No public list of licensed dealers${ofState} is in this build; that is not a count of zero.`;
  const where =
    state === undefined ? `the lists of ${lists} of ${lists + others} states` : `the list${ofState}`;
  return `${total === null ? "An unstated number of" : countWords(total)} licensed dealers and markets at least, on ${where}.`;
}

/** The barns of the page that a later report says held no sale. */
function unheldSales(records: MarketAnswer["records"]): string {
  const said = records.flatMap(({venue_name, no_sale_on}) =>
    no_sale_on === undefined || no_sale_on.length === 0 ? [] : `${venue_name} on ${no_sale_on.join(" and ")}`,
  );
  return [...new Set(said)].join("; ");
}

/** How the next page of past sales is asked: rows of sales may go on beyond the largest offset, and their tool alone takes a cursor. */
function nextPage(path: string, {page, query: {applied}}: MarketAnswer): string {
  if (applied.to === undefined || !page.next_cursor) return "";
  return path === "/latest-prices" ? `cursor ${page.next_cursor}` : `offset ${page.offset + page.returned}`;
}

function notes({records, summary, state_summary: fresher, ...answer}: MarketAnswer): Note[] {
  const {source_date, as_of_date, build_id, sources, context} = answer;
  const {to} = answer.query.applied;
  // Only the HTTP answer shows the context, so a source of it alone is named apart.
  const shown = new Set(answer.evidence?.flatMap((item) => item.sources));
  const beside = sources.filter((id) => !shown.has(id) && context.some(({source_id}) => source_id === id));
  const withoutWords = beside.filter(
    (id) => !context.some((item) => item.source_id === id && wordsOf(item) !== null),
  );
  const reports = reportsOf(answer);
  const more = reports.length > MAX_REPORTS ? ` and ${reports.length - MAX_REPORTS} more` : "";
  const estimated = records.some(({price_basis}) => price_basis === "nearest_market_estimate");
  const dates = `newest source ${source_date}; ages count from ${to ?? as_of_date}; build ${build_id}`;
  return [
    ...curveNotes(summary, answer.indicators),
    ["Changes", unmatchedWords(records, summary)],
    ["Not compared", untestedRows(records)],
    ["No sale", unheldSales(records)],
    [
      "Sale days",
      records.some(isGuessedDay)
        ? "? not confirmed: a guess by reported sales, or a barn without a report of late; ask the barn"
        : "",
    ],
    ["Estimate", estimated ? "* no market in the county reported; from the nearest markets" : ""],
    [
      "Fresher",
      fresher ? `summary of ${fresher.state}, week to ${fresher.week_end_date} (${fresher.report_slug})` : "",
    ],
    ["Sources", joined(sources.filter((id) => !beside.includes(id)))],
    ["Reports", `${joined(reports.slice(0, MAX_REPORTS))}${more}`],
    ["Pages", joined(pagesOf(records).slice(0, MAX_REPORTS))],
    ...reporterLines(reportersOf(records).slice(0, MAX_REPORTERS)).map((line): Note => ["Reporter", line]),
    ...placeSignals(context),
    [
      "Context",
      withoutWords.length === 0 ? "" : `more signals in the HTTP answer, of ${joined(withoutWords)}`,
    ],
    ["Dates", source_date === null ? "" : dates],
  ];
}

/** The report issues behind the page, such as `ams-1280@2026-11-16`: by them a figure can be looked up at its publisher. */
function reportsOf({evidence = []}: Pick<MarketAnswer, "evidence">): string[] {
  const ids = evidence.flatMap(({entity_ids}) => entity_ids.filter((id) => id.startsWith(REPORT)));
  return [...new Set(ids)].sort().map((id) => id.slice(REPORT.length));
}

/** The publisher's pages of the reports behind the page. */
function pagesOf(records: MarketAnswer["records"]): string[] {
  const urls = records.flatMap(({upstream, report_url}) => upstream?.report_urls ?? report_url ?? []);
  return [...new Set(urls)].sort();
}

/** True for the endpoints whose records carry what a reporter says. */
function hasReporters(path: string): boolean {
  return path === "/latest-prices" || path === "/price-by-state";
}

/** Explains why neither the summary nor any record has a change, since the empty columns are dropped from the table. */
function unmatchedWords(records: MarketAnswer["records"], summary: MarketAnswer["summary"]): string {
  // A single sale has no change of its own.
  const prices = records.filter((one) => one.change_week !== undefined && one.report_end_date === undefined);
  const gone = (["week", "year"] as const).filter((back) =>
    [...prices, summary].every((one) => one?.[`change_${back}`] == null),
  );
  if (prices.length === 0 || gone.length === 0) return "";
  return `no comparison with ${gone.map((back) => `last ${back}`).join(" and ")}`;
}

/** The rows whose reporter says that there was no market test or nothing to compare with; a record with its reporter has the words themselves. */
function untestedRows(records: MarketAnswer["records"]): string {
  const rows = records.filter(
    ({change_week_reason: reason, reporter}) => reason === "not_tested" && reporter === undefined,
  );
  if (rows.length === 0) return "";
  const byPlace = Map.groupBy(rows, ({county_name, state}) => joined([county_name, state]));
  const places = [...byPlace].map(([place, of]) => {
    const kinds = of.map((row) => joined([cattleWords(row), row.weight_bin && `${row.weight_bin} lb`], " "));
    return `${place}: ${joined([...new Set(kinds)], "; ")}`;
  });
  return `the reporters say that there was no market test or nothing to compare with, at this sale or the one before it: ${places.join(" | ")}`;
}

/** How many of the weeks asked have a sale: the table has these alone. */
function gapWords(sold: number, asked: number | undefined): string {
  return asked === undefined || sold >= asked
    ? ""
    : `; ${sold} of the ${asked} weeks asked have a sale in this build`;
}

/** The table of a record's weeks, if it has any. */
function historyTable({record}: Stated, weeks: number | undefined) {
  const {history = [], county_name, state, weight_bin, price_unit} = record;
  const columns: ColumnOf<(typeof history)[number]>[] = [
    {header: "week to", cell: (week) => week.week_end_date},
    {header: "USD", cell: (week) => priceWords(week.price_avg, price_unit), right: true},
    {header: "head", cell: (week) => week.head_count},
    {header: "barns", cell: (week) => week.venues_reporting, priority: 1},
  ];
  const bin = weight_bin == null ? "" : ` ${weight_bin} lb`;
  const cattle = `${joined([county_name, state, cattleWords(record)])}${bin}`;
  return tableOf(columns, history, `Weeks: ${cattle}${gapWords(history.length, weeks)}`);
}
