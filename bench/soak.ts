import {fork} from "node:child_process";
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {parseArgs} from "node:util";
import {keyDigest, newKey} from "../lib/keys/api-keys.ts";
import {type DataFolder, dataFolder} from "../lib/storage/data-folder.ts";
import {rollback} from "../pipeline/publish/publish.ts";
import {writeSample} from "../pipeline/sample/write-sample.ts";
import {Scope} from "../schemas/api-key.ts";
import type {RawMeta} from "../schemas/raw-meta.ts";
import {childProcesses} from "../test/child-processes.ts";
import {startChild} from "../test/crash/children.ts";
import {brazos} from "../test/server/cadastre/county-fixture.ts";
import {startFakeArcgis} from "../test/server/cadastre/fake-arcgis.ts";
import {machineLine} from "./machine.ts";
import {askKnown, mixedLoad, type Soaked} from "./soak/load.ts";

/**
 * The whole server under mixed load for hours: all endpoints, misses with a county on loopback, `/files/`, `/mcp` and the page, while builds
 * swap and every third swap is a rollback. Prints memory, descriptors and mappings over time, what was lost or mixed, and answers by
 * status, also when it is stopped by SIGINT or SIGTERM; ends with 1 if anything was lost, mixed or unlike its kind.
 *
 *   node bench/soak.ts --minutes 120 --rate 30 --swap 3
 */
const {values: given} = parseArgs({
  options: {
    minutes: {type: "string", default: "120"},
    rate: {type: "string", default: "30"},
    swap: {type: "string", default: "3"},
  },
});
const [minutes, rate, swapMinutes] = [given.minutes, given.rate, given.swap].map(Number) as [
  number,
  number,
  number,
];
const mostAtOnce = 64;
const root = mkdtempSync(join(tmpdir(), "cattle-soak-"));
const raw = join(root, "sample");
const asOf = new Date().toISOString().slice(0, 10);
const data = dataFolder(join(root, "data"));
const county = await startFakeArcgis();
// A parcel for every number that begins with M.
county.misbehave = (_response, {form}) => {
  const [, id] = /'(M[^']*)'/.exec(form.get("where") ?? "") ?? [];
  const attributes = {APN: id, SITUS: "9 ELM ST", OBJECTID: 1, ACRES: 2.5};
  county.rows = id === undefined ? [] : [{attributes, west: brazos.lon, south: brazos.lat}];
  return false;
};
const values = new Map<string, number>();
const counts = {builds: 0, rollbacks: 0, heldBack: [] as string[]};
try {
  process.exitCode = await soak();
} finally {
  await county.close();
  rmSync(root, {recursive: true, force: true});
}

async function soak(): Promise<number> {
  console.log(
    `${machineLine()}; ${minutes} minutes, ${rate} requests a second, a swap every ${swapMinutes} minutes`,
  );
  mkdirSync(data.root, {recursive: true});
  const key = storeKey(data);
  await writeSample(raw, asOf);
  unmarkSample();
  await buildOnce();
  const server = startChild("../../bench/soak/server.ts", [data.root, county.url]);
  server.process.stderr?.pipe(process.stderr);
  server.process.stdout?.pipe(process.stdout);
  const findings = {statuses: new Map(), acknowledged: [], lost: [], mixed: [], wrong: []};
  const soaked: Soaked = {port: await server.ready, key, findings, values};
  let over = false;
  const lanes = [
    loadOn(soaked, () => over),
    swapOn(() => over),
    watchOn(soaked, server.process.pid!, () => over),
  ];
  const stopped = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stopped.resolve());
  const started = performance.now();
  await Promise.race([sleep(minutes * 60_000, undefined, {ref: false}), stopped.promise]);
  over = true;
  console.log(`loaded for ${((performance.now() - started) / 60_000).toFixed(0)} minutes`);
  await Promise.all(lanes);
  for (const id of findings.acknowledged) await askKnown(soaked, id);
  printFindings(soaked);
  server.process.kill("SIGTERM");
  await server.ended;
  console.log(`exit of the server: ${server.process.exitCode}`);
  return findings.lost.length + findings.mixed.length + findings.wrong.length === 0 ? 0 : 1;
}

/** A build of the sample asks no county; of the same rows without their mark it does. */
function unmarkSample(): void {
  for (const name of readdirSync(raw, {recursive: true, encoding: "utf8"})) {
    if (!name.endsWith(".meta.json")) continue;
    const {sample: _, ...meta} = JSON.parse(readFileSync(join(raw, name), "utf8")) as RawMeta;
    writeFileSync(join(raw, name), JSON.stringify(meta));
  }
}

function storeKey({root: folder}: DataFolder): string {
  const key = newKey();
  const record = {id: "soak", sha256: keyDigest(key), scopes: Scope.options, label: ""};
  const times = {notBefore: "2020-01-01T00:00:00Z", notAfter: null};
  writeFileSync(join(folder, "keys.json"), JSON.stringify([{...record, ...times}]));
  return key;
}

/** Requests at the rate, each at its time; none is begun while `mostAtOnce` are open. */
async function loadOn(soaked: Soaked, isOver: () => boolean): Promise<void> {
  const next = mixedLoad(soaked);
  const open = new Set<Promise<void>>();
  const started = performance.now();
  for (let sent = 0; !isOver(); sent++) {
    await sleep(Math.max(0, started + (sent * 1_000) / rate - performance.now()));
    if (open.size >= mostAtOnce) await Promise.race(open);
    const one = next().finally(() => open.delete(one));
    open.add(one);
  }
  await Promise.all(open);
}

/** Swaps: two builds with other values, then back to the one before, and so on. */
async function swapOn(isOver: () => boolean): Promise<void> {
  for (let swap = 1; !isOver(); swap++) {
    for (let second = 0; second < swapMinutes * 60 && !isOver(); second++) await sleep(1_000);
    if (isOver()) return;
    if (swap % 3 === 0) {
      await rollback(data);
      counts.rollbacks += 1;
    } else await buildOnce();
  }
}

/** Builds with another value of the marked parcel; what is found until then is merged. */
async function buildOnce(): Promise<void> {
  const value = 208_000 + counts.builds;
  const path = join(raw, "parcels/us-tx-stratmap/sample-page.json");
  const text = readFileSync(path, "utf8");
  const page = JSON.parse(text) as {features: {attributes: Record<string, unknown>}[]};
  page.features[0]!.attributes["MKT_VALUE"] = value;
  writeFileSync(path, JSON.stringify(page));
  const program = new URL("soak/build.ts", import.meta.url).pathname;
  const child = fork(program, [raw, data.root, county.url, asOf], {
    // Its value must be known before the first answer of the build.
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  type Built = {buildId: string; heldBack: string[]};
  const {buildId, heldBack} = await new Promise<Built>((resolve, reject) => {
    child.once("message", (message) => resolve(message as Built));
    child.once("exit", (code) => reject(new Error(`a build ended with ${code}`)));
  });
  values.set(buildId, value);
  counts.builds += 1;
  counts.heldBack.push(...heldBack);
}

async function watchOn({findings}: Soaked, pid: number, isOver: () => boolean): Promise<void> {
  const everyMinutes = Math.max(1, Math.round(minutes / 24));
  let told = 0;
  for (let minute = 0; !isOver(); minute += everyMinutes) {
    const {acknowledged, lost, mixed, wrong} = findings;
    const total = [...findings.statuses.values()].reduce((sum, each) => sum + each, 0);
    const found = `${total} answers, ${acknowledged.length} acknowledged, ${lost.length} lost, ${mixed.length} mixed, ${wrong.length} wrong`;
    console.log(
      `${String(minute).padStart(4)} min  ${heldBy(pid)}; ${counts.builds} builds, ${counts.rollbacks} rollbacks; ${found}`,
    );
    for (const line of wrong.slice(told, told + 3)) console.log(`          wrong: ${line}`);
    told = wrong.length;
    for (let second = 0; second < everyMinutes * 60 && !isOver(); second++) await sleep(1_000);
  }
}

/** What a server holds: memory, descriptors, mappings of builds, child processes. */
function heldBy(pid: number): string {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const mib = (name: string) =>
    (Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024).toFixed(0).padStart(4);
  const maps = readFileSync(`/proc/${pid}/maps`, "utf8")
    .split("\n")
    .filter((line) => line.includes(root));
  const files = readdirSync(`/proc/${pid}/fd`).length;
  const of = new Set(maps.flatMap((line) => /builds\/([^/]+)/.exec(line)?.[1] ?? [])).size;
  return `RSS ${mib("VmRSS")} MiB, private ${mib("RssAnon")} MiB, ${files} descriptors, ${maps.length} mappings of ${of} builds, ${childProcesses(pid).length} children`;
}

function printFindings({findings: {statuses, acknowledged, lost, mixed, wrong}}: Soaked): void {
  console.log(
    `answers by kind and status: ${[...statuses]
      .sort()
      .map(([name, n]) => `${name}: ${n}`)
      .join(", ")}`,
  );
  console.log(
    `${counts.builds} builds, ${counts.rollbacks} rollbacks, held back: ${counts.heldBack.join(" ") || "none"}`,
  );
  console.log(`${acknowledged.length} finds acknowledged, all asked again at the end`);
  for (const [name, list] of Object.entries({lost, mixed, wrong})) {
    console.log(`${name}: ${list.length}`);
    for (const line of list.slice(0, 10)) console.log(`  ${line}`);
  }
}
