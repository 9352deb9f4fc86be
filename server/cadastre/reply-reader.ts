import type {ArcgisFeature} from "../../lib/arcgis/answer.ts";
import {type GeometrySummary, summarizeGeometry} from "../../lib/geography/geometry/summarize.ts";
import {townNames} from "../../lib/parcels/address/town-names.ts";
import {conformEntry} from "../../lib/parcels/conform/conform.ts";
import {conformedColumns} from "../../lib/parcels/conform/conformed-table.ts";
import {groupNames, type ProvenanceGroup} from "../../lib/parcels/conform/groups.ts";
import {type ConformEntry, mainNames} from "../../lib/parcels/conform/references.ts";
import {stageRecords} from "../../lib/parcels/conform/staged-table.ts";
import {vintageColumn} from "../../lib/parcels/conform/vintage-sql.ts";
import type {RowValues} from "../../lib/parcels/memory/memory-table.ts";
import {type Database, openDatabase, sqlName} from "../../lib/sql/duckdb.ts";
import type {RowValue} from "../../lib/storage/arrow-file/write-rows.ts";

/** When a fact was so, and how that is known. */
export type Vintage = {
  readonly vintage: string;
  readonly vintageBasis: "row_date" | "roll_year" | "edition" | "layer_edit" | "retrieved";
};

/** A feature of a county's answer as a parcel row. */
export type ReplyRow = {
  readonly columns: RowValues;
  /** `tok` form of the number: the parcel's key within its county. */
  readonly key: string;
  readonly vintage: Vintage;
  /** Groups whose vintage is another. */
  readonly groups: Readonly<Partial<Record<ProvenanceGroup, Vintage>>>;
  readonly feature: ArcgisFeature;
  readonly geometry: GeometrySummary;
};

export type ReplyRequest = {
  readonly entry: ConformEntry;
  readonly features: readonly ArcgisFeature[];
  /** Date of the layer's last edit. */
  readonly layerEdit: string | null;
  /** Instant at which the county answered. */
  readonly retrievedAt: string;
};

/** Reads features as a file of that county is read: the same map, conforming and cleaning. */
export type ReplyReader = {
  /** The rows that would be kept, each with a served point in its county; rows of invalid outlines are left out. */
  read(request: ReplyRequest): Promise<ReplyRow[]>;
  close(): Promise<void>;
};

/** A reader with a DuckDB in memory of its own, opened for the first answer; answers are read one after the other. */
export function createReplyReader(): ReplyReader {
  let opened: Promise<Database> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let answers = 0;
  return {
    read(request) {
      const result = last.then(async () => {
        opened ??= openReplyDatabase();
        return readReply(await opened, request, ++answers);
      });
      last = result.catch(() => undefined);
      return result;
    },
    async close() {
      await last;
      (await opened)?.close();
      opened = null;
    },
  };
}

/**
 * For a few rows the optimizer takes longer than what it saves; it is the only thing that differs from a build. Planning takes and frees
 * much memory: freed memory goes back at once, without which the process keeps 250 MB of it.
 */
async function openReplyDatabase(): Promise<Database> {
  const db = await openDatabase({memoryLimit: "256MB", threads: 1});
  await db.run(`PRAGMA disable_optimizer;
    SET allocator_flush_threshold = '1MB'; SET allocator_bulk_deallocation_flush_threshold = '1MB';
    SET lock_configuration = true`);
  return db;
}

async function readReply(
  db: Database,
  {entry, features, layerEdit, retrievedAt}: ReplyRequest,
  n: number,
): Promise<ReplyRow[]> {
  const [staged, conformed] = [`reply_${n}`, `reply_rows_${n}`];
  const records = features.map(({attributes, geometry}) => ({
    cells: attributes,
    geometry: summarizeGeometry(geometry),
  }));
  const asOf = retrievedAt.slice(0, 10);
  try {
    await stageRecords(db, {table: staged, wanted: mainNames(entry)}, records);
    const main = [{file: 0, table: staged, retrieved: asOf, layerEdit}];
    await conformEntry(db, {
      entry,
      sources: {main, joins: {}},
      asOf,
      into: conformed,
      isKnownPlace: (city) => townNames.has(city),
    });
    const rows = await db.rows<Record<string, RowValue>>(
      `SELECT * FROM ${sqlName(conformed)} WHERE _reject IS NULL AND lon IS NOT NULL ORDER BY _row`,
    );
    return rows.flatMap((row) => {
      const place = Number(row["_row"]);
      const {geometry} = records[place]!;
      return geometry === null || geometry.invalid
        ? []
        : [replyRow(row, {feature: features[place]!, geometry})];
    });
  } finally {
    await db.run(`DROP TABLE IF EXISTS ${sqlName(staged)}; DROP TABLE IF EXISTS ${sqlName(conformed)}`);
  }
}

function replyRow(row: Record<string, RowValue>, from: Pick<ReplyRow, "feature" | "geometry">): ReplyRow {
  const columns = conformedColumns.flatMap(({name}): [string, RowValue][] => {
    const value = row[name] ?? null;
    return value === null ? [] : [[name, value]];
  });
  const vintage = vintageOf(String(row[vintageColumn("default")]));
  const groups = groupNames.flatMap((group) => {
    const text = row[vintageColumn(group)] ?? null;
    return text === null ? [] : [[group, vintageOf(String(text))] as const];
  });
  return {
    columns: Object.fromEntries(columns),
    key: String(row["_key"]),
    vintage,
    groups: Object.fromEntries(groups),
    ...from,
  };
}

/** `<basis> <vintage>`, as conforming writes it. */
function vintageOf(text: string): Vintage {
  const [vintageBasis, vintage] = text.split(" ");
  return {vintage: vintage!, vintageBasis: vintageBasis as Vintage["vintageBasis"]};
}
