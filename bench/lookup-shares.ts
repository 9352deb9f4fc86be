import {once} from "node:events";
import {createServer} from "node:http";
import {type Profiler, Session} from "node:inspector/promises";
import type {AddressInfo} from "node:net";
import {relative} from "node:path";
import {fileURLToPath} from "node:url";
import autocannon from "autocannon";
import {packageRoot} from "../lib/paths.ts";
import {benchedApp} from "./http/benched-app.ts";
import {fittingPaths, headers, measuredKinds} from "./http/fitting-paths.ts";
import {machineLine} from "./machine.ts";
import {benchEndpoints, benchGeneration, benchState, openBenchState} from "./parcels/state.ts";

/**
 * Where the time of a parcel lookup over HTTP goes: one server, one kind of question after another, and every 100 µs a sample of what it runs.
 * A sample counts for the innermost file of ours that is on its stack: what that file calls is its work. Without such a file it is
 * Express's, or Node's own (sockets, HTTP, collection of garbage).
 *
 *   node bench/lookup-shares.ts [rows] [seconds]      default: 1,000,000 rows and 5 seconds for each kind
 */
const rows = Number(process.argv[2] ?? 1_000_000);
const seconds = Number(process.argv[3] ?? 5);
const warmUpSeconds = 3;
/** Smaller shares of files are not printed. */
const leastShare = 0.015;

const set = openBenchState(await benchState(rows), rows);
const app = benchedApp(benchEndpoints, benchGeneration(set));
const server = createServer({...app.classes}, app).listen(0, "127.0.0.1");
await once(server, "listening");
const {port} = server.address() as AddressInfo;
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.setSamplingInterval", {interval: 100});
console.log(`${machineLine()}; ${rows} rows`);
for (const kind of measuredKinds) {
  const paths = await fittingPaths(set, kind, {port});
  await answersTo(paths, warmUpSeconds);
  const before = performance.eventLoopUtilization();
  await session.post("Profiler.start");
  const answers = await answersTo(paths, seconds);
  const {profile} = await session.post("Profiler.stop");
  const micros = (performance.eventLoopUtilization(before).active * 1_000) / answers;
  const samples = ownersOf(profile);
  console.log(`\n${kind}: ${(answers / seconds).toFixed(0)} answers a second, ${micros.toFixed(0)} µs each`);
  printShares(samples.map(roomOf), micros);
  printShares(samples, micros);
}
session.disconnect();
server.close();
server.closeAllConnections();

/** How many answers came; the asker has its own thread. Throws if any is not a 200. */
async function answersTo(paths: readonly string[], duration: number): Promise<number> {
  const requests = paths.map((path) => ({method: "GET" as const, path, headers}));
  const {
    errors,
    non2xx,
    "2xx": answers,
  } = await autocannon({url: `http://127.0.0.1:${port}`, connections: 16, workers: 1, duration, requests});
  if (errors + non2xx > 0)
    throw new Error(`${non2xx} refusals and ${errors} errors beside ${answers} answers`);
  return answers;
}

/** For each sample but the idle ones, the file of ours whose work it is, or the library. */
function ownersOf({nodes, samples = []}: Profiler.Profile): string[] {
  const parents = new Map(
    nodes.flatMap(({id, children = []}) => children.map((child) => [child, id] as const)),
  );
  const frames = new Map(nodes.map(({id, callFrame}) => [id, callFrame]));
  const ownerOf = (id: number): string => {
    const {url, functionName} = frames.get(id)!;
    if (functionName === "(idle)" || functionName === "(garbage collector)") return functionName;
    const parent = parents.get(id);
    return fileOf(url) ?? (parent === undefined ? "Node" : ownerOf(parent));
  };
  return samples.map(ownerOf).filter((owner) => owner !== "(idle)");
}

function fileOf(url: string): string | undefined {
  if (!url.startsWith("file:")) return undefined;
  const path = relative(packageRoot, fileURLToPath(url));
  return /node_modules\/((?!@open-cattle)(?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path;
}

function roomOf(file: string): string {
  return file.split("/").slice(0, 2).join("/");
}

function printShares(owners: readonly string[], micros: number): void {
  const shares = [...Map.groupBy(owners, (owner) => owner)]
    .map(([name, own]) => [name, own.length / owners.length] as const)
    .filter(([, share]) => share >= leastShare)
    .sort(([, a], [, b]) => b - a);
  console.table(
    Object.fromEntries(
      shares.map(([name, share]) => [
        name,
        {"share %": Number((100 * share).toFixed(1)), "µs an answer": Number((share * micros).toFixed(1))},
      ]),
    ),
  );
}
