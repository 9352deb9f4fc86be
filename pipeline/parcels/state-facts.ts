import {makeFoundTables} from "../../lib/delta/found-rows.ts";
import type {JoinedRows} from "../../lib/parcels/conform/staged-table.ts";
import {newestVintage} from "../../lib/parcels/record/provenance-text.ts";
import {registeredSource} from "../../lib/parcels/record/source-facts.ts";
import {type Database, sqlName} from "../../lib/sql/duckdb.ts";
import type {DeltaUpsert} from "../../schemas/delta-record.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import type {StateStageResult} from "../../schemas/part-file.ts";
import type {OddScale} from "./area-units.ts";
import type {RefusedRows} from "./file-bounds.ts";
import type {FillShares, MergedFacts} from "./merged-facts.ts";
import type {StagedFile} from "./stage-entry.ts";

/** An entry with rows in the state, or a layer whose parcels were found on misses. */
export type AcceptedEntry = {
  readonly entry: Pick<ParcelSource, "id" | "authority" | "licence" | "proposedMap"> & {
    /** Absent for a layer whose parcels were found on misses. */
    readonly coverage?: ParcelSource["coverage"];
    readonly area?: ParcelSource["area"];
    readonly owners?: ParcelSource["owners"] | undefined;
  };
  readonly table: string;
  /** True for parcels that were found on misses. */
  readonly isFound?: boolean;
  /** True if its files are whole, each of the counties that it has. */
  readonly complete: boolean;
  /** False if it is not complete, or files of further counties are missing; as `complete` if absent. */
  readonly whole?: boolean;
  readonly joined: readonly JoinedRows[];
  /** Rows refused by the entry's limits; they are rejected in the table. */
  readonly refused: readonly RefusedRows[];
  /** Counties whose declared areas are of an odd scale; those that are held are not in the table. */
  readonly scales?: readonly OddScale[];
  /** Why the table has rows from the previous build, by the number of the made-up file. */
  readonly kept?: readonly {readonly file: number; readonly reason: string}[];
  readonly files: readonly (Omit<StagedFile, "file"> & {
    readonly file: Pick<StagedFile["file"], "path" | "retrievedAt"> &
      Partial<Pick<StagedFile["file"], "retrievedAtFrom">> & {
        /** True if the field map of these rows was proposed, whatever the entry is now. */
        readonly proposedMap?: boolean;
      };
  })[];
};

/** Creates the conformed tables of parcels found on misses, and returns them as entries. */
export async function foundEntries(db: Database, found: readonly DeltaUpsert[]): Promise<AcceptedEntry[]> {
  const tables = await makeFoundTables(db, found);
  return tables.map(({table, source: {id, authority}, proposedMap, files}) => ({
    entry: {id, authority, licence: registeredSource(id)?.licence ?? "not stated by the publisher"},
    table,
    isFound: true,
    complete: false,
    joined: [],
    refused: [],
    files: files.map(({number, retrievedAt, records}) => {
      const file = {path: `delta/${id}/${retrievedAt.slice(0, 10)}`, retrievedAt, proposedMap};
      return {number, file, role: "main" as const, rows: records.length, malformed: 0};
    }),
  }));
}

type CountyRow = {
  county_key: string;
  county_name: string;
  source_id: string;
  n: bigint;
  vintage: string | null;
  /** True if the source states no vintage for any row, so that `vintage` is the retrieval date. */
  retrieval: boolean;
};

/** Returns a state's facts for the manifest, from the rows of `table`. */
export async function stateFacts(
  db: Database,
  {table, merged}: {table: string; merged: MergedFacts},
  accepted: readonly AcceptedEntry[],
): Promise<Omit<StateStageResult, "files">> {
  const rows = await db.rows<CountyRow>(
    `SELECT county_key, max(county_name) AS county_name, source_id, sum(n)::BIGINT AS n,
       coalesce(max(vintage) FILTER (WHERE vintage_basis <> 'retrieved'), max(vintage)) AS vintage,
       bool_and(vintage IS NULL OR vintage_basis = 'retrieved') AS retrieval
     FROM (SELECT county_key, max(county_name) AS county_name, prov_default, count(*) AS n FROM ${sqlName(table)} GROUP BY county_key, prov_default) t
       JOIN provenance p ON p.provenance_id = t.prov_default
     GROUP BY county_key, source_id ORDER BY county_key, source_id`,
  );
  // A source may have contributed files as well as parcels found on misses.
  const bySource = Map.groupBy(accepted, ({entry}) => entry.id);
  const completeOf = new Map([...bySource].map(([id, own]) => [id, own.some(({complete}) => complete)]));
  const ownersOf = new Map(accepted.map(({entry}) => [entry.id, entry.owners?.published !== false]));
  const placesOf = new Map(accepted.map(({entry}) => [entry.id, entry.coverage?.places]));
  return {
    rows: merged.rows,
    pointCount: merged.points,
    counties: countiesOf(rows, {completeOf, placesOf, ownersOf, merged}),
    sources: [...bySource].map(([id, own]) => ({
      id,
      vintage: newest(rows.filter(({source_id}) => source_id === id)),
      complete: own.some(({complete, whole = complete}) => whole),
    })),
    fill: merged.fill.all,
  };
}

/** Facts about a state's sources by id, and value shares by county. */
type SourcesOfState = {
  readonly completeOf: ReadonlyMap<string, boolean>;
  readonly placesOf: ReadonlyMap<string, readonly string[] | undefined>;
  /** False for a source that publishes no owner names. */
  readonly ownersOf: ReadonlyMap<string, boolean>;
  readonly merged: Pick<MergedFacts, "fill" | "completeness">;
};

function countiesOf(
  rows: readonly CountyRow[],
  {completeOf, placesOf, ownersOf, merged}: SourcesOfState,
): StateStageResult["counties"] {
  const byKey = Map.groupBy(rows, ({county_key}) => county_key);
  return [...byKey].map(([county_key, own]) => ({
    ...wideness(own, {completeOf, placesOf}),
    county_key,
    county_name: own
      .map(({county_name}) => county_name)
      .sort()
      .at(-1)!,
    rows: own.reduce((sum, {n}) => sum + Number(n), 0),
    vintage: newest(own),
    sources: own.map(({source_id}) => source_id),
    fill: merged.fill.counties.get(county_key) ?? {},
    completeness: merged.completeness.get(county_key)!,
    ...(isWithoutOwners(own, {ownersOf, fill: merged.fill.counties.get(county_key)})
      ? {owners_published: false as const}
      : {}),
  }));
}

function isWithoutOwners(
  rows: readonly CountyRow[],
  {ownersOf, fill = {}}: {ownersOf: SourcesOfState["ownersOf"]; fill: FillShares | undefined},
): boolean {
  return fill["owner_raw"] === undefined && rows.every(({source_id: id}) => ownersOf.get(id) === false);
}

/** A county is complete if a complete source covers all of it; a city's file only covers the city. */
function wideness(
  rows: readonly CountyRow[],
  {completeOf, placesOf}: Pick<SourcesOfState, "completeOf" | "placesOf">,
): Pick<StateStageResult["counties"][number], "complete" | "places"> {
  const complete = rows.some(
    ({source_id: id}) => completeOf.get(id) === true && placesOf.get(id) === undefined,
  );
  const places = [...new Set(rows.flatMap(({source_id: id}) => placesOf.get(id) ?? []))].sort();
  return {complete, ...(complete || places.length === 0 ? {} : {places})};
}

/** Returns the newest vintage of rows; a retrieval date only if no row states another. */
function newest(rows: readonly CountyRow[]): string | null {
  const known = rows.flatMap(({source_id, vintage, retrieval}) =>
    vintage === null ? [] : [{id: source_id, vintage, isRetrieval: retrieval}],
  );
  return newestVintage(known) ?? null;
}
