import {join} from "node:path";
import {mapFile, openArrowTable} from "@open-cattle/mapped-index";
import {model} from "../../lib/models/model.ts";
import {ModelRun} from "../../lib/models/model-run.ts";
import {ensureTextFunction} from "../../lib/parcels/conform/functions.ts";
import {provenanceReader, readStateKinds} from "../../lib/parcels/record/provenance-file.ts";
import {recordSelect} from "../../lib/parcels/record/record-kind.ts";
import type {SourceEntry} from "../../lib/parcels/record/source-facts.ts";
import type {Database} from "../../lib/sql/duckdb.ts";
import {sqlName, sqlText} from "../../lib/sql/duckdb.ts";
import {writeBlockSums} from "../../lib/storage/arrow-file/block-sums.ts";
import {addressedParcels} from "../../pipeline/parcels/files/addressed-rows.ts";
import {writeIndexes, writePoints, writeTables} from "../../pipeline/parcels/files/write-serving-files.ts";
import {factColumns, parcelColumns} from "../../schemas/parcel-columns.ts";
import {parquetTypes} from "../../schemas/vocabulary/described-file.ts";

/** The registry entry of the invented parcels. */
export const inventedSource: SourceEntry = {
  id: "us-zz-invented",
  name: "Invented land parcels",
  licence: "CC0-1.0",
  owners: {published: true, order: "last_first"},
};

const syllables =
  "LOR WHI OAK MAR QUI BRI SAN VES LUN OSG SAB HAR NOR DEL TOR BEL GRA HOL WIN STO KEN ROS FAR COL DAN".split(
    " ",
  );
const givenNames = "DALE JUNE RAY ANNA TOMAS ANITA MARVIN ELSA TESS JAN ANA JOSE RUTH IVAN OLGA PER".split(
  " ",
);
const streetTypes = "ST AVE RD DR LN CT".split(" ");

/**
 * A town of 15,625 parcels fills a square of 0.075 degrees, so the area grows with the rows at a constant 600 parcels per
 * square mile.
 */
const parcelsOfTown = 15_625;
const townDegrees = 0.075;

/** Batch size of the rows for peers. */
const peerSlice = 1_000_000;

/** Columns that lookups read. */
const made: Readonly<Record<string, string>> = {
  parcel_uid: "county || '-' || number",
  country: "'US'",
  state: "'TX'",
  county_key: "county",
  county_name: "'COUNTY ' || county",
  parcel_id: "number",
  parcel_id_tok: "number",
  parcel_id_std: "replace(number, '-', '')",
  parcel_id_loose: "ltrim(replace(number, '-', ''), '0')",
  situs_raw: "house || ' ' || street || ' ' || kind || ', ' || town || ', TX ' || zip_code",
  situs_number: "house::VARCHAR",
  situs_number_lo: "house",
  situs_number_hi: "house",
  situs_name: "street",
  situs_type: "kind",
  city: "town",
  zip: "zip_code",
  situs_status: "'numbered'",
  owner_raw: "owner",
  owner_name: "owner",
  owner_kind: "CASE WHEN together THEN 'persons' ELSE 'person' END",
  owner_tokens: "list_distinct(string_split(replace(owner, ' &', ''), ' '))",
  owner_withheld: "false",
  acres: "1 + h % 400",
  acres_basis: "'deeded'",
  market_value: "h % 900000",
  market_year: "2025",
  currency: "'USD'",
  land_use_category: "(['agriculture', 'residential', 'vacant', NULL])[1 + h % 4]",
  lon: "x",
  lat: "y",
  point_method: "'centroid'",
  xmin: "x",
  ymin: "y",
  xmax: "x",
  ymax: "y",
  flags: "[]",
  prov_default: "0",
};

/**
 * Writes the serving files of an invented state with `rows` parcels into `folder`, with the build's own writers, and the same
 * rows as `rows.parquet` for the peers. The same `rows` give the same files. No real parcel, owner or address occurs. Street
 * and owner names follow real frequencies, with few common and many rare names (half of the last names come from 390,625, the
 * others from 15,625). Names, counties and towns come from the same stock at every size, so that a larger state has more
 * parcels per name.
 */
export async function generateParcels(db: Database, rows: number, folder: string): Promise<void> {
  await db.run(
    `CREATE OR REPLACE MACRO pick(items, u) AS items[1 + (floor(len(items) * u))::INTEGER];
     CREATE OR REPLACE MACRO unit(i, salt) AS ((hash(i, salt) % 1000003) / 1000003.0)::DOUBLE;`,
  );
  const fields = parcelColumns.map(
    ({name, kind}) => `(${made[name] ?? "NULL"})::${parquetTypes[kind]} AS ${sqlName(name)}`,
  );
  // Rows are generated in file order: town by town, and within a town square by square.
  await db.run(
    `CREATE OR REPLACE TABLE parcels AS SELECT ${fields.join(", ")} FROM (${inventedSql(rows)}) ORDER BY i`,
  );
  await db.run(
    `CREATE OR REPLACE TABLE provenance AS SELECT 0 AS provenance_id, 'us-zz-invented' AS source_id, '2025-08-01' AS vintage, 'row_date' AS vintage_basis,
       '2026-11-14T03:10:00Z' AS retrieved_at, NULL::VARCHAR AS source_url_pattern, 'aggregate' AS authority, false AS proposed_map, false AS retrieved_assumed`,
  );
  const empty = factColumns.filter(({name}) => made[name] === undefined);
  const constants = new Map(empty.map(({name}) => [name, null]));
  await writeTables(
    db,
    {table: "parcels", rows, constants, hasOutlines: false},
    {outDir: folder, asOf: "2026-11-21", sources: () => inventedSource},
  );
  const parcels = model({name: "parcels", columns: {}});
  const addressed = addressedParcels(parcels);
  const run = new ModelRun(db, {outputs: [parcels, addressed]});
  await run.adopt(parcels, {rows, seconds: 0});
  await run.make(addressed);
  await writeIndexes(db, {table: "parcels", addressed: addressed.name}, folder);
  await run.release(addressed);
  await writePoints(db, {table: "parcels", outDir: folder, points: rows});
  await writeBlockSums(folder);
  await writePeerRows(db, {rows, folder});
}

/** Writes `rows.parquet`: search keys, each row's record as a JSON document, and its provenance number. */
async function writePeerRows(db: Database, {rows, folder}: {rows: number; folder: string}): Promise<void> {
  const path = join(folder, "provenance.arrow");
  const table = openArrowTable(mapFile(path).buffer, path);
  const {kinds} = readStateKinds(table);
  const provenanceOf = provenanceReader(table, path);
  const numberOfKind = `list_position([${kinds.map(sqlText).join(", ")}], kind)::SMALLINT - 1::SMALLINT`;
  await ensureTextFunction(db, "record_of", (text) => {
    const [number = "", ...values] = text.split("\n");
    return `{${provenanceOf(Number(number)).factsOf(Buffer.from(values.join("\n")))}}`;
  });
  // In batches, because DuckDB keeps both sides of a join in memory: all rows at once would need as much memory as all records.
  for (let from = 0; from < rows; from += peerSlice) {
    const slice = `SELECT rowid, * FROM parcels WHERE rowid BETWEEN ${from} AND ${from + peerSlice - 1}`;
    const records = recordSelect(`(${slice})`, (group) => `prov_${group}`, "rowid");
    await db.run(
      `${from === 0 ? "CREATE OR REPLACE TABLE peer_rows AS" : "INSERT INTO peer_rows"}
       SELECT parcel_uid, parcel_id, county_key, situs_raw, owner_name, lon, lat, record_of(provenance || chr(10) || "values") AS record, provenance
       FROM (${slice}) p JOIN (SELECT row_no, "values", ${numberOfKind} AS provenance FROM (${records})) r
       ON p.rowid = r.row_no ORDER BY p.rowid`,
    );
  }
  await db.run(
    `COPY peer_rows TO ${sqlText(join(folder, "rows.parquet"))} (FORMAT parquet, COMPRESSION zstd)`,
  );
  await db.run("DROP TABLE peer_rows");
}

function inventedSql(rows: number): string {
  const list = (words: readonly string[]) => `[${words.map(sqlText).join(", ")}]`;
  const name = (salt: string) =>
    ["a", "b", "c"].map((part) => `pick(${list(syllables)}, pow(unit(i, '${salt}${part}'), 2))`).join(" || ");
  const side = Math.ceil(Math.sqrt(rows / parcelsOfTown));
  return `SELECT i, (hash(i) % 1000000007)::BIGINT AS h, t,
      -100 + ${townDegrees} * (t % ${side} + (i % 125) / 125.0) AS x, 28 + ${townDegrees} * (t // ${side} + (i // 125 % 125) / 125.0) AS y,
      (48001 + 2 * (t // 16 % 254))::VARCHAR AS county, lpad((i * 7919 % 10000000019)::VARCHAR, 10, '0') AS number,
      (100 + floor(9900 * pow(unit(i, 'n'), 2)))::INTEGER AS house, ${name("s")} AS street, pick(${list(streetTypes)}, unit(i, 't')) AS kind,
      pick(${list(syllables)}, unit(t, 'ta')) || pick(${list(syllables)}, unit(t, 'tb')) || 'TON' AS town, (75000 + t % 4900)::VARCHAR AS zip_code,
      unit(i, 'together') < 0.35 AS together,
      ${name("o")} || CASE WHEN unit(i, 'rare') < 0.5 THEN pick(${list(syllables)}, pow(unit(i, 'od'), 2)) ELSE '' END || ' ' || pick(${list(givenNames)}, unit(i, 'g')) || CASE WHEN unit(i, 'together') < 0.35 THEN ' & ' || pick(${list(givenNames)}, unit(i, 'k')) ELSE '' END AS owner
    FROM (SELECT i, i // ${parcelsOfTown} AS t FROM range(${rows}) r(i))`;
}
