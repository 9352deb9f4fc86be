import {type Database, sqlName} from "../../lib/duckdb.ts";
import {parcelColumns} from "../../schemas/parcel-columns.ts";

/** Shares of rows with a value, by column, with 6 decimals. */
export type FillShares = Record<string, number>;

/** Keys, search forms and codes: they say nothing on what the sources publish. */
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

/** The shares of a table of parcels, of all its columns, and of the attributes of each county; an empty list is no value. */
export async function fillShares(
  db: Database,
  table: string,
): Promise<{all: FillShares; counties: ReadonlyMap<string, FillShares>}> {
  const counts = columns.map(({name, kind}) => {
    const value = kind === "list" ? `nullif(len(${sqlName(name)}), 0)` : sqlName(name);
    return `count(${value}) AS ${sqlName(name)}`;
  });
  const rows = await db.rows<Record<string, bigint> & {"~county": string}>(
    `SELECT county_key AS "~county", count(*) AS "~rows", ${counts.join(", ")} FROM ${sqlName(table)} GROUP BY county_key ORDER BY county_key`,
  );
  const total = (name: string) => rows.reduce((sum, row) => sum + Number(row[name]), 0);
  const counties = rows.map((row): [string, FillShares] => {
    const shares = columns
      .map(({name}): [string, number] => [name, share(Number(row[name]), Number(row["~rows"]))])
      .filter(([name, value]) => value > 0 && !notAttributes.has(name));
    return [row["~county"], Object.fromEntries(shares)];
  });
  return {
    all: Object.fromEntries(columns.map(({name}) => [name, share(total(name), total("~rows"))])),
    counties: new Map(counties),
  };
}

function share(count: number, rows: number): number {
  return rows === 0 ? 0 : Math.round((count / rows) * 1e6) / 1e6;
}
