import {type ChildProcess, spawn, spawnSync} from "node:child_process";
import {existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {createInterface} from "node:readline";
import {setTimeout as sleep} from "node:timers/promises";
import {afterAll, beforeAll, expect, test} from "vitest";
import {createKey} from "../../lib/keys/api-keys.ts";
import {packageRoot} from "../../lib/paths.ts";
import {buildFolder, currentBuildId, type DataFolder} from "../../lib/storage/data-folder.ts";
import {buildFaults, readManifest} from "../../lib/storage/manifest-file.ts";
import {writeSample} from "../../pipeline/sample/write-sample.ts";
import {sampleBuild} from "../sample-build.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {note} from "./table.ts";

// What the machine does to a server and a build: its clock jumps (libfaketime), its memory is bounded (a control group, as root).
const faketime = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";
const memoryGroups = "/sys/fs/cgroup/memory";
const canJump = existsSync(faketime);
const canBound = process.getuid?.() === 0 && existsSync(join(memoryGroups, "memory.limit_in_bytes"));
const cattle = join(packageRoot, "bin/cattle.js");
const asOf = "2026-11-21";
const started: ChildProcess[] = [];
let data: DataFolder;
let key = "";

beforeAll(async () => {
  ({data} = await sampleBuild(asOf));
  ({key} = await createKey(join(data.root, "keys.json"), {notBefore: "2000-01-01T00:00:00Z"}));
}, 400_000);
afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
});

type Environment = Readonly<Record<string, string>>;

/** Starts a server; resolves with its address when it listens. */
function serve(
  environment: Environment,
  before: readonly string[] = [],
): Promise<{child: ChildProcess; at: string}> {
  const [program = "", ...words] = [...before, process.execPath, cattle, "serve", "--port", "0"];
  const child = spawn(program, words, {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env["PATH"],
      CATTLE_DATA: data.root,
      CATTLE_METRICS_PORT: "0",
      CATTLE_POLL_MS: "200",
      ...environment,
    },
  });
  started.push(child);
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    createInterface(child.stdout!).on("line", (line) => {
      const {msg, port} = JSON.parse(line) as {msg?: string; port?: number};
      if (msg === "listening") resolve({child, at: `http://127.0.0.1:${port}`});
    });
  });
}

async function told(
  at: string,
  path: string,
): Promise<{status: number; retryAfter: number; body: Record<string, unknown>}> {
  const reply = await fetch(`${at}${path}`, {headers: {"X-API-Key": key}});
  const body = (await reply.json()) as Record<string, unknown>;
  return {status: reply.status, retryAfter: Number(reply.headers.get("retry-after")), body};
}

test.skipIf(!canJump)(
  "a clock that jumps by days, forth and back, ends no server, locks no caller out, and is named while it is wrong",
  async () => {
    const clock = join(temporaryFolder(), "clock");
    const set = (offset: string) => writeFileSync(clock, `${offset}\n`);
    set("+0");
    const {at, child} = await serve({
      ...{
        LD_PRELOAD: faketime,
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_NO_CACHE: "1",
        DONT_FAKE_MONOTONIC: "1",
      },
      CATTLE_RATE_PER_MINUTE: "20",
    });
    const jumps: object[] = [];
    for (const jump of ["+0", "+3d", "-30d", "+500d", "-3600d", "+0"]) {
      set(jump);
      await sleep(1_500);
      const ready = await told(at, "/readyz");
      const answer = await told(at, "/price-by-state?state=TX");
      jumps.push([jump, answer.status, ready.status, String(ready.body["reasons"])]);
    }
    // The calls of a minute are used up; the clock goes back; the wait that is told is still of this minute.
    let spent = await told(at, "/barns?state=TX");
    for (let i = 0; i < 30 && spent.status !== 429; i += 1) spent = await told(at, "/barns?state=TX");
    set("-30d");
    const after = await told(at, "/barns?state=TX");
    set("+0");
    expect([spent.status, after.status]).toEqual([429, 429]);
    expect(after.retryAfter).toBeLessThanOrEqual(60);
    expect(jumps).toEqual([
      ["+0", 200, 200, ""],
      ["+3d", 200, 200, ""],
      ["-30d", 200, 200, "clock_wrong"],
      ["+500d", 200, 200, "clock_wrong"],
      ["-3600d", 200, 200, "clock_wrong"],
      ["+0", 200, 200, ""],
    ]);
    expect(child.exitCode).toBeNull();
  },
  120_000,
);

/** Runs in a control group of so many MiB, swap included. */
async function bounded<Made>(
  mib: number,
  work: (before: string[]) => Promise<Made> | Made,
): Promise<{made: Made; peakMib: number}> {
  const group = join(memoryGroups, `cattle-test-${process.pid}`);
  mkdirSync(group);
  writeFileSync(join(group, "memory.limit_in_bytes"), String(mib * 2 ** 20));
  writeFileSync(join(group, "memory.swappiness"), "0");
  try {
    const made = await work(["sh", "-c", `echo $$ > ${group}/cgroup.procs && exec "$@"`, "sh"]);
    return {made, peakMib: Number(readFileSync(join(group, "memory.max_usage_in_bytes"), "utf8")) / 2 ** 20};
  } finally {
    // Its last process leaves a moment after its end.
    for (let tries = 0; tries < 50 && readFileSync(join(group, "cgroup.procs"), "utf8") !== ""; tries += 1)
      await sleep(100);
    rmdirSync(group);
  }
}

const isWhole = async () => {
  const dir = buildFolder(data, (await currentBuildId(data)) ?? "");
  return buildFaults(dir, await readManifest(dir), {depth: "full"});
};

test.skipIf(!canBound)(
  "B3: a build that the system ends for lack of memory leaves what is served, and the next one goes through",
  async () => {
    const raw = join(temporaryFolder(), "raw");
    await writeSample(raw, asOf);
    const words = [
      process.execPath,
      cattle,
      "build",
      "--raw",
      raw,
      "--out",
      data.root,
      "--as-of",
      asOf,
      "--no-reuse",
    ];
    const run = ([program = "", ...rest]: string[]) =>
      spawnSync(program, rest, {encoding: "utf8", env: {PATH: process.env["PATH"]}});
    const before = await currentBuildId(data);
    const {made: cut} = await bounded(120, (prefix) => run([...prefix, ...words]));
    expect(cut.status ?? cut.signal).not.toBe(0);
    expect([await currentBuildId(data), await isWhole()]).toEqual([before, []]);
    const {made: whole, peakMib} = await bounded(1_536, (prefix) => run([...prefix, ...words]));
    note(
      "B3",
      "builds in a control group",
      `120 MiB: ${cut.status ?? cut.signal}; 1,536 MiB: ${whole.status}, ${peakMib.toFixed(0)} MiB at most`,
    );
    expect([whole.status, await isWhole()]).toEqual([0, []]);
  },
  240_000,
);

test.skipIf(!canBound)(
  "O5: a server in a control group of 256 MiB answers a thousand questions of all kinds",
  async () => {
    const {made, peakMib} = await bounded(256, async (prefix) => {
      const {at, child} = await serve({CATTLE_RATE_PER_MINUTE: "100000", CATTLE_DRAIN_MS: "0"}, prefix);
      const paths = [
        "/price-by-county?zip=85326",
        "/coverage",
        "/latest-prices?zip=76401",
        "/barns?state=TX",
        "/openapi.json",
      ];
      const statuses = new Set<number>();
      for (let i = 0; i < 1_000; i += 1) statuses.add((await told(at, paths[i % paths.length]!)).status);
      const exit = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      return {statuses: [...statuses], code: await exit};
    });
    note(
      "O5",
      "a server in a control group of 256 MiB",
      `1,000 answers of ${made.statuses}, ${peakMib.toFixed(0)} MiB at most`,
    );
    expect(made).toEqual({statuses: [200], code: 0});
  },
  120_000,
);
