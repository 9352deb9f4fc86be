import {isUtf8} from "node:buffer";
import {UserError} from "../../../lib/errors.ts";
import {type Cells, uniqueNames} from "../../../lib/parcels/conform/cells.ts";
import {type DecodeText, decoderByContent, statedDecoder} from "./dbf-encoding.ts";
import {type DbfField, dbfFields} from "./dbf-fields.ts";
import {type FileWindow, openWindow} from "./file-window.ts";
import {fileBeside, textOfFile} from "./files-beside.ts";
import type {Dataset, Reader} from "./reader.ts";
import {stageColumns} from "./stage-columns.ts";

const headerBytes = 32;
const deletedMark = 0x2a;

/** A table of a dBASE file, open for reading. */
export type DbfTable = AsyncDisposable & {
  readonly columns: readonly string[];
  /** Number of records, with those marked as deleted. */
  readonly records: number;
  /** Gives the cells of a record as text; null where it is marked as deleted. */
  cells(record: number, needed: readonly string[]): Promise<Cells | null>;
};

/** Reads a DBF alone: a table of its own, or the attributes of a shapefile whose shapes are missing. */
export const dbfReader: Reader = {
  name: "dBASE table",
  knows: ({extension}) => extension === "dbf",
  async read(request) {
    await using table = await openDbf(request.dataset, request.encoding);
    return await stageColumns(request, table.columns, async function* (needed) {
      for (let record = 0; record < table.records; record++) {
        const cells = await table.cells(record, needed);
        if (cells !== null) yield {cells, geometry: null};
      }
    });
  },
};

/**
 * Opens a DBF (dBASE III to FoxPro). Columns of one name get `_2`, `_3`. Throws a `UserError` for a file that is not a DBF or is
 * cut off, and for an encoding that is unknown.
 */
export async function openDbf(
  {path, shown, siblings}: Pick<Dataset, "path" | "shown" | "siblings">,
  encoding?: string,
): Promise<DbfTable> {
  const window = await openWindow(path, shown);
  try {
    return await readTable(window, {path, shown, siblings}, encoding);
  } catch (error) {
    await window[Symbol.asyncDispose]();
    throw error;
  }
}

async function readTable(
  window: FileWindow,
  {path, shown, siblings}: Pick<Dataset, "path" | "shown" | "siblings">,
  declared?: string,
): Promise<DbfTable> {
  const head = Buffer.from(await window.bytes(0, headerBytes));
  const [records, headSize, recordSize] = [head.readUInt32LE(4), head.readUInt16LE(8), head.readUInt16LE(10)];
  if (headSize <= headerBytes || recordSize < 2)
    throw new UserError(`${shown}: not a dBASE table, in spite of its name.`);
  const missing = headSize + records * recordSize - window.size;
  if (missing > 0) {
    throw new UserError(
      `${shown}: ${records} records of ${recordSize} bytes were expected, ${missing} bytes are missing: the file is cut off. Fetch it again.`,
    );
  }
  const fields = dbfFields(Buffer.from(await window.bytes(0, headSize)), {recordSize, shown});
  const cpg = await textOfFile(fileBeside(path, siblings, "cpg"));
  const decode =
    statedDecoder({declared, cpg, languageByte: head[29]!}, shown) ??
    decoderByContent(await isAllUtf8(window, {headSize, records, recordSize}));
  const columns = uniqueNames(fields.map(({name}) => decode(name)));
  const fieldOf = new Map(columns.map((column, i) => [column, fields[i]!]));
  return {
    columns,
    records,
    async cells(record, needed) {
      const bytes = await window.bytes(headSize + record * recordSize, recordSize);
      return bytes[0] === deletedMark ? null : cellsOf(bytes, needed, fieldOf, decode);
    },
    [Symbol.asyncDispose]: () => window[Symbol.asyncDispose](),
  };
}

function cellsOf(
  bytes: Buffer,
  needed: readonly string[],
  fieldOf: ReadonlyMap<string, DbfField>,
  decode: DecodeText,
): Cells {
  const cells: Record<string, string | null> = {};
  for (const column of needed) {
    const {start, length, read} = fieldOf.get(column)!;
    cells[column] = read(bytes.subarray(start, start + length), decode);
  }
  return cells;
}

async function isAllUtf8(
  window: FileWindow,
  {headSize, records, recordSize}: {headSize: number; records: number; recordSize: number},
): Promise<boolean> {
  const perStep = Math.max(1, Math.floor((1 << 19) / recordSize));
  for (let record = 0; record < records; record += perStep) {
    const count = Math.min(perStep, records - record);
    if (!isUtf8(await window.bytes(headSize + record * recordSize, count * recordSize))) return false;
  }
  return true;
}
