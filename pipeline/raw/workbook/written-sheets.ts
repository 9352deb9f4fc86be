import {createReadStream} from "node:fs";
import {stat} from "node:fs/promises";
import {join} from "node:path";
import {createInterface} from "node:readline";
import {UserError} from "../../../lib/errors.ts";
import {ownProgram} from "../../../lib/process/own-child.ts";
import {writeScratch} from "../../../lib/storage/whole-file.ts";
import {DocumentReader, mostOutputBytes} from "../document-reader.ts";
import {openSheets, type Sheet} from "./sheets.ts";

/** The reading of a workbook, as it is sent to the process that does it. */
export type SheetTask = {
  readonly path: string;
  readonly shown: string;
  readonly isBinary: boolean;
  readonly size: number;
  /** Folder for the rows of its sheets. */
  readonly dir: string;
};

type WrittenSheet = {readonly name: string; readonly path: string};

const workbooks = new DocumentReader(ownProgram("./sheet-program", import.meta.url));

/**
 * Gives the worksheets of a workbook, read in a process of its own within bounds of time and memory; their rows are files below `dir`.
 * Throws as `openSheets` does, and a `UserError` for a workbook past its bounds.
 */
export async function boundedSheets(
  path: string,
  {shown, isBinary, dir}: Pick<SheetTask, "shown" | "isBinary" | "dir">,
): Promise<Sheet[]> {
  const {size} = await stat(path);
  const task: SheetTask = {path, shown, isBinary, size, dir};
  const written = (await workbooks.read(task, {path, shown})) as WrittenSheet[];
  return written.map((sheet) => ({name: sheet.name, rows: () => rowsIn(sheet.path)}));
}

/** Writes the rows of every worksheet as a line of JSON each, and gives the files. Throws a `UserError` past the bound of their bytes. */
export async function writeSheets({path, shown, isBinary, size, dir}: SheetTask): Promise<WrittenSheet[]> {
  const most = mostOutputBytes(size);
  let bytes = 0;
  async function* lines({rows}: Sheet): AsyncGenerator<string> {
    for await (const row of rows()) {
      const line = `${JSON.stringify(row)}\n`;
      bytes += line.length;
      if (bytes > most)
        throw new UserError(`${shown}: its rows take more than ${most} bytes, and the workbook has ${size}.`);
      yield line;
    }
  }
  const written: WrittenSheet[] = [];
  for (const [i, sheet] of (await openSheets(path, {shown, isBinary})).entries()) {
    const place = join(dir, `sheet-${i}.ndjson`);
    await writeScratch(place, lines(sheet));
    written.push({name: sheet.name, path: place});
  }
  return written;
}

async function* rowsIn(path: string): AsyncGenerator<string[]> {
  const lines = createInterface({input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY});
  for await (const line of lines) yield JSON.parse(line) as string[];
}
