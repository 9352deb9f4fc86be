import {join} from "node:path";
import {writeKeyIndex} from "../lib/search/key-index.ts";
import {writeSpatialIndex} from "../lib/search/spatial-index.ts";
import {writeTermIndex} from "../lib/search/term-index.ts";
import {type Database, sqlName} from "../lib/sql/duckdb.ts";
import {readFixed} from "../lib/storage/arrow-file/relation.ts";
import {type ArrowColumn, writeArrowFile} from "../lib/storage/arrow-file/write.ts";
import {type ParcelColumn, parcelColumns} from "../schemas/parcel-columns.ts";

/** Columns of `parcels.arrow`, as the builder writes them. */
const arrowColumns: readonly ArrowColumn[] = parcelColumns.map(({name, kind, required}) => ({
  name,
  kind,
  nullable: required !== true,
}));

/** Columns whose values mean something to the indexes; every other one is filled by its kind. */
const madeColumns: Readonly<Record<string, string>> = {
  parcel_uid: "'48453-' || (i * 7919)",
  parcel_id_std: "lpad((i * 7919)::VARCHAR, 10, '0')",
  owner_tokens: "['SURNAME' || (h % 200003), 'GIVEN' || (h % 997), (['LLC', 'TRUST', 'FARMS'])[1 + h % 3]]",
  lon: "-106 + (h % 1000003) * 1.3e-5",
  lat: "26 + (h // 1000003 % 1000033) * 1e-5",
};

const valuesByKind: Readonly<Record<ParcelColumn["kind"], string>> = {
  text: "'value ' || (h % 9000011)",
  dictionary: "'word ' || (h % 250)",
  list: "['one', 'two']",
  float64: "(h % 100000) * 0.25",
  float32: "(h % 100) * 0.01",
  int32: "(h % 90000)::INTEGER",
  int16: "(1900 + h % 126)::SMALLINT",
  bool: "h % 7 = 0",
  money: "((h % 900000000) / 100)::DECIMAL(14,2)",
  date: "DATE '1990-01-01' + (h % 12000)::INTEGER",
};

/**
 * Writes the serving files of an invented state with `rows` parcels into `folder`: every column, one value in five null where it may be,
 * keys of parcel numbers, owner terms and points. The same `rows` give the same files. They stand for no real parcel.
 */
export async function generateRows(db: Database, rows: number, folder: string): Promise<void> {
  const fields = parcelColumns.map((column, k) => `${valueSql(column, k)} AS ${sqlName(column.name)}`);
  await db.run(
    `CREATE OR REPLACE TABLE parcels AS SELECT i::INTEGER AS row_no, ${fields.join(", ")}
     FROM (SELECT i, (md5_number_lower(i::VARCHAR) % 1000000007)::BIGINT AS h FROM range(${rows}) t(i)) ORDER BY i`,
  );
  const path = (name: string) => join(folder, name);
  await writeArrowFile(db, {
    table: "parcels",
    orderColumn: "row_no",
    columns: arrowColumns,
    path: path("parcels.arrow"),
  });
  const keys = 'SELECT parcel_id_std AS "key", row_no, 1 AS form FROM parcels';
  await writeKeyIndex(db, {query: keys, path: path("parcel_ids.arrow")});
  const terms = "SELECT unnest(owner_tokens) AS term, row_no FROM parcels";
  await writeTermIndex(db, {query: terms, path: path("owners.arrow")});
  await writeSpatialIndex({...(await pointBoxes(db, rows)), path: path("parcels.flatbush")});
}

function valueSql(column: ParcelColumn, k: number): string {
  const made = madeColumns[column.name];
  if (made !== undefined) return made;
  const value = valuesByKind[column.kind];
  return column.required ? value : `CASE WHEN (h + ${k}) % 5 = 0 THEN NULL ELSE ${value} END`;
}

async function pointBoxes(db: Database, rows: number) {
  const relation = {from: "parcels", order: "row_no"};
  const [lon, lat] = await readFixed(db, relation, {first: 0, length: rows}, [
    {sql: "lon", kind: "float64"},
    {sql: "lat", kind: "float64"},
  ]);
  const [x, y] = [lon!.values as Float64Array, lat!.values as Float64Array];
  return {minX: x, minY: y, maxX: x, maxY: y};
}
