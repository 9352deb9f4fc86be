import {join} from "node:path";
import {UserError} from "../../../lib/errors.ts";
import {writeScratch} from "../../../lib/storage/whole-file.ts";
import {boundedSheets, type Sheet} from "../../raw/workbook/sheets.ts";
import {mostAbove, namesPriceRows} from "../column-aliases.ts";

/**
 * Writes the worksheet that has price rows as a CSV file into `tempDir`, and gives its path. Throws a UserError that calls the workbook `shown`
 * where no sheet or several sheets have them, and for a workbook that cannot be read.
 */
export async function workbookAsCsv(
  {path, shown, isBinary}: {path: string; shown: string; isBinary: boolean},
  tempDir: string,
): Promise<string> {
  const sheets = await boundedSheets(path, {shown, isBinary, dir: tempDir});
  const found: Sheet[] = [];
  for (const sheet of sheets) if (await hasPriceRows(sheet)) found.push(sheet);
  if (found.length !== 1)
    throw new UserError(
      `${shown}: ${found.length} worksheets have the columns of price rows (${sheets.map(({name}) => name).join(", ")}); one was expected.`,
    );
  const target = join(tempDir, "sheet.csv");
  await writeScratch(target, csvLines(found[0]!));
  return target;
}

async function hasPriceRows(sheet: Sheet): Promise<boolean> {
  let at = 0;
  for await (const cells of sheet.rows()) {
    if (namesPriceRows([cells])) return true;
    at += 1;
    if (at > mostAbove) return false;
  }
  return false;
}

/**
 * The rows of a sheet from the names of its columns on, each as long as the names. A row with a value behind the last name keeps it: its
 * length shows that it is no row of the table.
 */
async function* csvLines({rows}: Sheet): AsyncGenerator<string> {
  let width = 0;
  for await (const cells of rows()) {
    if (width === 0 && !namesPriceRows([cells])) continue;
    if (width === 0) width = cells.length;
    const filled = cells.findLastIndex((cell) => cell.trim() !== "") + 1;
    const length = Math.max(width, filled);
    if (filled > 0) yield `${Array.from({length}, (_, place) => quoted(cells[place] ?? "")).join(",")}\n`;
  }
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
