import {isOtherSpecies} from "./cattle-class.ts";
import {dateFrom} from "./published-date.ts";

/**
 * Receipts of a printed report by column: `total`, and one number per commodity label. If sheep, goats or hogs came too, the
 * total covers the cattle only.
 */
type PrintedReceipts = {
  readonly thisWeek: Readonly<Record<string, number | null>>;
  readonly lastReported: Readonly<Record<string, number | null>>;
  readonly lastYear: Readonly<Record<string, number | null>>;
};

type Value = {head: number; percent: number | null; center: number; line: number};
type Label = {name: string; line: number};

const labelLine = /^\s*([A-Z][A-Za-z/ ]+?):(?=\s|$)/;
/** Matches a number of head and its share, if printed. A number beside a word, as in the name of a yard, is no receipts. */
const valuePattern =
  /(?<![\d/(.,-]|[A-Za-z] )(\d{1,3}(?:,\d{3})+|\d+)(?:\((\d+(?:\.\d+)?)%\))?(?=\s|$)(?! [A-Za-z])/g;

/**
 * Reads the receipts block, or returns null without one. A sound block is read line by line. A column whose values slipped is
 * read as a whole, if it has one number per label and adds up to its total; else it is empty. `lines` are those above the
 * market comment, letterhead included.
 */
export function readReceipts(lines: readonly string[]): PrintedReceipts | null {
  const header = lines.findIndex((line) => /This Week|Current Week/.test(line));
  const labels = lines.flatMap((line, index): Label[] => {
    const name = labelLine.exec(line)?.[1]?.trim();
    return index > header && name !== undefined ? [{name, line: index}] : [];
  });
  const total = labels.findIndex(({name}) => /^total receipts$/i.test(name));
  if (header < 0 || total < 0) return null;
  const block = labels
    .slice(total)
    .filter(({name}) => /receipts/i.test(name) || isCattle(name) || isOtherSpecies(name));
  const lastLabel = block.at(-1)!.line;
  // Below the labels only numbers with a percentage are receipts: the market comment mentions head counts too.
  const values = valuesAbove(lines, lastLabel + 5).filter(
    ({line, percent}) => line <= lastLabel || percent !== null,
  );
  const offered = offeredCenters(lines.slice(header, header + 3));
  const columns = offered?.all ?? columnCenters(lines, header);
  const periods = offered?.periods ?? columns;
  const placed = offered === null ? assignByOrder(block, values, columns) : values;
  const column = (center: number | undefined) =>
    center === undefined
      ? {}
      : readColumn(
          block,
          placed.filter((value) => nearest(value, columns) === center),
        );
  return {thisWeek: column(periods[0]), lastReported: column(periods[1]), lastYear: column(periods[2])};
}

/** The day of the last reported sale, printed below its column's heading; null where none is printed. */
export function lastReportedDate(lines: readonly string[]): string | null {
  const header = lines.findIndex((line) => /\bLast Reported\b/.test(line));
  if (header < 0) return null;
  const printed = lines
    .slice(header, header + 3)
    .flatMap((line) => line.match(/\b\d{1,2}\/\d{1,2}\/\d{4}\b/g) ?? []);
  return printed.length === 1 ? dateFrom(printed[0]) : null;
}

/**
 * Assigns numbers to periods by order if every label has one per period, because a text that lost its wide gaps keeps only the
 * order. Other numbers keep their positions.
 */
function assignByOrder(
  labels: readonly Label[],
  values: readonly Value[],
  columns: readonly number[],
): Value[] {
  const byLine = Map.groupBy(values, ({line}) => line);
  const isWhole = labels.every(({line}) => byLine.get(line)?.length === columns.length);
  if (!isWhole || byLine.size > labels.length) return [...values];
  return [...byLine.values()].flatMap((row) => row.map((value, at) => ({...value, center: columns[at]!})));
}

function valuesAbove(lines: readonly string[], end: number): Value[] {
  return lines.slice(0, end).flatMap((line, index) => {
    if (/[a-z]{2,} [a-z]{2,} [a-z]{2,}|\bReport for\b|\b[A-Z][a-z]{2,8} \d{1,2}, \d{4}/.test(line))
      return trailing(line, index);
    return [...line.replace(labelLine, (label) => " ".repeat(label.length)).matchAll(valuePattern)].map(
      (match) => receiptOf(match, index),
    );
  });
}

/** Values in a line with a sentence or a date: only those with a percentage are receipts that slipped. */
function trailing(line: string, index: number): Value[] {
  return [...line.matchAll(valuePattern)]
    .filter((match) => match[2] !== undefined)
    .map((match) => receiptOf(match, index));
}

function receiptOf(match: RegExpMatchArray, line: number): Value {
  return {
    head: Number(match[1]!.replaceAll(",", "")),
    percent: match[2] === undefined ? null : Number(match[2]),
    center: match.index! + match[0].length / 2,
    line,
  };
}

function columnCenters(lines: readonly string[], header: number): number[] {
  const label = /This Week|Current Week|Last Reported|Last Year/g;
  return lines
    .slice(0, header + 1)
    .flatMap((line) => [...line.matchAll(label)].map((match) => match.index + match[0].length / 2))
    .sort((a, b) => a - b);
}

/**
 * Columns of a video report, which prints `Offered`, `Reported` and `% PO` per period; `Offered` are its receipts. Null for
 * other reports.
 */
function offeredCenters(lines: readonly string[]): {all: number[]; periods: number[]} | null {
  const labels = lines
    .filter((line) => /\bOffered\b.*\bReported\b/.test(line))
    .flatMap((line) => [...line.matchAll(/Offered|Reported|% PO/g)])
    .map((match) => ({name: match[0], center: match.index + match[0].length / 2}));
  if (labels.length === 0) return null;
  const offered = labels.filter(({name}) => name === "Offered");
  return {all: labels.map(({center}) => center), periods: offered.map(({center}) => center)};
}

function nearest(value: Value, centers: readonly number[]): number {
  return centers.reduce((best, center) =>
    Math.abs(center - value.center) < Math.abs(best - value.center) ? center : best,
  );
}

function readColumn(labels: readonly Label[], values: readonly Value[]): Record<string, number | null> {
  const onLabels = labels.map((label) => values.find((value) => value.line === label.line) ?? null);
  const blank = onLabels.includes(null);
  // Without the total on its own line, other values may have slipped too.
  if (
    onLabels[0] !== null &&
    values.every((value) => onLabels.includes(value)) &&
    (!blank || addsToTotal(onLabels.filter((value) => value !== null)))
  ) {
    return byLabel(labels, onLabels);
  }
  return values.length === labels.length && addsToTotal(values) ? byLabel(labels, values) : {};
}

/** True if the parts add up to the total and match their percentages, which are rounded to one decimal. */
function addsToTotal([total, ...parts]: readonly Value[]): boolean {
  if (total === undefined || parts.reduce((sum, part) => sum + part.head, 0) !== total.head) return false;
  return parts.every(
    ({head, percent}) =>
      percent === null || total.head === 0 || Math.abs((100 * head) / total.head - percent) <= 0.051,
  );
}

function byLabel(labels: readonly Label[], values: readonly (Value | null)[]): Record<string, number | null> {
  const heads = labels.map(({name}, index) => ({name, head: values[index]?.head ?? null}));
  const cattle = heads.filter(({name}) => isCattle(name));
  const isMixed = heads.some(({name}) => isOtherSpecies(name));
  const ofCattle = cattle.reduce((sum, {head}) => sum + (head ?? 0), 0);
  return Object.fromEntries(
    heads.flatMap(({name, head}) => {
      if (/total receipts/i.test(name)) return [["total", isMixed && head !== null ? ofCattle : head]];
      return isOtherSpecies(name) ? [] : [[name, head]];
    }),
  );
}

function isCattle(label: string): boolean {
  return /\b(cattle|calves)\b/i.test(label);
}
