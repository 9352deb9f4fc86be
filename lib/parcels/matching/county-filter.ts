import type {ParcelSet} from "../artifacts.ts";

/** Says whether a row counts. */
export type RowTest = (row: number) => boolean;

/** Gives a test for rows of the given counties (by key), or for every row without a choice. Compares dictionary codes. */
export function inCounties(set: ParcelSet, counties: ReadonlySet<string> | null): RowTest {
  if (counties === null) return () => true;
  const column = set.parcels.dictionary("county_key");
  const codes = new Set(column.values.flatMap((key, code) => (counties.has(key) ? [code] : [])));
  return (row) => codes.has(column.codeAt(row));
}
