import {spawnSync} from "node:child_process";
import {mkdtempSync, readdirSync, rmSync, statSync} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
import {parseArgs} from "node:util";
import {ModelRun} from "../lib/models/model-run.ts";
import {openDatabase, sqlText} from "../lib/sql/duckdb.ts";
import {buildMarket} from "../pipeline/market/build-market.ts";
import {readMarket} from "../pipeline/market/read-market.ts";
import {listRawFiles} from "../pipeline/raw/raw-files.ts";
import type {Venue} from "../schemas/vocabulary/venue.ts";
import {machineLine} from "./machine.ts";
import {type Format, formats, madeRows, rowsPattern, writeRows} from "./market/rows.ts";
import {inventedVenue} from "./market/venues.ts";

/**
 * The market part of a build on generated price rows, against the time that DuckDB alone needs to read and group the same
 * files.
 *
 *   node bench/market-build.ts [rows] [format …]      default: 1,000,000 rows of one year in all formats
 *   node bench/market-build.ts 15000000 parquet --years 20 --runs 1      a market of 20 years, each run once
 *
 * `json` is what a nightly run gets from the service: bodies of up to 100,000 rows. The build writes all of its files: history, prices of
 * every county and state, latest prices, evidence. DuckDB alone reads every column, groups by market, sale and cell and computes the
 * build's weighted mean. The build's own reading, up to normalised rows, is timed separately. Each run is its own process; each figure is
 * the best of three, with the files in the page cache, because noise of a shared machine only ever adds time. CPU time is printed
 * beside wall-clock time, which other load stretches.
 */
const {positionals, values} = parseArgs({
  allowPositionals: true,
  options: {
    years: {type: "string"},
    runs: {type: "string"},
    inside: {type: "string"},
    work: {type: "string"},
  },
});
const [count = "1000000", ...named] = positionals;
const rows = Number(count);
const years = Number(values.years ?? 1);
const asked = formats.filter((format) => named.length === 0 || named.includes(format));
const venues = 200;
const asOf = "2026-11-21";
const runs = Number(values.runs ?? 3);

type Spent = {seconds: number; cpuSeconds: number; peakMb: number};
type Work = "alone" | "read" | "build";

/** DuckDB's own reader of each format. A body is one object of over 100 MB, for which it needs more memory than a build has. */
const relations: Record<Format, (pattern: string) => string> = {
  json: (pattern) =>
    `(SELECT unnest(results, recursive := true) FROM read_json(${pattern}, maximum_object_size = 400000000))`,
  csv: (pattern) => `read_csv(${pattern})`,
  "csv.gz": (pattern) => `read_csv(${pattern})`,
  parquet: (pattern) => `read_parquet(${pattern})`,
};

const works: Record<Work, (format: Format) => Promise<void>> = {
  alone: readAndGroup,
  read: readOnce,
  build: buildOnce,
};

const folder = values.inside ?? mkdtempSync(join(tmpdir(), "bench-market-"));
if (values.work !== undefined) await work(values.work as Work, asked[0]!);
else {
  try {
    await main();
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

async function main(): Promise<void> {
  console.log(machineLine());
  const table: Record<string, Record<string, number | string>> = {};
  for (const format of asked) {
    await writeRows(madeRows({rows, venues, asOf, years}), folder, format);
    const alone = best("alone", format);
    const read = best("read", format);
    const build = best("build", format);
    table[format] = {
      rows,
      MB: Math.round(sizeOf(dirname(rowsPattern(folder, format))) / 1e6),
      "DuckDB alone s": alone.seconds.toFixed(2),
      "(CPU)": alone.cpuSeconds.toFixed(2),
      "market build s": build.seconds.toFixed(2),
      "(CPU) ": build.cpuSeconds.toFixed(2),
      "CPU of reading": read.cpuSeconds.toFixed(2),
      "peak MB": build.peakMb,
      ratio: (build.seconds / alone.seconds).toFixed(1),
      "ratio of CPU": (build.cpuSeconds / alone.cpuSeconds).toFixed(1),
    };
    rmSync(join(folder, format), {recursive: true});
  }
  console.table(table);
}

/** The shortest time of all runs, and the most memory. */
function best(name: Work, format: Format): Spent {
  const spent = Array.from({length: runs}, () => inProcess(name, format));
  return {
    seconds: Math.min(...spent.map(({seconds}) => seconds)),
    cpuSeconds: Math.min(...spent.map(({cpuSeconds}) => cpuSeconds)),
    peakMb: Math.max(...spent.map(({peakMb}) => peakMb)),
  };
}

function inProcess(name: Work, format: Format): Spent {
  const words = [fileURLToPath(import.meta.url), count, format, "--inside", folder, "--work", name];
  const {status, stdout} = spawnSync(process.execPath, words, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`${name} of ${format} ended with ${status}`);
  return JSON.parse(stdout) as Spent;
}

/** Does the work once and prints its cost. */
async function work(name: Work, format: Format): Promise<void> {
  const started = performance.now();
  const before = process.cpuUsage();
  await works[name](format);
  const {user, system} = process.cpuUsage(before);
  const spent: Spent = {
    seconds: (performance.now() - started) / 1000,
    cpuSeconds: (user + system) / 1e6,
    peakMb: Math.round(process.resourceUsage().maxRSS / 1024),
  };
  process.stdout.write(JSON.stringify(spent));
}

function sizeOf(dir: string): number {
  return readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0);
}

async function readAndGroup(format: Format): Promise<void> {
  const db = await openDatabase({memoryLimit: "10GB"});
  const weight = "head_count::BIGINT * avg_weight::BIGINT";
  await db.run(`CREATE TEMP TABLE grouped AS
    SELECT slug_name, report_title, report_end_date, commodity, class, frame, muscle_grade, quality_grade_name, dressing, age,
      pregnancy_stage, lot_desc, price_unit, weight_break_low, count(*) AS sales, sum(head_count) AS head,
      sum(${weight} * avg_price::DECIMAL(9,2)) / sum(${weight}) AS price, min(avg_price_min) AS low, max(avg_price_max) AS high,
      max(report_narrative) AS narrative, max(office_name) AS office
    FROM ${relations[format](sqlText(rowsPattern(folder, format)))} GROUP BY ALL`);
  db.close();
}

/** The first half of a build: from files to normalised rows. */
async function readOnce(format: Format): Promise<void> {
  const db = await openDatabase({tempDirectory: join(folder, "temp")});
  const files = await listRawFiles(join(folder, format));
  await readMarket({run: new ModelRun(db), files, asOf, venues: inventedVenues()});
  db.close();
}

function inventedVenues(): Venue[] {
  return Array.from({length: venues}, (_, number) => inventedVenue(number, asOf));
}

async function buildOnce(format: Format): Promise<void> {
  const outDir = join(folder, "out");
  rmSync(outDir, {recursive: true, force: true});
  const {files} = await buildMarket({
    files: await listRawFiles(join(folder, format)),
    outDir,
    asOf,
    previousDir: null,
    sample: false,
    tempDir: join(folder, "temp"),
    venues: inventedVenues(),
  });
  const accepted = files.reduce((sum, file) => sum + file.accepted, 0);
  if (accepted < rows * 0.99) throw new Error(`accepted ${accepted} of ${rows}: ${JSON.stringify(files)}`);
}
