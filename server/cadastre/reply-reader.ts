import type {ArcgisFeature} from "@open-cattle/arcgis-layers";
import {
  type GeometrySummary,
  outlineFromWkb,
  summarizeGeometry,
  summarizeOutline,
  type ToLonLat,
} from "@open-cattle/parcel-outlines";
import {ModelRun} from "../../lib/models/model-run.ts";
import {type ConformEntry, mainNames} from "../../lib/parcels/conform/column-references.ts";
import {conformedColumns} from "../../lib/parcels/conform/conformed-table.ts";
import {conformEntry} from "../../lib/parcels/conform/entry-models.ts";
import {groupNames, type ProvenanceGroup} from "../../lib/parcels/conform/file-cells.ts";
import {stageRecords} from "../../lib/parcels/conform/staged-table.ts";
import {vintageColumn} from "../../lib/parcels/conform/vintage-sql.ts";
import {dedupe} from "../../lib/parcels/dedupe/dedupe.ts";
import {originColumn} from "../../lib/parcels/dedupe/dedupe-sql.ts";
import {blobBytes} from "../../lib/parcels/dedupe/merge-outlines.ts";
import {type RecordMaker, type RecordText, recordsIn} from "../../lib/parcels/record/record-maker.ts";
import {type Database, openDatabase, sqlName} from "../../lib/sql/duckdb.ts";
import type {RowValues} from "../../lib/storage/arrow-file/memory-table.ts";
import type {RowValue} from "../../lib/storage/arrow-file/write.ts";
import {takingTurns} from "../../lib/system/taking-turns.ts";

/** A row of a conformed table with the geometry of its feature. */
type LocatedRow = {
  readonly row: Readonly<Record<string, RowValue>>;
  readonly geometry: GeometrySummary;
};

/** The date of a fact, and the kind of evidence for it. */
type Vintage = {
  readonly vintage: string;
  readonly vintageBasis: "row_date" | "roll_year" | "edition" | "layer_edit" | "retrieved";
};

/** A feature of a county's answer, as a parcel row. */
export type ReplyRow = {
  readonly columns: RowValues;
  /** The `tok` spelling of the parcel number: the parcel's key within its county. */
  readonly key: string;
  readonly vintage: Vintage;
  /** Vintages of the groups whose vintage differs. */
  readonly groups: Readonly<Partial<Record<ProvenanceGroup, Vintage>>>;
  readonly feature: ArcgisFeature;
  readonly geometry: GeometrySummary;
  readonly record: RecordText;
  /** The published land-use facts, packed as `useFactsOf` reads them; null for a source without any. */
  readonly use: string | null;
};

/** A feature that may match the question but whose number, address or location cannot be read. */
export type UnreadRow = Pick<ReplyRow, "columns" | "record"> & {
  /** True when the point could be read and lies outside the county. */
  readonly isOutside: boolean;
};

/** The rows of a reply, and the rows that could not be read. */
type ReadRows = {
  readonly rows: readonly ReplyRow[];
  readonly unread: readonly UnreadRow[];
  /** Number of rows that were read but are no parcels of the county. */
  readonly left: number;
};

export type ReplyRequest = {
  readonly entry: ConformEntry;
  readonly features: readonly ArcgisFeature[];
  /** Features without a usable outline. */
  readonly placeless?: readonly ArcgisFeature[];
  /** Projection of the coordinates; without one they are degrees. */
  readonly project?: ToLonLat | undefined;
  /** True for a location that a parcel of the county may have; rows elsewhere count as unread. */
  readonly isInCounty?: (geometry: GeometrySummary) => boolean;
  /** Date of the layer's last edit. */
  readonly layerEdit: string | null;
  /** When the county answered. */
  readonly retrievedAt: string;
};

/** Reads features with the same mapping, conforming and cleaning as a file of that county. */
export type ReplyReader = {
  /** Returns the parcels that a build would keep and that have a point, plus the rows that could not be read. */
  read(request: ReplyRequest): Promise<ReadRows>;
  close(): Promise<void>;
};

/** Creates a reader with its own in-memory DuckDB, opened for the first answer. It reads one answer at a time. */
export function createReplyReader(): ReplyReader {
  let opened: Promise<ReplyDatabase> | null = null;
  const inTurn = takingTurns();
  let answers = 0;
  return {
    read: (request) =>
      inTurn(async () => {
        opened ??= openReplyDatabase();
        return readReply(await opened, request, ++answers);
      }),
    close: () =>
      inTurn(async () => {
        (await opened)?.db.close();
        opened = null;
      }),
  };
}

/** A database, with the function that makes parcel records in it. */
type ReplyDatabase = {readonly db: Database; readonly makeRecords: RecordMaker["make"]};

/**
 * The optimizer is off, which is the only difference from a build: for a few rows it takes longer than it saves. Planning allocates and
 * frees much memory; with the default flush thresholds the process would hold on to 250 MB of it.
 */
async function openReplyDatabase(): Promise<ReplyDatabase> {
  const db = await openDatabase({memoryLimit: "256MB", threads: 1});
  await db.run(`PRAGMA disable_optimizer;
    SET allocator_flush_threshold = '1MB'; SET allocator_bulk_deallocation_flush_threshold = '1MB';
    SET lock_configuration = true`);
  return {db, makeRecords: await recordsIn(db)};
}

async function readReply(
  {db, makeRecords}: ReplyDatabase,
  {entry, features, placeless = [], project, layerEdit, retrievedAt, isInCounty = () => true}: ReplyRequest,
  n: number,
): Promise<ReadRows> {
  const [staged, conformed] = [`reply_${n}`, `reply_rows_${n}`];
  const located = [...features, ...placeless].map((feature) => {
    const geometry = summarizeGeometry(feature.geometry, project);
    return {feature, geometry: geometry?.invalid === true ? null : geometry};
  });
  // Planning the SQL costs more than checking the outlines, so an answer without any stops here.
  if (located.every(({geometry}) => geometry === null)) return {rows: [], unread: [], left: 0};
  const records = located.map(({feature: {attributes}, geometry}) => ({cells: attributes, geometry}));
  const asOf = retrievedAt.slice(0, 10);
  try {
    await stageRecords(db, {table: staged, wantedColumns: mainNames(entry)}, records);
    const main = [{file: 0, table: staged, retrieved: asOf, layerEdit}];
    await conformEntry(db, {entry, sources: {main, joins: {}}, asOf, into: conformed});
    // Rows that are no parcels, or that belong to another county, were read but are not what the question asked for.
    const parcelRows = `(FROM ${sqlName(conformed)} WHERE _reject IS NULL OR _reject NOT IN ('non_parcel', 'unknown_county') ORDER BY _row)`;
    const all = await db.rows<Record<string, RowValue>>(`FROM ${parcelRows}`);
    const geometryOf = (row: Record<string, RowValue>) => located[Number(row["_row"])]!.geometry;
    const read: LocatedRow[] = [];
    const otherRows: Record<string, RowValue>[] = [];
    for (const row of all) {
      const geometry = geometryOf(row);
      const isRead = row["_reject"] === null && row["lon"] !== null && geometry !== null;
      if (isRead && isInCounty(geometry)) read.push({row, geometry});
      else otherRows.push(row);
    }
    const parcels = await mergedRows(db, {table: conformed, entry, rows: read});
    const columns = [...parcels.map(({row}) => row), ...otherRows].map(columnsOf);
    const texts = await makeRecords(columns);
    const rows = parcels.map(({row, geometry}, i) =>
      replyRow(row, {
        columns: columns[i]!,
        record: texts[i]!,
        feature: located[Number(row["_row"])]!.feature,
        geometry,
      }),
    );
    const unread = otherRows.map((row, i) => ({
      columns: columns[rows.length + i]!,
      record: texts[rows.length + i]!,
      isOutside: row["_reject"] === null && geometryOf(row) !== null,
    }));
    return {rows, unread, left: located.length - all.length};
  } finally {
    await db.run(`DROP TABLE IF EXISTS ${sqlName(staged)}; DROP TABLE IF EXISTS ${sqlName(conformed)}`);
  }
}

/** The non-null columns of a row. */
function columnsOf(row: LocatedRow["row"]): RowValues {
  const known = conformedColumns.flatMap(({name}): [string, RowValue][] => {
    const value = row[name] ?? null;
    return value === null ? [] : [[name, value]];
  });
  return Object.fromEntries(known);
}

function replyRow(
  row: LocatedRow["row"],
  from: Pick<ReplyRow, "feature" | "geometry" | "columns" | "record">,
): ReplyRow {
  const vintage = vintageOf(String(row[vintageColumn("default")]));
  const groups = groupNames.flatMap((group) => {
    const text = row[vintageColumn(group)] ?? null;
    return text === null ? [] : [[group, vintageOf(String(text))] as const];
  });
  return {
    key: String(row["_key"]),
    vintage,
    groups: Object.fromEntries(groups),
    use: (row["_use"] ?? null) as string | null,
    ...from,
  };
}

/** Parses `<basis> <vintage>`, as written by conforming. */
function vintageOf(text: string): Vintage {
  const [vintageBasis, vintage] = text.split(" ");
  return {vintage: vintage!, vintageBasis: vintageBasis as Vintage["vintageBasis"]};
}

/**
 * Merges the rows of a reply into one per parcel, as a build merges those of a file (`docs/design/parcels.md` sections 5.1 and 5.4): the
 * newest year wins as a whole, parts become one outline, and several accounts are flagged. Most replies have each parcel only once.
 */
async function mergedRows(
  db: Database,
  {table, entry, rows}: {table: string; entry: ConformEntry; rows: readonly LocatedRow[]},
): Promise<LocatedRow[]> {
  const byKey = Map.groupBy(rows, ({row}) => `${row["county_key"]} ${row["_key"]}`);
  const repeated = [...byKey.values()].filter((same) => same.length > 1).flat();
  if (repeated.length === 0) return [...rows];
  const merged = await mergeInDatabase(db, {
    table,
    entry,
    rows: repeated.map(({row}) => Number(row["_row"])),
  });
  const parcels = merged.map((parcel): LocatedRow => {
    const same = byKey.get(`${parcel["county_key"]} ${parcel["_key"]}`)!;
    const lead = same.find(({row}) => Number(row["_row"]) === Number(parcel["_row"]))!;
    const vintages = (["default", ...groupNames] as const).map((group) => [
      vintageColumn(group),
      ((parcel[originColumn(group)] ?? null) as string | null)?.replace(/^\S+ /, "") ?? null,
    ]);
    const row = {...lead.row, ...parcel, ...Object.fromEntries(vintages), _use: leadingUse(same, lead)};
    return {row, geometry: geometryOf(parcel["_wkb"], lead)};
  });
  const repeatedRows = new Set(repeated);
  return [...rows.filter((row) => !repeatedRows.has(row)), ...parcels];
}

/** Merges rows of a conformed table, in temporary tables that are rolled back afterwards. */
async function mergeInDatabase(
  db: Database,
  {table, entry, rows}: {table: string; entry: ConformEntry; rows: readonly number[]},
): Promise<Record<string, RowValue>[]> {
  const [repeated, merged] = [`${table}_repeated`, `${table}_merged`];
  await db.run("BEGIN TRANSACTION");
  try {
    await db.run(
      `CREATE TABLE ${sqlName(repeated)} AS FROM ${sqlName(table)} WHERE _reject IS NULL AND _row IN (${rows.join(", ")})`,
    );
    await dedupe(new ModelRun(db, {measures: false}), [{entry, table: repeated}], {into: merged});
    return await db.rows<Record<string, RowValue>>(`FROM ${sqlName(merged)} ORDER BY _row`);
  } finally {
    await db.run("ROLLBACK");
  }
}

/** The land-use facts of the line with the most acres or value, as in a build; otherwise those of the leading row. */
function leadingUse(same: readonly LocatedRow[], lead: LocatedRow): RowValue {
  const lineOf = ({row}: LocatedRow) => Number(row["_use_line"] ?? -1);
  const known = same.filter(({row}) => (row["_use"] ?? null) !== null);
  const [first = lead] = known.includes(lead) ? [lead] : known;
  return known.reduce((best, next) => (lineOf(next) > lineOf(best) ? next : best), first).row["_use"] ?? null;
}

function geometryOf(wkb: unknown, {geometry}: LocatedRow): GeometrySummary {
  if (wkb === null || wkb === undefined || geometry.wkb === null) return geometry;
  const outline = blobBytes(wkb);
  return outline.equals(geometry.wkb) ? geometry : (summarizeOutline(outlineFromWkb(outline)) ?? geometry);
}
