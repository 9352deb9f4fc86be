import {createReadStream} from "node:fs";
import {stat} from "node:fs/promises";
import {join} from "node:path";
import {createInterface} from "node:readline";
import {openSheets, type Sheet} from "@open-cattle/parcel-files";
import {writeScratch} from "@open-cattle/safe-files";
import {UserError} from "../../../lib/errors.ts";
import {ownProgram} from "../../../lib/system/own-child.ts";
import {DocumentReader, maxOutputBytes} from "../document-reader.ts";
import {withUserErrors} from "../file-faults.ts";

/** A request to read a workbook, as sent to the child process. */
export type SheetTask = {
  readonly path: string;
  readonly shownPath: string;
  readonly isBinary: boolean;
  readonly size: number;
  /** Folder for the rows of its sheets. */
  readonly dir: string;
};

type WrittenSheet = {readonly name: string; readonly path: string};

const workbooks = new DocumentReader(ownProgram("./sheet-program", import.meta.url));

/**
 * Returns the worksheets of a workbook, read in a child process with limits on time and memory; their rows are files below `dir`. Throws
 * like `openSheets`, and a `UserError` for a workbook that exceeds a limit.
 */
export async function boundedSheets(
  path: string,
  {shownPath, isBinary, dir}: Pick<SheetTask, "shownPath" | "isBinary" | "dir">,
): Promise<Sheet[]> {
  const {size} = await stat(path);
  const task: SheetTask = {path, shownPath, isBinary, size, dir};
  const written = (await workbooks.read(task, {path, shownPath})) as WrittenSheet[];
  return written.map((sheet) => ({name: sheet.name, rows: () => rowsIn(sheet.path)}));
}

/** Writes each worksheet's rows as JSON lines and returns the files. Throws a `UserError` if they exceed the byte limit. */
export async function writeSheets({
  path,
  shownPath,
  isBinary,
  size,
  dir,
}: SheetTask): Promise<WrittenSheet[]> {
  const most = maxOutputBytes(size);
  let bytes = 0;
  async function* lines({rows}: Sheet): AsyncGenerator<string> {
    for await (const row of rows()) {
      const line = `${JSON.stringify(row)}\n`;
      bytes += line.length;
      if (bytes > most)
        throw new UserError(
          `${shownPath}: its rows take more than ${most} bytes, and the workbook has ${size}.`,
        );
      yield line;
    }
  }
  return withUserErrors(async () => {
    const written: WrittenSheet[] = [];
    for (const [i, sheet] of (await openSheets(path, {shownPath, isBinary})).entries()) {
      const place = join(dir, `sheet-${i}.ndjson`);
      await writeScratch(place, lines(sheet));
      written.push({name: sheet.name, path: place});
    }
    return written;
  });
}

async function* rowsIn(path: string): AsyncGenerator<string[]> {
  const lines = createInterface({input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY});
  for await (const line of lines) yield JSON.parse(line) as string[];
}
