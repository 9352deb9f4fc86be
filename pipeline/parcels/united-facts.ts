import {groupNames} from "../../lib/parcels/conform/cells.ts";
import {conformedColumns} from "../../lib/parcels/conform/conformed-table.ts";
import {originColumn} from "../../lib/parcels/dedupe/dedupe-sql.ts";
import {type Database, sqlName, sqlText} from "../../lib/sql/duckdb.ts";
import {type FillShares, fillShares} from "./fill-shares.ts";

/** Facts of the united rows of a state that one pass over them gives; their order does not matter. */
export type UnitedFacts = {
  readonly rows: number;
  /** Rows with a point. */
  readonly points: number;
  /** West, south, east and north end of the points; null without any. */
  readonly extent: readonly [number, number, number, number] | null;
  readonly fill: {readonly all: FillShares; readonly counties: ReadonlyMap<string, FillShares>};
  /** Columns and origin columns with the same value in every row: the text, or null for no value. */
  readonly constants: ReadonlyMap<string, string | null>;
  /** Columns that follow from others in every row, with the SQL over those. */
  readonly repeated: ReadonlyMap<string, string>;
};

/** Columns that often repeat another; where all rows agree, they need not be sorted and written. */
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

type CountyCounts = Record<string, string | number | boolean | null> & {"~county": string; "~rows": number};

/** Gives the facts of relation `united`, from its first row and one pass over all. */
export async function unitedFacts(db: Database, united: string): Promise<UnitedFacts> {
  const counts = names.map((name) => `count(${sqlName(name)})::DOUBLE AS ${sqlName(name)}`);
  const lists = conformedColumns
    .filter(({kind}) => kind === "list")
    .map(({name}) => `count(nullif(len(${sqlName(name)}), 0))::DOUBLE AS ${sqlName(`~filled ${name}`)}`);
  const first = await firstWords(db, united);
  const alike = [...first].map(
    ([name, word]) => `bool_and(${sqlName(name)} = ${sqlText(word)}) AS ${sqlName(`~first ${name}`)}`,
  );
  const same = repeats.map(
    ([name, sql]) => `bool_and(${sqlName(name)} IS NOT DISTINCT FROM ${sql}) AS ${sqlName(`~same ${name}`)}`,
  );
  const box = `min(lon) AS "~west", min(lat) AS "~south", max(lon) AS "~east", max(lat) AS "~north"`;
  const rows = await db.rows<CountyCounts>(
    `SELECT county_key AS "~county", count(*)::DOUBLE AS "~rows", ${box}, ${[...counts, ...lists, ...alike, ...same].join(", ")}
     FROM ${sqlName(united)} GROUP BY county_key ORDER BY county_key`,
  );
  const total = (name: string) => rows.reduce((sum, row) => sum + Number(row[name]), 0);
  return {
    rows: total("~rows"),
    points: total("lon"),
    extent: extentOf(rows),
    fill: fillShares(
      rows.map((row) => ({county: row["~county"], rows: row["~rows"], filled: filledOf(row)})),
    ),
    constants: constantsOf(rows, total, first),
    repeated: new Map(repeats.filter(([name]) => rows.every((row) => row[`~same ${name}`] === true))),
  };
}

function filledOf(row: CountyCounts): (column: string) => number {
  return (column) => Number(row[`~filled ${column}`] ?? row[column]);
}

function extentOf(rows: readonly CountyCounts[]): UnitedFacts["extent"] {
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

/** Gives the words of the dictionary columns of one row; a column with the same word in every row has this one. */
async function firstWords(db: Database, united: string): Promise<Map<string, string>> {
  const [row = {}] = await db.rows<Record<string, string | null>>(
    `SELECT ${words.map(sqlName).join(", ")} FROM ${sqlName(united)} LIMIT 1`,
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
