import {mkdirSync, mkdtempSync, rmSync} from "node:fs";
import {cpus, tmpdir} from "node:os";
import {join} from "node:path";
import {openDatabase} from "../lib/duckdb.ts";
import {openStateArtifacts, type StateArtifacts} from "../lib/parcel-artifacts.ts";
import {readSettings} from "../lib/settings.ts";
import type {SourceEntry} from "../lib/source-facts.ts";
import type {Manifest, StatePart} from "../schemas/manifest.ts";
import {answerDirectly} from "../server/direct-answer.ts";
import type {Generation} from "../server/generation.ts";
import {noCadastre} from "../server/parcels/cadastre.ts";
import {createParcelEndpoints} from "../server/parcels/routes.ts";
import {generateParcels} from "./generate-parcels.ts";

/**
 * Parcel lookups on one invented state, from parameters to the bytes of the answer, in microseconds (files in the page cache).
 *
 *   node bench/lookups.ts                1,000,000 rows
 *   node bench/lookups.ts --rows 200000  another number
 */
const settings = readSettings({});
const source: SourceEntry = {
  id: "us-zz-invented",
  name: "Invented land parcels",
  licence: "CC0-1.0",
  owners: {published: true, order: "last_first"},
};
const endpoints = createParcelEndpoints({cadastre: noCadastre, sources: () => source});

await main(process.argv.slice(2));

async function main([word, count]: string[]): Promise<void> {
  const rows = word === "--rows" ? Number(count) : 1_000_000;
  const root = mkdtempSync(join(tmpdir(), "bench-lookups-"));
  try {
    const set = await makeState(root, rows);
    console.log(`${cpus()[0]?.model}, ${rows} parcels; microseconds per answer\n`);
    console.log("question                                  median     p99    hits");
    const generation = generationOf(set);
    for (const [name, path, ask] of questions(set)) await measure(generation, {name, path, ask});
  } finally {
    rmSync(root, {recursive: true, force: true});
  }
}

async function makeState(root: string, rows: number): Promise<StateArtifacts> {
  const folder = join(root, "state=TX");
  mkdirSync(folder);
  const db = await openDatabase({path: join(root, "rows.duckdb"), tempDirectory: join(root, "spill")});
  await generateParcels(db, rows, folder);
  db.close();
  return openStateArtifacts(folder, {
    country: "US",
    coverage: "live",
    rows,
    point_count: rows,
    counties: [],
    sources: [],
    files: [],
  } as unknown as StatePart);
}

function generationOf(set: StateArtifacts): Generation {
  return {
    buildId: "20261121-000000",
    builtAt: "2026-11-21T04:00:00Z",
    asOf: "2026-11-21",
    sample: true,
    manifest: {sources: [], states: {TX: set.part}} as unknown as Manifest,
    market: null,
    states: new Map([["TX", set]]),
  };
}

type Values = Record<string, string>;
type Question = {name: string; path: string; ask: (turn: number) => Values};

/** Questions about rows spread over the state; `turn` chooses the row. */
function questions(set: StateArtifacts): [string, string, (turn: number) => Values][] {
  const {parcels} = set;
  const rowOf = (turn: number) => (turn * 7919 + 13) % parcels.rows;
  const text = (column: string, turn: number) => parcels.string(column).at(rowOf(turn)) ?? "";
  const lineOf = (turn: number) => text("situs_raw", turn);
  const wrong = (line: string) => line.replace(/^(\d+ ...)./, "$1X");
  const place = (turn: number) => ({
    latitude: String(parcels.number("lat").at(rowOf(turn))),
    longitude: String(parcels.number("lon").at(rowOf(turn))),
  });
  const owner = (turn: number) => text("owner_name", turn).split(" &")[0] ?? "";
  const last = (turn: number) => owner(turn).split(" ")[0] ?? "";
  return [
    ["parcel number, exact", "parcel-id-lookup", (turn) => ({parcelId: text("parcel_id", turn)})],
    [
      "parcel number, without zeros",
      "parcel-id-lookup",
      (turn) => ({parcelId: text("parcel_id_loose", turn)}),
    ],
    ["parcel number, none", "parcel-id-lookup", (turn) => ({parcelId: `X${turn}`})],
    ["address, exact line", "address-lookup", (turn) => ({address: lineOf(turn)})],
    ["address, one letter wrong", "address-lookup", (turn) => ({address: wrong(lineOf(turn))})],
    ["location, 10 of 0.25 mile", "location-search", (turn) => ({...place(turn), radius: "0.25"})],
    ["location, 10 of 1 mile", "location-search", place],
    [
      "location, 100 of 2 miles, by use",
      "location-search",
      (turn) => ({...place(turn), radius: "2", limit: "100", use: "agriculture"}),
    ],
    ["owner, last and given name", "owner-search", (turn) => ({owner: owner(turn)})],
    [
      "owner, given name and last name",
      "owner-search",
      (turn) => ({owner: owner(turn).split(" ").reverse().join(" ")}),
    ],
    ["owner, last name alone", "owner-search", (turn) => ({owner: last(turn)})],
    ["owner, last name begun", "owner-search", (turn) => ({owner: last(turn).slice(0, 5)})],
    ["owner, one letter wrong", "owner-search", (turn) => ({owner: `${last(turn).slice(0, -1)}X`})],
    ["owner, common given name alone", "owner-search", () => ({owner: "DALE"})],
    ["owner, roles", "owner-search", (turn) => ({lastName: last(turn), firstName: "D"})],
  ];
}

async function measure(generation: Generation, {name, path, ask}: Question): Promise<void> {
  const endpoint = endpoints.find((each) => each.path.endsWith(path))!;
  const times: number[] = [];
  let hits = 0;
  for (let turn = 0; turn < 400 && times.reduce((a, b) => a + b, 0) < 4_000_000; turn++) {
    const values = ask(turn);
    const started = performance.now();
    const {ok, body} = await answerDirectly(endpoint, values, {generation, settings});
    const took = (performance.now() - started) * 1000;
    if (turn >= 40 || took > 50_000) times.push(took);
    if (ok) hits += hitsOf(body);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(0).padStart(8);
  console.log(
    `${name.padEnd(38)} ${at(0.5)} ${at(0.99)} ${(hits / Math.max(1, times.length)).toFixed(1).padStart(9)}`,
  );
}

function hitsOf(body: string): number {
  const {metadata} = JSON.parse(body) as {metadata: {total?: number}};
  return metadata.total ?? 1;
}
