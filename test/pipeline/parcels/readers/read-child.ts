import {mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {basename} from "node:path";
import type {Database} from "../../../../lib/sql/duckdb.ts";
import {columns} from "../../../../packages/parcel-files/test/sample-rows.ts";
import {datasetsOf} from "../../../../pipeline/parcels/datasets.ts";
import {readerOf} from "../../../../pipeline/parcels/readers/readers.ts";

// Reads one file in its own process (--expose-gc) and prints its rows, the MiB in use after every chunk of rows, and the peak
// private memory of the process.
const [path, dir] = process.argv.slice(2) as [string, string];
mkdirSync(dir, {recursive: true});
const inUse: number[] = [];
let privateMib = 0;
const sample = () => {
  privateMib = Math.max(
    privateMib,
    Number(/RssAnon:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))![1]) / 1024,
  );
  (globalThis as {gc?: () => void}).gc!();
  const {heapUsed, external} = process.memoryUsage();
  inUse.push((heapUsed + external) / 2 ** 20);
};
// Replaces the database, which buffers up to 200,000 rows, by an appender that discards them.
const appender = {appendDataChunk: sample, closeSync: () => undefined};
const db = {
  run: async () => undefined,
  connection: {createAppender: async () => appender},
} as unknown as Database;
const file = {path: basename(path), absolutePath: path};
const [dataset] = await datasetsOf(file as Parameters<typeof datasetsOf>[0], dir);
const {rows} = await readerOf(dataset!)!.read({
  db,
  dataset: dataset!,
  table: "t",
  wantedColumns: columns,
  tempDir: dir,
});
writeFileSync(1, JSON.stringify({rows, inUse, privateMib: Math.round(privateMib)}));
