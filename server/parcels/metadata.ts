import {counties as countyTable} from "../../lib/geography/counties.ts";
import {countyOfKey} from "../../lib/geography/printed-county.ts";
import {newestOfSources, newestVintage, type UsedSource} from "../../lib/parcels/record/provenance-text.ts";
import {publicUrl, type SourceEntry, type SourceRegistry} from "../../lib/parcels/record/source-facts.ts";
import type {StoredRecord} from "../../lib/parcels/record/stored-record.ts";
import type {Manifest, StatePart} from "../../schemas/manifest.ts";
import type {Coverage, LookupFacts, ParcelSourceFacts} from "../../schemas/parcel-answer.ts";
import {type Generation, oncePer} from "../generation/generation.ts";
import type {Call} from "../http/endpoint.ts";

const maxCoverage = 25;

/** The question as understood. */
export type QueryEcho = {applied: Record<string, unknown>; resolution: Record<string, unknown>};

/** Metadata members common to all parcel answers. */
export type Metadata = {
  query: QueryEcho & {ignored: readonly string[]};
  coverage: Coverage[];
  sources: ParcelSourceFacts[];
  lookup: LookupFacts;
  limitations: string[];
  generatedAt: string;
  buildId: string;
};

/** Builds the common members of an answer's metadata. */
export function metadataOf(
  {generation, ignored}: Call<unknown>,
  members: Pick<Metadata, "coverage" | "sources" | "lookup" | "limitations"> & {
    query: QueryEcho;
    records: readonly StoredRecord[];
  },
): Metadata {
  const {applied, resolution} = members.query;
  return {
    query: {applied, ignored, resolution},
    coverage: members.coverage,
    sources: members.sources,
    lookup: members.lookup,
    limitations: members.limitations,
    generatedAt: newestInstant(generation, members.records),
    buildId: generation.buildId,
  };
}

/** When the data behind an answer was fixed: at the build, or when its newest discovery was made. */
function newestInstant({builtAt}: Generation, records: readonly StoredRecord[]): string {
  const found = records.map(({observedAt}) => observedAt).filter((at) => at !== undefined);
  return found.reduce((newest, at) => (Date.parse(at) > Date.parse(newest) ? at : newest), builtAt);
}

/** Coverage of counties by key; `planned` for a county without rows in the build. */
export function countyCoverage(generation: Generation, keys: Iterable<string>): Coverage[] {
  return ordered(keys)
    .map((key) => coverageOfCounty(generation, key))
    .filter((coverage) => coverage !== null);
}

/** Coverage of states with their county counts, sorted. */
export function stateCoverage(
  generation: Generation,
  states: Iterable<string>,
  registry: SourceRegistry,
): Coverage[] {
  return ordered(states).map((state) => coverageOfState(generation, state, registry));
}

function ordered(names: Iterable<string>): string[] {
  return [...new Set(names)].sort().slice(0, maxCoverage);
}

/** County counts of a state: with parcels, live, and in total. There is no full list of Manitoba's municipalities, and so no total. */
export function countyCounts(part: StatePart | undefined, state: string) {
  const tabled = countiesOf(state);
  const [withParcels, live] = part === undefined ? [0, 0] : [part.counties.length, liveCounties(part)];
  return {withParcels, live, ...(tabled === 0 ? {} : {total: Math.max(tabled, withParcels)})};
}

// Cached: counting hundreds of counties or sources per answer would take longer than the answer itself.
const liveCounties = oncePer(({counties}: StatePart) => counties.filter(({complete}) => complete).length);

const tabledCounties = new Map<string, number>();

/** Number of the state's counties in the county table. */
function countiesOf(state: string): number {
  const known = tabledCounties.get(state) ?? countyTable().filter((county) => county.state === state).length;
  tabledCounties.set(state, known);
  return known;
}

const countiesBuilt = oncePer(
  ({states}: Manifest): ReadonlyMap<string, Coverage> =>
    new Map(
      Object.entries(states).flatMap(([state, part]) =>
        part.counties.map((county): [string, Coverage] => [county.county_key, coverageBuilt(state, county)]),
      ),
    ),
);

function coverageBuilt(state: string, county: StatePart["counties"][number]): Coverage {
  const {county_key, county_name, complete, places, vintage, rows} = county;
  return {
    state,
    county: county_name,
    countyKey: county_key,
    status: complete ? "live" : "partial",
    ...(places === undefined ? {} : {places}),
    ...(vintage === null ? {} : {vintage}),
    rows,
  };
}

function coverageOfCounty({manifest, delta}: Generation, key: string): Coverage | null {
  const built = countiesBuilt(manifest).get(key);
  if (built !== undefined) return built;
  const found = delta?.counties().get(key);
  if (found !== undefined) {
    const {state, name, rows} = found;
    return {state, county: name, countyKey: key, status: "partial", rows};
  }
  const tabled = countyOfKey(key);
  if (tabled === undefined) return null;
  return {state: tabled.state, county: tabled.name.toUpperCase(), countyKey: key, status: "planned"};
}

function coverageOfState({manifest, delta}: Generation, state: string, registry: SourceRegistry): Coverage {
  const part = manifest.states[state];
  const counties = countyCounts(part, state);
  if (part === undefined) {
    const found = [...(delta?.counties().values() ?? [])].filter((county) => county.state === state);
    if (found.length === 0) return {state, status: "planned", counties};
    const rows = found.reduce((sum, county) => sum + county.rows, 0);
    return {state, status: "partial", rows, counties: {...counties, withParcels: found.length}};
  }
  const vintage = vintageIn(registry)(part);
  return {
    state,
    status: part.coverage,
    ...(vintage === undefined ? {} : {vintage}),
    rows: part.rows,
    counties,
  };
}

/** Newest vintage among a state's sources, according to the registry. */
const vintageIn = oncePer((registry: SourceRegistry) =>
  oncePer(({sources}: StatePart) =>
    newestVintage(
      sources.flatMap(({id, vintage}) =>
        vintage === null ? [] : [{id, vintage, isRetrieval: statesNoVintage(registry(id))}],
      ),
    ),
  ),
);

/** The sources of an answer's records, sorted by id. */
export function sourcesOf(
  {manifest}: Generation,
  records: readonly StoredRecord[],
  registry: SourceRegistry,
): ParcelSourceFacts[] {
  const used: UsedSource[] = [];
  for (const {provenance} of records) used.push(...provenance.sources);
  return newestOfSources(used).map(factsIn(manifest)(registry));
}

// Records share `UsedSource` objects, so the facts are cached per object.
const factsIn = oncePer((manifest: Manifest) =>
  oncePer((registry: SourceRegistry) => oncePer((used: UsedSource) => sourceFacts(manifest, used, registry))),
);

/** Describes a source by its registry entry; by the manifest if this server's registry lacks it. */
function sourceFacts(manifest: Manifest, used: UsedSource, registry: SourceRegistry): ParcelSourceFacts {
  const {id} = used;
  const entry = registry(id);
  const {noted, stated} = sourceIn(manifest).get(id) ?? {};
  const members = {
    publisher: entry?.publisher,
    licence: entry?.licence ?? noted?.licence ?? undefined,
    attribution: entry?.attribution ?? noted?.attribution ?? undefined,
    url: entry === undefined ? undefined : publicUrl(entry),
    vintage: vintageOfSource(stated, used),
  };
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  return {id, name: entry?.name ?? noted?.name ?? id, ...Object.fromEntries(present)};
}

type NotedSource = {
  noted?: NonNullable<Manifest["sources"]>[number];
  /** The vintage noted by the first state that has the source. */
  stated?: string | null;
};

const sourceIn = oncePer((manifest: Manifest): ReadonlyMap<string, NotedSource> => {
  const found = new Map<string, NotedSource>();
  for (const noted of manifest.sources ?? []) found.set(noted.id, {noted, ...found.get(noted.id)});
  for (const {sources} of Object.values(manifest.states)) {
    for (const {id, vintage} of sources) found.set(id, {stated: vintage, ...found.get(id)});
  }
  return found;
});

/** True if the only rule for the source's vintage is the retrieval date. */
function statesNoVintage(entry: SourceEntry | undefined): boolean {
  return entry?.vintage?.every((rule) => rule === "retrieved") ?? false;
}

/** The vintage of the whole source, or that of a newer discovery; undefined if unknown. */
function vintageOfSource(
  stated: string | null | undefined,
  {vintage, isRetrieval}: UsedSource,
): string | undefined {
  // A year and a day within it do not conflict.
  const isLater =
    stated === null ||
    stated === undefined ||
    (!isRetrieval && vintage > stated && !vintage.startsWith(stated));
  const vintageText = isLater ? vintage : stated;
  return vintageText === "" ? undefined : vintageText;
}
