import type {ParcelSet} from "../artifacts.ts";

/** Which land-use categories are asked for; null for all, rows without a category among them. */
export type UseQuestion = {
  readonly use: readonly string[] | null;
  readonly residential: boolean | null;
};

/** What a filter says of a row: it counts, it does not, or it has no category. */
type UseVerdict = "kept" | "left_out" | "unclassified";

/** True when rows are left out by category at all. */
export function filtersUse({use, residential}: UseQuestion): boolean {
  return use !== null || residential !== null;
}

/** Tests rows by the dictionary code of their category; a row without one cannot be told and counts as `unclassified`. */
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
