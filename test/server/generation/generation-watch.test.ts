import {
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import {join} from "node:path";
import {afterEach, beforeEach, expect, test} from "vitest";
import {createFindMaker} from "../../../lib/delta/find-maker.ts";
import {dataFolder} from "../../../lib/storage/data-folder.ts";
import {GrowingView} from "../../../server/delta/delta-view.ts";
import type {Generation} from "../../../server/generation/generation.ts";
import {watchGenerations} from "../../../server/generation/generation-watch.ts";
import {openLog} from "../../../server/system/json-log.ts";
import {createMetrics} from "../../../server/system/metrics.ts";
import {until} from "../../delta/delta-workshop.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {publish, writeBuild} from "../build-fixture.ts";

const [first, second] = ["20261120-aaaaaa", "20261121-bbbbbb"];
type Watch = Awaited<ReturnType<typeof watchGenerations>>;
let root: string;
let watch: Watch | null;
let logged: string[];
beforeEach(async () => {
  root = temporaryFolder();
  watch = null;
  logged = [];
  await writeBuild(root, first);
});
afterEach(() => watch?.close());

async function start(prepare = async (generation: Generation) => generation): Promise<Watch> {
  watch = await watchGenerations(dataFolder(root), {
    openState: () => {
      throw new Error("no state is in these builds");
    },
    pollMs: 600_000,
    log: openLog("info", (line: string) => void logged.push(line)),
    metrics: createMetrics(),
    afterCrash: false,
    prepare,
    adopted: () => undefined,
  });
  return watch;
}

const served = (from: Watch) => [from.generation()?.buildId ?? null, from.reasons()];

/** A build whose bytes fit their checksums, but for the SHA-256 of one file. */
async function writeBuildOfWrongDigest(buildId: string): Promise<void> {
  const manifest = join(await writeBuild(root, buildId), "manifest.json");
  const text = readFileSync(manifest, "utf8");
  writeFileSync(manifest, text.replace(/"sha256": "[0-9a-f]{64}"/, `"sha256": "${"0".repeat(64)}"`));
}

test("without current the newest retained build that verifies is served, and readiness says so until there is one", async () => {
  truncateSync(join(await writeBuild(root, second), "serving/market/barns.arrow"), 10);
  const started = await start();
  expect(served(started)).toEqual([first, ["current_absent", `build_refused:${second}`]]);
  publish(root, first);
  await started.refresh();
  expect(served(started)).toEqual([first, []]);
});

test("where current leads nowhere, or is no link, a retained build is served", async () => {
  const {current} = dataFolder(root);
  symlinkSync("builds/20261119-dddddd", current);
  const started = await start();
  expect(served(started)).toEqual([first, ["current_unreadable"]]);
  rmSync(current);
  writeFileSync(current, first);
  await started.refresh();
  expect(served(started)).toEqual([first, ["current_unreadable"]]);
});

test("a current that goes away while a build is served is told, and the build goes on", async () => {
  publish(root, first);
  const started = await start();
  rmSync(dataFolder(root).current);
  await started.refresh();
  expect(served(started)).toEqual([first, ["current_absent"]]);
});

test("before the first build nothing is served, and the first one is as soon as it is published", async () => {
  rmSync(join(root, "builds"), {recursive: true});
  const started = await start();
  expect(served(started)).toEqual([null, ["current_absent"]]);
  await writeBuild(root, second);
  publish(root, second);
  await started.refresh();
  expect(served(started)).toEqual([second, []]);
});

test.each(["EMFILE", "ENFILE", "ENOMEM"])(
  "%s during the check refuses no build: it is tried again",
  async (code) => {
    publish(root, first);
    let failures = 1;
    const started = await start(async (generation) => {
      if (failures-- > 0) throw Object.assign(new Error(code), {code});
      return generation;
    });
    expect(served(started)).toEqual([null, [`build_not_checked:${first}`]]);
    await started.refresh();
    expect(served(started)).toEqual([first, []]);
  },
);

test("an earlier generation that cannot be prepared again is logged, and the process goes on", async () => {
  publish(root, first);
  let prepared = 0;
  const started = await start(async (generation) => {
    prepared += 1;
    if (prepared > 2) throw new Error("no room");
    return generation;
  });
  await writeBuildOfWrongDigest(second);
  publish(root, second);
  await started.refresh();
  await until(async () => logged.some((line) => line.includes("the served build cannot be checked")));
  expect(served(started)).toEqual([second, [`build_refused:${second}`]]);
});

test("the build before is kept without the finds beside it, which are read again where it is served again", async () => {
  publish(root, first);
  const given: unknown[] = [];
  const started = await start(async (generation) => {
    given.push(generation.delta);
    return {...generation, delta: new GrowingView(generation, createFindMaker())};
  });
  await writeBuildOfWrongDigest(second);
  publish(root, second);
  await started.refresh();
  await until(async () => started.generation()?.buildId === first);
  expect(given).toEqual([undefined, undefined, undefined]);
});

test("a folder of builds that cannot be listed ends nothing", async () => {
  rmSync(join(root, "builds"), {recursive: true});
  writeFileSync(join(root, "builds"), "");
  expect(served(await start())).toEqual([null, ["builds_unreadable"]]);
});

test.each<[string, (file: string) => void, string]>([
  ["deleted", (file) => rmSync(file), "missing"],
  ["cut", (file) => truncateSync(file, 10), "changed"],
  [
    "replaced by a copy",
    (file) => {
      copyFileSync(file, `${file}.copy`);
      renameSync(`${file}.copy`, file);
    },
    "changed",
  ],
])(
  "a served file that is %s is named at the next look, and logged and counted once",
  async (_, change, fault) => {
    publish(root, first);
    const started = await start();
    await started.refresh();
    expect(served(started)).toEqual([first, []]);
    const path = "serving/market/barns.arrow";
    change(join(root, "builds", first, path));
    await started.refresh();
    await started.refresh();
    expect(served(started)).toEqual([first, [`file_${fault}:${path}`]]);
    expect(logged.filter((line) => line.includes("a served file was changed"))).toHaveLength(1);
  },
);

test("a folder of a build that is gone names twenty files and counts the others", async () => {
  publish(root, first);
  const started = await start();
  rmSync(join(root, "builds", first), {recursive: true});
  await started.refresh();
  const reasons = started.reasons().filter((reason) => reason.startsWith("file"));
  expect(reasons.length).toBeLessThanOrEqual(21);
  expect(reasons[0]).toMatch(/^file_missing:/);
});
