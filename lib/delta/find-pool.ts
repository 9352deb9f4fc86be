import type {DeltaUpsert} from "../../schemas/delta-record.ts";
import {ModelRun} from "../models/model-run.ts";
import {groupNames} from "../parcels/conform/file-cells.ts";
import {dedupe} from "../parcels/dedupe/dedupe.ts";
import {type ServedOrigin, servedColumns} from "../parcels/dedupe/served-rows.ts";
import type {ProvenanceFacts} from "../parcels/record/provenance.ts";
import {type Database, sqlName} from "../sql/duckdb.ts";
import {parquetRelation} from "../sql/sql-path.ts";
import {type FoundTable, makeFoundTables, vintageText} from "./found-rows.ts";

/** Rows of a build's state and parcels found on misses, some of which may be the same parcels. */
export type FindPool = {
  readonly state: string;
  /** The Parquet file of the state's parcels, and the provenance that its rows name by number; null without a build. */
  readonly table: {readonly path: string; readonly origins: readonly ProvenanceFacts[]} | null;
  /** The rows by number, with the facts of their records, which the table must say as well. */
  readonly rows: readonly {readonly row: number; readonly facts: Uint8Array}[];
  readonly found: readonly DeltaUpsert[];
};

/** A pool that was merged as a build merges files and finds. */
export type MergedPool = {
  /** The facts of a file by its number: of a part of the rows (0 and up), or of finds (below 0). */
  readonly files: ReadonlyMap<number, ProvenanceFacts>;
  readonly found: readonly FoundTable[];
};

/**
 * Merges a pool with the models of a build: creates the view `merged` of its parcels, and `all_rows` of what they are
 * made of, in a database that has no other tables. Each row of the build is taken apart into the facts of each file that contributed to
 * it, so that they are weighed against the finds by their own source and vintage.
 */
export async function mergePool(db: Database, pool: FindPool): Promise<MergedPool> {
  const parts = pool.table === null || pool.rows.length === 0 ? [] : await makeParts(db, pool.table, pool);
  const found = await makeFoundTables(db, pool.found);
  const entries = [
    ...parts.map(({table, number, facts: {sourceId, authority}}) => ({
      entry: {id: `${sourceId} ${number}`, authority: authority as "county"},
      source: sourceId,
      table,
    })),
    ...found.map(({table, source}) => ({entry: source, table, isFound: true})),
  ];
  const served = parts.length === 0 ? null : "served_rows";
  await dedupe(new ModelRun(db, {measures: false}), entries, {into: "merged", served, isCounted: false});
  return {files: new Map(parts.map(({number, facts}) => [number, facts])), found};
}

type Part = {readonly table: string; readonly number: number; readonly facts: ProvenanceFacts};

/** Creates a conformed table of each file that contributed to the rows, with its facts in them. */
async function makeParts(
  db: Database,
  {path, origins}: NonNullable<FindPool["table"]>,
  {state, rows}: FindPool,
): Promise<Part[]> {
  const numbers = rows.map(({row}) => row).join(", ");
  await db.run(
    `CREATE TABLE served_rows AS SELECT * FROM ${parquetRelation(path, "file_row_number = true")} WHERE file_row_number IN (${numbers})`,
  );
  const ids = ["default", ...groupNames].map((group) => `SELECT prov_${group} AS id FROM served_rows`);
  const used = await db.rows<{id: number}>(
    `SELECT DISTINCT id FROM (${ids.join(" UNION ALL ")}) WHERE id IS NOT NULL ORDER BY id`,
  );
  const byFile = Map.groupBy(used, ({id}) => fileOf(origins[id]!));
  const parts: Part[] = [];
  for (const [number, [, own]] of [...byFile].entries()) {
    const table = `served_${number}`;
    const named = own.map(({id}): ServedOrigin => {
      const facts = origins[id]!;
      return {id, file: number, text: vintageText(facts), day: facts.retrievedAt?.slice(0, 10) ?? ""};
    });
    const {columns, has} = servedColumns({state, origins: named, owners: true, wkb: "NULL", usual: "none"});
    await db.run(
      `CREATE TABLE ${sqlName(table)} AS SELECT ${columns.join(", ")} FROM served_rows WHERE ${has}`,
    );
    parts.push({table, number, facts: origins[own[0]!.id]!});
  }
  return parts;
}

/** A text that is the same for all origins of one file, and for no others: its source, day and kind of map. */
function fileOf({sourceId, retrievedAt, authority, proposedMap, retrievedAssumed}: ProvenanceFacts): string {
  return JSON.stringify([sourceId, retrievedAt, authority, proposedMap, retrievedAssumed]);
}
