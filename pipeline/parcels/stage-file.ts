import {mkdir} from "node:fs/promises";
import {join} from "node:path";
import {UserError} from "../../lib/errors.ts";
import {
  isIndispensable,
  joinNames,
  mainNames,
  namesOf,
  unmetNeeds,
} from "../../lib/parcels/conform/column-references.ts";
import {stagedNames} from "../../lib/parcels/conform/file-cells.ts";
import type {SourceTable, StagedTable} from "../../lib/parcels/conform/staged-table.ts";
import {type Database, sqlName} from "../../lib/sql/duckdb.ts";
import {type FileReport, fileWithoutRows, refusedFile} from "../../schemas/build-report.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {faultOfFile, isSystemFault} from "../raw/document-reader.ts";
import type {RawFile} from "../raw/raw-files.ts";
import {datasetsOf, type FileRole, ofLayer} from "./datasets.ts";
import {type Dataset, NotATable} from "./readers/file-reader.ts";
import {addTextGeometry} from "./readers/geometry-text.ts";
import {readDataset} from "./readers/read-dataset.ts";
import {readerOf} from "./readers/readers.ts";

type FileRequest = {
  readonly entry: ParcelSource;
  readonly file: RawFile;
  readonly role: Exclude<FileRole, "none">;
  readonly number: number;
  readonly tempDir: string;
};

/** The table of a file, with the archive members that were skipped; or the report of a file without tables. */
type FileResult =
  | {table: SourceTable; rows: number; malformed: number; remarks: string[]; passedOver: FileReport[]}
  | {report: FileReport};

/** A file whose rows lack columns of the field map. */
class ColumnMissing extends UserError {
  readonly rows: number;

  constructor(message: string, rows: number) {
    super(message);
    this.rows = rows;
  }
}

/** Reads one file of an entry into the database. An unreadable file yields a report; throws for a fault of the machine. */
export async function stageFile(db: Database, request: FileRequest): Promise<FileResult> {
  const {entry, file, role, number, tempDir} = request;
  const without = (status: FileReport["status"], reason: string) => ({
    report: fileWithoutRows(file.path, entry.id, status, reason),
  });
  const dir = join(tempDir, `file-${number}`);
  await mkdir(dir, {recursive: true});
  try {
    const datasets = await datasetsOf(file, dir);
    const readable = datasets.filter((dataset) => readerOf(dataset) !== undefined);
    if (readable.length === 0) return without("no_reader", unknownFormat(file.path, datasets));
    const staged: StagedTable[] = [];
    const meant = role === "main" ? ofLayer(readable, entry.layer) : readable;
    const passedOver = membersPassedOver(request, {datasets, readable, meant});
    for (const [i, dataset] of meant.entries()) {
      const table = `staged_${number}_${i}`;
      try {
        staged.push(await stageDataset(db, request, {dataset, dir, table}));
      } catch (error) {
        if (!(error instanceof NotATable)) throw error;
        passedOver.push(fileWithoutRows(dataset.shownPath, entry.id, "left_out", error.message));
      }
    }
    if (staged.length === 0) return without("left_out", passedOver.map(({reason}) => reason).join(" "));
    return {
      table: await oneTable(db, request, staged),
      rows: staged.reduce((sum, {rows}) => sum + rows, 0),
      malformed: staged.reduce((sum, {malformed}) => sum + malformed, 0),
      remarks: staged.flatMap(({remark}) => remark ?? []),
      passedOver,
    };
  } catch (error) {
    if (isSystemFault(error)) throw error;
    const {report} = without("failed", faultOfFile(error, file.path));
    return {
      report: error instanceof ColumnMissing ? refusedFile(report, error.rows, "column_missing") : report,
    };
  }
}

type Members = {
  datasets: readonly Dataset[];
  readable: readonly Dataset[];
  meant: readonly Dataset[];
};

/** Reports the archive members that are not read. */
function membersPassedOver({entry}: FileRequest, {datasets, readable, meant}: Members): FileReport[] {
  return datasets
    .filter((dataset) => !meant.includes(dataset))
    .map((dataset) =>
      readable.includes(dataset)
        ? fileWithoutRows(
            dataset.shownPath,
            entry.id,
            "left_out",
            `not "${entry.layer}", the layer of ${entry.id}`,
          )
        : fileWithoutRows(
            dataset.shownPath,
            entry.id,
            "no_reader",
            unknownFormat(dataset.shownPath, [dataset]),
          ),
    );
}

async function stageDataset(
  db: Database,
  {entry, file, role}: FileRequest,
  {dataset, dir, table}: {dataset: Dataset; dir: string; table: string},
): Promise<StagedTable> {
  const wantedColumns = role === "main" ? mainNames(entry) : joinNames(entry, role.join);
  const {encoding, crs, layer} = entry;
  const header = role === "main" ? entry.header : undefined;
  const staged = await readDataset({
    db,
    dataset,
    table,
    wantedColumns,
    encoding,
    crs,
    layer,
    header,
    tempDir: dir,
  });
  const lacking =
    role === "main"
      ? unmetNeeds(entry, staged.entryColumns)
      : missingOfJoin(entry, role.join, staged.entryColumns);
  // A pulled layer was told by its address and name, so that a column which it lost costs that fact alone.
  const unmet = file.pull !== undefined && role === "main" ? lacking.filter(isIndispensable) : lacking;
  if (unmet.length === 0)
    return role === "main"
      ? withGeometry(db, staged, {entry, wantedColumns, shownPath: dataset.shownPath})
      : staged;
  await db.run(`DROP TABLE ${sqlName(table)}`);
  const expected = unmet.map(({what, names}) => `${names.map((name) => `"${name}"`).join(" or ")} (${what})`);
  throw new ColumnMissing(
    `${dataset.shownPath}: no column ${expected.join(", ")} of ${entry.id}; its columns are ${staged.sourceColumns.slice(0, 60).join(", ")}.`,
    staged.rows + staged.malformed,
  );
}

/** Below this share of rows with a point, a table with a column of geometry counts as one whose geometry was not read. */
const minShareWithPoint = 0.05;

/**
 * Adds the geometry that a staged table has as text: in the entry's column, else in the one that the reader saw. Where a table with a
 * column of geometry has next to no points, its rows are marked and the remark names the column (`docs/design/parcels.md` section 4).
 */
async function withGeometry(
  db: Database,
  staged: StagedTable,
  {
    entry,
    wantedColumns,
    shownPath,
  }: {entry: ParcelSource; wantedColumns: readonly string[]; shownPath: string},
): Promise<StagedTable> {
  const {table, outline, geometry} = staged;
  const mapped = namesOf(entry.fields.geometry).find((name) => staged.entryColumns.has(name));
  const column = mapped === undefined ? outline : stagedNames(wantedColumns)[wantedColumns.indexOf(mapped)]!;
  if (column !== null && column !== undefined) await addTextGeometry(db, {table, column, crs: entry.crs});
  if (outline !== null && outline !== undefined && !stagedNames(wantedColumns).includes(outline))
    await db.run(`ALTER TABLE ${sqlName(table)} DROP COLUMN ${sqlName(outline)}`);
  const name = mapped ?? geometry ?? outline;
  if (name === null || name === undefined) return staged;
  const [counted] = await db.rows<{points: bigint}>(`SELECT count("~lon") AS points FROM ${sqlName(table)}`);
  const points = Number(counted!.points);
  if (points >= minShareWithPoint * staged.rows) return staged;
  await db.run(`UPDATE ${sqlName(table)} SET "~geometry_unread" = true WHERE "~lon" IS NULL`);
  const unread = `geometry_unread: ${points} of ${staged.rows} rows of ${shownPath} have a point, though its column "${name}" is one of geometry.`;
  return {...staged, remark: [staged.remark, unread].filter(Boolean).join(" ")};
}

function missingOfJoin(entry: ParcelSource, prefix: string, found: ReadonlySet<string>) {
  return joinNames(entry, prefix)
    .filter((name) => !found.has(name))
    .map((name) => ({what: `joins.${prefix}`, names: [name]}));
}

/** Combines the tables of a file into one, so that row numbers run through all of it. */
async function oneTable(
  db: Database,
  {file, number}: FileRequest,
  staged: readonly StagedTable[],
): Promise<SourceTable> {
  const [first, ...others] = staged.map(({table}) => table) as [string, ...string[]];
  for (const other of others)
    await db.run(
      `INSERT INTO ${sqlName(first)} SELECT * FROM ${sqlName(other)}; DROP TABLE ${sqlName(other)}`,
    );
  return {file: number, table: first, retrieved: file.retrievedAt.slice(0, 10), layerEdit: layerEdit(file)};
}

function layerEdit({meta}: RawFile): string | null {
  const edited = Date.parse(meta?.last_modified ?? "");
  return Number.isNaN(edited) ? null : new Date(edited).toISOString().slice(0, 10);
}

function unknownFormat(shownPath: string, datasets: readonly Dataset[]): string {
  const formats = datasets.map(
    ({extension, head}) => `"${extension}" beginning ${JSON.stringify(head.toString("latin1", 0, 12))}`,
  );
  return `${shownPath}: unknown format (${formats.join(", ") || "an empty archive"}); expected JSON, GeoJSON, delimited text or another of docs/design/parcels.md section 4.`;
}
