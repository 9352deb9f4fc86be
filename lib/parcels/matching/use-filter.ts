import {keysSharingLand} from "../../geography/newer-counties.ts";
import {currentCountyKey} from "../../geography/printed-county.ts";
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
  /** True when `use` with agriculture also takes vacant land that may be open range. */
  readonly includeOpenRange?: boolean | undefined;
};

/**
 * Result of a filter for a row: it passes, it does not, the value asked for is unknown, or it is vacant land that may be open range and fits
 * all but, perhaps, the category.
 */
type UseVerdict = "kept" | "left_out" | "unclassified" | "open_range";

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

/** True for a verdict of a row that is a hit. */
export function isHit(verdict: UseVerdict, question: UseQuestion): boolean {
  return verdict === "kept" || (verdict === "open_range" && includesOpenRange(question));
}

/** True when vacant land that may be open range is among the hits of a question with categories. */
export function includesOpenRange({use, includeOpenRange}: UseQuestion): boolean {
  return use?.includes("vacant") === true || includeOpenRange === true;
}

/** Vacant land that may be open range, counted over all rows that fit all else. */
export type OpenRangeCount = {parcels: number; acreUnits: number};

/** A counter of rows of a set with the verdict `open_range`. */
export function openRangeCounter({parcels}: ParcelSet, count: OpenRangeCount): (row: number) => void {
  return (row) => {
    count.parcels += 1;
    count.acreUnits += Math.round((parcels.number("acres").at(row) ?? 0) * acreUnit);
  };
}

/** The acres of a count, 4 decimals. */
export function openRangeAcres({acreUnits}: OpenRangeCount): number {
  return acreUnits / acreUnit;
}

/** Acres are summed in ten-thousandths, so that the order of rows does not matter. */
const acreUnit = 10_000;

/** A test of rows by category and acres; a row that lacks a value but matches otherwise is `unclassified`. */
export function useTest(set: ParcelSet, question: UseQuestion): (row: number) => UseVerdict {
  const byCategory = categoryTest(set, question);
  if (!filtersAcres(question)) return byCategory;
  const {minAcres = 0, maxAcres = Number.POSITIVE_INFINITY} = question;
  const column = set.parcels.number("acres");
  return (row) => {
    const acres = column.at(row);
    if (acres === null) {
      const verdict = byCategory(row);
      return verdict === "unclassified" || isHit(verdict, question) ? "unclassified" : "left_out";
    }
    return acres < minAcres || acres > maxAcres ? "left_out" : byCategory(row);
  };
}

function categoryTest(set: ParcelSet, question: UseQuestion): (row: number) => UseVerdict {
  if (!filtersCategory(question)) return () => "kept";
  const column = set.parcels.dictionary("land_use_category");
  const wanted = column.values.map((category) => isWanted(category, question));
  const vacant = countsOpenRange(set, question) ? column.values.indexOf("vacant") : -1;
  const isRange = vacant < 0 ? null : set.parcels.flag("open_range_possible");
  return (row) => {
    const code = column.codeAt(row);
    if (code < 0) return "unclassified";
    if (code === vacant && isRange!.at(row) === true) return "open_range";
    return wanted[code] === true ? "kept" : "left_out";
  };
}

/** True when a question counts vacant land that may be open range. Builds of older programs do not mark it. */
function countsOpenRange({parcels}: ParcelSet, {use, residential}: UseQuestion): boolean {
  const asksRange = use?.some((category) => category === "agriculture" || category === "vacant") === true;
  return asksRange && residential !== true && parcels.has("open_range_possible");
}

function isWanted(category: string, {use, residential}: UseQuestion): boolean {
  const isResidential = category === "residential";
  return (use === null || use.includes(category)) && (residential === null || residential === isResidential);
}

/**
 * A test for rows that may be shown: not hidden, and in the given counties (by key) if any. An old county of Connecticut stands for the
 * planning regions that share towns with it as well, and they for it, because a row keeps the key that its source prints.
 */
export function countedRows(set: ParcelSet, counties: ReadonlySet<string> | null): RowTest {
  const {hidden} = set;
  const isChosen = inCounties(set, counties);
  return hidden === undefined ? isChosen : (row) => !hidden.has(row) && isChosen(row);
}

function inCounties(set: ParcelSet, counties: ReadonlySet<string> | null): RowTest {
  if (counties === null) return () => true;
  const column = set.parcels.dictionary("county_key");
  const wanted = new Set([...counties].flatMap((key) => [key, ...keysSharingLand(key)]));
  const codes = new Set(
    column.values.flatMap((key, code) =>
      wanted.has(key) || wanted.has(currentCountyKey(key)) ? [code] : [],
    ),
  );
  return (row) => codes.has(column.codeAt(row));
}
