import {join} from "node:path";
import {addressKeys} from "../../../lib/address/address-keys.ts";
import type {AddressStatus} from "../../../lib/address/parsed-address.ts";
import {chunkColumn, fixedChunks} from "../../../lib/arrow-file/duckdb-chunks.ts";
import {type ArrowColumn, writeArrowFile} from "../../../lib/arrow-file/write.ts";
import {ensureTextFunction} from "../../../lib/conform/functions.ts";
import {memberSeparator, pack, packSql, partSeparator, unpack} from "../../../lib/conform/packed-text.ts";
import {type Database, sqlName} from "../../../lib/duckdb.ts";
import {writeKeyIndex} from "../../../lib/key-index.ts";
import {placeKeysSql} from "../../../lib/matching/known-places.ts";
import {parcelIdForms} from "../../../lib/parcel-id/parcel-id-forms.ts";
import {writeSpatialIndex} from "../../../lib/spatial-index.ts";
import {writeTermIndex} from "../../../lib/term-index.ts";
import {parcelColumns} from "../../../schemas/parcel-columns.ts";
import {provenanceColumns} from "../provenance.ts";

/** Writes the Arrow files of parcels and provenance, and of the outlines in table `boundaries` where there are any. */
export async function writeTables(
  db: Database,
  {table, outDir, outlines}: {table: string; outDir: string; outlines: number},
): Promise<void> {
  const columns = parcelColumns.map(
    ({name, kind, required}): ArrowColumn => ({name, kind, nullable: required !== true}),
  );
  await writeArrowFile(db, {
    table: sqlName(table),
    orderColumn: "rowid",
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
  await ensureTextFunction(db, "loose_parcel_id", (id) => parcelIdForms(id).loose);
  await ensureTextFunction(db, "address_key_list", addressKeyList);
  await writeKeyIndex(db, {query: idKeysSql(sqlName(table)), path: join(outDir, "parcel_ids.arrow")});
  const places = await placeKeysSql(db, sqlName(table));
  await writeKeyIndex(db, {
    query: `${addressKeysSql(sqlName(table))} UNION ALL (${places})`,
    path: join(outDir, "addresses.arrow"),
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

/** Bits: 1 std and 2 loose of the id, 4 and 8 of another id. */
function idKeysSql(table: string): string {
  const others = `(SELECT unnest(alt_ids) AS id, rowid AS row_no FROM ${table} WHERE len(alt_ids) > 0)`;
  return `SELECT parcel_id_std AS "key", rowid AS row_no, 1 AS form FROM ${table}
    UNION ALL SELECT parcel_id_loose, rowid, 2 FROM ${table}
    UNION ALL SELECT unnest(alt_ids_std), rowid, 4 FROM ${table} WHERE len(alt_ids_std) > 0
    UNION ALL SELECT loose_parcel_id(id), row_no, 8 FROM ${others}`;
}

function addressKeysSql(table: string): string {
  const line = "CASE WHEN situs_status IN ('legal_only', 'name_only') THEN situs_raw END";
  const question = packSql([
    "situs_number",
    "situs_number_lo::VARCHAR",
    "situs_number_hi::VARCHAR",
    "situs_name",
    "situs_status",
    line,
  ]);
  const asked = `SELECT ${question} AS question, rowid AS row_no FROM ${table} WHERE situs_status IN ('numbered', 'legal_only', 'name_only')`;
  return `WITH asked AS MATERIALIZED (${asked}),
    answered AS MATERIALIZED (SELECT question, string_split(address_key_list(question), chr(31)) AS keys FROM (SELECT DISTINCT question FROM asked))
    SELECT split_part(k, chr(30), 2) AS "key", row_no, split_part(k, chr(30), 1)::UTINYINT AS form
    FROM (SELECT unnest(keys) AS k, row_no FROM asked JOIN answered USING (question)) WHERE k <> ''`;
}

/** Packed: number, its ends, name, status and line in; `form`, separator, `key` of each key out. */
function addressKeyList(packed: string): string {
  const [number = null, lo = null, hi = null, name = null, status, line = null] = unpack(packed);
  const parts = {
    number,
    numberLo: lo === null ? null : Number(lo),
    numberHi: hi === null || hi === lo ? null : Number(hi),
    name,
    status: status as AddressStatus,
  };
  return pack(
    addressKeys(parts, line).map(
      ({key, form}) => `${form}${memberSeparator}${key.replaceAll(partSeparator, "")}`,
    ),
  );
}
