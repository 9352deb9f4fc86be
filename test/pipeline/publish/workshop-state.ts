import {model} from "../../../lib/models/model.ts";
import {ModelRun} from "../../../lib/models/model-run.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import {sqlName, sqlText} from "../../../lib/sql/duckdb.ts";
import {writeBlockSums} from "../../../lib/storage/arrow-file/block-sums.ts";
import {addressedParcels} from "../../../pipeline/parcels/files/addressed-rows.ts";
import {parcelsFile, provenanceFile} from "../../../pipeline/parcels/files/parquet-files.ts";
import {writeIndexes, writePoints, writeTables} from "../../../pipeline/parcels/files/write-serving-files.ts";
import {parcelColumns} from "../../../schemas/parcel-columns.ts";
import {parquetTypes} from "../../../schemas/vocabulary/described-file.ts";

const provenanceColumns =
  "provenance_id source_id vintage vintage_basis retrieved_at source_url_pattern authority proposed_map retrieved_assumed".split(
    " ",
  );

/** Origin of workshop rows: a source, and a vintage if the row was discovered on a miss. */
export type Origin = {source: string; vintage: string | null};

/** Columns of `parcel`, the workshop rows as text: number from 1, the fields, and the number of the origin. */
export const workshopColumns = [
  "county",
  "id",
  "owner",
  "category",
  "lon",
  "lat",
  "acres",
  "address",
  "use",
  "origin",
];

/** Columns that a workshop row has; all others are null. */
const made: Readonly<Record<string, string>> = {
  country: "'US'",
  county_key: "county",
  county_name: "'COUNTY ' || county",
  parcel_uid: "county || '-' || id",
  parcel_id: "id",
  parcel_id_tok: "id",
  parcel_id_std: "id",
  parcel_id_loose: "id",
  situs_raw: "nullif(address, '')",
  situs_number: "'1'",
  situs_number_lo: "1",
  situs_number_hi: "1",
  situs_name: "CASE WHEN address <> '' THEN 'MAIN' END",
  situs_status: "'numbered'",
  owner_raw: "nullif(owner, '')",
  owner_name: "nullif(owner, '')",
  owner_tokens: "[owner]",
  owner_withheld: "false",
  acres: "nullif(acres, '')",
  use_code: "nullif(use, '')",
  land_use_category: "nullif(category, '')",
  lon: "lon",
  lat: "lat",
  xmin: "lon",
  ymin: "lat",
  xmax: "lon",
  ymax: "lat",
  flags: "CASE WHEN lon = '0' THEN ['point_outside'] ELSE [] END",
  prov_default: "origin",
};

/** Writes the files of a state from the rows of table `parcel` and their origins, with the writers of the project. */
export async function writeStateFiles(
  db: Database,
  {rows, origins}: {rows: number; origins: readonly Origin[]},
  {outDir, serving, state, asOf}: {outDir: string; serving: string; state: string; asOf: string},
): Promise<void> {
  const columns = parcelColumns.map(({name, kind}) => {
    const sql = name === "state" ? sqlText(state) : (made[name] ?? "NULL");
    return `(${sql})::${parquetTypes[kind]} AS ${sqlName(name)}`;
  });
  const query = `SELECT ${columns.join(", ")} FROM parcel ORDER BY line`;
  const stamp = {part: state, inputsSha256: null, asOf, sample: false, licence: "of the test"};
  const tables = {outDir, state, stamp};
  const parcels = parcelsFile({reads: [], query: () => query, extent: async () => null}, tables);
  const addressed = addressedParcels(parcels);
  const run = new ModelRun(db);
  await run.make(addressed);
  const facts = origins.map(({source, vintage}, id) => {
    const said: Record<string, string> = {
      provenance_id: String(id),
      source_id: sqlText(source),
      vintage: vintage === null ? "NULL" : sqlText(vintage),
      vintage_basis: vintage === null ? "'retrieved'" : "'row_date'",
      retrieved_at: "'2000-01-01T00:00:00Z'",
      authority: "'county'",
    };
    return `SELECT ${provenanceColumns.map((name) => `${said[name] ?? "NULL"} AS ${name}`).join(", ")}, false AS assumed`;
  });
  await db.run(`CREATE TABLE provenance AS ${facts.join(" UNION ALL ")}`);
  const provenance = model({name: "provenance", columns: {}});
  await run.adopt(provenance, {rows: facts.length, seconds: 0});
  await run.make(provenanceFile(provenance, tables));
  const served = {table: "parcels", rows, constants: new Map<string, null>(), hasOutlines: false};
  await writeTables(db, served, {outDir: serving, asOf, sources: () => undefined});
  await writeIndexes(db, {table: "parcels", addressed: addressed.name}, serving);
  await writePoints(db, {table: "parcels", outDir: serving, points: rows});
  await writeBlockSums(serving);
}
