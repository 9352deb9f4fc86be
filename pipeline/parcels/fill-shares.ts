import {parcelColumns} from "../../schemas/parcel-columns.ts";

/** Shares of rows with a value, by column, with 6 decimals. */
export type FillShares = Record<string, number>;

/** The number of a county's rows, and of those that have a value in a column; an empty list does not count as a value. */
type CountyFill = {
  readonly county: string;
  readonly rows: number;
  readonly filled: (column: string) => number;
};

/** Columns that do not show what the sources publish: keys, search forms and codes. */
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

/** Gives the shares of all columns over all rows, and those of the attributes of each county. */
export function fillShares(counties: readonly CountyFill[]): {
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
