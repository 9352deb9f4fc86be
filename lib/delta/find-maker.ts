import {type RecordMaker, recordsIn} from "../parcels/record/record-maker.ts";
import {type Database, openDatabase} from "../sql/duckdb.ts";
import type {FindPool} from "./find-pool.ts";
import {lostFinds, type MergedFind, type MergeTask, mergeFinds} from "./merge-finds.ts";

/** Makes what answers show of parcels found on misses, by the definitions of a build. */
export type FindMaker = RecordMaker & {
  /** Merges finds with rows of a build (`mergeFinds`). */
  merge(task: MergeTask): Promise<MergedFind[]>;
  /** The finds that rows of a build do not hold (`lostFinds`). */
  lost(pool: FindPool): Promise<number[]>;
  close(): Promise<void>;
};

type Opened = {readonly db: Database; readonly make: RecordMaker["make"]};

const memory = {memoryLimit: "256MB", threads: 1};

/** A maker with its own in-memory DuckDB, which is opened at the first call. Calls run one after the other. */
export function createFindMaker(): FindMaker {
  let opened: Promise<Opened> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Made>(work: () => Promise<Made>): Promise<Made> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
  return {
    make(rows) {
      if (rows.length === 0) return Promise.resolve([]);
      return inTurn(async () => {
        opened ??= openMaker();
        return (await opened).make(rows);
      });
    },
    merge: (task) => inTurn(() => inOwnDatabase((db) => mergeFinds(db, task))),
    lost: (pool) => inTurn(() => inOwnDatabase((db) => lostFinds(db, pool))),
    async close() {
      await last;
      (await opened)?.db.close();
      opened = null;
    },
  };
}

async function openMaker(): Promise<Opened> {
  const db = await openDatabase({...memory, returnsMemory: true});
  return {db, make: await recordsIn(db)};
}

/** Opening a database takes less time than returning memory after each step, and leaves nothing behind. */
async function inOwnDatabase<Made>(work: (db: Database) => Promise<Made>): Promise<Made> {
  using db = await openDatabase(memory);
  return await work(db);
}
