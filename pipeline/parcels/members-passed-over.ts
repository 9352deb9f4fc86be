import {isUserError, UserError} from "../../lib/errors.ts";
import {isForeign, type Need, unmetNeeds, unmetOfJoin} from "../../lib/parcels/conform/column-references.ts";
import {resolveColumn} from "../../lib/parcels/conform/file-cells.ts";
import {type FileReport, fileWithoutRows, refusedFile} from "../../schemas/build-report.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import type {FileRole, Member} from "./datasets.ts";
import {delimitedReader, firstRows} from "./readers/delimited.ts";
import {type Dataset, NotATable} from "./readers/file-reader.ts";
import {filesOf, sizeOf} from "./readers/read-dataset.ts";
import {readerOf} from "./readers/readers.ts";

/** An entry and the part that a file has in it. */
type Use = {readonly entry: ParcelSource; readonly role: Exclude<FileRole, "none">};

/** A member of an archive without rows for its entry, and why. */
export type Unfit = {readonly dataset: Member; readonly error: UserError};

type Members = {
  readonly datasets: readonly Member[];
  readonly readable: readonly Member[];
  readonly meant: readonly Member[];
  readonly unfit: readonly Unfit[];
};

/** A file whose rows lack columns of the field map. */
export class ColumnMissing extends UserError {
  readonly rows: number;
  readonly unmet: readonly Need[];

  constructor(message: string, {rows, unmet}: {rows: number; unmet: readonly Need[]}) {
    super(message);
    this.rows = rows;
    this.unmet = unmet;
  }
}

/** Extensions of tables without geometry: lists of fields and codes, beside a roll, have them too. */
const plainTables: ReadonlySet<string> = new Set(["csv", "tsv", "tab", "psv", "txt", "xls", "xlsx", "dbf"]);

const description =
  "Beside tables that were read it is taken for their description; if it is a table itself, name it as the layer.";

/** The requirements of an entry, or of its joined table, that a table with these names does not meet. */
export function unmetOf({entry, role}: Use, found: ReadonlySet<string>): Need[] {
  return role === "main" ? unmetNeeds(entry, found) : unmetOfJoin(entry, role.join, found);
}

/** True for an error that costs one member alone where others have rows; the machine's, and damage of a file with shapes, cost them all. */
export function isOfMember(error: unknown, {extension}: Member): error is UserError {
  if (error instanceof NotATable || error instanceof ColumnMissing) return true;
  return isUserError(error) && plainTables.has(extension);
}

/** The error of the member that comes nearest to a table of its entry, where none is one; undefined if no member should be. */
export function likeliest(unfit: readonly Unfit[]): UserError | undefined {
  const errors = unfit.map(({error}) => error).filter((error) => !(error instanceof NotATable));
  const lacking = errors.filter((error) => error instanceof ColumnMissing);
  return lacking.toSorted((a, b) => a.unmet.length - b.unmet.length)[0] ?? errors[0];
}

/** Reports the archive members that are not read, beside those that are. */
export async function membersPassedOver(
  use: Use,
  {datasets, readable, meant, unfit}: Members,
): Promise<FileReport[]> {
  const {id, layer} = use.entry;
  const report = async (dataset: Dataset, status: FileReport["status"], reason: string) =>
    fileWithoutRows(dataset.shownPath, id, status, reason, await sizeOf(filesOf(dataset)));
  const notMeant = datasets
    .filter((dataset) => !meant.includes(dataset))
    .map((dataset) =>
      readable.includes(dataset)
        ? report(dataset, "left_out", `not "${layer}", the layer of ${id}`)
        : report(dataset, "no_reader", unknownFormat(dataset.shownPath, [dataset])),
    );
  const notRead = unfit.map(async ({dataset, error}) => {
    if (error instanceof NotATable) return report(dataset, "left_out", error.message);
    if (await describesOthers(use, {dataset, error}))
      return report(dataset, "left_out", `${error.message} ${description}`);
    const failed = await report(dataset, "failed", error.message);
    return error instanceof ColumnMissing ? refusedFile(failed, error.rows, "column_missing") : failed;
  });
  return Promise.all([...notMeant, ...notRead]);
}

/**
 * True for a table of fields or codes, or a text or workbook about the rolls beside it: it has nothing of the entry's columns. A roll that
 * lost one of them, or whose rows are damaged, has some.
 */
async function describesOthers(use: Use, {dataset, error}: Unfit): Promise<boolean> {
  const all = unmetOf(use, new Set());
  if (error instanceof ColumnMissing)
    return plainTables.has(dataset.extension) && isForeign(all, error.unmet);
  if (dataset.isBeside === true) return true;
  if (readerOf(dataset)?.name !== delimitedReader.name) return false;
  const columns = await headerOf(dataset);
  if (columns === null) return false;
  // Names that the entry gives tell nothing: a part of such a source has about as many cells.
  const {header} = use.entry;
  if (header !== undefined && use.role === "main") return 2 * columns.length < header.length;
  const names = all.flatMap((need) => need.names);
  const found = new Set(names.filter((name) => resolveColumn(name, columns) !== undefined));
  return isForeign(all, unmetOf(use, found));
}

/** The names in the first line of delimited text; null for one without text. */
async function headerOf(dataset: Dataset): Promise<readonly string[] | null> {
  try {
    return (await firstRows(dataset, 0)).header;
  } catch (error) {
    if (isUserError(error)) return null;
    throw error;
  }
}

/** Says that no reader takes these files, and how they begin. */
export function unknownFormat(shownPath: string, datasets: readonly Dataset[]): string {
  const formats = datasets.map(
    ({extension, head}) => `"${extension}" beginning ${JSON.stringify(head.toString("latin1", 0, 12))}`,
  );
  return `${shownPath}: unknown format (${formats.join(", ") || "an empty archive"}); expected JSON, GeoJSON, delimited text or another of docs/design/parcels.md section 4.`;
}
