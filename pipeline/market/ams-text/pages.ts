/** A printed report as its pages, without letterheads and footers. */
export type PrintedPages = {
  readonly title: string;
  /** Lines of the first page above its body; broken layouts put values there. */
  readonly letterhead: readonly string[];
  readonly pages: readonly (readonly string[])[];
};

const footer = /^\s*Source:\s+\S/;
const letterheadEnd = /^\s*Email us with accessibility/i;

/**
 * Parts a report by form feeds, or by its footers where form feeds were lost, and takes letterheads and footers away.
 * The notes at the end (`Please Note`, `Explanatory Notes`) are no part of any page's body.
 */
export function splitPages(text: string): PrintedPages {
  const lines = text.replaceAll("\r", "").split(/\n|(?=\f)/);
  const title = (lines.find((line) => line.trim() !== "") ?? "")
    .replace("\f", "")
    .trim()
    .split(/\s{3,}/)[0]!;
  const sheets = splitSheets(lines, title);
  return {
    title,
    letterhead: headOf(sheets[0] ?? []),
    pages: sheets.map((sheet) =>
      beforeNotes(sheet.slice(headOf(sheet).length).filter((line) => !footer.test(line))),
    ),
  };
}

/** One sheet per page: a page starts at a form feed or where the title stands again below a footer. */
function splitSheets(lines: readonly string[], title: string): string[][] {
  const sheets: string[][] = [[]];
  let inFooter = false;
  for (const raw of lines) {
    const line = raw.replace("\f", "");
    const newPage = raw.startsWith("\f") || (inFooter && line.trim().startsWith(title));
    if (newPage && sheets.at(-1)!.length > 0) sheets.push([]);
    if (newPage) inFooter = false;
    if (footer.test(line)) inFooter = true;
    if (!inFooter) sheets.at(-1)!.push(line);
  }
  return sheets;
}

/** The letterhead ends with the accessibility line; a sheet without one starts with up to three lines of it. */
function headOf(sheet: readonly string[]): readonly string[] {
  const end = sheet.slice(0, 15).findIndex((line) => letterheadEnd.test(line));
  if (end >= 0) return sheet.slice(0, end + 1);
  const office = sheet.slice(0, 5).findLastIndex((line) => /Market News|Mrkt News/i.test(line));
  return sheet.slice(0, office + 1);
}

function beforeNotes(lines: readonly string[]): readonly string[] {
  const notes = lines.findIndex((line) => /^\s*(Please Note|Explanatory Notes)\s*:/i.test(line));
  return notes < 0 ? lines : lines.slice(0, notes);
}
