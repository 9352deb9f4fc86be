import type {ParcelSet} from "../artifacts.ts";

/** The land-use categories of a query; null for all, including rows without a category. */
export type UseQuestion = {
  readonly use: readonly string[] | null;
  readonly residential: boolean | null;
};

/** The result of a filter for a row: it counts, it does not, or it has no category. */
type UseVerdict = "kept" | "left_out" | "unclassified";

/** True when rows are left out by category at all. */
export function filtersUse({use, residential}: UseQuestion): boolean {
  return use !== null || residential !== null;
}

/** Gives a test of rows by the dictionary code of their category; a row without one counts as `unclassified`. */
export function useTest(set: ParcelSet, question: UseQuestion): (row: number) => UseVerdict {
  if (!filtersUse(question)) return () => "kept";
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
