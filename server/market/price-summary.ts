import {counted} from "../../lib/counts.ts";
import {ageDays} from "../../lib/dates.ts";
import {headWords, moneyWords, priceWords, titled} from "../../lib/market/cell-words.ts";
import {evidenceOf, latestOf, sortedUnique} from "../../lib/market/evidence.ts";
import {agreementOf, countyCoverage, priceConfidence, thinHead} from "../../lib/market/price-confidence.ts";
import type {Evidence as FullEvidence} from "../../schemas/market-evidence.ts";
import type {CountyPrice, PriceSummary} from "../../schemas/market-records.ts";
import type {MarketSource} from "../../schemas/market-source.ts";
import {marketSourceIds} from "../../schemas/market-source.ts";
import type {Generation} from "../generation/generation.ts";
import type {MarketArtifacts} from "../tables/market-set.ts";
import type {CountyKey, Placed} from "../tables/record-tables.ts";
import type {Evidence} from "../tables/side-tables.ts";
import {chosenPens, type Figures, figuresOf, headOf, type Pen} from "./summary-figures.ts";

/** The place of a question, worded and as part of an id. */
export type AskedPlace = {readonly id: string; readonly words: string; readonly radiusMiles: number | null};

/** The county records of all pages with their miles, and what was asked. */
type Asked = {
  readonly rows: () => readonly Placed<CountyKey>[];
  readonly classes: readonly string[] | undefined;
  readonly weight: number | undefined;
  readonly place: AskedPlace;
};

/** Envelope members, and the summary's evidence if there is a summary. */
type Summarized = {
  extra: {summary?: PriceSummary | null; summary_reason?: string};
  evidence: readonly Evidence[];
};

/** A question without a class and a weight, or about a ZIP without a place, has no summary. */
export const noSummary: Summarized = {extra: {}, evidence: []};

/**
 * Summarises a question with a class and a weight (`docs/design/market.md` section 9): one price over the cells without lot comment of its county records
 * that are not thin. Medium and Large 1 and 1-2 are pooled into one price, every other grade has its own. Without any of these two, the
 * grade with the most head is used. Without a class or a weight there is no summary.
 */
export function priceSummary(
  market: MarketArtifacts,
  {asOf, sample}: Pick<Generation, "asOf" | "sample">,
  {rows, classes, weight, place}: Asked,
): Summarized {
  if (classes === undefined || weight === undefined) return noSummary;
  if (classes.length > 1) return missing(`one class at a time: ${classes.join(" and ")} are never one price`);
  const asked = rows();
  if (asked.length === 0) return missing("no sale of such cattle in the window");
  const pens = asked.flatMap((row) => penOf(market, row));
  const pooled = chosenPens(pens);
  if (pooled.length === 0)
    return missing(`fewer than ${thinHead} head of one grade without lot comment, of this class and weight`);
  const pensEvidence = pooled.map(({evidence}) => JSON.parse(evidence.text) as FullEvidence);
  const entities = sortedUnique(pensEvidence.flatMap(({entity_ids}) => entity_ids));
  const venues = entities.filter((id) => id.startsWith("venue:")).length;
  const figures = figuresOf(pooled, pens, venues);
  const sentence = sentenceOf(figures, pooled[0]!.record, place);
  const id = `cs-${place.id}-${pooled[0]!.record.class}-${figures.weight_bin}`;
  const evidence = summaryEvidence(pooled, pensEvidence, {
    id,
    sentence,
    figures,
    place,
    context: {asOf, sample, registry: registryOf(market)},
  });
  const summary = {...figures, sentence, evidence_id: id};
  const {sources, limitations} = evidence;
  return {
    extra: {summary},
    evidence: [{sources, limitations, sourceDate: figures.last_sale_date, text: JSON.stringify(evidence)}],
  };
}

function missing(reason: string): Summarized {
  return {extra: {summary: null, summary_reason: `No summary: ${reason}.`}, evidence: []};
}

function penOf(market: MarketArtifacts, {key, miles}: Placed<CountyKey>): Pen[] {
  const sums = market.counties.sums(key.row);
  const evidence = sums === null ? null : market.evidence(market.counties.evidenceId(key.row) ?? "");
  if (sums === null || evidence === null) return [];
  const record = JSON.parse(market.counties.record(key.row)) as CountyPrice;
  return [{record, sums, miles, evidence}];
}

/** Indexed by the whole weeks between first and last sale: two sales on the same weekday span two weeks. */
const weekWords = ["week", "two weeks", "three weeks", "four weeks", "five weeks"];

function sentenceOf(figures: Figures, record: CountyPrice, place: AskedPlace): string {
  const {price_unit: unit, head_count, venues, first_sale_date: first, last_sale_date: last} = figures;
  const weeks = weekWords[Math.floor(ageDays(first, last) / 7)];
  const range = `${moneyWords(figures.price_low)} to ${moneyWords(figures.price_high)}`;
  const head = headWords(head_count, unit);
  const moved = [movedWords(figures.change_week, "week"), movedWords(figures.change_year, "year")].filter(
    Boolean,
  );
  const changes = moved.length === 0 ? "" : `, ${moved.join(" and ")}`;
  return (
    `${figures.weight_bin} lb ${record.class.replaceAll("_", " ")}, ${gradeWords(figures)}, averaged ${priceWords(figures.price_avg, unit)} ` +
    `${place.words} in the ${weeks} to ${last} (${head} at ${counted(venues, "venue")}, ${range})${changes}.`
  );
}

/** The pooled grades in words: `Medium and Large 1 and 1-2`. */
function gradeWords({by_grade}: Figures): string {
  const pooled = by_grade.filter((grade) => grade.pooled);
  const grades = pooled.map(({muscle_grade}) => muscle_grade).sort();
  return [titled(pooled[0]!.frame), grades.join(" and ")].filter(Boolean).join(" ") || "no stated grade";
}

function movedWords(change: number | null, back: "week" | "year"): string {
  if (change === null) return "";
  if (change === 0) return `unchanged from a ${back} earlier`;
  return `${moneyWords(Math.abs(change))} ${change > 0 ? "higher" : "lower"} than a ${back} earlier`;
}

function registryOf(market: MarketArtifacts): MarketSource[] {
  return market.sourceEntries(marketSourceIds).map((entry) => JSON.parse(entry) as MarketSource);
}

type SummaryParts = {
  id: string;
  sentence: string;
  figures: Figures;
  place: AskedPlace;
  context: Parameters<typeof evidenceOf>[0];
};

/** Combines the evidence of the pens into that of the summary. */
function summaryEvidence(
  pens: readonly Pen[],
  pensEvidence: readonly FullEvidence[],
  {id, sentence, figures, place, context}: SummaryParts,
): FullEvidence {
  const checked = pensEvidence.flatMap(({contradictions}) => contradictions ?? []);
  const contradictions = pensEvidence.every((one) => one.contradictions === null) ? null : checked;
  const byPounds = figures.price_unit === "per_cwt";
  return evidenceOf(context, {
    id,
    kind: "observed_price",
    claim: sentence,
    entities: pensEvidence.flatMap(({entity_ids}) => entity_ids),
    sources: ["derived-aggregates", ...pensEvidence.flatMap(({sources}) => sources)],
    sourceDate: figures.last_sale_date,
    ingestedAt: latestOf(pensEvidence.map(({ingested_at}) => ingested_at)),
    verifiedAt: latestOf(pensEvidence.map(({last_verified_at}) => last_verified_at)),
    transformation: {
      method: byPounds ? "pounds_weighted_mean" : "head_weighted_mean",
      inputs: sortedUnique(pensEvidence.flatMap(({transformation}) => transformation.inputs)),
      parameters: {radius_mi: place.radiusMiles, cells: sortedUnique(pens.map(({record}) => record.cell_id))},
    },
    confidence: priceConfidence({
      age: ageDays(figures.last_sale_date, context.asOf),
      head: figures.head_count,
      coverage: countyCoverage(figures.venues),
      agreement: agreementOf(contradictions),
    }),
    limitations: pensEvidence.flatMap(({limitations}) => limitations),
    implication: implicationOf(pens, figures),
    contradictions,
    changeStatus: statusOf(pensEvidence.map(({change_status}) => change_status)),
  });
}

/** Names the county with the most head, so that a reader sees whose cattle dominate the price. */
function implicationOf(pens: readonly Pen[], {head_count, change_week, change_year}: Figures): string {
  const counties = [...Map.groupBy(pens, ({record}) => record.county_fips).values()];
  const largest = counties.reduce((most, county) => (headOf(county) > headOf(most) ? county : most));
  const {county_name, state, last_sale_date} = largest[0]!.record;
  const share = Math.round((100 * headOf(largest)) / head_count);
  const gone = [change_week === null && "a week", change_year === null && "a year"].filter(Boolean);
  const unmatched =
    gone.length === 0 ? "" : `; too few like cattle were sold ${gone.join(" or ")} earlier to tell a change`;
  return `${share} % of these head were sold in ${county_name}, ${state}: compare their weight, flesh and fill in the rows of ${last_sale_date} with your own cattle${unmatched}.`;
}

const precedence = ["revised", "new", "stale", "unchanged"] as const;

function statusOf(statuses: readonly FullEvidence["change_status"][]): FullEvidence["change_status"] {
  return precedence.find((status) => statuses.includes(status)) ?? "unchanged";
}
