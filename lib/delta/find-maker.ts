import {type RecordMaker, recordsIn} from "../parcels/record/record-maker.ts";
import {type Database, openDatabase} from "../sql/duckdb.ts";
import {takingTurns} from "../system/taking-turns.ts";
import type {MergedFind, MergeTask} from "./merge-finds.ts";

/** Makes what answers show of parcels found on misses, by the definitions of a build. */
export type FindMaker = RecordMaker & {
  /** Merges finds with rows of a build (`mergeFinds`). */
  merge(task: MergeTask): Promise<MergedFind[]>;
  close(): Promise<void>;
};

type Opened = {readonly db: Database; readonly make: RecordMaker["make"]};

const memory = {memoryLimit: "256MB", threads: 1};

/** A maker with its own in-memory DuckDB, which is opened at the first call. Calls run one after the other. */
export function createFindMaker(): FindMaker {
  let opened: Promise<Opened> | null = null;
  const inTurn = takingTurns();
  return {
    make(rows) {
      if (rows.length === 0) return Promise.resolve([]);
      return inTurn(async () => {
        opened ??= openMaker();
        return (await opened).make(rows);
      });
    },
    merge: (task) =>
      inTurn(async () => {
        // Opening a database takes less time than returning memory after each step, and leaves nothing behind.
        using db = await openDatabase(memory);
        // The models of a build load DuckDB, which a server needs only when the first find comes.
        const {mergeFinds} = await import("./merge-finds.ts");
        return await mergeFinds(db, task);
      }),
    close: () =>
      inTurn(async () => {
        (await opened)?.db.close();
        opened = null;
      }),
  };
}

async function openMaker(): Promise<Opened> {
  const db = await openDatabase({...memory, returnsMemory: true});
  return {db, make: await recordsIn(db)};
}
