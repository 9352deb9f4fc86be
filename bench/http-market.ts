import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {fileURLToPath} from "node:url";
import {marketServing} from "../lib/storage/build-layout.ts";
import {buildMarket} from "../pipeline/market/build-market.ts";
import {listRawFiles} from "../pipeline/raw/raw-files.ts";
import {benchKey} from "./http/benched-app.ts";
import {type ServerProcess, startServerProcess} from "./http/child.ts";
import {compareServers, targetOf} from "./http/load.ts";
import {machineLine} from "./machine.ts";
import {madeRows, writeRows} from "./market/rows.ts";
import {inventedVenue} from "./market/venues.ts";

/**
 * `/price-by-county?zip=…` over HTTP against Express answering a constant of the same size with `res.json`, in one run: answers
 * per second over 16 keep-alive connections, for full answers of 50 records and short ones of 5.
 *
 *   node bench/http-market.ts [rows] [years]      default: 200,000 price rows of one year at 200 invented barns
 */
const rows = Number(process.argv[2] ?? 200_000);
const years = Number(process.argv[3] ?? 1);
const venues = 200;
const asOf = "2026-11-21";
const zips = 500;

const root = mkdtempSync(join(tmpdir(), "bench-http-market-"));
try {
  await main();
} finally {
  rmSync(root, {recursive: true, force: true});
}

async function main(): Promise<void> {
  const market = await makeMarket();
  const ours = await startServerProcess(script("market-server"), [market, asOf]);
  try {
    console.log(`${machineLine()}; ${rows} price rows of ${years} year(s)`);
    console.table([await compare(ours, 5), await compare(ours, 50)]);
  } finally {
    await ours.stop();
  }
}

/** Builds the market from generated rows, with ZIPs on a grid over the barns' state, and returns the folder of its files. */
async function makeMarket(): Promise<string> {
  const raw = join(root, "raw");
  await writeRows(madeRows({rows, venues, asOf, years}), raw, "parquet");
  const geo = join(raw, "parquet", "market", "geo");
  mkdirSync(geo, {recursive: true});
  writeFileSync(join(geo, "zcta.csv"), ["zcta,latitude,longitude", ...zipLines()].join("\n"));
  const outDir = join(root, "build");
  await buildMarket({
    files: await listRawFiles(join(raw, "parquet")),
    outDir,
    asOf,
    previousDir: null,
    sample: true,
    tempDir: join(root, "temp"),
    venues: Array.from({length: venues}, (_, number) => inventedVenue(number, asOf)),
  });
  return join(outDir, marketServing);
}

function zipOf(number: number): string {
  return String(66_000 + number);
}

function zipLines(): string[] {
  return Array.from(
    {length: zips},
    (_, i) =>
      `${zipOf(i)},${(37.2 + (i % 25) * 0.1).toFixed(3)},${(-101.8 + Math.floor(i / 25) * 0.34).toFixed(3)}`,
  );
}

async function compare(ours: ServerProcess, limit: number): Promise<Record<string, string | number>> {
  const paths = Array.from({length: zips}, (_, i) => `/price-by-county?zip=${zipOf(i)}&limit=${limit}`);
  const headers = {"X-API-Key": benchKey};
  const sample = await fetch(`http://127.0.0.1:${ours.port}${paths[zips >> 1]}`, {headers});
  const body = await sample.text();
  const file = join(root, `constant-${limit}.json`);
  writeFileSync(file, body);
  const constant = await startServerProcess(script("constant-server"), [file]);
  try {
    const paces = await compareServers(
      [targetOf("ours", ours, headers), targetOf("constant", constant, headers)],
      paths,
      {seconds: 4, rounds: 3},
    );
    const [mine, theirs] = [paces.get("ours")!, paces.get("constant")!];
    return {
      records: limit,
      "bytes of an answer": Buffer.byteLength(body),
      "ours, answers/s": Math.round(mine.rate),
      "constant by res.json, answers/s": Math.round(theirs.rate),
      "constant / ours": (theirs.rate / mine.rate).toFixed(2),
      "CPU of ours / constant": (mine.cpuMicros / theirs.cpuMicros).toFixed(2),
    };
  } finally {
    await constant.stop();
  }
}

function script(name: string): string {
  return fileURLToPath(new URL(`http/${name}.ts`, import.meta.url));
}
