import type {ParcelSet} from "../parcel-set.ts";

/** Tests whether a row counts. */
export type RowTest = (row: number) => boolean;

/**
 * Filter by land-use category and acres; null or absent means no filter, so rows without a category or acres
 * count too.
 */
export type UseQuestion = {
  readonly use: readonly string[] | null;
  readonly residential: boolean | null;
  readonly minAcres?: number | undefined;
  readonly maxAcres?: number | undefined;
};

/** Result of a filter for a row: it passes, it does not, or the value asked for is unknown. */
type UseVerdict = "kept" | "left_out" | "unclassified";

/** True when the query filters by category or acres at all. */
export function filtersUse(question: UseQuestion): boolean {
  return filtersCategory(question) || filtersAcres(question);
}

function filtersCategory({use, residential}: UseQuestion): boolean {
  return use !== null || residential !== null;
}

function filtersAcres({minAcres, maxAcres}: UseQuestion): boolean {
  return minAcres !== undefined || maxAcres !== undefined;
}

/** A test of rows by category and acres; a row that lacks a value but matches otherwise is `unclassified`. */
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

/** A test for rows that may be shown: not hidden, and in the given counties (by key) if any. */
export function countedRows(set: ParcelSet, counties: ReadonlySet<string> | null): RowTest {
  const {hidden} = set;
  const isChosen = inCounties(set, counties);
  return hidden === undefined ? isChosen : (row) => !hidden.has(row) && isChosen(row);
}

function inCounties(set: ParcelSet, counties: ReadonlySet<string> | null): RowTest {
  if (counties === null) return () => true;
  const column = set.parcels.dictionary("county_key");
  const codes = new Set(column.values.flatMap((key, code) => (counties.has(key) ? [code] : [])));
  return (row) => codes.has(column.codeAt(row));
}
