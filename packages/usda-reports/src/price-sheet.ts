import {maxLinesAbove, namesPriceRows} from "./column-aliases.ts";
import {ReportError} from "./report-error.ts";

/** A worksheet as a reader of workbooks gives it. */
type Sheet = {readonly name: string; readonly rows: () => AsyncIterable<readonly string[]>};

/**
 * The rows of the one worksheet with price rows, from its header on, padded to the header's length. A row with a value beyond the last
 * column keeps it: its length then shows that it is damaged. Throws a `ReportError` if no sheet, or several, have the columns of price rows.
 */
export async function priceSheet(sheets: readonly Sheet[]): Promise<AsyncIterable<string[]>> {
  const found: Sheet[] = [];
  for (const sheet of sheets) if (await hasPriceRows(sheet)) found.push(sheet);
  if (found.length !== 1)
    throw new ReportError(
      `${found.length} worksheets have the columns of price rows (${sheets.map(({name}) => name).join(", ")}); one was expected.`,
    );
  return fromHeader(found[0]!);
}

async function hasPriceRows(sheet: Sheet): Promise<boolean> {
  let at = 0;
  for await (const cells of sheet.rows()) {
    if (namesPriceRows([cells])) return true;
    at += 1;
    if (at > maxLinesAbove) return false;
  }
  return false;
}

async function* fromHeader({rows}: Sheet): AsyncGenerator<string[]> {
  let width = 0;
  for await (const cells of rows()) {
    if (width === 0 && !namesPriceRows([cells])) continue;
    if (width === 0) width = cells.length;
    const filled = cells.findLastIndex((cell) => cell.trim() !== "") + 1;
    if (filled > 0) yield Array.from({length: Math.max(width, filled)}, (_, place) => cells[place] ?? "");
  }
}
