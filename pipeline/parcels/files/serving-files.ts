import {join} from "node:path";
import {placeKeysSql} from "../../../lib/parcels/matching/known-places.ts";
import {writeKeyIndex} from "../../../lib/search/key-index.ts";
import {writeSpatialIndex} from "../../../lib/search/spatial-index.ts";
import {writeTermIndex} from "../../../lib/search/term-index.ts";
import {type Database, sqlName} from "../../../lib/sql/duckdb.ts";
import {chunkColumn, fixedChunks} from "../../../lib/storage/arrow-file/duckdb-chunks.ts";
import {
  type ArrowColumn,
  type ArrowFileRequest,
  writeArrowFile,
} from "../../../lib/storage/arrow-file/write.ts";
import {parcelColumns} from "../../../schemas/parcel-columns.ts";
import {provenanceColumns} from "../provenance.ts";
import {addressKeysSql} from "./address-keys-sql.ts";
import {idKeysSql} from "./id-keys.ts";
import {streetNameKeysSql} from "./street-names.ts";

/** Writes the Arrow files of parcels and provenance, and of the outlines in table `boundaries` where there are any. */
export async function writeTables(
  db: Database,
  {
    table,
    outDir,
    outlines,
    known = {},
  }: {
    table: string;
    outDir: string;
    outlines: number;
    known?: Pick<ArrowFileRequest, "size" | "constants">;
  },
): Promise<void> {
  const columns = parcelColumns.map(
    ({name, kind, required}): ArrowColumn => ({name, kind, nullable: required !== true}),
  );
  await writeArrowFile(db, {
    table: sqlName(table),
    orderColumn: "rowid",
    inOrder: true,
    ...known,
    columns,
    path: join(outDir, "parcels.arrow"),
  });
  await writeArrowFile(db, {
    table: "provenance",
    orderColumn: "provenance_id",
    columns: provenanceColumns.map((name) => ({
      name,
      kind: name === "provenance_id" ? "int32" : "text",
      nullable: name === "source_url_pattern",
    })),
    path: join(outDir, "provenance.arrow"),
  });
  if (outlines === 0) return;
  await writeArrowFile(db, {
    table: "boundaries",
    orderColumn: "rowid",
    columns: [
      {name: "row", kind: "int64", nullable: false},
      {name: "wkb", kind: "binary", nullable: false},
    ],
    path: join(outDir, "boundaries.arrow"),
  });
}

/** Writes the sorted keys of ids and addresses, and the owner terms. */
export async function writeIndexes(db: Database, table: string, outDir: string): Promise<void> {
  await writeKeyIndex(db, {
    query: await idKeysSql(db, sqlName(table)),
    path: join(outDir, "parcel_ids.arrow"),
    unique: true,
  });
  const places = await placeKeysSql(db, sqlName(table));
  const streets = await streetNameKeysSql(db, sqlName(table));
  await writeKeyIndex(db, {
    query: `${await addressKeysSql(db, sqlName(table))} UNION ALL (${places}) UNION ALL (${streets})`,
    path: join(outDir, "addresses.arrow"),
    unique: true,
  });
  await writeTermIndex(db, {
    query: `SELECT unnest(owner_tokens) AS term, rowid AS row_no FROM ${sqlName(table)} WHERE owner_tokens IS NOT NULL`,
    path: join(outDir, "owners.arrow"),
  });
}

/** Writes `parcels.flatbush` of the first `points` rows; no file where there is none. */
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
  for await (const chunk of fixedChunks(db, query)) {
    for (const [column, edge] of edges.entries()) edge.set(chunkColumn(chunk, column).items, at);
    at += chunk.rowCount;
  }
  await writeSpatialIndex({...boxes, path: join(outDir, "parcels.flatbush")});
}
