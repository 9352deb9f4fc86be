import type {ParcelSet} from "../artifacts.ts";

/** Says whether a row counts. */
export type RowTest = (row: number) => boolean;

/** The land-use categories and acres of a query; null, or absent, for all, including rows without a category or acres. */
export type UseQuestion = {
  readonly use: readonly string[] | null;
  readonly residential: boolean | null;
  readonly minAcres?: number | undefined;
  readonly maxAcres?: number | undefined;
};

/** The result of a filter for a row: it counts, it does not, or what is asked of it is not known. */
type UseVerdict = "kept" | "left_out" | "unclassified";

/** True when rows are left out by category or acres at all. */
export function filtersUse(question: UseQuestion): boolean {
  return filtersCategory(question) || filtersAcres(question);
}

function filtersCategory({use, residential}: UseQuestion): boolean {
  return use !== null || residential !== null;
}

function filtersAcres({minAcres, maxAcres}: UseQuestion): boolean {
  return minAcres !== undefined || maxAcres !== undefined;
}

/** Gives a test of rows by category and acres; a row that lacks what is asked, and fits otherwise, is `unclassified`. */
export function useTest(set: ParcelSet, question: UseQuestion): (row: number) => UseVerdict {
  const byCategory = categoryTest(set, question);
  if (!filtersAcres(question)) return byCategory;
  const {minAcres = 0, maxAcres = Number.POSITIVE_INFINITY} = question;
  const column = set.parcels.number("acres");
  return (row) => {
    const acres = column.at(row);
    if (acres === null) return byCategory(row) === "left_out" ? "left_out" : "unclassified";
    return acres < minAcres || acres > maxAcres ? "left_out" : byCategory(row);
  };
}

/** Tests rows by the dictionary code of their category. */
function categoryTest(set: ParcelSet, question: UseQuestion): (row: number) => UseVerdict {
  if (!filtersCategory(question)) return () => "kept";
  const column = set.parcels.dictionary("land_use_category");
  const wanted = column.values.map((category) => isWanted(category, question));
  return (row) => {
    const code = column.codeAt(row);
    if (code < 0) return "unclassified";
    return wanted[code] === true ? "kept" : "left_out";
  };
}

function isWanted(category: string, {use, residential}: UseQuestion): boolean {
  const isResidential = category === "residential";
  return (use === null || use.includes(category)) && (residential === null || residential === isResidential);
}

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
