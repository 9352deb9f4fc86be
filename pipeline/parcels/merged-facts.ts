import {conformedColumns} from "../../lib/parcels/conform/conformed-table.ts";
import {groupNames} from "../../lib/parcels/conform/file-cells.ts";
import {originColumn} from "../../lib/parcels/dedupe/dedupe-sql.ts";
import {type Database, sqlName, sqlText} from "../../lib/sql/duckdb.ts";
import type {Completeness} from "../../schemas/manifest.ts";
import {parcelColumns} from "../../schemas/parcel-columns.ts";

/** Facts of a state's merged rows, gathered in a single pass; row order does not matter. */
export type MergedFacts = {
  readonly rows: number;
  /** Rows with a point. */
  readonly points: number;
  /** West, south, east and north bounds of the points; null without any. */
  readonly extent: readonly [number, number, number, number] | null;
  readonly fill: {readonly all: FillShares; readonly counties: ReadonlyMap<string, FillShares>};
  /** By county key. */
  readonly completeness: ReadonlyMap<string, Completeness>;
  /** Constant columns and origin columns: the text, or null for no value. */
  readonly constants: ReadonlyMap<string, string | null>;
  /** Columns that can be derived from others in every row, with the SQL for it. */
  readonly repeated: ReadonlyMap<string, string>;
};

/** Columns that often repeat another one; if they do in every row, they need not be sorted and written. */
const repeats: readonly (readonly [column: string, sql: string])[] = [
  ["parcel_uid", `"county_key" || '-' || upper("parcel_id")`],
  ["parcel_id_std", `"parcel_id"`],
  ["parcel_id_tok", `"parcel_id"`],
  ["alt_ids_std", `"alt_ids"`],
  ["owner_name", `"owner_raw"`],
  ["situs_number_hi", `"situs_number_lo"`],
  ["xmin", `"lon"`],
  ["xmax", `"lon"`],
  ["ymin", `"lat"`],
  ["ymax", `"lat"`],
];

const names = [
  ...conformedColumns.map(({name}) => name),
  ...["default" as const, ...groupNames].map(originColumn),
];
const words = conformedColumns.filter(({kind}) => kind === "dictionary").map(({name}) => name);

/** SQL of the rows that count as complete in a fact. */
const completeRows: Readonly<Record<keyof Completeness, string>> = {
  owner: "owner_raw IS NOT NULL",
  address: "situs_status = 'numbered'",
  point: "lon IS NOT NULL",
  use: "land_use_category IS NOT NULL",
  value:
    "coalesce(assessed_value, market_value, taxable_value, use_value, land_value, building_value) IS NOT NULL",
};
const completeFacts = Object.keys(completeRows) as (keyof Completeness)[];

type CountyCounts = Record<string, string | number | boolean | null> & {"~county": string; "~rows": number};

/** Gathers the facts of relation `merged` from its first row and one pass over all rows. */
export async function mergedFacts(db: Database, merged: string): Promise<MergedFacts> {
  const counts = names.map((name) => `count(${sqlName(name)})::DOUBLE AS ${sqlName(name)}`);
  const lists = conformedColumns
    .filter(({kind}) => kind === "list")
    .map(({name}) => `count(nullif(len(${sqlName(name)}), 0))::DOUBLE AS ${sqlName(`~filled ${name}`)}`);
  const first = await firstWords(db, merged);
  const sameAsFirst = [...first].map(
    ([name, word]) => `bool_and(${sqlName(name)} = ${sqlText(word)}) AS ${sqlName(`~first ${name}`)}`,
  );
  const same = repeats.map(
    ([name, sql]) => `bool_and(${sqlName(name)} IS NOT DISTINCT FROM ${sql}) AS ${sqlName(`~same ${name}`)}`,
  );
  const complete = completeFacts.map(
    (fact) => `count(*) FILTER (${completeRows[fact]})::DOUBLE AS ${sqlName(`~complete ${fact}`)}`,
  );
  const box = `min(lon) AS "~west", min(lat) AS "~south", max(lon) AS "~east", max(lat) AS "~north"`;
  const rows = await db.rows<CountyCounts>(
    `SELECT county_key AS "~county", count(*)::DOUBLE AS "~rows", ${box}, ${[...counts, ...lists, ...sameAsFirst, ...same, ...complete].join(", ")}
     FROM ${sqlName(merged)} GROUP BY county_key ORDER BY county_key`,
  );
  const total = (name: string) => rows.reduce((sum, row) => sum + Number(row[name]), 0);
  return {
    rows: total("~rows"),
    points: total("lon"),
    extent: extentOf(rows),
    fill: fillShares(
      rows.map((row) => ({county: row["~county"], rows: row["~rows"], filled: filledOf(row)})),
    ),
    completeness: new Map(rows.map((row) => [row["~county"], completenessOf(row)])),
    constants: constantsOf(rows, total, first),
    repeated: new Map(repeats.filter(([name]) => rows.every((row) => row[`~same ${name}`] === true))),
  };
}

function completenessOf(row: CountyCounts): Completeness {
  const shareOf = (fact: string) => Math.floor((Number(row[`~complete ${fact}`]) / row["~rows"]) * 100) / 100;
  return Object.fromEntries(completeFacts.map((fact) => [fact, shareOf(fact)])) as Completeness;
}

function filledOf(row: CountyCounts): (column: string) => number {
  return (column) => Number(row[`~filled ${column}`] ?? row[column]);
}

function extentOf(rows: readonly CountyCounts[]): MergedFacts["extent"] {
  const ends = (name: string) => rows.flatMap((row) => (row[name] === null ? [] : [Number(row[name])]));
  const west = ends("~west");
  if (west.length === 0) return null;
  return [
    Math.min(...west),
    Math.min(...ends("~south")),
    Math.max(...ends("~east")),
    Math.max(...ends("~north")),
  ];
}

/** Returns one row's values of the dictionary columns: if such a column is constant, this is its value. */
async function firstWords(db: Database, merged: string): Promise<Map<string, string>> {
  const [row = {}] = await db.rows<Record<string, string | null>>(
    `SELECT ${words.map(sqlName).join(", ")} FROM ${sqlName(merged)} LIMIT 1`,
  );
  return new Map(Object.entries(row).filter((entry): entry is [string, string] => entry[1] !== null));
}

function constantsOf(
  rows: readonly CountyCounts[],
  total: (name: string) => number,
  first: ReadonlyMap<string, string>,
): Map<string, string | null> {
  const constants = new Map<string, string | null>();
  for (const name of names) if (total(name) === 0) constants.set(name, null);
  for (const [name, word] of first) {
    const isAlike = rows.every((row) => row[`~first ${name}`] === true);
    if (isAlike && total(name) === total("~rows")) constants.set(name, word);
  }
  return constants;
}

/** Share of rows with a value by column, to 6 decimals. */
export type FillShares = Record<string, number>;

/** A county's row count, and its count of non-empty values by column; an empty list is not a value. */
type CountyFill = {
  readonly county: string;
  readonly rows: number;
  readonly filled: (column: string) => number;
};

/** Columns that do not reflect what sources publish: keys, normalised spellings and codes. */
const notAttributes: ReadonlySet<string> = new Set([
  "parcel_uid",
  "country",
  "state",
  "county_key",
  "county_name",
  "parcel_id_tok",
  "parcel_id_std",
  "parcel_id_loose",
  "alt_ids_std",
  "situs_number_lo",
  "situs_number_hi",
  "situs_status",
  "owner_last",
  "owner_tokens",
  "owner_withheld",
  "lat",
  "xmin",
  "ymin",
  "xmax",
  "ymax",
  "flags",
]);

const columns = parcelColumns.filter(({name}) => !name.startsWith("prov_"));

/** Returns the shares of all columns over all rows, and of the attribute columns per county. */
function fillShares(counties: readonly CountyFill[]): {
  all: FillShares;
  counties: ReadonlyMap<string, FillShares>;
} {
  const rows = counties.reduce((sum, county) => sum + county.rows, 0);
  const filled = (name: string) => counties.reduce((sum, county) => sum + county.filled(name), 0);
  const sharesOf = (county: CountyFill): FillShares =>
    Object.fromEntries(
      columns
        .map(({name}): [string, number] => [name, share(county.filled(name), county.rows)])
        .filter(([name, value]) => value > 0 && !notAttributes.has(name)),
    );
  return {
    all: Object.fromEntries(columns.map(({name}) => [name, share(filled(name), rows)])),
    counties: new Map(counties.map((county) => [county.county, sharesOf(county)])),
  };
}

function share(count: number, rows: number): number {
  return rows === 0 ? 0 : Math.round((count / rows) * 1e6) / 1e6;
}
