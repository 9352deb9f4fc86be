import {mkdirSync, mkdtempSync, rmSync, statSync} from "node:fs";
import {cpus, tmpdir} from "node:os";
import {join} from "node:path";
import {openDatabase, sqlText} from "../lib/duckdb.ts";
import {listRawFiles} from "../lib/raw-files.ts";
import {buildMarket} from "../pipeline/market/build-market.ts";
import type {Venue} from "../schemas/venue.ts";

/**
 * The market part of a build on generated price rows, beside what DuckDB alone needs to read and group the same file.
 *
 *   node bench/market-build.ts [rows]      1,000,000 rows unless said otherwise
 *
 * Each figure is the best of three, with the file in the page cache: noise of a shared machine only ever adds.
 */
const ROWS = Number(process.argv[2] ?? 1_000_000);
const VENUES = 200;
const AS_OF = "2026-11-21";
const RUNS = 3;

const folder = mkdtempSync(join(tmpdir(), "bench-market-"));
try {
  await main();
} finally {
  rmSync(folder, {recursive: true, force: true});
}

async function main(): Promise<void> {
  console.log(
    `${new Date().toISOString().slice(0, 10)}, ${cpus()[0]?.model.trim()}, ${cpus().length} CPUs, Node ${process.versions.node}`,
  );
  const formats = ["csv", "csv.gz", "parquet"] as const;
  const table: Record<string, Record<string, number | string>> = {};
  for (const format of formats) {
    const path = await generate(format);
    const alone = await best(() => readAndGroup(path, format));
    const build = await best(() => buildOnce(format));
    table[format] = {
      rows: ROWS,
      "file MB": Math.round(statSync(path).size / 1e6),
      "DuckDB read+group s": seconds(alone),
      "market build s": seconds(build),
      ratio: (build / alone).toFixed(1),
    };
  }
  console.table(table);
}

async function best(run: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  return Math.min(...times);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2);
}

/** Rows of weekly sales at invented barns, in the columns of the market-news service. */
async function generate(format: string): Promise<string> {
  const dir = join(folder, format, "market", "mars");
  mkdirSync(dir, {recursive: true});
  const path = join(dir, `rows.${format}`);
  const db = await openDatabase();
  const perSale = Math.ceil(ROWS / (VENUES * 52));
  await db.run(`CREATE TEMP TABLE made AS
    SELECT strftime(DATE '${AS_OF}' - (7 * (sale % 52) + venue % 7)::INTEGER, '%m/%d/%Y') AS report_date,
      'Bench Livestock ' || venue || ' - Town ' || venue || ', KS' AS report_title, (90000 + venue)::VARCHAR AS slug_id,
      'Final' AS final_ind, 'Auction Livestock' AS market_type, 'Feeder Cattle' AS commodity,
      (['Steers', 'Heifers', 'Bulls'])[1 + lot % 3] AS class, 'Medium and Large' AS frame, (['1', '1-2', '2'])[1 + lot // 3 % 3] AS muscle_grade,
      CASE WHEN lot % 11 = 0 THEN 'Fleshy' END AS lot_desc, 'Per Cwt' AS price_unit,
      300 + 50 * (lot // 9 % 12) AS weight_break_low, 350 + 50 * (lot // 9 % 12) AS weight_break_high,
      300 + 50 * (lot // 9 % 12) + lot % 50 AS avg_weight, 300 + 50 * (lot // 9 % 12) AS avg_weight_min, 349 + 50 * (lot // 9 % 12) AS avg_weight_max,
      1 + (lot * 7 + venue) % 60 AS head_count, 250 + (lot * 13 + venue) % 100 + sale % 9 + 0.25 AS avg_price,
      250 + (lot * 13 + venue) % 100 + sale % 9 AS avg_price_min, 251 + (lot * 13 + venue) % 100 + sale % 9 AS avg_price_max, 5000 AS receipts
    FROM range(${VENUES}) v(venue), range(52) s(sale), range(${perSale}) l(lot) LIMIT ${ROWS}`);
  await db.run(
    `COPY made TO ${sqlText(path)} (${format === "parquet" ? "FORMAT parquet" : `FORMAT csv${format.endsWith("gz") ? ", COMPRESSION gzip" : ""}`})`,
  );
  db.close();
  return path;
}

async function readAndGroup(path: string, format: string): Promise<void> {
  const db = await openDatabase();
  const read = format === "parquet" ? "read_parquet" : "read_csv";
  await db.rows(`SELECT slug_id, class, frame, muscle_grade, weight_break_low, count(*) AS sales, sum(head_count) AS head,
    sum(head_count * avg_weight * avg_price) / sum(head_count * avg_weight) AS price
    FROM ${read}(${sqlText(path)}) GROUP BY ALL ORDER BY ALL`);
  db.close();
}

async function buildOnce(format: string): Promise<void> {
  const outDir = join(folder, "out");
  rmSync(outDir, {recursive: true, force: true});
  const {files} = await buildMarket({
    files: await listRawFiles(join(folder, format)),
    outDir,
    asOf: AS_OF,
    previousMarketDir: null,
    sample: false,
    tempDir: join(folder, "temp"),
    venues: Array.from({length: VENUES}, (_, number) => inventedVenue(number)),
  });
  const accepted = files.reduce((sum, file) => sum + file.accepted, 0);
  if (accepted < ROWS * 0.99) throw new Error(`accepted ${accepted} of ${ROWS}: ${JSON.stringify(files)}`);
}

function inventedVenue(number: number): Venue {
  return {
    venueId: `ks-bench-${number}`,
    name: `Bench Livestock ${number}`,
    aliases: [],
    venueType: "auction",
    city: `Town ${number}`,
    state: "KS",
    zip: null,
    streetAddress: null,
    phone: null,
    website: null,
    countyFips: null,
    lat: 37.1 + (number % 20) * 0.14,
    lon: -101.9 + Math.floor(number / 20) * 0.7,
    locationBasis: "yard",
    locationAccuracyM: 100,
    reportSlugs: [`ams-${90_000 + number}`],
    schedule: null,
    statements: [],
    facts: [{fields: ["name"], source: "ams-lmr-datamart", publisher: "bench", date: AS_OF}],
  };
}
