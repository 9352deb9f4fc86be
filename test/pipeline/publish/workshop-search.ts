import {join} from "node:path";
import {groupNames} from "../../../lib/parcels/conform/groups.ts";
import {writeKeyIndex} from "../../../lib/search/key-index.ts";
import {writeTermIndex} from "../../../lib/search/term-index.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import {type ArrowColumn, writeArrowFile} from "../../../lib/storage/arrow-file/write.ts";

/** The origin of a row of the workshop that comes from no file. */
export type Origin = {row: number; source: string; vintage: string};

const origins = ["default", ...groupNames].map((group) => `prov_${group}`);

/** The files that the server searches, with the columns that the build's gates look at. */
export async function writeSearchFiles(
  db: Database,
  outDir: string,
  found: readonly Origin[],
): Promise<void> {
  const provenance = found.map(({row}, i) => `WHEN ${row + 1} THEN ${i + 1}`).join(" ");
  await db.run(`CREATE TABLE served AS SELECT line - 1 AS row_no, county AS county_key, id AS parcel_id, '' AS alt_ids,
    ${provenance === "" ? 0 : `CASE line ${provenance} ELSE 0 END`} AS prov_default, id AS parcel_id_std, '1 MAIN ST' AS situs_raw, '1' AS situs_number,
    1 AS situs_number_lo, 1 AS situs_number_hi, 'MAIN' AS situs_name, 'numbered' AS situs_status, lon::DOUBLE AS lon, lat::DOUBLE AS lat
    FROM parcel`);
  await db.run(
    origins
      .slice(1)
      .map((name) => `ALTER TABLE served ADD COLUMN ${name} INTEGER`)
      .join("; "),
  );
  const texts = [
    "county_key",
    "parcel_id",
    "alt_ids",
    "parcel_id_std",
    "situs_raw",
    "situs_number",
    "situs_name",
  ];
  const columns: ArrowColumn[] = [
    ...texts.map((name): ArrowColumn => ({name, kind: "text", nullable: true})),
    {name: "situs_status", kind: "dictionary", nullable: false},
    ...[...origins, "situs_number_lo", "situs_number_hi"].map(
      (name): ArrowColumn => ({name, kind: "int32", nullable: true}),
    ),
    ...["lon", "lat"].map((name): ArrowColumn => ({name, kind: "float64", nullable: true})),
  ];
  const path = (name: string) => join(outDir, name);
  await writeArrowFile(db, {table: "served", orderColumn: "row_no", columns, path: path("parcels.arrow")});
  await writeKeyIndex(db, {
    query: "SELECT id AS key, line - 1 AS row_no, 1 AS form FROM parcel",
    path: path("parcel_ids.arrow"),
  });
  const keys = "SELECT '1|MAIN' AS key, line - 1 AS row_no, 1 AS form FROM parcel";
  await writeKeyIndex(db, {query: keys, path: path("addresses.arrow")});
  await writeTermIndex(db, {
    query: "SELECT owner AS term, line - 1 AS row_no FROM parcel",
    path: path("owners.arrow"),
  });
  const facts = ["source_id", "vintage", "vintage_basis", "retrieved_at", "authority"];
  const of = ({source, vintage}: {source: string; vintage: string | null}, id: number) =>
    `(${id}, ${id}, '${source}', ${vintage === null ? "NULL" : `'${vintage}'`}, 'row_date', NULL, 'county')`;
  const made = [{source: "file", vintage: null}, ...found].map(of);
  await db.run(
    `CREATE TABLE made_of AS SELECT * FROM (VALUES ${made.join(", ")}) t(row_no, provenance_id, ${facts.join(", ")})`,
  );
  const columnsOfOrigin: ArrowColumn[] = [
    {name: "provenance_id", kind: "int32", nullable: false},
    ...facts.map((name): ArrowColumn => ({name, kind: "text", nullable: true})),
  ];
  await writeArrowFile(db, {
    table: "made_of",
    orderColumn: "row_no",
    columns: columnsOfOrigin,
    path: path("provenance.arrow"),
  });
}
