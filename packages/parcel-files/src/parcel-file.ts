import type {GeometrySummary} from "@open-cattle/parcel-outlines";

/** A table in unpacked files: a single file, or one with companions (a shapefile). */
export type ParcelFile = {
  /** Absolute path of the main file. */
  readonly path: string;
  /** Name in messages: a path that its user knows, followed by the archive member. */
  readonly shownPath: string;
  /** Lower-case extension without the dot. */
  readonly extension: string;
  /** First bytes of the main file. */
  readonly head: Buffer;
  /** Absolute paths of all files unpacked with it. */
  readonly siblings: readonly string[];
};

/** What is known of a file besides the file; it overrides what the file states. */
export type OpenOptions = {
  readonly encoding?: string | undefined;
  /** Reference system: `EPSG:n` or WKT. */
  readonly crs?: string | undefined;
  /** Layer of a GeoPackage or sheet of a workbook, by name or number. */
  readonly layer?: string | number | undefined;
};

/** The cells of a row, by the file's column names. */
export type Cells = Readonly<Record<string, unknown>>;

/** A row: its cells, and the point and outline of its geometry in WGS 84. */
export type FileRow = {readonly cells: Cells; readonly geometry: GeometrySummary | null};

/** Bytes, rows and quotation marks of a file that were read, and those that were skipped, by reason. */
export type FileAccount = {
  readonly bytes: ReadCounts;
  /** Rows that are none, such as those marked as deleted. */
  readonly rows?: Readonly<Record<string, number>>;
  readonly quotes?: ReadCounts;
};
type ReadCounts = {readonly read: number; readonly skipped: Readonly<Record<string, number>>};

/** A file, open for reading; it is closed when it is disposed of. */
export type OpenFile = AsyncDisposable & {
  /** Names of the columns in file order; null for a format whose rows name their cells. */
  readonly columns: readonly string[] | null;
  /** What a person should know of its encoding; null if it is as stated. */
  readonly remark: string | null;
  /**
   * Yields the rows in file order, one at a time; each has the `needed` cells, or all of them. Throws a `FileError` for damage and if there
   * is no row.
   */
  rows(needed?: readonly string[]): AsyncIterable<FileRow>;
  /** What became of the bytes, once all rows were read, `rows` in number; undefined for a format whose bytes a library reads. */
  account(rows: number): FileAccount | undefined;
};

/** A format of parcel files. `accepts` looks only at the name and the first bytes. `open` throws a `FileError`. */
export type FileFormat = {
  readonly name: string;
  accepts(file: ParcelFile): boolean;
  open(file: ParcelFile, options: OpenOptions): Promise<OpenFile>;
};

/** A file that cannot be read. The message names the place, what came, what was expected and, if there is one, the cure. */
export class FileError extends Error {
  override name = "FileError";
}

/** A sound file without rows of its own; the message says why. */
export class NotATable extends FileError {
  override name = "NotATable";
}

/** Of a file whose columns are named and that has no row. */
export const noRows = "no rows; expected at least one.";

/** The message of a thrown value of any type. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Passes rows on, and throws a `FileError` with this message if there is none. */
export async function* atLeastOne(
  rows: AsyncIterable<FileRow> | Iterable<FileRow>,
  message: string,
): AsyncGenerator<FileRow> {
  let isEmpty = true;
  for await (const row of rows) {
    isEmpty = false;
    yield row;
  }
  if (isEmpty) throw new FileError(message);
}

/** An open file that holds nothing open. */
export const closed: AsyncDisposable = {async [Symbol.asyncDispose]() {}};
