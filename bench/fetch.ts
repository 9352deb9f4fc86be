import {spawn} from "node:child_process";
import {once} from "node:events";
import {mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync} from "node:fs";
import {createServer, type ServerResponse} from "node:http";
import type {AddressInfo} from "node:net";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {fileURLToPath} from "node:url";
import type {Manifest} from "../schemas/manifest.ts";
import {layer} from "../test/fetch/arcgis-world.ts";
import {ReplayServer} from "../test/fetch/replay-server.ts";
import {writeWorldRegistry} from "../test/fetch/world-registry.ts";
import {machineLine} from "./machine.ts";
import {type Run, runCattle} from "./run-cattle.ts";

/**
 * Memory and time of `cattle fetch`: a layer of generated features, fetched page by page, built and live; and a large file. A
 * local server in its own process plays both publishers and generates every byte on request.
 *
 *   node bench/fetch.ts [features] [gibibytes]      default: 300,000 features and 2 GiB
 *
 * Exits with 1 if a fetch exceeds the memory bound or the county is not live.
 */
const boundMb = 300;
const mostBuilt = 300_000;
const [first, second] = process.argv.slice(2);
if (first === "--world") await play(second!);
else await measure(Number(first ?? 300_000), Number(second ?? 2));

async function measure(features: number, gibibytes: number): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "bench-fetch-"));
  const world = spawn(process.execPath, [fileURLToPath(import.meta.url), "--world", root], {
    env: {...process.env, FEATURES: String(features), LARGE_BYTES: String(gibibytes * 2 ** 30)},
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await once(world.stdout!, "data");
    requireRoom(root, gibibytes * 2 ** 30);
    console.log(machineLine());
    const pull = await cattle(root, ["fetch", "--source", "us-az-cochise"]);
    // Larger builds have their own bench, `bench/parcels-build.ts`.
    const build = features > mostBuilt ? null : await cattle(root, ["build", "--state", "AZ"]);
    const live = build === null ? null : liveCounties(root);
    const file = await cattle(root, ["fetch", "--source", "bench-large"]);
    console.table({
      [`fetch: layer of ${features} features`]: figures(pull),
      ...(build === null
        ? {}
        : {[`build of its state, live: ${live?.join(", ") || "none"}`]: figures(build)}),
      [`fetch: file of ${gibibytes} GiB`]: figures(file),
    });
    const most = Math.max(peakMbOf(pull), peakMbOf(file));
    console.log(`memory of fetch: at most ${most} MB; bound ${boundMb} MB`);
    for (const run of [pull, build, file])
      if (run !== null && run.code !== 0) console.log(run.said.slice(-2000));
    if (most > boundMb || live?.length === 0) process.exitCode = 1;
  } finally {
    world.kill("SIGKILL");
    rmSync(root, {recursive: true, force: true});
  }
}

function figures(run: Run) {
  return {seconds: run.seconds.toFixed(1), "peak MB": peakMbOf(run), "exit code": run.code};
}

function requireRoom(root: string, bytes: number): void {
  const {bavail, bsize} = statfsSync(root);
  if (bavail * bsize < 2 * bytes)
    throw new Error(`${root}: ${bavail * bsize} bytes free; twice the file is wanted`);
}

/** Runs a command on the data folder of this bench. */
function cattle(root: string, words: readonly string[]): Promise<Run> {
  return runCattle(words, {
    CATTLE_DATA: join(root, "data"),
    CATTLE_REGISTRY: join(root, "registry"),
    CATTLE_CONTACT: "nobody@example.org",
  });
}

/** Peak resident memory of the largest process of a command. */
function peakMbOf({own, others}: Run): number {
  return Math.round(Math.max(...[own, ...others].map(({residentKib}) => residentKib)) / 1_000);
}

function liveCounties(root: string): string[] {
  const manifest = JSON.parse(readFileSync(join(root, "data/current/manifest.json"), "utf8")) as Manifest;
  return Object.values(manifest.states).flatMap(({counties}) =>
    counties.filter(({complete}) => complete).map(({county_key}) => county_key),
  );
}

/** Plays the publishers until it is killed. */
async function play(root: string): Promise<void> {
  const server = await ReplayServer.start();
  const rows = Number(process.env["FEATURES"]);
  server.on(
    "/county/FeatureServer/0",
    layer({rows, maxRecordCount: 2000, lastEdit: () => Date.UTC(2026, 10, 1)}),
  );
  const files = createServer((_, reply) => void sendLarge(reply, Number(process.env["LARGE_BYTES"])));
  await new Promise<void>((resolve) => files.listen(0, "127.0.0.1", resolve));
  mkdirSync(join(root, "data"), {recursive: true});
  writeWorldRegistry(join(root, "registry"), server.origin);
  addLargeFile(join(root, "registry/market.json"), (files.address() as AddressInfo).port);
  console.log("ready");
}

function addLargeFile(path: string, port: number): void {
  const sources = JSON.parse(readFileSync(path, "utf8")) as {id: string; feeds?: unknown[]}[];
  const source = sources.find(({id}) => id === "state-agriculture-reference-pages")!;
  source.feeds = [
    {
      ...{
        id: "bench-large",
        feed: "dealers",
        protocol: "http-file",
        url: `http://127.0.0.1:${port}/large.csv`,
      },
      ...{rate: {perSecond: 1, atOnce: 1}, cadence: {everyHours: 20}, verified: false, complete: true},
    },
  ];
  writeFileSync(path, JSON.stringify(sources));
}

async function sendLarge(reply: ServerResponse, bytes: number): Promise<void> {
  const block = Buffer.alloc(1 << 20, "Invented Stock Yard,Nowhere,KS\n");
  reply.writeHead(200, {"content-length": bytes, "content-type": "text/csv", etag: '"large"'});
  for (let sent = 0; sent < bytes && !reply.destroyed; sent += block.length)
    if (!reply.write(block.subarray(0, bytes - sent))) await once(reply, "drain");
  reply.end();
}
