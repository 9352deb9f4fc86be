/** A line of a printed report with its line number, from 1. */
export type PrintedLine = {readonly number: number; readonly text: string};

/** A printed report as its pages, without letterheads and footers. */
export type PrintedPages = {
  readonly title: string;
  /** Lines of the first page above its body; broken layouts put values there. */
  readonly letterhead: readonly string[];
  readonly pages: readonly (readonly PrintedLine[])[];
  /** Lines of letterheads, footers and notes; they hold no row unless lines changed places. */
  readonly outside: readonly PrintedLine[];
  /**
   * Pages that are missing or out of order by the report's own numbering, in words; null if all is well or nothing numbers
   * them.
   */
  readonly missingPages: string | null;
};

const footer = /^\s*Source:\s+\S/;
const letterheadEnd = /^\s*Email us with accessibility/im;

/**
 * Splits a report at form feeds, or at its footers if form feeds were lost, and removes letterheads, footers and the final
 * notes (`Please Note`, `Explanatory Notes`) from page bodies.
 */
export function splitPages(text: string): PrintedPages {
  const lines = text
    .split("\n")
    .flatMap((line, index) => line.split(/(?=\f)/).map((part) => ({number: index + 1, text: part})));
  const title = titleOf(lines.map((line) => line.text.replace("\f", "").trim()));
  const {sheets, footers} = splitSheets(lines, title);
  const heads = sheets.map(headOf);
  const bodies = sheets.map((sheet, at) => sheet.slice(heads[at]!.length));
  const pages = bodies.map(beforeNotes);
  return {
    title,
    letterhead: (heads[0] ?? []).map((line) => line.text),
    pages,
    outside: [...heads.flat(), ...bodies.flatMap((body, at) => body.slice(pages[at]!.length)), ...footers],
    missingPages: missingPagesOf(text),
  };
}

/** Letterhead lines that name the publisher or its office rather than a report. */
const publisher =
  /^(?:USDA|U\.?S\.? Department of Agriculture|United States Department of Agriculture|Agricultural Marketing Service|.*\bMa?rke?t News(?: Service)?)$/i;
/** The issue date at the end of a letterhead line. */
const issueDay = /\s+(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,?\s+)?[A-Z][a-z]{2,8}\.?\s+\d{1,2},\s+\d{4}$/;

/** The first line that names a report, without issue date and text far to its right. */
function titleOf(lines: readonly string[]): string {
  const above = lines
    .filter((line) => line !== "")
    .slice(0, 5)
    .map((line) => line.split(/\s{3,}/)[0]!.replace(issueDay, ""));
  return above.find((line) => !publisher.test(line)) ?? above[0] ?? "";
}

/**
 * Checks the `Page 1 of 4` that a report prints on each page: out of order, the rows of a continued table would join another
 * table.
 */
function missingPagesOf(text: string): string | null {
  const printed = [...text.matchAll(/\bPage (\d{1,3}) of (\d{1,3})\b/g)].map(
    (match) => [Number(match[1]), Number(match[2])] as const,
  );
  const counts = [...Map.groupBy(printed, ([, count]) => count)].sort((a, b) => b[1].length - a[1].length);
  const [count] = counts[0] ?? [0];
  const there = new Set(printed.map(([page]) => page));
  const missing = Array.from({length: count}, (_, index) => index + 1).filter((page) => !there.has(page));
  if (missing.length > 0) return `page ${missing.join(", ")} of ${count} is missing`;
  const letterheads = text.split(letterheadEnd).length - 1;
  if (count > 0 && letterheads > count) return `received ${letterheads} of ${count} pages`;
  // Only footers count: elsewhere a slipped line may repeat the number.
  const feet = [...text.matchAll(/^\s*Source:.*\bPage (\d{1,3}) of \d{1,3}\b/gm)].map((match) =>
    Number(match[1]),
  );
  const rises = feet.every((page, at) => at === 0 || page > feet[at - 1]!);
  return rises ? null : `its pages are in the order ${feet.join(", ")}`;
}

/** One sheet per page, and the footer lines: a page starts at a form feed, or where the title recurs below a footer. */
function splitSheets(
  lines: readonly PrintedLine[],
  title: string,
): {sheets: PrintedLine[][]; footers: PrintedLine[]} {
  const sheets: PrintedLine[][] = [[]];
  const footers: PrintedLine[] = [];
  let inFooter = false;
  for (const {number, text: raw} of lines) {
    const text = raw.replace("\f", "");
    // The last letterhead line also starts a page, in case its form feed and title are lost.
    const letterhead = text.trim().startsWith(title) || letterheadEnd.test(text);
    const newPage = raw.startsWith("\f") || (inFooter && letterhead);
    if (newPage && sheets.at(-1)!.length > 0) sheets.push([]);
    if (newPage) inFooter = false;
    if (footer.test(text)) inFooter = true;
    (inFooter ? footers : sheets.at(-1)!).push({number, text});
  }
  return {sheets, footers};
}

/** The letterhead ends with the accessibility line; a sheet without it has at most five lines of letterhead. */
function headOf(sheet: readonly PrintedLine[]): readonly PrintedLine[] {
  const end = sheet.slice(0, 15).findIndex(({text}) => letterheadEnd.test(text));
  if (end >= 0) return sheet.slice(0, end + 1);
  const office = sheet.slice(0, 5).findLastIndex(({text}) => /Market News|Mrkt News/i.test(text));
  return sheet.slice(0, office + 1);
}

function beforeNotes(lines: readonly PrintedLine[]): readonly PrintedLine[] {
  const notes = lines.findIndex(({text}) => /^\s*(Please Note|Explanatory Notes)\s*:/i.test(text));
  return notes < 0 ? lines : lines.slice(0, notes);
}
