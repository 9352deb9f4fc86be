import {existsSync} from "node:fs";
import {join} from "node:path";
import {type AnyModel, model} from "../../lib/models/model.ts";
import type {ModelRun} from "../../lib/models/model-run.ts";
import {ensureMacros} from "../../lib/parcels/conform/functions.ts";
import {rowColumns} from "../../lib/parcels/dedupe/merge-models.ts";
import {meetingModels} from "../../lib/parcels/dedupe/same-parcel-sql.ts";
import {type ServedOrigin, servedColumns} from "../../lib/parcels/dedupe/served-rows.ts";
import {type Database, sqlName, sqlText} from "../../lib/sql/duckdb.ts";
import {parquetRelation} from "../../lib/sql/sql-path.ts";
import {stateTablePath} from "../../lib/storage/build-layout.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import type {AcceptedEntry} from "./state-facts.ts";

/** The previous build, from which a state keeps the rows of files that were left out. */
export type BaseBuild = {
  readonly buildId: string;
  readonly dir: string;
  /** Ids of the sources whose files were complete in that build. */
  readonly complete: readonly string[];
};

/** A source with files, or counties in files, that were left out of the build. */
export type LostRows = {
  readonly entry: ParcelSource;
  /** Relation of the rows that it still has; null if there are none. */
  readonly table: string | null;
  /** The counties left out; null if unknown because a file could not be read. */
  readonly counties: readonly string[] | null;
  readonly paths: readonly string[];
};

type KeptFrom = {
  readonly state: string;
  readonly base: BaseBuild;
  /** Number of the first made-up file for kept rows. */
  readonly firstNumber: number;
};

/** Provenance rows of the previous build that name the source. */
type Origin = {
  readonly id: number;
  readonly text: string;
  readonly day: string;
  readonly instant: string;
  readonly proposedMap: boolean;
  readonly assumed: boolean;
};

/** The Parquet file with the parcels of the state in the previous build. */
export function servedParcels({dir}: BaseBuild, state: string): string {
  return join(dir, stateTablePath("parcels", state));
}

/** Name of an origin's made-up file: its day, and whatever lowers the confidence of its rows. */
const fileOf = ({day, proposedMap, assumed}: Origin): string =>
  `${day}${proposedMap ? "-proposed" : ""}${assumed ? "-assumed" : ""}`;

/**
 * Carries rows over from the previous build: creates a conformed table per source with files that were left out, with the source's rows in
 * the counties of those files that this build lacks (`docs/design/reliability.md` section 2.3). If several sources contributed to a row,
 * only this source's facts are kept. The rows of one source and retrieval day form one "file", whose reason says why they were kept.
 */
export async function carryForward(
  run: ModelRun,
  lost: readonly LostRows[],
  {state, base, firstNumber}: KeptFrom,
): Promise<AcceptedEntry[]> {
  const kept: AcceptedEntry[] = [];
  let number = firstNumber;
  for (const each of lost) {
    const entry = await keepEntry(run, each, {state, base, firstNumber: number});
    if (entry === null) continue;
    number += entry.files.length;
    kept.push(entry);
  }
  return kept;
}

async function keepEntry(
  run: ModelRun,
  lostRows: LostRows,
  {state, base, firstNumber}: KeptFrom,
): Promise<AcceptedEntry | null> {
  const {db} = run;
  const path = (name: "parcels" | "parcel_provenance" | "boundaries") =>
    join(base.dir, stateTablePath(name, state));
  const origins = await originsOf(db, path("parcel_provenance"), lostRows.entry.id);
  if (origins.length === 0) return null;
  const names = [...new Set(origins.map(fileOf))].sort();
  const table = `kept_${firstNumber}`;
  const kept = await makeTable(run, lostRows, {
    table,
    state,
    parcels: path("parcels"),
    boundaries: existsSync(path("boundaries")) ? path("boundaries") : null,
    origins: origins.map((origin) => ({...origin, file: firstNumber + names.indexOf(fileOf(origin))})),
  });
  const rows = await db.rows<{file: number; county: string; n: bigint}>(
    `SELECT _file AS file, county_key AS county, count(*) AS n FROM ${sqlName(table)} GROUP BY ALL ORDER BY file, county`,
  );
  if (rows.length === 0) {
    await run.release(kept);
    return null;
  }
  const byFile = [...Map.groupBy(rows, ({file}) => file)];
  return {
    entry: lostRows.entry,
    table,
    complete: base.complete.includes(lostRows.entry.id),
    joined: [],
    refused: [],
    kept: byFile.map(([file, counties]) => ({file, reason: reasonOf(counties, lostRows.paths, base)})),
    files: byFile.map(([file, counties]) => {
      const name = names[file - firstNumber]!;
      const own = origins.filter((origin) => fileOf(origin) === name);
      const {proposedMap, assumed} = own[0]!;
      return {
        number: file,
        file: {
          path: `builds/${base.buildId}/${lostRows.entry.id}/${name}`,
          retrievedAt: own.map(({instant}) => instant).sort()[0]!,
          proposedMap,
          ...(assumed ? {retrievedAtFrom: "assumed" as const} : {}),
        },
        role: "main",
        rows: counties.reduce((sum, {n}) => sum + Number(n), 0),
        malformed: 0,
      };
    }),
  };
}

/** Words the reason: `county 48209: 8 rows of build … stay, because … was left out`. */
function reasonOf(
  counties: readonly {county: string; n: bigint}[],
  paths: readonly string[],
  {buildId}: BaseBuild,
): string {
  const shown = counties.slice(0, 5).map(({county, n}) => `county ${county}: ${n} rows`);
  const more = counties.length > shown.length ? `, and ${counties.length - shown.length} more counties` : "";
  return `${shown.join(", ")}${more} of build ${buildId} stay, because ${paths.join(", ")} ${paths.length === 1 ? "was" : "were"} left out.`;
}

async function originsOf(db: Database, path: string, source: string): Promise<Origin[]> {
  return db.rows<Origin>(
    `SELECT provenance_id AS id, strftime(utc, '%Y-%m-%d') AS day, strftime(utc, '%Y-%m-%dT%H:%M:%SZ') AS instant,
       coalesce(vintage_basis || ' ' || vintage, CASE WHEN vintage_basis = 'unknown' THEN 'unknown unknown' END, 'retrieved ' || strftime(utc, '%Y-%m-%d')) AS text,
       coalesce(proposed_map, false) AS "proposedMap", coalesce(retrieved_assumed, false) AS assumed
     FROM (SELECT *, make_timestamp(epoch_us(retrieved_at)) AS utc FROM (
       FROM ${parquetRelation(path)}
       UNION ALL BY NAME SELECT NULL::BOOLEAN AS proposed_map, NULL::BOOLEAN AS retrieved_assumed WHERE false)
       WHERE source_id = ${sqlText(source)})
     ORDER BY provenance_id`,
  );
}

type TableRequest = {
  readonly table: string;
  readonly state: string;
  readonly parcels: string;
  readonly boundaries: string | null;
  readonly origins: readonly ServedOrigin[];
};

/** Makes the model of kept rows, without those of parcels that the source also has in another file, which is newer. */
async function makeTable(
  run: ModelRun,
  {entry, table: own, counties}: LostRows,
  {table, state, parcels, boundaries, origins}: TableRequest,
): Promise<AnyModel> {
  const {columns, has} = servedColumns({
    state,
    origins,
    owners: entry.terms.redistributeOwners && entry.owners?.published !== false,
    wkb: boundaries === null ? "NULL" : "outline",
    usual: "first",
  });
  const outlines =
    boundaries === null
      ? ""
      : `LEFT JOIN (SELECT "row", st_asbinary(geometry) AS outline FROM ${parquetRelation(boundaries)}) o ON o."row" = p.file_row_number`;
  const places = counties === null ? "" : `AND county_key IN (${counties.map(sqlText).join(", ")})`;
  const read = `${parquetRelation(parcels, "file_row_number = true")} p ${outlines}`;
  const named = (name: string, reads: readonly AnyModel[], sql: string) =>
    model({name, reads, columns: rowColumns, materialise: "table", sql: () => sql});
  const all = named(
    own === null ? table : `${table}_all`,
    [],
    `SELECT ${columns.join(", ")} FROM ${read} WHERE ${has} ${places}`,
  );
  if (own === null) {
    await run.make(all);
    return all;
  }
  await ensureMacros(run.db);
  const renewed = model({name: own, columns: rowColumns});
  const isRenewed = `SELECT 1 FROM ${sqlName(own)} c WHERE c._reject IS NULL AND c.county_key = k.county_key AND c._key = k._key`;
  const unmatched = named(
    `${table}_unmatched`,
    [all, renewed],
    `FROM ${all.name} k WHERE NOT EXISTS (${isRenewed})`,
  );
  const rows = (of: string) => [`(SELECT * FROM ${sqlName(of)} WHERE _reject IS NULL)`];
  const sources = [
    {source: "kept", rows: rows(unmatched.name), isFound: false},
    {source: "renewed", rows: rows(own), isFound: false},
  ];
  const {meetings} = meetingModels(sources, {prefix: `${table}_`, reads: [unmatched, renewed]});
  const kept = named(
    table,
    [unmatched, meetings],
    `FROM ${unmatched.name} k WHERE NOT EXISTS (SELECT 1 FROM ${meetings.name} m WHERE m.county_key = k.county_key AND m.key = k._key)`,
  );
  run.plan([renewed, kept]);
  await run.make(kept);
  return kept;
}
