import {join} from "node:path";
import {writeSpatialIndex} from "@open-cattle/mapped-index";
import {placeKeysSql} from "../../../lib/parcels/matching/known-places.ts";
import {ownerFactsColumn, ownerFactsSql} from "../../../lib/parcels/matching/owner-reader.ts";
import type {ProvenanceContext, ProvenanceFacts} from "../../../lib/parcels/record/provenance.ts";
import {writeProvenanceTexts} from "../../../lib/parcels/record/provenance-file.ts";
import {type Database, sqlName, sqlText} from "../../../lib/sql/duckdb.ts";
import {chunkNumbers, streamChunks} from "../../../lib/storage/arrow-file/duckdb-chunks.ts";
import {type ArrowColumn, writeArrowFile} from "../../../lib/storage/arrow-file/write.ts";
import {findingColumns} from "../../../schemas/parcel-columns.ts";
import {addressKeysSql, idKeysSql, streetNameKeysSql} from "./keys-sql.ts";
import {writeRecords} from "./records-file.ts";
import {writeKeyIndex} from "./write-keys.ts";
import {writeTermIndex} from "./write-terms.ts";

/** The rows of a state from which the files are written. */
export type ServedRows = {
  readonly table: string;
  readonly rows: number;
  /** Constant columns: the text, or null for no value. */
  readonly constants: ReadonlyMap<string, string | null>;
  /** True if there is a table `boundary_rows`, with outlines. */
  readonly hasOutlines: boolean;
};

/** Inputs of the provenance texts besides the rows. */
export type TextContext = Pick<ProvenanceContext, "asOf" | "sources">;

/** Writes a state's Arrow files: searched columns, record texts, and the outlines if there are any. */
export async function writeTables(
  db: Database,
  served: ServedRows,
  {outDir, ...context}: {outDir: string} & TextContext,
): Promise<void> {
  await writeColumns(db, served, outDir);
  await writeRecordTexts(db, served, {outDir, ...context});
  if (!served.hasOutlines) return;
  await writeArrowFile(db, {
    table: "boundary_rows",
    orderColumn: "rowid",
    columns: [
      {name: "row", kind: "int64", nullable: false},
      {name: "wkb", kind: "binary", nullable: false},
    ],
    path: join(outDir, "boundaries.arrow"),
  });
}

/** Source of the owner; it determines in which order names are printed. */
const ownerSource = "owner_source";

async function writeColumns(
  db: Database,
  {table, rows, constants}: ServedRows,
  outDir: string,
): Promise<void> {
  const columns = findingColumns.map(
    ({name, kind, required}): ArrowColumn => ({name, kind, nullable: !required}),
  );
  const origins = await db.rows<{id: string}>(
    "SELECT source_id AS id FROM provenance ORDER BY provenance_id",
  );
  // An array lookup, because a join would not preserve row order.
  const sources = `[${origins.map(({id}) => sqlText(id)).join(", ")}]`;
  const source = `${sources}[coalesce(prov_owner, prov_default) + 1] AS ${ownerSource}`;
  const facts = `${ownerFactsSql} AS ${ownerFactsColumn}`;
  const names = ["rowid", ...findingColumns.map(({name}) => sqlName(name)), source, facts];
  await writeArrowFile(db, {
    table: `(SELECT ${names.join(", ")} FROM ${sqlName(table)})`,
    orderColumn: "rowid",
    inOrder: true,
    size: {rows, textBytes: rows * searchedBytes},
    constants,
    columns: [
      ...columns,
      {name: ownerSource, kind: "dictionary", nullable: false},
      {name: ownerFactsColumn, kind: "float64", nullable: false},
    ],
    path: join(outDir, "columns.arrow"),
  });
}

/** Approximate bytes of text per row in the searched columns, for sizing batches. */
const searchedBytes = 160;

async function writeRecordTexts(
  db: Database,
  {table, rows, constants}: ServedRows,
  {outDir, asOf, sources}: {outDir: string} & TextContext,
): Promise<void> {
  const kinds = await writeRecords(db, {table, rows, constants}, join(outDir, "records.arrow"));
  const origins = await db.rows<OriginRow>(
    "SELECT source_id, vintage, vintage_basis, retrieved_at, authority, proposed_map, retrieved_assumed FROM provenance ORDER BY provenance_id",
  );
  await writeProvenanceTexts(
    join(outDir, "provenance.arrow"),
    {kinds, origins: origins.map(originOf)},
    {asOf, sources},
  );
}

type OriginRow = Record<"source_id" | "vintage" | "vintage_basis" | "retrieved_at" | "authority", string> & {
  proposed_map: boolean;
  retrieved_assumed: boolean;
};

function originOf({
  source_id,
  vintage,
  vintage_basis,
  retrieved_at,
  authority,
  proposed_map,
  retrieved_assumed,
}: OriginRow): ProvenanceFacts {
  return {
    sourceId: source_id,
    vintage,
    vintageBasis: vintage_basis,
    retrievedAt: retrieved_at,
    authority,
    proposedMap: proposed_map,
    ...(retrieved_assumed ? {retrievedAssumed: true as const} : {}),
  };
}

/** Writes the sorted keys of the ids of `table` and of the addresses of `addressed`, and the owner terms. */
export async function writeIndexes(
  db: Database,
  {table, addressed}: {table: string; addressed: string},
  outDir: string,
): Promise<void> {
  await writeKeyIndex(db, {
    query: await idKeysSql(db, sqlName(table)),
    path: join(outDir, "parcel_ids.arrow"),
    unique: true,
  });
  const places = await placeKeysSql(db, addressed);
  const streets = await streetNameKeysSql(db, addressed);
  await writeKeyIndex(db, {
    query: `${await addressKeysSql(db, addressed)} UNION ALL (${places}) UNION ALL (${streets})`,
    path: join(outDir, "addresses.arrow"),
    unique: true,
  });
  await writeTermIndex(db, {
    query: `SELECT unnest(owner_tokens) AS term, rowid AS row_no FROM ${sqlName(table)} WHERE owner_tokens IS NOT NULL`,
    path: join(outDir, "owners.arrow"),
  });
}

/** Writes `parcels.flatbush` for the first `points` rows; no file if there are none. */
export async function writePoints(
  db: Database,
  {table, outDir, points}: {table: string; outDir: string; points: number},
): Promise<void> {
  const boxes = {
    minX: new Float64Array(points),
    minY: new Float64Array(points),
    maxX: new Float64Array(points),
    maxY: new Float64Array(points),
  };
  const edges = Object.values(boxes);
  const query = `SELECT xmin, ymin, xmax, ymax FROM ${sqlName(table)} WHERE lon IS NOT NULL ORDER BY rowid`;
  let at = 0;
  for await (const chunk of streamChunks(db, query)) {
    for (const [column, edge] of edges.entries()) edge.set(chunkNumbers(chunk, column, Float64Array), at);
    at += chunk.rowCount;
  }
  await writeSpatialIndex({...boxes, path: join(outDir, "parcels.flatbush")});
}
