import {states as stateTable} from "@open-cattle/us-address";
import {z} from "zod";
import {ageDays} from "../../lib/dates.ts";
import {limitations as L, orderedLimitations} from "../../lib/limitations.ts";
import {parcelLimitations as P} from "../../lib/parcels/record/parcel-limitations.ts";
import {
  CoverageAnswer,
  type CoveredCounty,
  type CoveredSource,
  type CoveredState,
} from "../../schemas/coverage-answer.ts";
import type {Manifest, ManifestSource, StatePart} from "../../schemas/manifest.ts";
import {type Generation, oncePer} from "../generation/generation.ts";
import {defineEndpoint} from "../http/endpoint.ts";
import {coveredName, stateCoverageWords, stateName} from "../parcels/coverage-words.ts";
import {countyCounts} from "../parcels/metadata.ts";
import {stateParameter} from "../parcels/parcel-parameters.ts";
import type {MarketArtifacts} from "../tables/market-set.ts";

/** What the served build contains: states, counties, sources with age and terms, and gates. */
export const coverage = defineEndpoint({
  path: "/coverage",
  operationId: "coverage",
  summary: "Data coverage and freshness",
  description:
    "States with their parcels, barns and priced counties; sources with age, licence and terms; and the build's gates that did " +
    "not simply pass. With a state: its counties too. Any valid key is accepted, in either header. Parcels found since the build " +
    "are not counted.",
  family: "coverage",
  scope: "any",
  parameters: z.strictObject({state: stateParameter}),
  response: CoverageAnswer,
  answer({generation, query: {state}, ignored, oldBuild}) {
    const {manifest} = generation;
    const part = state === undefined ? undefined : manifest.states[state];
    const answer: CoverageAnswer = {
      build_id: generation.buildId,
      generated_at: generation.builtAt,
      as_of_date: generation.asOf,
      sample: generation.sample,
      query: {applied: state === undefined ? {} : {state}, ignored: [...ignored]},
      market: manifest.market && {
        rows: manifest.market.rows,
        newest: newestOf(manifest.market.sources.map(({source_date: day}) => day)),
      },
      states: namesOf(manifest, state).map((each) => coveredState(generation, each)),
      ...(state === undefined
        ? {}
        : {counties: part?.counties.map((each) => coveredCounty(state, each)) ?? []}),
      sources: manifest.sources
        .filter(({parts}) => state === undefined || parts.some((each) => each === "MARKET" || each === state))
        .map((source) => coveredSource(manifest, source)),
      gates: manifest.gates.filter(
        ({status, part: of}) =>
          status !== "pass" && status !== "skipped" && (state === undefined || of === state),
      ),
      limitations: orderedLimitations([P.P01, ...(oldBuild ? [L.L11] : [])], generation.sample),
    };
    return {body: JSON.stringify(answer)};
  },
});

/** The requested state; otherwise every state, DC and territory, plus anything else in the build. */
function namesOf({states}: Manifest, state: string | undefined): string[] {
  if (state !== undefined) return [state];
  return [...new Set([...stateTable.map((each) => each.state), ...Object.keys(states)])].sort();
}

function coveredState({manifest, market}: Generation, state: string): CoveredState {
  const part = manifest.states[state];
  const {withParcels, live, total} = countyCounts(part, state);
  const [status, parcels] = [part?.coverage ?? ("planned" as const), part?.rows ?? 0];
  const counts = market === null ? undefined : marketCounts(market).get(state);
  const [barns, priced] = [counts?.barns ?? 0, counts?.pricedCounties.size ?? 0];
  const land = stateCoverageWords({
    ...{name: coveredName(state, part), status, parcels},
    counties: {withParcels, live, total},
  });
  return {
    state,
    name: stateName(state),
    status,
    parcels,
    counties: {with_parcels: withParcels, live, total: total ?? null},
    vintage: part === undefined ? null : newestOf(part.sources.map(({vintage}) => vintage)),
    barns,
    priced_counties: priced,
    sources: part?.sources.map(({id}) => id) ?? [],
    sentence: `${land}; ${barns} sale barns, prices of ${priced} counties.`,
  };
}

type MarketCounts = {barns: number; pricedCounties: Set<string>};

const marketCounts = oncePer(({barns, counties}: MarketArtifacts): ReadonlyMap<string, MarketCounts> => {
  const countsByState = new Map<string, MarketCounts>();
  const of = (state: string) => {
    const known = countsByState.get(state) ?? {barns: 0, pricedCounties: new Set()};
    countsByState.set(state, known);
    return known;
  };
  for (const {state} of barns.keys) of(state).barns += 1;
  for (const {state, countyFips, observed} of counties.keys) {
    if (observed) of(state).pricedCounties.add(countyFips);
  }
  return countsByState;
});

function coveredCounty(state: string, county: StatePart["counties"][number]): CoveredCounty {
  const {county_key, county_name, complete, rows, vintage, places, fill, completeness, sources} = county;
  return {
    state,
    county_key,
    county: county_name,
    status: complete ? "live" : "partial",
    parcels: rows,
    vintage,
    ...(places === undefined ? {} : {places}),
    attributes: fill ?? {},
    ...(completeness === undefined ? {} : {completeness}),
    ...(county.owners_published === undefined ? {} : {owners_published: county.owners_published}),
    sources,
  };
}

function coveredSource({market, states, as_of_date: asOf}: Manifest, source: ManifestSource): CoveredSource {
  const {id, name, parts, retrieved_at, licence, attribution, terms} = source;
  const newest = newestOf([
    ...(market?.sources.filter((each) => each.id === id).map(({source_date: day}) => day) ?? []),
    ...parts
      .flatMap((part) => states[part]?.sources.filter((each) => each.id === id) ?? [])
      .map((each) => each.vintage),
  ]);
  const isDay = newest !== null && /^\d{4}-\d{2}-\d{2}$/.test(newest);
  return {
    id,
    name,
    parts,
    newest,
    age_days: isDay ? ageDays(newest, asOf) : null,
    retrieved_at,
    licence,
    attribution,
    ...(terms === undefined ? {} : {terms}),
  };
}

/** The newest of the known dates. */
function newestOf(dates: readonly (string | null)[]): string | null {
  return dates.reduce(
    (newest, date) => (date !== null && (newest === null || date > newest) ? date : newest),
    null,
  );
}
