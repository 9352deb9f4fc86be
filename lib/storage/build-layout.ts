import {describedFile} from "../../schemas/described-files.ts";

/**
 * Paths of the files of a build, below its folder (`docs/design/architecture.md` section 5). `tables/` is for analysts and has
 * Parquet files only; `serving/` is for the server; `carried/` hands found parcels to the next build.
 */

/** Name of the market among the parts of a build; the other parts are states of two letters. */
export const MARKET = "MARKET";

/** The tables for analysts that have a file for each state. */
export type StateTable = "parcels" | "boundaries" | "parcel_provenance" | "parcel_rejects";

/** The tables of the market that have a file for each year. */
export type YearTable = "price_rows" | "price_rows_superseded";

/** Gives the path of a table of the market that is one file; that of a signal is named `signals/<signal>`. */
export function tablePath(table: string): string {
  return `tables/${table}.parquet`;
}

/** Gives the path of one year of a table; `*` gives a pattern of all years. */
export function yearPath(table: YearTable, year: number | "*"): string {
  return `tables/${table}/year=${year}/rows.parquet`;
}

/** Gives the path of one state of a table. */
export function stateTablePath(table: StateTable, state: string): string {
  return `tables/${table}/state=${state}/${table}.parquet`;
}

/** Folder of the market's files that the server maps. */
export const marketServing = "serving/market";

/** Gives the folder of a state's files that the server maps. */
export function stateServing(state: string): string {
  return `serving/parcels/${state}`;
}

/** Gives the path of the found parcels that a build holds of a state. */
export function carriedPath(state: string): string {
  return `carried/${state}.ndjson`;
}

/** Gives the name of the table to which a file below `tables/` belongs: `parcels`, `price_rows`, `signals/drought`. */
export function tableOfPath(path: string): string {
  return path.replace(/^tables\//, "").replace(/\/(state|year)=.*$|\.parquet$/, "");
}

/** Tables of the whole build, which neither the market nor a state makes. */
const ofBuild: readonly string[] = ["parcel_sources"];

const ofState = /^(?:tables\/[^/]+\/state=|serving\/parcels\/|carried\/)([A-Z]{2})[/.]/;

/** Gives the part to which a path belongs, `MARKET` or a state; null for a file of the whole build and for a file that no build has. */
export function partOfPath(path: string): string | null {
  const state = ofState.exec(path)?.[1];
  if (state !== undefined) return state;
  if (path.startsWith(`${marketServing}/`)) return MARKET;
  const isTable = describedFile(path) !== undefined && path.startsWith("tables/");
  return isTable && !ofBuild.includes(tableOfPath(path)) ? MARKET : null;
}
