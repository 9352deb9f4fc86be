import {FileFault} from "@open-cattle/safe-files";
import {DataType, DateUnit, type Field} from "apache-arrow";
import {type Batches, openBatches} from "./batches.ts";
import {type FileTextColumn, type TextColumn, textColumn} from "./text-column.ts";
import {
  bytesColumn,
  type Column,
  type DictionaryColumn,
  dateColumn,
  dictionaryColumn,
  type FileNumberColumn,
  flagColumn,
  listColumn,
  numberColumn,
} from "./value-columns.ts";

/**
 * An Arrow IPC file read in place: the accessor of a column is created on first use, and values are read one
 * row at a time. Members that take a column name throw a `FileFault` for an unknown column and for one of
 * another type.
 */
export type ArrowTable = {
  readonly rows: number;
  readonly columns: readonly string[];
  readonly metadata: ReadonlyMap<string, string>;
  has(name: string): boolean;
  /** A Utf8 column that is compared in place. */
  text(name: string): TextColumn;
  /** A column of any numeric type. */
  number(name: string): Column<number>;
  flag(name: string): Column<boolean>;
  /** A date column as `YYYY-MM-DD`. */
  date(name: string): Column<string>;
  /** A Utf8 column of items joined by line feeds, as lists. */
  list(name: string): Column<string[]>;
  dictionary(name: string): DictionaryColumn;
  /** A binary column as views of the file; use them at once, and never keep or write to them. */
  bytes(name: string): Column<Uint8Array>;
  /** A Utf8 or dictionary column as text. */
  string(name: string): Column<string>;
  /** Any column but a binary one, with its values as in JSON. */
  value(name: string): Column<string | number | boolean>;
};

/** A table backed by a file; its sorted columns support binary search. */
type FileTable = Omit<ArrowTable, "text" | "number"> & {
  /** The Arrow type of a column in the library's words, such as `Utf8`. */
  typeOf(name: string): string;
  text(name: string): FileTextColumn;
  number(name: string): FileNumberColumn;
};

/**
 * Opens an Arrow IPC file, preferably from `mapFile`, by parsing its schema and batch metadata; no value is
 * read or copied. Throws a `FileFault` that begins with `name` for any other file.
 */
export function openArrowTable(buffer: ArrayBuffer, name = "Arrow file"): FileTable {
  const batches = openBatches(buffer, name);
  const fields = new Map(batches.fields.map((field) => [field.name, field]));
  const open = columnOpener(batches, fields, name);
  const table: FileTable = {
    rows: batches.rows,
    columns: [...fields.keys()],
    metadata: batches.metadata,
    has: (column) => fields.has(column),
    typeOf: (column) => String(fields.get(column)?.type),
    text: open("text", DataType.isUtf8, textColumn),
    number: open("number", (type) => DataType.isInt(type) || DataType.isFloat(type), numberColumn),
    flag: open("flag", DataType.isBool, flagColumn),
    date: open("date", (type) => DataType.isDate(type) && type.unit === DateUnit.DAY, dateColumn),
    list: open("list", DataType.isUtf8, listColumn),
    dictionary: open("dictionary", DataType.isDictionary, dictionaryColumn),
    bytes: open("bytes", DataType.isBinary, bytesColumn),
    string: (column) => (isDictionary(fields.get(column)) ? table.dictionary(column) : table.text(column)),
    value: (column) => anyColumn(table, fields.get(column), column),
  };
  return table;
}

type MakeColumn<C> = (data: ReturnType<Batches["column"]>, locator: Batches["locator"], rows: number) => C;

/**
 * Creates the accessor function of one kind of column; it checks the type and caches the columns it creates.
 */
function columnOpener(batches: Batches, fields: ReadonlyMap<string, Field>, name: string) {
  return <C>(kind: string, fits: (type: DataType) => boolean, make: MakeColumn<C>) => {
    const columnByName = new Map<string, C>();
    return (column: string): C => {
      const known = columnByName.get(column);
      if (known !== undefined) return known;
      const type = fields.get(column)?.type;
      if (type !== undefined && !fits(type)) {
        throw new FileFault(`${name}: column "${column}" is ${type}, not ${kind}.`);
      }
      const fresh = make(batches.column(column), batches.locator, batches.rows);
      columnByName.set(column, fresh);
      return fresh;
    };
  };
}

function isDictionary(field: Field | undefined): boolean {
  return field !== undefined && DataType.isDictionary(field.type);
}

function anyColumn(
  table: ArrowTable,
  field: Field | undefined,
  column: string,
): Column<string | number | boolean> {
  if (field === undefined) return table.text(column);
  if (DataType.isBool(field.type)) return table.flag(column);
  if (DataType.isDate(field.type)) return table.date(column);
  if (DataType.isInt(field.type) || DataType.isFloat(field.type)) return table.number(column);
  return table.string(column);
}
