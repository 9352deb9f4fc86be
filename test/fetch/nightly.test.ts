import {existsSync, readFileSync, rmSync} from "node:fs";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {afterAll, beforeAll, expect, test} from "vitest";
import {seededBy} from "../../pipeline/market/samples/lots.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import type {Manifest} from "../../schemas/manifest.ts";
import {note, sizeOf} from "../crash/table.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {type Ended, ended, LiveCattle} from "./live-cattle.ts";
import {type LiveWorld, startLiveWorld} from "./live-world.ts";

const kills = sizeOf("NIGHT", {push: 8, long: 300});
const seed = process.env["SEED"] ?? "nights";
const day = "2026-11-20";

let world: LiveWorld;
const registry = join(temporaryFolder(), "registry");
let whole: {data: string; end: Ended; ms: number};

beforeAll(async () => {
  world = await startLiveWorld(registry, "2026-11-19");
  const data = join(temporaryFolder(), "data");
  const begun = performance.now();
  const end = await ended(programOf(data).startNight(day));
  whole = {data, end, ms: performance.now() - begun};
});
afterAll(() => world.server.stop());

function programOf(data: string): LiveCattle {
  return new LiveCattle({dir: temporaryFolder(), data, registry}, world);
}

/** Files that name the build: a re-read of a raw file is noted in its meta, so that the same data may get another id. */
const named = ["croissant.json", "datapackage.json"];

/** Digests of the published build's files, and the raw files that it was made from. */
async function madeIn(data: string) {
  const manifest = JSON.parse(readFileSync(join(data, "current/manifest.json"), "utf8")) as Manifest;
  const files = manifest.files.filter(({path}) => !named.includes(path));
  const raw = (await listRawFiles(join(data, "raw"))).map(({path, sha256}) => [path, sha256]);
  return {files, raw};
}

test("publishes the market before fetching any parcel, and a state as soon as its sources have ended", () => {
  const {out} = whole.end;
  const lines = out.split("\n");
  const at = (pattern: RegExp) => lines.findIndex((line) => pattern.test(line));
  expect(at(/^mars\b/)).toBeGreaterThanOrEqual(0);
  expect(at(/^nightly: AZ published /)).toBeGreaterThan(at(/^mars\b/));
  expect(out.trim().split("\n").at(-1)).toMatch(
    /^nightly: market \d+ new.*; build published \S+.*; parcels \d+ new.*; build (published|adopted) .*; gc removed/,
  );
});

test("writes the metrics of its sources and its own exit code for the alerts", () => {
  const figures = (name: string) => readFileSync(join(whole.data, "metrics", name), "utf8");
  expect(figures("cattle_fetch.prom")).toMatch(/^cattle_fetch_failed_runs\{source="us-az-cochise"\} 0$/m);
  expect(figures("cattle_nightly.prom")).toMatch(
    new RegExp(`^cattle_nightly_last_run_exit_code ${whole.end.code}$`, "m"),
  );
});

test("exits a second concurrent night with 1, naming who runs the first, which ends well", async () => {
  const data = join(temporaryFolder(), "data");
  const program = programOf(data);
  const first = program.startNight(day);
  const firstEnd = ended(first);
  while (!existsSync(join(data, "run/nightly.lock"))) await sleep(20);
  const second = await ended(program.startNight(day));
  expect([second.code, second.out]).toEqual([1, ""]);
  expect(second.err).toContain(`nightly.lock`);
  expect(second.err).toContain(String(first.pid));
  expect((await firstEnd).code).toBe(whole.end.code);
  expect(await madeIn(data)).toEqual(await madeIn(whole.data));
});

test("a night that is stopped by Ctrl-C while it asks begins no other part, says so and ends with 130", async () => {
  const data = join(temporaryFolder(), "data");
  const night = programOf(data).startNight(day);
  const end = ended(night);
  while (!existsSync(join(data, "run/fetch.lock"))) await sleep(20);
  night.kill("SIGINT");
  const {code, out} = await end;
  expect(code).toBe(130);
  expect(out.trim().split("\n").at(-1)).toMatch(/^nightly: market stopped, [^;]*; exit 130$/);
  expect(existsSync(join(data, "current"))).toBe(false);
});

test(
  `a night that is killed at ${kills} random moments and started again makes the build of an undisturbed one (seed ${seed})`,
  async () => {
    expect([0, 3]).toContain(whole.end.code);
    const data = join(temporaryFolder(), "data");
    const program = programOf(data);
    const random = seededBy(seed);
    let killed = 0;
    for (let i = 0; i < kills; i++) {
      const child = program.startNight(day);
      const end = ended(child);
      await Promise.race([end, sleep(500 + random.int(0, Math.ceil(whole.ms)))]);
      child.kill("SIGKILL");
      // A night that has ended leaves nothing to kill.
      if ((await end).code === null) killed += 1;
      else rmSync(data, {recursive: true});
    }
    const last = await ended(program.startNight(day));
    expect([0, 3]).toContain(last.code);
    expect(killed).toBeGreaterThan(0);
    expect(await madeIn(data)).toEqual(await madeIn(whole.data));
    note(
      "B13",
      `nightly killed ${kills} times`,
      `${killed} in its work; the build and the raw files of an undisturbed one`,
    );
  },
  600_000 + kills * 30_000,
);
