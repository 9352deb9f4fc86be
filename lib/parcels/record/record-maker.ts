import type {DuckDBPreparedStatement} from "@duckdb/node-api";
import {parquetTypes} from "../../../schemas/described-file.ts";
import {factColumns} from "../../../schemas/parcel-columns.ts";
import type {StatedFlag} from "../../../schemas/parcel-fields/flags.ts";
import {type Database, openDatabase} from "../../sql/duckdb.ts";
import type {RowValues} from "../memory/memory-table.ts";
import type {ProvenanceContext} from "./provenance.ts";
import {ownBytes, provenanceText} from "./provenance-text.ts";
import {factsJoiner} from "./record-facts.ts";
import {readKind, recordSelect} from "./record-kind.ts";
import type {StoredRecord} from "./stored-record.ts";

/** The record of a row: its members as JSON text, parted by commas and without braces; its kind; and its page at the source as JSON text. */
export type RecordText = {readonly facts: string; readonly kind: string; readonly source_url: string | null};

/** Makes the records of parcel rows that are in no file, by the definition of those that are. */
export type RecordMaker = {
  /** The records of rows, in their order. Rejects when DuckDB cannot be opened or a value does not fit its column. */
  make(rows: readonly RowValues[]): Promise<RecordText[]>;
  close(): Promise<void>;
};

const rowType = JSON.stringify([
  Object.fromEntries(factColumns.map(({name, kind}) => [name, parquetTypes[kind]])),
]);

/** SELECT of the records of the rows in `$rows`, a JSON array. They have no origins beside them: a discovery knows its own. */
const select = recordSelect(
  `(SELECT unnest(from_json(CAST($rows AS VARCHAR), '${rowType}'), max_depth := 2))`,
  () => "''",
);

/** Rows of a query. */
const mostRows = 1_000;

/** A maker with a DuckDB in memory of its own, opened for the first rows. */
export function createRecordMaker(): RecordMaker {
  let opened: Promise<{db: Database; make: RecordMaker["make"]}> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  return {
    make(rows) {
      if (rows.length === 0) return Promise.resolve([]);
      opened ??= openMaker();
      const result = Promise.all([opened, last]).then(([{make}]) => make(rows));
      last = result.catch(() => undefined);
      return result;
    },
    async close() {
      await last;
      (await opened)?.db.close();
      opened = null;
    },
  };
}

/** The maker's function in a database that is open; calls follow each other. Its query is planned once, which takes longer than all else. */
export async function recordsIn({connection}: Database): Promise<RecordMaker["make"]> {
  const query = await connection.prepare(select);
  return (rows) => makeRecords(query, rows);
}

async function openMaker(): Promise<{db: Database; make: RecordMaker["make"]}> {
  const db = await openDatabase({memoryLimit: "256MB", threads: 1, returnsMemory: true});
  return {db, make: await recordsIn(db)};
}

async function makeRecords(
  query: DuckDBPreparedStatement,
  rows: readonly RowValues[],
): Promise<RecordText[]> {
  const made: RecordText[] = [];
  for (let first = 0; first < rows.length; first += mostRows) {
    query.bindVarchar(1, JSON.stringify(rows.slice(first, first + mostRows)));
    const result = await query.runAndReadAll();
    const joiners = new Map<string, (values: Uint8Array) => Buffer>();
    for (const {values, kind, source_url} of result.getRowObjectsJS() as MadeRow[]) {
      if (!joiners.has(kind)) joiners.set(kind, factsJoiner(readKind(kind).members.map(({name}) => name)));
      made.push({facts: joiners.get(kind)!(Buffer.from(values)).toString(), kind, source_url});
    }
  }
  return made;
}

type MadeRow = Omit<RecordText, "facts"> & {readonly values: string};

/** A record as `RecordText`, with its facts as the bytes that answers copy. */
export type RecordBytes = Omit<RecordText, "facts"> & {readonly facts: Uint8Array};

/** The same record in bytes. */
export function recordBytes({facts, ...rest}: RecordText): RecordBytes {
  return {...rest, facts: ownBytes(facts)};
}

/** The record of a row that a county gave; `flags` are cleaning codes that the row has besides those it was made with. */
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
