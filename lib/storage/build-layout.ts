import {describedFile} from "../../schemas/described-files.ts";

/**
 * File paths inside a build folder (`docs/design/architecture.md` section 5). `tables/` has Parquet files for
 * analysts; `serving/` is for the server; `carried/` passes found parcels on to the next build.
 */

/** The market's name among the parts of a build; the other parts are states, named by two letters. */
export const MARKET = "MARKET";

/** Analyst tables with one file per state. */
export type StateTable = "parcels" | "boundaries" | "parcel_provenance" | "parcel_rejects";

/** Market tables with one file per year. */
export type YearTable = "price_rows" | "price_rows_superseded";

/** The path of a market table that is a single file; for a signal the table is `signals/<signal>`. */
export function tablePath(table: string): string {
  return `tables/${table}.parquet`;
}

/** The path of one year of a table; `*` makes a glob over all years. */
export function yearPath(table: YearTable, year: number | "*"): string {
  return `tables/${table}/year=${year}/rows.parquet`;
}

/** The path of one state of a table. */
export function stateTablePath(table: StateTable, state: string): string {
  return `tables/${table}/state=${state}/${table}.parquet`;
}

/** Folder of the market files that the server maps. */
export const marketServing = "serving/market";

/** Folder of a state's files that the server maps. */
export function stateServing(state: string): string {
  return `serving/parcels/${state}`;
}

/** The path of a state's found parcels in a build. */
export function carriedPath(state: string): string {
  return `carried/${state}.ndjson`;
}

/** True for a file that only the next build reads; no answer comes from it. */
export function isCarried(path: string): boolean {
  return path.startsWith("carried/");
}

/** The table to which a file below `tables/` belongs: `parcels`, `price_rows`, `signals/drought`. */
export function tableOfPath(path: string): string {
  return path.replace(/^tables\//, "").replace(/\/(state|year)=.*$|\.parquet$/, "");
}

/** The files of a build that describe it and may be handed on beside its tables. The manifest may not: it names acceptances and segments. */
export const buildDocuments: readonly string[] = [
  "croissant.json",
  "datapackage.json",
  "report.html",
  "report.json",
];

/** Tables that belong to the whole build, not to the market or a state. */
const wholeBuildTables: readonly string[] = ["parcel_sources"];

const statePath = /^(?:tables\/[^/]+\/state=|serving\/parcels\/|carried\/)([A-Z]{2})[/.]/;

/**
 * The part to which a path belongs, `MARKET` or a state; null for a file of the whole build and for a path
 * that is not in the layout.
 */
export function partOfPath(path: string): string | null {
  const state = statePath.exec(path)?.[1];
  if (state !== undefined) return state;
  if (path.startsWith(`${marketServing}/`)) return MARKET;
  const isTable = describedFile(path) !== undefined && path.startsWith("tables/");
  return isTable && !wholeBuildTables.includes(tableOfPath(path)) ? MARKET : null;
}
