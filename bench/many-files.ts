import {createReadStream, mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {loadavg, tmpdir} from "node:os";
import {join} from "node:path";
import {createInterface} from "node:readline";
import {openDatabase} from "../lib/sql/duckdb.ts";
import {machineLine} from "./machine.ts";
import {madeRows} from "./market/rows.ts";
import {writeRollCsv} from "./parcels/roll-csv.ts";
import {runWell} from "./run-cattle.ts";

/**
 * A build of many small raw files with one row each: files of one feed, and files of one parcel entry.
 *
 *   node bench/many-files.ts [files] [feed|entry]      default: 100,000 of each
 *
 * Memory is that of the build's own process. CPU time is printed beside wall-clock time, which other load stretches.
 */
const [count = "100000", only] = process.argv.slice(2);
const files = Number(count);
const asOf = "2026-11-21";
const writers = {feed: writeFeed, entry: writeEntry};

console.log(`${machineLine()}; load ${loadavg()[0]!.toFixed(1)}`);
const table: Record<string, Record<string, string>> = {};
for (const [kind, write] of Object.entries(writers)) {
  if (only !== undefined && only !== kind) continue;
  const folder = mkdtempSync(join(tmpdir(), "bench-many-"));
  try {
    await write(join(folder, "raw"));
    table[`${files} files of one ${kind}`] = await buildOf(folder);
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}
console.table(table);

async function writeFeed(raw: string): Promise<void> {
  const dir = newFolder(raw, "market/mars");
  const db = await openDatabase();
  const rows = await db.rows<{row: string}>(
    `SELECT to_json(made)::VARCHAR AS row FROM (${madeRows({rows: files, venues: 200, asOf})}) made`,
  );
  for (const [i, {row}] of rows.entries()) writeFileSync(join(dir, `${i}.json`), `{"results":[${row}]}`);
  db.close();
}

async function writeEntry(raw: string): Promise<void> {
  const whole = join(newFolder(raw, ".."), "roll.csv");
  const travis = {fips: "48453", west: -98.1, south: 30.05, width: 0.6, height: 0.5};
  await writeRollCsv(whole, {rows: files, state: "TX", firstZip: 78_600, places: [travis]});
  const dir = newFolder(raw, "parcels/us-tx-stratmap");
  let [header, i] = ["", 0];
  for await (const line of createInterface({input: createReadStream(whole)})) {
    if (header === "") header = line;
    else writeFileSync(join(dir, `${i++}.csv`), `${header}\n${line}\n`);
  }
}

function newFolder(raw: string, path: string): string {
  const dir = join(raw, path);
  mkdirSync(dir, {recursive: true});
  return dir;
}

async function buildOf(folder: string): Promise<Record<string, string>> {
  const words = ["build", "--raw", join(folder, "raw"), "--out", join(folder, "data"), "--as-of", asOf];
  const {seconds, firstSeconds, own} = await runWell(words);
  return {
    "first line s": firstSeconds.toFixed(1),
    "whole s": seconds.toFixed(0),
    "CPU s": (own.cpuMs / 1_000).toFixed(0),
    "ms of CPU each": (own.cpuMs / files).toFixed(2),
    "peak MB": (own.privateKib / 1_024).toFixed(0),
  };
}
