import type {DuckDBPreparedStatement} from "@duckdb/node-api";
import {factColumns} from "../../../schemas/parcel-columns.ts";
import {parquetTypes} from "../../../schemas/vocabulary/described-file.ts";
import type {StatedFlag} from "../../../schemas/vocabulary/parcel-provenance.ts";
import type {Database} from "../../sql/duckdb.ts";
import type {RowValues} from "../../storage/arrow-file/memory-table.ts";
import type {ProvenanceContext} from "./provenance.ts";
import {ownBytes, provenanceText} from "./provenance-text.ts";
import {factsJoiner} from "./record-facts.ts";
import {readKind, recordSelect} from "./record-kind.ts";
import type {StoredRecord} from "./stored-record.ts";

/**
 * The record of a row: its members as JSON text, separated by commas and without braces; its kind; and its
 * page at the source as JSON text.
 */
export type RecordText = {readonly facts: string; readonly kind: string; readonly source_url: string | null};

/** Builds the records of parcel rows that are not in a file, by the same definition as those that are. */
export type RecordMaker = {
  /**
   * The records of rows, in order. Rejects when DuckDB cannot be opened or a value does not fit its column.
   */
  make(rows: readonly RowValues[]): Promise<RecordText[]>;
};

const rowType = JSON.stringify([
  Object.fromEntries(factColumns.map(({name, kind}) => [name, parquetTypes[kind]])),
]);

/**
 * SELECT of the records of the rows in `$rows`, a JSON array. They carry no origins, because a found parcel
 * knows its own.
 */
const select = recordSelect(
  `(SELECT unnest(from_json(CAST($rows AS VARCHAR), '${rowType}'), max_depth := 2))`,
  () => "''",
);

/** Rows per query. */
const rowsPerQuery = 1_000;

/**
 * A record maker over an open database; calls must not overlap. It prepares the query once, because planning
 * takes longer than everything else.
 */
export async function recordsIn({connection}: Database): Promise<RecordMaker["make"]> {
  const query = await connection.prepare(select);
  return (rows) => makeRecords(query, rows);
}

async function makeRecords(
  query: DuckDBPreparedStatement,
  rows: readonly RowValues[],
): Promise<RecordText[]> {
  const recordTexts: RecordText[] = [];
  for (let first = 0; first < rows.length; first += rowsPerQuery) {
    query.bindVarchar(1, JSON.stringify(rows.slice(first, first + rowsPerQuery)));
    const result = await query.runAndReadAll();
    const joiners = new Map<string, (values: Uint8Array) => Buffer>();
    for (const {values, kind, source_url} of result.getRowObjectsJS() as MadeRow[]) {
      if (!joiners.has(kind)) joiners.set(kind, factsJoiner(readKind(kind).members.map(({name}) => name)));
      recordTexts.push({facts: joiners.get(kind)!(Buffer.from(values)).toString(), kind, source_url});
    }
  }
  return recordTexts;
}

type MadeRow = Omit<RecordText, "facts"> & {readonly values: string};

/** A `RecordText` with its facts as bytes that answers copy. */
export type RecordBytes = Omit<RecordText, "facts"> & {readonly facts: Uint8Array};

/** Converts a record's facts to bytes. */
export function recordBytes({facts, ...rest}: RecordText): RecordBytes {
  return {...rest, facts: ownBytes(facts)};
}

/** The stored record of a row from a county; `flags` are additional cleaning codes of the row. */
export function foundRecord(
  {facts, kind: text, source_url: sourceUrl}: RecordBytes,
  {
    observedAt,
    flags = [],
    ...context
  }: ProvenanceContext & {observedAt?: string | undefined; flags?: readonly StatedFlag[]},
): StoredRecord {
  const kind = readKind(text);
  const provenance = provenanceText({...kind, flags: new Set([...kind.flags, ...flags])}, context);
  return {
    facts,
    provenance,
    sourceUrl,
    ...(observedAt === undefined ? {} : {observedAt}),
  };
}
