import {distanceMiles, type Point} from "@open-cattle/parcel-outlines";
import {countyOf} from "../../lib/geography/counties.ts";
import {roundedMiles} from "../../lib/geography/distance-band.ts";
import type {Generation} from "../generation/generation.ts";
import type {MarketArtifacts} from "../tables/market-set.ts";
import type {PastSales, Span} from "../tables/past-sales.ts";
import type {KindTest} from "../tables/record-tables.ts";
import {registryOf, served} from "./asked-place.ts";
import type {Selection} from "./envelope.ts";
import {type AskedKinds, type Page, type PageQuery, pageLimitations} from "./market-parameters.ts";
import {PastAreaRecords} from "./past-area-records.ts";
import {countyFigures, type PastFigure, stateFigures} from "./past-figures.ts";
import {contactsOf, pastOf} from "./past-prices.ts";
import {withBand, withDistance} from "./place-context.ts";

/** The area of a question about counties: a state, counties, or a circle around a point. */
export type AskedArea = {
  readonly state: string | undefined;
  /** Codes of the county that it names; null without one. */
  readonly counties: readonly string[] | null;
  readonly around: {readonly point: Point; readonly primaryFips: string; readonly miles: number} | null;
};

type Asked = {readonly span: Span; readonly kind: KindTest | null; readonly page: Page};
type Records = Pick<Selection, "records" | "total" | "page" | "evidenceOf" | "location">;

/** The limitation of each endpoint for past days: which sales its prices come from, and what the answer leaves out. */
const pastLimitations = {
  county:
    "Prices of past days are those of sales in the county: estimates, `summary` and signals are of the newest sales alone.",
  state:
    "Prices of past weeks are roll-ups of the state's sales: official summaries are not among them, and `summary`, `indicators` and mandatory reports are of the newest alone.",
} as const;

/** A page of what counties sold over the days of a question: around a point its own county first, then by distance. */
export function pastCounties(
  market: MarketArtifacts,
  generation: Pick<Generation, "sample">,
  {state, counties, around, ...asked}: Asked & AskedArea,
): Records {
  const past = pastOf(market);
  const milesOf = milesFrom(around?.point ?? null);
  const isNear = (fips: string) =>
    around === null || fips === around.primaryFips || milesOf(fips)! <= around.miles;
  const isAsked = (fips: string) => {
    const county = countyOf(fips);
    if (county === undefined || (state !== undefined && county.state !== state)) return false;
    return counties === null ? isNear(fips) : counties.includes(fips);
  };
  const figures = countyFigures(past, {
    ...asked,
    isAsked: once(isAsked),
    onlyHeadlines: around === null && counties === null,
  });
  const order = ({area}: PastFigure) =>
    around === null || area.countyFips === around.primaryFips ? -1 : milesOf(area.countyFips!)!;
  const inOrder = figures.toSorted((a, b) => order(a) - order(b));
  const hasPrimary = figures.some(({area}) => area.countyFips === around?.primaryFips);
  return {
    ...pageOfFigures(past, {market, generation, asked}, inOrder, (text, {area}) => {
      const miles = milesOf(area.countyFips!);
      if (miles === null) return text;
      return withBand(withDistance(text, miles), miles, area.countyFips === around?.primaryFips);
    }),
    location: around === null || hasPrimary ? undefined : "missing",
  };
}

/** A page of what the venues of a state, or of each, sold in every week of a question. */
export function pastStates(
  market: MarketArtifacts,
  generation: Pick<Generation, "sample">,
  {state, ...asked}: Asked & {readonly state: string | undefined},
): Records {
  const past = pastOf(market);
  const figures = stateFigures(past, {...asked, state, onlyHeadlines: state === undefined});
  return pageOfFigures(past, {market, generation, asked}, figures, (text) => text);
}

/** True if a venue of a state sold on some days. */
export function hasPastSale(market: MarketArtifacts, {state, span}: {state: string; span: Span}): boolean {
  return pastOf(market).ofState(state, span).length > 0;
}

/** The limitations of an answer about past days, and the reason why it has no `summary`. */
export function pastNotes(kind: keyof typeof pastLimitations, query: AskedKinds & PageQuery) {
  const reason = "No summary: it is of the newest sales, not of those of from and to.";
  const hasSummary = query.class !== undefined && query.weight !== undefined;
  return {
    limitations: [pastLimitations[kind], ...pageLimitations(query)],
    extra: hasSummary ? {summary: null, summary_reason: reason} : {},
  };
}

/** Miles from a point to the middle of a county; null without a point. */
function milesFrom(point: Point | null): (fips: string) => number | null {
  return once((fips: string) =>
    point === null ? null : roundedMiles(distanceMiles(point, countyOf(fips)!.point)),
  );
}

/** The same function, asked once for each code. */
function once<Value>(of: (fips: string) => Value): (fips: string) => Value {
  const known = new Map<string, Value>();
  return (fips) => {
    if (!known.has(fips)) known.set(fips, of(fips));
    return known.get(fips)!;
  };
}

type Source = {
  readonly market: MarketArtifacts;
  readonly generation: Pick<Generation, "sample">;
  readonly asked: Asked;
};

function pageOfFigures(
  past: PastSales,
  {market, generation, asked: {span, page}}: Source,
  figures: readonly PastFigure[],
  placed: (text: string, figure: PastFigure) => string,
): Records {
  const made = new PastAreaRecords(past, {
    span,
    context: {asOf: span.to, sample: generation.sample, registry: registryOf(market)},
    contacts: contactsOf(market),
    venuesKnown: (state) =>
      market.barns.keys.filter((barn) => barn.state === state && barn.status !== "closed").length,
  });
  return {
    records: figures.slice(page.offset, page.offset + page.limit).map((figure) => {
      const record = made.recordOf(figure);
      return {text: placed(JSON.stringify(record), figure), evidenceId: record.evidence_id};
    }),
    total: figures.length,
    page,
    evidenceOf: (id) => {
      const evidence = made.evidenceOf(id);
      return evidence === null ? null : served(evidence);
    },
  };
}
