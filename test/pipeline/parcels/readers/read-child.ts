import {mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {basename} from "node:path";
import type {Database} from "../../../../lib/sql/duckdb.ts";
import {datasetsOf} from "../../../../pipeline/parcels/datasets.ts";
import {readerOf} from "../../../../pipeline/parcels/readers/readers.ts";
import {columns} from "./sample-rows.ts";

// Reads one file in a process of its own (--expose-gc) and prints its rows, the memory in MiB that was still in use after
// every chunk of rows, and the most private memory that the process had.
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
// The database keeps up to 200,000 rows before it writes them: in its place stands one that forgets them.
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
  wanted: columns,
  tempDir: dir,
});
writeFileSync(1, JSON.stringify({rows, inUse, privateMib: Math.round(privateMib)}));
