import {isAscii} from "node:buffer";
import {uniqueNames} from "./column-names.ts";
import {type CellCounts, countCell, type DecodeText, decoderByCells, statedEncoding} from "./dbf-encoding.ts";
import {type FileWindow, openWindow} from "./file-window.ts";
import {
  atLeastOne,
  type Cells,
  type FileAccount,
  FileError,
  type FileFormat,
  type FileRow,
  noRows,
  type ParcelFile,
} from "./parcel-file.ts";
import {fileBeside, textOfFile} from "./source-crs.ts";

const fieldBytes = 32;
const endOfFields = 0x0d;
const dayMs = 86_400_000;
/** Julian day of 1970-01-01. */
const julianEpoch = 2_440_588;

/** A column of a dBASE table. */
type DbfField = {
  readonly name: Buffer;
  /** Offset in the record, which starts with the deletion mark. */
  readonly start: number;
  readonly length: number;
  /** Returns the cell as text; null if it is empty. */
  read(cell: Buffer, decode: DecodeText): string | null;
};

/** Cell readers by dBASE and FoxPro type. Memo fields (in another file) and unlisted types read as null. */
const readers: Readonly<Record<string, DbfField["read"]>> = {
  C: (cell, decode) => decode(...textOf(cell)) || null,
  N: readNumber,
  F: readNumber,
  D: (cell) => /^(?!0{8})\d{8}$/.exec(cell.toString("latin1"))?.[0] ?? null,
  L: (cell) =>
    ({t: "true", y: "true", f: "false", n: "false"})[cell.toString("latin1").toLowerCase()] ?? null,
  I: (cell) => (cell.length === 4 ? String(cell.readInt32LE()) : readNumber(cell)),
  "+": (cell) => (cell.length === 4 ? String(cell.readInt32LE()) : null),
  O: readDouble,
  B: (cell) => (cell.length === 8 ? readDouble(cell) : null),
  Y: (cell) => (cell.length === 8 ? String(Number(cell.readBigInt64LE()) / 10_000) : null),
  T: readInstant,
  "@": readInstant,
};

const headerBytes = 32;
const deletedMark = 0x2a;

/** A table of a dBASE file, open for reading. */
export type DbfTable = AsyncDisposable & {
  readonly columns: readonly string[];
  /** Number of records, including deleted ones. */
  readonly records: number;
  /** What a person should know of its encoding; null if it is as stated. */
  readonly remark: string | null;
  /** Bytes of the header, of a record, and behind the last record. */
  readonly sizes: {readonly head: number; readonly record: number; readonly rest: number};
  /** Returns a record's cells as text; null if it is marked as deleted. */
  cells(record: number, needed: readonly string[]): Promise<Cells | null>;
};

/** Reads a standalone DBF: a table of its own, or the attributes of a shapefile without shapes. */
export const dbfFormat: FileFormat = {
  name: "dBASE table",
  accepts: ({extension}) => extension === "dbf",
  async open(file, {encoding}) {
    const table = await openDbf(file, encoding);
    return {
      columns: table.columns,
      remark: table.remark,
      rows: (needed = table.columns) => atLeastOne(rowsOf(table, needed), `${file.shownPath}: ${noRows}`),
      account: (rows) => dbfAccount(table, rows),
      [Symbol.asyncDispose]: () => table[Symbol.asyncDispose](),
    };
  },
};

async function* rowsOf(table: DbfTable, needed: readonly string[]): AsyncGenerator<FileRow> {
  for (let record = 0; record < table.records; record++) {
    const cells = await table.cells(record, needed);
    if (cells !== null) yield {cells, geometry: null};
  }
}

/** What of a DBF was read, of whose records `rows` are not marked as deleted. */
export function dbfAccount({records, sizes}: DbfTable, rows: number): FileAccount {
  const deleted = records - rows;
  return {
    bytes: {
      read: sizes.head + rows * sizes.record,
      skipped: {deleted_row: deleted * sizes.record, after_last_row: sizes.rest},
    },
    rows: {deleted_row: deleted},
  };
}

/**
 * Opens a DBF (dBASE III to FoxPro). Duplicate column names get `_2`, `_3`. Throws a `FileError` if the file is no DBF or is truncated, and
 * for an unknown encoding.
 */
export async function openDbf(
  {path, shownPath, siblings}: Pick<ParcelFile, "path" | "shownPath" | "siblings">,
  encoding?: string,
): Promise<DbfTable> {
  const window = await openWindow(path, shownPath);
  try {
    return await readTable(window, {path, shownPath, siblings}, encoding);
  } catch (error) {
    await window[Symbol.asyncDispose]();
    throw error;
  }
}

async function readTable(
  window: FileWindow,
  {path, shownPath, siblings}: Pick<ParcelFile, "path" | "shownPath" | "siblings">,
  declared?: string,
): Promise<DbfTable> {
  const head = Buffer.from(await window.bytes(0, headerBytes));
  const [records, headSize, recordSize] = [head.readUInt32LE(4), head.readUInt16LE(8), head.readUInt16LE(10)];
  if (headSize <= headerBytes || recordSize < 2)
    throw new FileError(`${shownPath}: not a dBASE table, in spite of its name.`);
  const missing = headSize + records * recordSize - window.size;
  if (missing > 0) {
    throw new FileError(
      `${shownPath}: ${records} records of ${recordSize} bytes were expected, ${missing} bytes are missing: the file is cut off. Fetch it again.`,
    );
  }
  const fields = dbfFields(Buffer.from(await window.bytes(0, headSize)), {recordSize, shownPath});
  const cpg = await textOfFile(fileBeside(path, siblings, "cpg"));
  const stated = statedEncoding({declared, cpg, languageByte: head[29]!}, shownPath);
  const counts = await countCells(window, {headSize, records, recordSize, fields});
  const {decode, remark} = decoderByCells(stated, counts);
  const columns = uniqueNames(fields.map(({name}) => decode(name, true)));
  const fieldOf = new Map(columns.map((column, i) => [column, fields[i]!]));
  return {
    columns,
    records,
    remark,
    sizes: {head: headSize, record: recordSize, rest: -missing},
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

/** Counts the text cells with bytes above 127 in all records that are not deleted. */
async function countCells(
  window: FileWindow,
  {
    headSize,
    records,
    recordSize,
    fields,
  }: {headSize: number; records: number; recordSize: number; fields: readonly DbfField[]},
): Promise<CellCounts> {
  const counts = {utf8: 0, other: 0};
  const texts = fields.filter(({read}) => read === readers["C"]);
  const perStep = Math.max(1, Math.floor((1 << 19) / recordSize));
  for (let record = 0; record < records; record += perStep) {
    const count = Math.min(perStep, records - record);
    const bytes = await window.bytes(headSize + record * recordSize, count * recordSize);
    if (isAscii(bytes)) continue;
    for (let start = 0; start < bytes.length; start += recordSize) {
      const cells = bytes.subarray(start, start + recordSize);
      if (cells[0] === deletedMark || isAscii(cells)) continue;
      for (const {start: at, length} of texts) {
        const [text, mayBeCut] = textOf(cells.subarray(at, at + length));
        if (!isAscii(text)) countCell(counts, text, mayBeCut);
      }
    }
  }
  return counts;
}

/** Returns the columns in a DBF header. Throws a `FileError` if their widths do not add up to the record size. */
function dbfFields(
  header: Buffer,
  {recordSize, shownPath}: {recordSize: number; shownPath: string},
): DbfField[] {
  const headerFields = fieldsOf(header);
  const widths = [
    headerFields.map(({length}) => length),
    headerFields.map(({length, long}) => long ?? length),
  ];
  const lengths = widths.find((each) => each.reduce((sum, length) => sum + length, 1) === recordSize);
  if (lengths === undefined || headerFields.length === 0) {
    throw new FileError(
      `${shownPath}: damaged dBASE header: ${headerFields.length} columns of ${widths[0]!.join("+")} bytes in records of ${recordSize}.`,
    );
  }
  let start = 1;
  return headerFields.map(({name, type}, i) => {
    const length = lengths[i]!;
    const field = {name, start, length, read: readers[type] ?? readNothing};
    start += length;
    return field;
  });
}

function fieldsOf(header: Buffer) {
  const fields: {name: Buffer; type: string; length: number; long: number | null}[] = [];
  for (
    let at = fieldBytes;
    at + fieldBytes <= header.length && header[at] !== endOfFields;
    at += fieldBytes
  ) {
    const end = header.indexOf(0, at);
    const type = String.fromCharCode(header[at + 11]!).toUpperCase();
    const length = header[at + 16]!;
    // For long text, Clipper and FoxPro store the high byte of the width where numbers have their decimals.
    const long = type === "C" ? length + header[at + 17]! * 256 : null;
    fields.push({name: header.subarray(at, end >= at && end < at + 11 ? end : at + 11), type, length, long});
  }
  return fields;
}

/** A cell without its padding, and whether it fills its width, so that its text may be cut. */
function textOf(cell: Buffer): [text: Buffer, mayBeCut: boolean] {
  const text = withoutPadding(cell);
  return [text, text.length === cell.length];
}

/** Strips the padding of a cell: blanks, or zero bytes from some writers. */
function withoutPadding(cell: Buffer): Buffer {
  let end = cell.length;
  while (end > 0 && (cell[end - 1] === 0x20 || cell[end - 1] === 0)) end -= 1;
  const zero = cell.subarray(0, end).indexOf(0);
  return cell.subarray(0, zero < 0 ? end : zero);
}

/**
 * Keeps the digits as they are, so that long numbers lose none; null for asterisks, which mark overflow. Decimals that are all zeros only
 * fill the column's width. `1.995e+003`, as ArcGIS writes a double, is 1995 where it has all digits of a whole number.
 */
function readNumber(cell: Buffer): string | null {
  const text = cell.toString("latin1").replaceAll("\0", " ").trim();
  const [, sign, first, rest = "", exponent] = /^([+-]?)(\d)\.(\d+)e\+(\d+)$/i.exec(text) ?? [];
  const places = Number(exponent);
  if (first !== undefined && places <= rest.length) {
    const decimals = rest.slice(places).replace(/0+$/, "");
    return `${sign === "-" ? sign : ""}${first}${rest.slice(0, places)}${decimals && `.${decimals}`}`;
  }
  return text === "" || text.startsWith("*") ? null : text.replace(/^([+-]?\d+)\.0*$/, "$1");
}

/** A whole number beyond 2^53 has an exponent, since a double does not hold its last digits. */
function readDouble(cell: Buffer): string | null {
  if (cell.length !== 8) return null;
  const value = cell.readDoubleLE();
  if (!Number.isFinite(value)) return null;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
}

/** Converts Julian day and milliseconds to an instant; null if empty. */
function readInstant(cell: Buffer): string | null {
  if (cell.length !== 8 || cell.readInt32LE(0) <= 0) return null;
  const ms = (cell.readInt32LE(0) - julianEpoch) * dayMs + cell.readInt32LE(4);
  return Math.abs(ms) > 8.64e15 ? null : new Date(ms).toISOString();
}

function readNothing(): null {
  return null;
}
