import type {ParcelSet} from "../artifacts.ts";

/** Says whether a row counts. */
export type RowTest = (row: number) => boolean;

/** Gives a test for the rows that may be answered: not hidden, and of the given counties (by key) where some were chosen. */
export function countedRows(set: ParcelSet, counties: ReadonlySet<string> | null): RowTest {
  const {hidden} = set;
  const isChosen = inCounties(set, counties);
  return hidden === undefined ? isChosen : (row) => !hidden.has(row) && isChosen(row);
}

/** Compares dictionary codes. */
function inCounties(set: ParcelSet, counties: ReadonlySet<string> | null): RowTest {
  if (counties === null) return () => true;
  const column = set.parcels.dictionary("county_key");
  const codes = new Set(column.values.flatMap((key, code) => (counties.has(key) ? [code] : [])));
  return (row) => codes.has(column.codeAt(row));
}
