import {cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterAll, beforeAll, expect, test} from "vitest";
import {packageRoot} from "../../lib/paths.ts";
import {currentBuildId, dataFolder} from "../../lib/storage/data-folder.ts";
import {buildFaults, readManifest} from "../../lib/storage/manifest-file.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import {type Ended, ended, LiveCattle} from "../fetch/live-cattle.ts";
import {type LiveWorld, startLiveWorld} from "../fetch/live-world.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {cannotMount, mountNewImage, unmountMapped} from "./mounts.ts";
import {long, note, sizeOf} from "./table.ts";

/** Writes before which the disk fills up: one of each place of the program first, then further ones of theirs. */
const places = sizeOf("B14", {push: 2, long: 100});
const reason = cannotMount();
if (reason !== null && long) throw new Error(`B14 ${reason}`);
const mib = 3000;

/** A disk of its own with a first night's data, kept as `before` for each run; and its folder `data`, which runs work on. */
let disk: string;
let world: LiveWorld;
let program: LiveCattle;
const list = join(temporaryFolder(), "writes.json");
const day = (n: number) => ({SOURCE_DATE_EPOCH: String(Date.parse(`2026-11-${n}T05:30:00Z`) / 1000)});

beforeAll(async () => {
  if (reason !== null || places === 0) return;
  disk = join(temporaryFolder(), "disk");
  mountNewImage(`${disk}.img`, disk, mib);
  const registry = join(temporaryFolder(), "registry");
  world = await startLiveWorld(registry, "2026-11-19", 300);
  askLess(registry);
  program = new LiveCattle({dir: temporaryFolder(), data: join(disk, "data"), registry}, world);
  const first = await ended(program.start(["nightly"], day(20)));
  expect([first.code, first.err]).toEqual([0, expect.anything()]);
  cpSync(join(disk, "data"), join(disk, "before"), {recursive: true, verbatimSymlinks: true});
  haveNews();
}, 900_000);
afterAll(async () => {
  if (disk !== undefined) unmountMapped(disk);
  await world?.server.stop();
});

/** Leaves out what a night asks for a hundred times over: each answer is written at the same places. */
function askLess(registry: string): void {
  const file = join(registry, "market.json");
  type Feed = {id: string; slugs?: number[]};
  const sources = JSON.parse(readFileSync(file, "utf8")) as {feeds?: Feed[]}[];
  for (const source of sources)
    source.feeds = source.feeds
      ?.filter(({id}) => id !== "nws-forecasts" && id !== "nws" && id !== "usdm")
      .map((feed) => (feed.slugs === undefined ? feed : {...feed, slugs: feed.slugs.slice(0, 4)}));
  writeFileSync(file, JSON.stringify(sources));
}

/** A corrected report, a changed parcel and a file with another day: news for every kind of source. */
function haveNews(): void {
  world.market.publishedAt = () => "11/20/2026 15:00:00";
  world.market.correct = (sale) => ({
    ...sale,
    rows: sale.rows.map((row) => ({...row, avgPrice: row.avgPrice + 2})),
  });
  world.county.habits = {
    ...world.county.habits,
    lastEdit: () => Date.parse("2026-11-20T12:00:00Z"),
    change: (row) => ({...row, LAND_VALUE: 777_777}),
  };
}

/** The data as after the first night. */
function asBefore(): void {
  for (const name of ["data", "filler", "filler-rest"])
    rmSync(join(disk, name), {recursive: true, force: true});
  cpSync(join(disk, "before"), join(disk, "data"), {recursive: true, verbatimSymlinks: true});
}

/** Runs a command of the second day; before its k-th write the disk is full. Gives its end, and the lines that led to each write. */
async function run(command: string, at: number | null): Promise<Ended & {writes: string[]}> {
  const more = {
    ...day(21),
    ...(at === null ? {} : {FULL_AT: String(at)}),
    ...{FULL_DISK: disk, FULL_LIST: list, NODE_COMPILE_CACHE: join(tmpdir(), "cattle-compile-cache")},
    NODE_OPTIONS: `--import=${join(packageRoot, "test/crash/full-at-write.ts")}`,
  };
  const end = await ended(program.start([command], more));
  return {...end, writes: JSON.parse(readFileSync(list, "utf8")) as string[]};
}

/** Files that name the build: a second look at a raw file is noted in its meta, and so the same data may get another id. */
const named = ["croissant.json", "datapackage.json"];

/** The raw files, and the published build with its files by digest, which must be whole. */
async function held() {
  const data = dataFolder(join(disk, "data"));
  const dir = join(data.builds, (await currentBuildId(data))!);
  const manifest = await readManifest(dir);
  expect(await buildFaults(dir, manifest, {depth: "full"})).toEqual([]);
  const raw = (await listRawFiles(data.raw)).map(({path, sha256, fault}) => [path, fault ?? sha256]);
  return {raw, files: manifest.files.filter(({path}) => !named.includes(path))};
}

/** The numbers of all writes, from 1: the first that each place of the program made, then the second of each. */
function byPlaces(writes: readonly string[]): number[] {
  const turns = new Map<string, number>();
  const numbered = writes.map((place, i) => {
    const turn = turns.get(place) ?? 0;
    turns.set(place, turn + 1);
    return {k: i + 1, turn};
  });
  return numbered.sort((a, b) => a.turn - b.turn).map(({k}) => k);
}

/** What is left that no finished command leaves. */
function leftovers(): string[] {
  const names = readdirSync(join(disk, "data"), {recursive: true, encoding: "utf8"});
  return names.filter((name) => /(^|\/)\.(pull-|tmp|new-)|\.part$|\.resume$/.test(name));
}

test.runIf(places > 0 && reason === null).each(["fetch", "nightly"])(
  "B14: a disk that is full before a write of %s is told with the file, loses nothing, and the next run is whole",
  async (command) => {
    asBefore();
    const first = await held();
    const undisturbed = await run(command, null);
    expect([0, 3]).toContain(undisturbed.code);
    const whole = await held();
    expect(whole.raw.length).toBeGreaterThan(first.raw.length);
    const tried = byPlaces(undisturbed.writes).slice(0, places);
    const codes: Record<string, number> = {};
    const placesTried = new Set<string>();
    let roomy = 0;
    for (const k of tried) {
      asBefore();
      const {code, out, err, writes} = await run(command, k);
      placesTried.add(writes[k - 1]!);
      const told = `${out}\n${err}`;
      expect([k, existsSync(join(disk, "filler"))]).toEqual([k, true]);
      // A stack has lines "    at …"; a fault of the disk is a line with the file, or with the room that there is.
      expect([k, told.match(/^ +at .*/gm)]).toEqual([k, null]);
      const now = await held();
      const fault = told.match(/^.*(ENOSPC|no space|free on the disk|MiB free).*$/gim)?.[0];
      if (fault === undefined) {
        // The write had room all the same, such as that of the builds which the night had just removed: then nothing may be amiss.
        expect([k, writes[k - 1], told, code]).toEqual([k, writes[k - 1], told, undisturbed.code]);
        expect([k, now]).toEqual([k, whole]);
        roomy += 1;
      } else {
        expect([k, fault]).toEqual([k, expect.stringMatching(/\/data\/|free on the disk/)]);
        // Figures of the fetch, and models of a build, that cannot be written are said, and stop nothing.
        const isSmall = /^(metrics: not written|models: not kept): .*ENOSPC/m.test(told);
        expect([k, code]).toEqual([k, expect.toBeOneOf(isSmall ? [0, 1, 3, 4] : [1, 3, 4])]);
      }
      codes[String(code)] = (codes[String(code)] ?? 0) + 1;
      expect([k, first.raw.filter((file) => !now.raw.some((same) => String(same) === String(file)))]).toEqual(
        [k, []],
      );
      for (const name of ["filler", "filler-rest"]) rmSync(join(disk, name), {force: true});
      const next = await run(command, null);
      expect([k, next.code]).toEqual([k, undisturbed.code]);
      expect([k, await held()]).toEqual([k, whole]);
      expect([k, leftovers()]).toEqual([k, []]);
    }
    const told = Object.entries(codes).map(([code, n]) => `${n} with ${code}`);
    expect(roomy).toBeLessThan(tried.length / 10 + 1);
    note(
      "B14",
      `ext4 full before ${tried.length} of ${undisturbed.writes.length} writes of ${command}`,
      `at ${placesTried.size} of ${new Set(undisturbed.writes).size} places of the program; ended ${told.join(", ")}, a line with the file each but for ${roomy} that had room again; 0 lost, next run whole`,
    );
  },
  12 * 3_600_000,
);
