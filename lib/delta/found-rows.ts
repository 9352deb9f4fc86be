import type {DeltaUpsert} from "../../schemas/delta-record.ts";
import {parquetTypes} from "../../schemas/vocabulary/described-file.ts";
import {conformedColumns, conformedExtras} from "../parcels/conform/conformed-table.ts";
import {groupNames} from "../parcels/conform/file-cells.ts";
import {vintageColumn} from "../parcels/conform/vintage-sql.ts";
import type {ProvenanceFacts} from "../parcels/record/provenance.ts";
import {type Database, sqlName, sqlText} from "../sql/duckdb.ts";
import {columnsOfRecord, provenanceOf} from "./found-parcel.ts";

/** Parcels found on misses of one source, kind of map and day, which are merged like a file. */
export type FoundFile = {
  /** Negative, unlike the numbers of files. */
  readonly number: number;
  /** When the first of them was retrieved, in whole seconds. */
  readonly retrievedAt: string;
  /** In the order of their rows. */
  readonly records: readonly DeltaUpsert[];
};

/** A conformed table of the parcels found in a source. */
export type FoundTable = {
  readonly table: string;
  readonly source: {readonly id: string; readonly authority: DeltaUpsert["provenance"]["authority"]};
  readonly proposedMap: boolean;
  readonly files: readonly FoundFile[];
};

/** Rows that are handed to DuckDB at once. */
const rowsPerInsert = 1_000;

/**
 * Creates a conformed table per source of parcels found on misses (`found_1`, `found_2` …). They are conformed already, and enter
 * deduplication like rows of files.
 */
export async function makeFoundTables(db: Database, found: readonly DeltaUpsert[]): Promise<FoundTable[]> {
  const bySource = Map.groupBy(
    found,
    ({provenance, proposedMap}) => `${provenance.sourceId} ${provenance.authority} ${proposedMap}`,
  );
  const tables: FoundTable[] = [];
  let number = 0;
  for (const [, records] of [...bySource].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const days = Map.groupBy(records, ({provenance}) => provenance.retrievedAt.slice(0, 10));
    const files = [...days]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, own]): FoundFile => ({number: --number, retrievedAt: firstRetrieval(own), records: own}));
    const table = `found_${-number}`;
    await makeTable(db, table, files);
    const {
      provenance: {sourceId: id, authority},
      proposedMap,
    } = records[0]!;
    tables.push({table, source: {id, authority}, proposedMap, files});
  }
  return tables;
}

function firstRetrieval(records: readonly DeltaUpsert[]): string {
  const instants = records.map(({provenance}) => provenance.retrievedAt).sort();
  return `${instants[0]!.slice(0, 19)}Z`;
}

const columns = [
  ...conformedColumns.map(({name, kind}) => [name, parquetTypes[kind]] as const),
  ...conformedExtras,
];
/** Outlines are never stored with a discovery. */
const given = columns.filter(([name]) => name !== "_wkb");
const rowType = JSON.stringify([Object.fromEntries(given)]);

async function makeTable(db: Database, table: string, files: readonly FoundFile[]): Promise<void> {
  await db.run(
    `CREATE TABLE ${sqlName(table)} (${columns.map(([name, type]) => `${sqlName(name)} ${type}`).join(", ")})`,
  );
  const rows = files.flatMap(({number, records}) => records.map((record, row) => rowOf(record, number, row)));
  const names = given.map(([name]) => sqlName(name)).join(", ");
  for (let first = 0; first < rows.length; first += rowsPerInsert) {
    await db.run(
      `INSERT INTO ${sqlName(table)} (${names}) SELECT ${names}
       FROM (SELECT unnest(from_json(CAST($rows AS VARCHAR), ${sqlText(rowType)}), max_depth := 2))`,
      {rows: JSON.stringify(rows.slice(first, first + rowsPerInsert))},
    );
  }
}

function rowOf(record: DeltaUpsert, file: number, row: number): Record<string, unknown> {
  const vintages = (["default", ...groupNames] as const).map((group) => [
    vintageColumn(group),
    group === "default" || record.groups?.[group] !== undefined
      ? vintageText(provenanceOf(record, group))
      : null,
  ]);
  const columns = columnsOfRecord(record);
  return {
    ...columns,
    ...Object.fromEntries(vintages),
    _file: file,
    _row: row,
    _key: record.key.parcelId,
    _area_from_outline: columns["acres_basis"] === "computed" && columns["geom_acres"] !== undefined,
    _retrieved: record.provenance.retrievedAt.slice(0, 10),
  };
}

/** The text of a vintage in a conformed table: basis and date. */
export function vintageText({vintage, vintageBasis, retrievedAt}: ProvenanceFacts): string {
  if (vintage !== null) return `${vintageBasis} ${vintage}`;
  return vintageBasis === "unknown" ? "unknown unknown" : `retrieved ${retrievedAt?.slice(0, 10)}`;
}
