import {classOf, commodityOf} from "./cattle-class.ts";
import {isFramedGrade, isSlaughterGrade} from "./grade.ts";

/** A table heading such as `COW-CALF PAIRS - Medium and Large 1-2 w/ 150-300 lbs calf (Per Unit / Estimate Wt)`. */
export type TableHeading = {
  /** Its section, such as `FEEDER CATTLE`. */
  readonly commodity: string | null;
  /** Its region in a video report, with the region's states; null elsewhere. */
  readonly region: string | null;
  readonly class: string;
  readonly grade: string | null;
  readonly offspringWeight: string | null;
  readonly priceUnit: string;
  readonly weightCollect: string | null;
  /** Why the heading is unreliable, so that its rows are rejected; null if it is sound. */
  readonly doubt: string | null;
};

/** Classes that occur only in the section of replacement cattle. */
const replacementKinds = /^(STOCK COWS|BRED COWS|BRED HEIFERS|OPEN HEIFERS|COW-CALF PAIRS|HEIFER PAIRS)$/;

// A dash or bracket after the words makes them the class of a heading: `DAIRY STEERS - Large 3 (Per Cwt/Actual)`.
const section =
  /^\s*((?:FEEDER|SLAUGHTER|REPLACEMENT|STOCKER|DAIRY|BABY|COMPANION)(?: [A-Z][A-Z/&]*)+)(?:\s{2,}(?![\s(–—-]).*)?$/;
const heading =
  /^\s*([A-Z][A-Za-z]*(?:(?: *\/ *|[-–]| +& +| +)[A-Z][A-Za-z]*)*)(?:\s+[-–—]\s+(.*?))?\s*\((Per [^/)]+?)(?:\s*\/\s*([^)]+?))?\)(.*)$/;

/** A heading whose unit is on the next line, and that next line. */
const headingStart = /^\s*[A-Z][A-Z/& -]*[A-Z]\s+[-–—]\s+\S/;
const headingEnd = /^\s*(?:\S+ ){0,5}\(?Per [A-Z][a-z]+[^()]*\)\s*$/;

/** Joins two lines into a heading if neither is one by itself; else null. */
export function wrappedHeading(line: string, next: string): string | null {
  const both = `${line.trimEnd()} ${next.trim()}`;
  const isWrapped = headingStart.test(line) && headingEnd.test(next) && heading.test(both);
  return isWrapped && !heading.test(line) && !heading.test(next) ? both : null;
}

/** The section that a line opens (before the first heading or after a table); null for any other line. */
export function sectionOf(line: string): string | null {
  return section.exec(line)?.[1] ?? null;
}

const regionName =
  /^\s*((?:North|South) Central|Southeast|Southwest|Northwest|Northeast(?: ?\/ ?Upper Midwest)?|Upper Midwest|Great Lakes|West|East)(?:\s*\(Great Lakes\))?\s*$/;
const regionStates = /^\s*(\([A-Z]{2}(?:, ?[A-Z]{2})*\))\s*$/;

/** The region that a line of a video report opens; null for any other line. */
export function regionOf(line: string): string | null {
  return regionName.exec(line)?.[1] ?? null;
}

/** The states of a region, on the line below its name; null for any other line. */
export function regionStatesOf(line: string): string | null {
  return regionStates.exec(line)?.[1] ?? null;
}

/** The table that a line opens, and the rest of the line; null if it opens none. */
export function headingOf(
  line: string,
  commodity: string | null,
  region: string | null = null,
): {heading: TableHeading; rest: string} | null {
  const match = heading.exec(line);
  if (match === null) return null;
  const [, name, grade, unit, weightCollect, rest] = match;
  // Direct reports print headings in title case; without a grade such words may start a sentence.
  if (grade === undefined && name !== name!.toUpperCase()) return null;
  const [gradeText, offspring] = (grade ?? "").replaceAll(/(?<=\d) ?[-–—] ?(?=\d)/g, "-").split(/\s+w\/\s*/);
  return {
    heading: {
      commodity,
      region,
      class: name!,
      grade: gradeText === undefined || gradeText === "" ? null : gradeText,
      offspringWeight: offspring ?? null,
      priceUnit: unit!,
      weightCollect: weightCollect ?? null,
      doubt: sectionDoubt(name!, gradeText ?? "", commodity) ?? calfDoubt(offspring),
    },
    rest: " ".repeat(line.length - (rest ?? "").length) + (rest ?? ""),
  };
}

/** A class or grade that belongs to another section shows that the line opening that section is missing. */
function sectionDoubt(name: string, grade: string, commodity: string | null): string | null {
  const expected = sectionFor(name, grade, commodity);
  return expected === commodity && commodity !== null
    ? null
    : `${name} ${grade} under ${commodity ?? "no section"}, expected under ${expected ?? "one"}`;
}

function sectionFor(name: string, grade: string, commodity: string | null): string | null {
  if (commodity !== null && commodityOf(commodity) === null)
    return classOf(name, null) === null ? commodity : "one of cattle";
  if (replacementKinds.test(name.toUpperCase()))
    return /^REPLACEMENT (DAIRY )?CATTLE$/.exec(commodity ?? "")?.[0] ?? "REPLACEMENT CATTLE";
  if (isSlaughterGrade(grade)) return "SLAUGHTER CATTLE";
  if (commodity === "SLAUGHTER CATTLE" && isFramedGrade(grade)) return "REPLACEMENT CATTLE";
  // Only dairy calves have grades without a frame.
  return commodity === "FEEDER CATTLE" && grade !== "" && !isFramedGrade(grade)
    ? "FEEDER DAIRY CALVES"
    : commodity;
}

/** A calf weight without three digits has lost one. */
function calfDoubt(offspring: string | undefined): string | null {
  return offspring === undefined || /^(?:[<>] ?\d{3}|\d{3}-\d{3}) lbs? calf$/i.test(offspring.trim())
    ? null
    : `the calf's weight ${offspring} cannot be read`;
}

export const columnNames = [
  "Delivery",
  "Age",
  "Stage",
  "Head",
  "Wt Range",
  "Avg Wt",
  "Price Range",
  "Avg Price",
  "Dressing",
] as const;
export type ColumnName = (typeof columnNames)[number];
export type HeaderColumn = {readonly name: ColumnName; readonly center: number};

const labels =
  /\b(Delivery(?:\/Freight)?|Age|Stage|Head|(?:Wt|Weight) Range|(?:Avg|Average) (?:Wt|Weight|Price)|Price Range|Dressing)\b/g;
/** Labels of the comment column, which needs no position. */
const commentLabels = /\b(?:Lot Desc(?:ription)?|Comments?|Remarks)\b/g;

function columnName(label: string): ColumnName {
  return label.replace("/Freight", "").replace("Weight", "Wt").replace("Average", "Avg") as ColumnName;
}

/** True if the table has a delivery column (with freight in direct trades). */
export function hasDelivery(columns: readonly HeaderColumn[]): boolean {
  return columns.some(({name}) => name === "Delivery");
}

function blank(words: string): string {
  return " ".repeat(words.length);
}

/** The columns of a header line in order, and the line without its labels; null if it has none. */
export function columnsOf(line: string): {columns: HeaderColumn[]; rest: string} | null {
  const columns = [...line.matchAll(labels)].map((match) => ({
    name: columnName(match[1]!),
    center: match.index + match[0].length / 2,
  }));
  if (columns.length === 0) return null;
  return {columns, rest: line.replaceAll(labels, blank).replaceAll(commentLabels, blank)};
}
