import {copyFile, mkdir, rm} from "node:fs/promises";
import {dirname, join} from "node:path";
import {openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";
import {blockSumsName, writeBlockSums} from "../../../lib/storage/arrow-file/block-sums.ts";
import {stateServing, tablePath, yearPath} from "../../../lib/storage/build-layout.ts";
import {writeKeyIndex} from "../../../pipeline/parcels/files/write-keys.ts";
import type {Stages} from "../../../pipeline/parts/stages.ts";
import {parcels, testStages} from "./workshop.ts";

/** Two counties of the state that is mutated. */
export const north = "04013";
export const south = "04019";

export const statePath = "parcels/us-az-one/a.csv";
export const marketPath = "market/mars/a.csv";

/** The state's file before any mutation. */
export const whole = parcels(north, 400) + parcels(south, 400);

/** Prices of ten days of August 2026. */
export function market({price, rows = 30}: {price: number; rows?: number}): string {
  return Array.from({length: rows}, (_, i) => `mars,2026-08-${10 + (i % 10)},${price + (i % 5)}\n`).join("");
}

/** So many rows in each week, by the day of 2026 on which it ends. */
function weeks(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([day, rows]) => `mars,2026-${day},250\n`.repeat(rows))
    .join("");
}

/** Rows with further values for the columns acreage, address and use code. */
const withColumns = (columns: string) => whole.replaceAll("\n", `,${columns}\n`);

/** An input that a gate must stop: the gate, what happened to the input, the file, and its new content. */
export type Mutation = readonly [gate: string, what: string, path: string, text: string];

export const mutatedInputs: readonly Mutation[] = [
  ["county-rows", "a county that lost a fifth", statePath, parcels(north, 400) + parcels(south, 320)],
  ["county-rows", "a county that emptied", statePath, parcels(north, 800)],
  ["county-growth", "a county that doubled", statePath, parcels(north, 400) + parcels(south, 800)],
  ["rows", "a state that lost a thirtieth", statePath, parcels(north, 385) + parcels(south, 385)],
  ["null-share", "owners that are gone", statePath, whole.replaceAll(/OWNER \d+/g, "")],
  ["null-share", "acreages that are gone", statePath, withColumns(",1 MAIN ST,A")],
  ["null-share", "addresses that are gone", statePath, withColumns("1.5,,A")],
  ["null-share", "use codes that are gone", statePath, withColumns("1.5,1 MAIN ST,")],
  ["unmapped-use", "use codes that no table knows", statePath, whole.replaceAll("agriculture", "")],
  ["land-use-values", "a category of its own", statePath, whole.replace("agriculture", "farming")],
  ["outside-county", "points in another place", statePath, whole.replaceAll(/-111\.\d\d?,/g, "0,")],
  ["duplicates", "keys that come twice", statePath, whole + parcels(north, 1)],
  ["prices-positive", "a price of nothing", marketPath, `${market({price: 250})}mars,2026-08-20,0\n`],
  ["price-drift", "prices that doubled", marketPath, market({price: 500})],
  [
    "sources-registered",
    "rows of an unknown source",
    marketPath,
    `${market({price: 250})}ghost,2026-08-20,250\n`,
  ],
  [
    "recent-rows",
    "a week with a third of its rows",
    marketPath,
    weeks({"07-22": 600, "07-29": 600, "08-05": 600, "08-12": 600, "08-20": 200}),
  ],
];

/** A faulty program that a gate must stop: the gate, the fault, the part that it spoils, and its stages. */
export type SpoiltProgram = readonly [gate: string, what: string, part: string, stages: Stages];

export const spoiltPrograms: readonly SpoiltProgram[] = [
  [
    "sources-registered",
    "rows of a source without a licence",
    "AZ",
    {...testStages, entries: testStages.entries.map((entry) => ({...entry, licence: ""}))},
  ],
  [
    "test-vectors",
    "a test vector that does not come out",
    "MARKET",
    {...testStages, failedVectors: async () => ["V1"]},
  ],
  [
    "read-back",
    "a row more in the report than in the file",
    "AZ",
    afterState(async (made) => ({...made, rows: made.rows + 1})),
  ],
  ["golden-lookups", "an index that lacks the rows", "AZ", afterState(withoutIndex)],
  [
    "read-back",
    "a price more in the report than in the file",
    "MARKET",
    afterMarket(async (made) => ({...made, rows: {price_rows: made.rows["price_rows"]! + 1}})),
  ],
  ["duplicates", "price rows that come twice", "MARKET", afterMarket(withRowsTwice)],
  ["aggregates-complete", "a price without head and date", "MARKET", afterMarket(withBarePrice)],
];

type Made<Stage extends "buildState" | "buildMarket"> = Awaited<ReturnType<Stages[Stage]>>;

function afterState(spoil: (made: Made<"buildState">, dir: string) => Promise<Made<"buildState">>): Stages {
  const {buildState} = testStages;
  return {...testStages, buildState: async (input) => spoil(await buildState(input), input.outDir)};
}

function afterMarket(
  spoil: (made: Made<"buildMarket">, dir: string) => Promise<Made<"buildMarket">>,
): Stages {
  const {buildMarket} = testStages;
  return {...testStages, buildMarket: async (input) => spoil(await buildMarket(input), input.outDir)};
}

async function withoutIndex(made: Made<"buildState">, dir: string): Promise<Made<"buildState">> {
  const folder = join(dir, stateServing("AZ"));
  const path = join(folder, "parcel_ids.arrow");
  await rm(path);
  await rm(join(folder, blockSumsName));
  const db = await openDatabase({threads: 1});
  await writeKeyIndex(db, {query: "SELECT 'NONE' AS key, 0 AS row_no, 1 AS form", path});
  db.close();
  await writeBlockSums(folder);
  return made;
}

async function withRowsTwice(made: Made<"buildMarket">, dir: string): Promise<Made<"buildMarket">> {
  const to = join(dir, yearPath("price_rows", 2025));
  await mkdir(dirname(to));
  await copyFile(join(dir, yearPath("price_rows", 2026)), to);
  return {...made, rows: {price_rows: made.rows["price_rows"]! * 2}};
}

async function withBarePrice(made: Made<"buildMarket">, dir: string): Promise<Made<"buildMarket">> {
  const db = await openDatabase({threads: 1});
  await db.run(`COPY (SELECT '04013' AS county_fips, 'steers' AS cell_id, 250.0 AS price_avg, NULL::INTEGER AS head_count,
      NULL::INTEGER AS contributing_head, NULL::DATE AS last_sale_date)
    TO ${sqlText(join(dir, tablePath("county_prices")))} (FORMAT parquet)`);
  db.close();
  return {...made, rows: {...made.rows, county_prices: 1}};
}
