import {existsSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
import {benchKey} from "./http/benched-app.ts";
import {type ServerProcess, startServerProcess} from "./http/child.ts";
import {compareServers, type Pace, type Target, targetOf} from "./http/load.ts";
import {startPostgis} from "./http/peers/load-postgis.ts";
import {loadSqlite} from "./http/peers/load-sqlite.ts";
import {machineLine} from "./machine.ts";
import {questionKinds} from "./parcels/questions.ts";
import {benchState, openBenchState} from "./parcels/state.ts";

/**
 * Parcel lookups through HTTP, in one run on the same rows: this server; the same application answering a constant of the same bytes;
 * plain Express answering it by `res.json`; and Express over PostGIS, SQLite and DuckDB, which answer the same records from a column of
 * JSON documents, with an envelope like ours (`bench/http/peers/peer.ts`).
 *
 *   node bench/http-lookups.ts [rows] [seconds]      1,000,000 rows and turns of 3 seconds unless said otherwise
 *
 * The files made for a size are kept and used again. A peer that is not installed is named as not measured.
 */
const rows = Number(process.argv[2] ?? 1_000_000);
const seconds = Number(process.argv[3] ?? 3);
const rounds = 3;
const questionsOfKind = 400;
const measured = [
  "parcel number, exact",
  "address, exact line",
  "location, 10 of 0.25 mile",
  "owner, last and given name",
];

const folder = await benchState(rows);
const set = openBenchState(folder, rows);
const root = dirname(folder);
const running: {stop(): Promise<void> | void}[] = [];
try {
  await main();
} finally {
  for (const server of running.reverse()) await server.stop();
}

async function main(): Promise<void> {
  const ours = await start("parcels-server", [String(rows)]);
  const peers = await startPeers();
  console.log(`${machineLine()}; ${rows} rows, ${measured.length} kinds of ${questionsOfKind} questions`);
  const paces = new Map<string, Map<string, Pace>>();
  for (const name of measured) paces.set(name, await compareKind(name, ours, peers));
  console.log("\nanswers per second (ours against it)");
  console.table(tableOf(paces, ({rate}) => rate));
  console.log(
    "\nprocessor microseconds of an answer (ours against it); the program that asks takes a core and bounds the rates above",
  );
  console.table(tableOf(paces, ({cpuMicros}) => cpuMicros));
}

function tableOf(paces: ReadonlyMap<string, ReadonlyMap<string, Pace>>, figure: (pace: Pace) => number) {
  return Object.fromEntries([...paces].map(([kind, servers]) => [kind, lineOf(servers, figure)]));
}

function lineOf(servers: ReadonlyMap<string, Pace>, figure: (pace: Pace) => number) {
  const own = figure(servers.get("ours")!);
  return Object.fromEntries(
    [...servers].map(([name, pace]) => {
      const value = figure(pace);
      return [
        name,
        name === "ours" ? value.toFixed(0) : `${value.toFixed(0)} (${(own / value).toFixed(2)}x)`,
      ];
    }),
  );
}

async function compareKind(
  name: string,
  ours: ServerProcess,
  peers: readonly Target[],
): Promise<Map<string, Pace>> {
  const paths = await fittingPaths(name, ours);
  const headers = {"X-API-Key": benchKey};
  const file = join(root, "constant.json");
  writeFileSync(file, await (await get(ours, paths[paths.length >> 1]!)).text());
  const same = await start("constant-app-server", [String(rows), file]);
  const plain = await start("constant-server", [file]);
  const targets: Target[] = [
    targetOf("ours", ours, headers),
    targetOf("same app, constant", same, headers),
    targetOf("plain Express, constant", plain, headers),
    ...peers,
  ];
  const paces = await compareServers(targets, paths, {seconds, rounds});
  for (const server of [same, plain]) await server.stop();
  return paces;
}

/** Paths of questions of a kind whose hits lie within its bounds. */
async function fittingPaths(name: string, ours: ServerProcess): Promise<string[]> {
  const kind = questionKinds(set).find((each) => each.name === name)!;
  const [least, most] = kind.hits;
  const paths: string[] = [];
  for (let turn = 0; paths.length < questionsOfKind; turn++) {
    const {path, values} = kind.ask(turn);
    const url = `/public/land-agent/property/${path}?${new URLSearchParams(values)}`;
    const reply = await get(ours, url);
    const {metadata} = (await reply.json()) as {metadata?: {total?: number}};
    const hits = reply.ok ? (metadata?.total ?? 1) : 0;
    if (hits >= least && hits <= most) paths.push(url);
  }
  return paths;
}

function get(server: ServerProcess, path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${server.port}${path}`, {headers: {"X-API-Key": benchKey}});
}

async function startPeers(): Promise<Target[]> {
  const parquet = join(folder, "rows.parquet");
  const targets: Target[] = [];
  const postgres = await startPostgis(parquet, join(root, "postgres"));
  if (postgres === null) console.log("Express + PostGIS: not measured, not installed");
  else {
    running.push(postgres);
    const postgis = await peer("Express + PostGIS", "postgis-server", [postgres.folder, parquet]);
    targets.push({...postgis, processes: () => [...postgis.processes(), ...postgres.processes()]});
  }
  const sqlite = join(root, "rows.sqlite");
  if (!existsSync(sqlite)) await loadSqlite(parquet, sqlite);
  targets.push(await peer("Express + SQLite", "sqlite-server", [sqlite, parquet]));
  targets.push(await peer("Express + DuckDB", "duckdb-server", [parquet]));
  return targets;
}

async function peer(name: string, script: string, words: readonly string[]): Promise<Target> {
  return targetOf(name, await start(`peers/${script}`, words), {});
}

async function start(script: string, words: readonly string[]): Promise<ServerProcess> {
  const server = await startServerProcess(
    fileURLToPath(new URL(`http/${script}.ts`, import.meta.url)),
    words,
  );
  running.push(server);
  return server;
}
