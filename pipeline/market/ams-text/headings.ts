/** A table heading such as `COW-CALF PAIRS - Medium and Large 1-2 w/ 150-300 lbs calf (Per Unit / Estimate Wt)`. */
export type TableHeading = {
  /** Section it stands under, such as `FEEDER CATTLE`. */
  readonly commodity: string | null;
  readonly class: string;
  readonly grade: string | null;
  readonly offspringWeight: string | null;
  readonly priceUnit: string;
  readonly weightCollect: string | null;
  /** The reason for which the heading cannot be relied on; its rows are then kept back. */
  readonly doubt: string | null;
};

/** Kinds of cattle that only the section of replacement cattle has. */
const replacementKinds = /^(STOCK COWS|BRED COWS|BRED HEIFERS|OPEN HEIFERS|COW-CALF PAIRS|HEIFER PAIRS)$/;

const section =
  /^\s*((?:FEEDER|SLAUGHTER|REPLACEMENT|STOCKER|DAIRY|BABY|COMPANION)(?: [A-Z][A-Z/&]*)+)(?:\s{2,}.*)?$/;
const heading = /^\s*([A-Z][A-Z/& -]*?[A-Z])(?:\s+-\s+(.*?))?\s*\((Per [^/)]+?)(?:\s*\/\s*([^)]+?))?\)(.*)$/;

/** The section that a line opens (before the first heading or after a table); null for every other line. */
export function sectionOf(line: string): string | null {
  return section.exec(line)?.[1] ?? null;
}

/** The table that a line opens, with the rest of the line; null for a line that opens no table. */
export function headingOf(
  line: string,
  commodity: string | null,
): {heading: TableHeading; rest: string} | null {
  const match = heading.exec(line);
  if (match === null) return null;
  const [, name, grade, unit, weightCollect, rest] = match;
  const [gradeText, offspring] = (grade ?? "").replaceAll(/(?<=\d) ?[-–—] ?(?=\d)/g, "-").split(/\s+w\/\s*/);
  return {
    heading: {
      commodity,
      class: name!,
      grade: gradeText === undefined || gradeText === "" ? null : gradeText,
      offspringWeight: offspring ?? null,
      priceUnit: unit!,
      weightCollect: weightCollect ?? null,
      doubt: doubtOf(name!, grade ?? "", commodity),
    },
    rest: " ".repeat(line.length - (rest ?? "").length) + (rest ?? ""),
  };
}

/** Kinds and grades that only one section has show that the line which opens that section is missing. */
function doubtOf(name: string, grade: string, commodity: string | null): string | null {
  const expected = replacementKinds.test(name)
    ? (/^REPLACEMENT (DAIRY )?CATTLE$/.exec(commodity ?? "")?.[0] ?? "REPLACEMENT CATTLE")
    : /\d%/.test(grade)
      ? "SLAUGHTER CATTLE"
      : commodity;
  return expected === commodity
    ? null
    : `${name} ${grade} under ${commodity ?? "no section"}, expected under ${expected}`;
}

export const columnNames = [
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

const labels = /\b(Age|Stage|Head|Wt Range|Avg Wt|Price Range|Avg Price|Dressing)\b/g;

/** The columns of a table's header line in order, and the line without the labels; null when it has none. */
export function columnsOf(line: string): {columns: HeaderColumn[]; rest: string} | null {
  const columns = [...line.matchAll(labels)].map((match) => ({
    name: match[1] as ColumnName,
    center: match.index + match[0].length / 2,
  }));
  if (columns.length === 0) return null;
  return {columns, rest: line.replaceAll(labels, (label) => " ".repeat(label.length))};
}
