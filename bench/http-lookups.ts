import {existsSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
import {type ServerProcess, startServerProcess} from "./http/child.ts";
import {fittingPaths, get, headers, measuredKinds, questionsOfKind} from "./http/fitting-paths.ts";
import {compareServers, type Pace, type Target, targetOf} from "./http/load.ts";
import {startPostgis} from "./http/peers/load-postgis.ts";
import {loadSqlite} from "./http/peers/load-sqlite.ts";
import {machineLine} from "./machine.ts";
import {benchState, openBenchState} from "./parcels/state.ts";

/**
 * Parcel lookups over HTTP on the same rows in one run: by this server, and by SQLite, PostGIS and DuckDB, which store the
 * records as JSON documents. Each peer runs twice: inside the same application in place of our lookups (key, limits, strict
 * parameters, problem documents, metrics, and the same code that builds the answers, `bench/http/peers/peer-endpoints.ts`), and
 * bare, in plain Express (`bench/http/peers/peer.ts`). A constant answer of the same size runs both ways too, as the limit for
 * an engine that takes no time.
 *
 *   node bench/http-lookups.ts [rows] [seconds]      default: 1,000,000 rows and turns of 3 seconds
 *
 * Generated files are kept and reused. A peer that is not installed is reported as not measured.
 */
const rows = Number(process.argv[2] ?? 1_000_000);
const seconds = Number(process.argv[3] ?? 3);
const rounds = 3;
/** Goals: our answers per answer of a peer in the same application, in the order of the kinds. */
const goals: Readonly<Record<string, readonly number[]>> = {
  PostGIS: [2, 100, 3.5, 20],
  SQLite: [1.2, 0.8, 2.5, 2.5],
};
const ours = "ours";
const inApp = (engine: string) => `${engine} in the application`;
const bare = (engine: string) => `${engine} bare`;

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
  const server = await start("parcels-server", [String(rows)]);
  const peers = await startPeers();
  console.log(
    `${machineLine()}; ${rows} rows, ${measuredKinds.length} kinds of ${questionsOfKind} questions`,
  );
  const lines: object[] = [];
  for (const name of measuredKinds) lines.push(...linesOf(name, await compareKind(name, server, peers)));
  console.log(
    "\nanswers per second, and microseconds of the processor for one in all processes of the server; bare: Express alone",
  );
  console.table(lines);
}

/** One line per engine: its figures in the application, our speed relative to it, and its bare figures. */
function linesOf(name: string, paces: ReadonlyMap<string, Pace>): object[] {
  const own = paces.get(ours)!;
  const engines = ["a constant", "PostGIS", "SQLite", "DuckDB"].filter((engine) => paces.has(bare(engine)));
  const others = engines.map((engine) => {
    const [pace, alone] = [paces.get(inApp(engine))!, paces.get(bare(engine))!];
    const goal = goals[engine]?.[measuredKinds.indexOf(name)];
    return {
      question: name,
      engine,
      ...figuresOf(pace),
      "ours / it": figure(own.rate / pace.rate, 2),
      goal: goal === undefined ? "" : `${goal} ${own.rate >= goal * pace.rate ? "met" : "missed"}`,
      "its CPU / ours": figure(pace.cpuMicros / own.cpuMicros, 2),
      "bare answers/s": figure(alone.rate),
      "bare CPU µs": figure(alone.cpuMicros),
      "ours / bare": figure(own.rate / alone.rate, 2),
    };
  });
  return [{question: name, engine: ours, ...figuresOf(own)}, ...others];
}

function figuresOf({rate, cpuMicros}: Pace) {
  return {"answers/s": figure(rate), "CPU µs": figure(cpuMicros)};
}

/** Empty for a server that gave no answer within its turn. */
function figure(value: number, digits = 0): string {
  return Number.isFinite(value) ? value.toFixed(digits) : "";
}

async function compareKind(
  name: string,
  server: ServerProcess,
  peers: readonly Target[],
): Promise<Map<string, Pace>> {
  const paths = await fittingPaths(set, name, server);
  const file = join(root, "constant.json");
  const answered = await (await get(server, paths[paths.length >> 1]!)).text();
  writeFileSync(file, answered);
  const same = await start("constant-app-server", [String(rows), file]);
  const plain = await start("constant-server", [file]);
  for (const peer of peers) await checkSame(peer, paths[paths.length >> 1]!, firstUid(answered));
  const targets: Target[] = [
    targetOf(ours, server, headers),
    targetOf(inApp("a constant"), same, headers),
    targetOf(bare("a constant"), plain, headers),
    ...peers,
  ];
  const paces = await compareServers(targets, paths, {seconds, rounds});
  for (const each of [same, plain]) await each.stop();
  return paces;
}

/** Throws if a peer returns another parcel than ours: a fast wrong answer must not win. */
async function checkSame({name, port}: Target, path: string, uid: string | undefined): Promise<void> {
  const text = await (await get({port}, path)).text();
  if (firstUid(text) !== uid) throw new Error(`${name}: ${path} gives ${firstUid(text)} and not ${uid}`);
}

function firstUid(answer: string): string | undefined {
  return /"parcelUid":"([^"]*)"/.exec(answer)?.[1];
}

async function startPeers(): Promise<Target[]> {
  const parquet = join(folder, "rows.parquet");
  const targets: Target[] = [];
  const postgres = await startPostgis(parquet, join(root, "postgres"));
  if (postgres === null) console.log("PostGIS: not measured, not installed");
  else {
    running.push(postgres);
    for (const postgis of await peer("PostGIS", "postgis-server", postgres.folder)) {
      targets.push({...postgis, processes: () => [...postgis.processes(), ...postgres.processes()]});
    }
  }
  const sqlite = join(root, "rows.sqlite");
  if (!existsSync(sqlite)) await loadSqlite(parquet, sqlite);
  targets.push(...(await peer("SQLite", "sqlite-server", sqlite)));
  targets.push(...(await peer("DuckDB", "duckdb-server", parquet)));
  return targets;
}

/** A peer in the application, and bare. */
async function peer(engine: string, script: string, source: string): Promise<Target[]> {
  const startAs = (way: string) => start(`peers/${script}`, [source, folder, String(rows), way]);
  return [
    targetOf(inApp(engine), await startAs("app"), headers),
    targetOf(bare(engine), await startAs("bare"), {}),
  ];
}

async function start(script: string, words: readonly string[]): Promise<ServerProcess> {
  const server = await startServerProcess(
    fileURLToPath(new URL(`http/${script}.ts`, import.meta.url)),
    words,
  );
  running.push(server);
  return server;
}
