import {spawnSync} from "node:child_process";
import {mkdtempSync, readdirSync, readFileSync, rmSync, statSync} from "node:fs";
import {tmpdir} from "node:os";
import {basename, join} from "node:path";
import {fileURLToPath} from "node:url";
import {
  type ArrowTable,
  type MappingMode,
  mapFile,
  openArrowTable,
  openKeyIndex,
  openSpatialIndex,
  openTermIndex,
} from "@open-cattle/mapped-index";
import {openDatabase} from "../lib/sql/duckdb.ts";
import {collectGarbage} from "../test/collect-garbage.ts";
import {machineLine} from "./machine.ts";
import {generateParcels} from "./parcels/generate.ts";

/**
 * Opening a state: time, and private memory (`RssAnon`) before and after, against reading the same files into memory.
 *
 *   node bench/open.ts                 generated files of 128,894 and of 2,000,000 rows
 *   node bench/open.ts --rows 500000   another number of rows
 *   node bench/open.ts FOLDER…         folders `serving/parcels/XX` of a build
 *
 * Each figure comes from its own process, with the files in the page cache.
 */
type Figures = {
  rows: number;
  fileMb: number;
  openMs: number;
  beforeMb: number;
  openedMb: number;
  askedMb: number;
  touchedMb: number;
  rssMb: number;
};

type Opened = {ask(turn: number): void; rows: number};

const defaultRows = [128_894, 2_000_000];
const questions = 2000;
const pageBytes = 4096;
/** Byte columns, which are not read row by row. */
const bytesColumns = new Set(["wkb", "xxh32"]);

await main(process.argv.slice(2));

async function main(words: string[]): Promise<void> {
  const [first, second, ...rest] = words;
  if (first === "--measure" && second !== undefined) return printFigures(second, rest[0] as MappingMode);
  if (first === "--generate" && second !== undefined) return generate(Number(second), rest[0]!);
  if (first === undefined || first === "--rows") {
    return benchGenerated(second === undefined ? defaultRows : [second, ...rest].map(Number));
  }
  printTable(words.map((folder) => ({name: basename(folder), folder})));
}

function benchGenerated(counts: readonly number[]): void {
  const folder = mkdtempSync(join(tmpdir(), "bench-open-"));
  try {
    const made = counts.map((rows) => {
      const started = performance.now();
      const target = mkdtempSync(join(folder, `${rows}-`));
      runSelf("--generate", String(rows), target);
      const seconds = (performance.now() - started) / 1000;
      console.log(`generated and wrote ${rows.toLocaleString("en")} rows in ${seconds.toFixed(1)} s`);
      return {name: "generated", folder: target};
    });
    printTable(made);
  } finally {
    rmSync(folder, {recursive: true});
  }
}

function printTable(folders: readonly {name: string; folder: string}[]): void {
  const lines = folders.flatMap(({name, folder}) =>
    (["mmap", "copied"] as const).map((mode) => {
      const figures = JSON.parse(runSelf("--measure", folder, mode)) as Figures;
      return {name, mode, ...figures};
    }),
  );
  console.log(machineLine());
  console.log(
    "Mb: RssAnon before opening, after it, after 2,000 lookups of each kind, after touching every page; Rss at the end",
  );
  console.table(lines);
}

function runSelf(...words: string[]): string {
  const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), ...words], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (child.status !== 0) throw new Error(`${words.join(" ")} ended with ${child.status ?? child.signal}`);
  return child.stdout;
}

async function generate(rows: number, folder: string): Promise<void> {
  const db = await openDatabase({path: join(folder, "rows.duckdb"), tempDirectory: join(folder, "tmp")});
  await generateParcels(db, rows, folder);
  db.close();
  rmSync(join(folder, "rows.duckdb"));
}

function printFigures(folder: string, mode: MappingMode): void {
  const beforeMb = memoryMb("RssAnon");
  const started = performance.now();
  const files = servingFiles(folder).map((name) => ({
    name,
    buffer: mapFile(join(folder, name), undefined, mode).buffer,
  }));
  const opened = files.map(({name, buffer}) => openFile(name, buffer));
  const openMs = Math.round((performance.now() - started) * 10) / 10;
  const openedMb = memoryMb("RssAnon");
  for (let turn = 0; turn < questions; turn++) for (const file of opened) file.ask(turn);
  const askedMb = memoryMb("RssAnon");
  for (const {buffer} of files) touchPages(new Uint8Array(buffer));
  const figures: Figures = {
    rows: opened[files.findIndex(({name}) => name === "columns.arrow")]?.rows ?? 0,
    fileMb: mb(files.reduce((sum, {buffer}) => sum + buffer.byteLength, 0)),
    openMs,
    beforeMb,
    openedMb,
    askedMb,
    touchedMb: memoryMb("RssAnon"),
    rssMb: memoryMb("VmRSS"),
  };
  console.log(JSON.stringify(figures));
}

function servingFiles(folder: string): string[] {
  return readdirSync(folder).filter(
    (name) => /\.(arrow|flatbush)$/.test(name) && statSync(join(folder, name)).size > 0,
  );
}

/** Opens a serving file as the server does, with a way to query it. */
function openFile(name: string, buffer: ArrayBuffer): Opened {
  if (name.endsWith(".flatbush")) {
    const index = openSpatialIndex(buffer, name);
    const ask = (turn: number) => {
      const [lon, lat] = [-106 + (turn % 130) / 10, 26 + (turn % 100) / 10];
      return index.within({minX: lon, minY: lat, maxX: lon + 0.01, maxY: lat + 0.01});
    };
    return {rows: index.items, ask};
  }
  if (name === "owners.arrow") {
    const index = openTermIndex(buffer, name);
    return {rows: index.terms, ask: (turn) => index.find(`SURNAME${turn * 97}`)};
  }
  if (name === "parcel_ids.arrow" || name === "addresses.arrow") {
    const index = openKeyIndex(buffer, name);
    return {rows: openArrowTable(buffer, name).rows, ask: (turn) => index.prefix(String(turn * 7919), 10)};
  }
  const table = openArrowTable(buffer, name);
  return {rows: table.rows, ask: (turn) => readRow(table, (turn * 999_983) % Math.max(table.rows, 1))};
}

function readRow(table: ArrowTable, row: number): unknown[] {
  if (table.rows === 0) return [];
  return table.columns.filter((name) => !bytesColumns.has(name)).map((name) => table.value(name).at(row));
}

function touchPages(bytes: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += pageBytes) sum += bytes[at] ?? 0;
  return sum;
}

/** A value of `/proc/self/status` in MB, after a garbage collection; Linux only. */
function memoryMb(line: string): number {
  collectGarbage();
  const [, kb = "0"] =
    new RegExp(`^${line}:\\s+(\\d+) kB`, "m").exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return mb(Number(kb) * 1024);
}

function mb(bytes: number): number {
  return Math.round(bytes / 1e5) / 10;
}
