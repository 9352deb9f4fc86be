import {mkdir} from "node:fs/promises";
import {join} from "node:path";
import {fixedWidthAdvice} from "@open-cattle/parcel-files";
import {
  isIndispensable,
  joinNames,
  mainNames,
  type Need,
  namesOf,
} from "../../lib/parcels/conform/column-references.ts";
import {stagedNames} from "../../lib/parcels/conform/file-cells.ts";
import type {SourceTable} from "../../lib/parcels/conform/staged-table.ts";
import {type Database, sqlName} from "../../lib/sql/duckdb.ts";
import {
  type Account,
  accountOf,
  accountsOf,
  type FileAccount,
  type FileReport,
  fileWithoutRows,
  refusedFile,
} from "../../schemas/build-report.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {faultOfFile, isSystemFault} from "../raw/document-reader.ts";
import {withUserErrors} from "../raw/file-faults.ts";
import type {RawFile} from "../raw/raw-files.ts";
import {datasetsOf, type FileRole, ofLayer} from "./datasets.ts";
import {
  ColumnMissing,
  isOfMember,
  likeliest,
  membersPassedOver,
  type Unfit,
  unknownFormat,
  unmetOf,
} from "./members-passed-over.ts";
import type {Dataset} from "./readers/file-reader.ts";
import {addTextGeometry} from "./readers/geometry-text.ts";
import {type AccountedTable, filesOf, readDataset, sizeOf} from "./readers/read-dataset.ts";
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
  | {
      table: SourceTable;
      rows: number;
      malformed: number;
      remarks: string[];
      account: FileAccount;
      passedOver: FileReport[];
    }
  | {report: FileReport};

/** Reads one file of an entry into the database. An unreadable file yields a report; throws for a fault of the machine. */
export async function stageFile(db: Database, request: FileRequest): Promise<FileResult> {
  const {entry, file, role, number, tempDir} = request;
  const without = (status: FileReport["status"], reason: string) => ({
    report: fileWithoutRows(file.path, entry.id, status, reason, file.sizeBytes),
  });
  const dir = join(tempDir, `file-${number}`);
  await mkdir(dir, {recursive: true});
  try {
    const datasets = await datasetsOf(file, dir);
    const readable = datasets.filter((dataset) => readerOf(dataset) !== undefined);
    if (readable.length === 0) return without("no_reader", unknownFormat(file.path, datasets));
    const staged: CountedTable[] = [];
    const meant = ofLayer(readable, role === "main" ? entry.layer : undefined);
    const unfit: Unfit[] = [];
    for (const [i, dataset] of meant.entries()) {
      const table = `staged_${number}_${i}`;
      try {
        staged.push(await stageDataset(db, request, {dataset, dir, table}));
      } catch (error) {
        if (!isOfMember(error, dataset)) throw error;
        unfit.push({dataset, error});
      }
    }
    const wrong = likeliest(unfit);
    if (staged.length === 0 && wrong !== undefined) throw wrong;
    if (staged.length === 0) return without("left_out", unfit.map(({error}) => error.message).join(" "));
    const passedOver = await membersPassedOver(request, {datasets, readable, meant, unfit});
    return {
      table: await oneTable(db, request, staged),
      rows: staged.reduce((sum, {rows}) => sum + rows, 0),
      malformed: staged.reduce((sum, {malformed}) => sum + malformed, 0),
      remarks: staged.flatMap(({remark}) => remark ?? []),
      account: fileAccount(staged, await bytesBeside(file, datasets)),
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

/** A staged table with its rows by column of geometry. */
type CountedTable = AccountedTable & {readonly points: Readonly<Record<string, Account>>};

/** Adds up what was read of the tables of a file; `beside` are the bytes of an archive's members that are no tables. */
function fileAccount(staged: readonly CountedTable[], beside: number): FileAccount {
  const rows = staged.map(({rows: read, malformed, account}) => ({
    read: read + malformed,
    skipped: account.rows ?? {},
  }));
  const quotes = staged.flatMap(({account}) => account.quotes ?? []);
  const columns = [...new Set(staged.flatMap(({points}) => Object.keys(points)))].sort();
  return {
    bytes: accountsOf([
      ...staged.map(({account}) => account.bytes),
      {read: 0, skipped: {not_a_table: beside}},
    ]),
    rows: accountsOf(rows),
    ...(quotes.length === 0 ? {} : {quotes: accountsOf(quotes)}),
    geometry: Object.fromEntries(
      columns.map((name) => [name, accountsOf(staged.flatMap(({points}) => points[name] ?? []))]),
    ),
  };
}

/** The bytes of the members of an archive that belong to no table. */
async function bytesBeside({path}: RawFile, datasets: readonly Dataset[]): Promise<number> {
  const [first] = datasets;
  if (first === undefined || first.shownPath === path) return 0;
  const ofTables = new Set(datasets.flatMap(filesOf));
  return sizeOf(first.siblings.filter((member) => !ofTables.has(member)));
}

async function stageDataset(
  db: Database,
  {entry, file, role}: FileRequest,
  {dataset, dir, table}: {dataset: Dataset; dir: string; table: string},
): Promise<CountedTable> {
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
  const lacking = unmetOf({entry, role}, staged.entryColumns);
  // A pulled layer was told by its address and name, so that a column which it lost costs that fact alone.
  const unmet = file.pull !== undefined && role === "main" ? lacking.filter(isIndispensable) : lacking;
  if (unmet.length === 0 && role !== "main") return {...staged, points: {}};
  if (unmet.length === 0) {
    const whole = await withGeometry(db, staged, {entry, wantedColumns, shownPath: dataset.shownPath});
    const remark = [whole.remark, ...lostFacts(lacking, file)].filter(Boolean).join(" ");
    return remark === "" ? whole : {...whole, remark};
  }
  await db.run(`DROP TABLE ${sqlName(table)}`);
  const expected = unmet.map(({what, names}) => `${names.map((name) => `"${name}"`).join(" or ")} (${what})`);
  const advice = staged.sourceColumns.length === 1 ? fixedWidthAdvice(dataset) : null;
  throw new ColumnMissing(
    advice ??
      `${dataset.shownPath}: no column ${expected.join(", ")} of ${entry.id}; its columns are ${staged.sourceColumns.slice(0, 60).join(", ")}.`,
    {rows: staged.rows + staged.malformed, unmet: lacking},
  );
}

/** Says which facts a pulled layer no longer has; once for all of its pages. */
function lostFacts(lacking: readonly Need[], {path}: RawFile): string[] {
  if (!/\/page-0*1\.[^/]*$/.test(path)) return [];
  return lacking.map(
    ({what, names}) =>
      `lost fact: ${what}: the pulled layer no longer has its column ${names.join(" or ")}; if it has another name now, correct the entry.`,
  );
}

/** Below this share of rows with a point, a table with a column of geometry counts as one whose geometry was not read. */
const minShareWithPoint = 0.05;

/**
 * Adds the geometry that a staged table has as text: in the entry's column, else in the one that the reader saw; and counts the rows that
 * have a point. Where a table with a column of geometry has next to no points, its rows are marked and the remark names the column
 * (`docs/design/parcels.md` section 4).
 */
async function withGeometry(
  db: Database,
  staged: AccountedTable,
  {
    entry,
    wantedColumns,
    shownPath,
  }: {entry: ParcelSource; wantedColumns: readonly string[]; shownPath: string},
): Promise<CountedTable> {
  const {table, outline, geometry, rows} = staged;
  const mapped = namesOf(entry.fields.geometry).find((name) => staged.entryColumns.has(name));
  const column = mapped === undefined ? outline : stagedNames(wantedColumns)[wantedColumns.indexOf(mapped)]!;
  const text = column === null || column === undefined ? "NULL" : sqlName(column);
  if (column !== null && column !== undefined)
    await withUserErrors(() => addTextGeometry(db, {table, column, crs: entry.crs}));
  const [counted] = await db.rows<{points: bigint; unread: bigint}>(
    `SELECT count("~lon") AS points, count(${text}) FILTER (WHERE "~lon" IS NULL) AS unread FROM ${sqlName(table)}`,
  );
  if (outline !== null && outline !== undefined && !stagedNames(wantedColumns).includes(outline))
    await db.run(`ALTER TABLE ${sqlName(table)} DROP COLUMN ${sqlName(outline)}`);
  const [points, unreadCells] = [Number(counted!.points), Number(counted!.unread)];
  const name = mapped ?? geometry ?? outline ?? null;
  const isUnread = name !== null && points < minShareWithPoint * rows;
  const unread = isUnread ? rows - points : unreadCells;
  const account = accountOf(points, {geometry_unread: unread, no_geometry: rows - points - unread});
  if (!isUnread)
    return {...staged, points: name === null && points === 0 ? {} : {[name ?? "geometry"]: account}};
  await db.run(`UPDATE ${sqlName(table)} SET "~geometry_unread" = true WHERE "~lon" IS NULL`);
  const remark = `geometry_unread: ${points} of ${rows} rows of ${shownPath} have a point, though its column "${name}" is one of geometry.`;
  return {
    ...staged,
    remark: [staged.remark, remark].filter(Boolean).join(" "),
    points: {[name]: account},
  };
}

/** Combines the tables of a file into one, so that row numbers run through all of it. */
async function oneTable(
  db: Database,
  {file, number}: FileRequest,
  staged: readonly CountedTable[],
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
