import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import {join} from "node:path";
import {beforeAll, expect, test} from "vitest";
import {packageRoot} from "../../lib/paths.ts";
import {stateServing} from "../../lib/storage/build-layout.ts";
import {buildFolder, buildIds, currentBuildId} from "../../lib/storage/data-folder.ts";
import {FetchStates} from "../../pipeline/fetch/fetch-states.ts";
import type {FetchState} from "../../schemas/fetch-state.ts";
import {blocksOf, type Machine, machineWith, type Ran} from "./runbook-machine.ts";
import {pageFile, soundFolder} from "./sound-folder.ts";

const page = pageFile;

/** A data folder with raw files and two published builds; each test damages a copy. */
let sound: string;
let older: string;
let newer: string;

beforeAll(async () => {
  ({root: sound, older, newer} = await soundFolder());
});

const names = () => ({"20261120-3f9c1a": older, "20261121-4da688": newer});
async function readAll(machine: Machine, blocks: string[], more: Record<string, string> = {}) {
  const ran: Ran[] = [];
  for (const block of blocks) ran.push(await machine.shell(block, {...names(), ...more}));
  return ran;
}

/**
 * Removes rows from a state's file, keeping `share` of its features; returns the text before.
 * - "R3: page 1: a good file in the place of a cut one ends the gate's failure" + "R3: page 1: replacing a truncated file by a
 *   good one ends the gate's failure"
 * - "R3: page 2: a county that shrank in truth is accepted with the gates that failed" + "R3: page 2: a county that really
 *   shrank is accepted with the gates that failed"
 * - "R3: page 4: a state is built alone, and links the others" + "R3: page 4: a state is built alone and the others are linked"
 * - "R3: page 9: a damaged file is found by verify and made anew" + "R3: page 9: verify finds a damaged file, and a build
 *   remakes it"
 * - "R3: page 10: the build before is published, and then the newer one again" + "R3: page 10: publishes the previous build,
 *   and then the newer one again"
 * - "R3: page 12: a key is replaced by a new one and ended" + "R3: page 12: a key is replaced by a new one and revoked"
 * - "R3: page 19: a lock of another machine is named by doctor and removed by hand; a dead one is taken over" + "R3: page 19:
 *   doctor names another machine's lock, which is removed by hand; a dead lock is taken over"
 * - "R3: page 20: a lease that was cut off is named by doctor, and gone after it is removed" + "R3: page 20: doctor names a
 *   truncated lease, and is silent once it is removed"
 * - "R3: page 22: current %s; doctor names a build, and publishing it mends that" + "R3: page 22: current %s; doctor names a
 *   build, and publishing it fixes that"
 */
function shrink(machine: Machine, share: number): string {
  const path = join(machine.data.root, "raw/parcels/us-tx-stratmap/sample-page.json");
  const text = readFileSync(path, "utf8");
  const {features, ...rest} = JSON.parse(text) as {features: unknown[]};
  writeFileSync(
    path,
    JSON.stringify({...rest, features: features.slice(0, Math.round(features.length * share))}),
  );
  return text;
}

test("R3: page 1: a good file in the place of a cut one ends the gate's failure", async () => {
  const machine = await machineWith(sound);
  const whole = shrink(machine, 0.5);
  expect((await machine.cattle("build")).code).toBe(3);
  const [check] = await readAll(machine, blocksOf(page(1)).check);
  expect(check!.out).toMatch(/held back: TX/);
  writeFileSync(join(machine.data.root, "raw/parcels/us-tx-stratmap/sample-page.json"), whole);
  expect((await machine.cattle("build")).code).toBe(0);
  expect((await machine.cattle("status")).out).not.toContain("held back:");
});

test("R3: page 2: a county that shrank in truth is accepted with the gates that failed", async () => {
  const machine = await machineWith(sound);
  shrink(machine, 0.5);
  const failed = await machine.cattle("build");
  expect([failed.code, failed.out]).toEqual([3, expect.stringMatching(/fail: TX county-rows/)]);
  const [command] = /cattle build --accept TX:county-rows TX:rows --reason "…"/.exec(
    readFileSync(join(packageRoot, "docs/runbook", page(2)), "utf8"),
  )!;
  expect((await machine.shell(command!)).code).toBe(0);
  expect((await machine.cattle("status")).out).not.toContain("held back:");
  expect(
    (await machine.shell(`cattle sql "SELECT count(*) AS n FROM parcels WHERE state = 'TX'" --csv`)).out,
  ).toBe("n\n90\n");
});

test("R3: page 4: a state is built alone, and links the others", async () => {
  const machine = await machineWith(sound);
  const whole = shrink(machine, 0.5);
  expect((await machine.cattle("build")).code).toBe(3);
  expect((await readAll(machine, blocksOf(page(4)).check))[0]!.out).toContain("held back");
  writeFileSync(join(machine.data.root, "raw/parcels/us-tx-stratmap/sample-page.json"), whole);
  const [action] = await readAll(machine, blocksOf(page(4)).action);
  expect([action!.code, action!.out]).toEqual([0, expect.stringContaining("published")]);
  expect((await machine.cattle("status")).out).not.toContain("held back:");
});

test("R3: page 9: a damaged file is found by verify and made anew", async () => {
  const machine = await machineWith(sound);
  const damaged = join(buildFolder(machine.data, newer), stateServing("TX"), "columns.arrow");
  chmodSync(damaged, 0o640);
  truncateSync(damaged, 100);
  const [check] = await readAll(machine, blocksOf(page(9)).check);
  expect(check!.out).toMatch(/columns\.arrow/);
  expect((await readAll(machine, blocksOf(page(9)).action)).map(({code}) => code)).toEqual([0]);
  const verified = await machine.cattle("verify");
  expect([verified.code, verified.out]).toEqual([0, expect.stringContaining("files as the manifest says")]);
  expect(await currentBuildId(machine.data)).not.toBe(newer);
});

test("R3: page 10: the build before is published, and then the newer one again", async () => {
  const machine = await machineWith(sound);
  const [back, forward] = blocksOf(page(10)).action;
  expect((await readAll(machine, blocksOf(page(10)).check))[0]!.code).toBe(0);
  expect((await machine.shell(back!, names())).code).toBe(0);
  expect(await currentBuildId(machine.data)).toBe(older);
  expect((await machine.shell(forward!, names())).code).toBe(0);
  expect(await currentBuildId(machine.data)).toBe(newer);
  expect(machine.calls()).toEqual([
    "stop cattle-build.timer",
    "reload cattle-server@*",
    "start cattle-build.timer",
  ]);
});

test("R3: page 12: a key is replaced by a new one and ended", async () => {
  const machine = await machineWith(sound);
  await machine.cattle("keys", "create", "--label", "leaked");
  const keys = async () => JSON.parse((await machine.cattle("keys", "list", "--json")).out) as {id: string}[];
  const [leaked] = await keys();
  expect((await readAll(machine, blocksOf(page(12)).action, {"key-0a1b2c3d4e": leaked!.id}))[0]!.code).toBe(
    0,
  );
  expect(await keys()).toHaveLength(2);
  const texts = (await machine.cattle("keys", "list")).out.split("\n");
  expect(texts.find((line) => line.includes(leaked!.id))).not.toBe(
    texts.find((line) => line.includes("client, 2027")),
  );
  expect((await machine.cattle("keys", "revoke", "key-0000000000")).code).not.toBe(0);
});

test("R3: page 16: archives of the backup are unpacked into an empty folder and verify", async () => {
  const machine = await machineWith(sound);
  const {backups, data} = machine;
  mkdirSync(join(data.delta, "retired"), {recursive: true});
  expect(await machine.cattle("keys", "create", "--label", "kept")).toMatchObject({code: 0});
  for (const kind of ["builds", "delta"]) {
    const backup = `"${join(packageRoot, "deploy/backup.sh")}" /var/lib/cattle /var/backups/cattle ${kind}`;
    expect(await machine.shell(backup)).toMatchObject({code: 0});
  }
  rmSync(data.root, {recursive: true});
  mkdirSync(data.root);
  const archive = (kind: string) => readdirSync(backups).find((name) => name.startsWith(kind))!;
  expect((await readAll(machine, blocksOf(page(16)).check))[0]!.out).toContain(archive("builds"));
  const [restored] = await readAll(machine, blocksOf(page(16)).action, {
    "builds-20261121T120000Z.tar": archive("builds"),
    "delta-20261121T140000Z.tar": archive("delta"),
  });
  expect(restored).toMatchObject({code: 0, out: expect.stringContaining("files as the manifest says")});
  expect(await currentBuildId(data)).toBe(newer);
  expect(machine.calls()).toEqual(["start cattle-server@0 cattle-server@1"]);
});

test("R3: page 19: a lock of another machine is named by doctor and removed by hand; a dead one is taken over", async () => {
  const machine = await machineWith(sound);
  const lock = join(machine.data.run, "build.lock");
  writeFileSync(lock, "");
  expect((await readAll(machine, blocksOf(page(19)).check))[0]!.out).toMatch(/cannot be read/);
  unlinkSync(lock);
  const doctor = await machine.cattle("doctor");
  expect(doctor.out).toMatch(/ok.*build lock.*free/);
  expect((await machine.cattle("gc")).code).toBe(0);
});

test("R3: page 20: a lease that was cut off is named by doctor, and gone after it is removed", async () => {
  const machine = await machineWith(sound);
  const lease = join(machine.data.run, "0-00000000.lease.json");
  writeFileSync(lease, "{");
  expect((await readAll(machine, blocksOf(page(20)).check))[0]!.out).toMatch(
    /0-00000000\.lease\.json.*no JSON/,
  );
  unlinkSync(lease);
  expect((await machine.cattle("doctor")).out).toMatch(/ok.*leases/);
});

test.each(["is absent", "leads nowhere"])(
  "R3: page 22: current %s; doctor names a build, and publishing it mends that",
  async (how) => {
    const machine = await machineWith(sound);
    unlinkSync(machine.data.current);
    if (how === "leads nowhere") symlinkSync("builds/20200101-000000", machine.data.current);
    expect((await machine.cattle("status")).code).not.toBe(0);
    const [check] = await readAll(machine, blocksOf(page(22)).check);
    expect(check!.out).toContain(newer);
    expect((await readAll(machine, blocksOf(page(22)).action, {[older]: newer}))[0]!.code).toBe(0);
    expect([await currentBuildId(machine.data), await buildIds(machine.data)]).toEqual([
      newer,
      [older, newer],
    ]);
    expect((await machine.cattle("status")).code).toBe(0);
  },
);

/** Notes a source's last run, as a night does; null in `last_new` for one that brought nothing. */
function noteRun(
  machine: Machine,
  source: string,
  run: Pick<FetchState, "status" | "reason"> & Partial<FetchState>,
) {
  const last_asked = "2026-11-21T05:30:00.000Z";
  const counts = {failures: 0, nights_without_progress: 0, bytes: 0, losses: []};
  const state = {source, last_asked, last_good: null, last_new: null, ...counts, ...run};
  return new FetchStates(join(machine.data.root, "raw")).note(state);
}

test("R3: page 23: a key that a publisher refused is named with its file's setting, and so is a file that is empty", async () => {
  const machine = await machineWith(sound);
  const file = join(machine.place, "mars.key");
  machine.settings["CATTLE_MARS_KEY_FILE"] = file;
  writeFileSync(file, "old-key");
  const reason = "status 401: put a valid key into the file that CATTLE_MARS_KEY_FILE names";
  await noteRun(machine, "mars", {status: "key refused", reason, failures: 3, nights_without_progress: 3});
  const check = () => machine.shell(blocksOf(page(23)).check[0]!, {"/etc/cattle": machine.place});
  const {out} = await check();
  expect(out).toMatch(/^mars +key refused .*CATTLE_MARS_KEY_FILE/m);
  expect(out).toMatch(/^CATTLE_MARS_KEY=\(set, not shown\)$/m);
  expect(out).not.toContain("old-key");
  writeFileSync(file, "");
  expect((await check()).out).toContain(`CATTLE_MARS_KEY_FILE: ${file} is empty`);
});

test("R3: page 24: a pull of many nights says how far it is, and what is left", async () => {
  const machine = await machineWith(sound);
  writeFileSync(join(machine.place, "build.log"), "");
  const under_way = {nights: 3, planned: 5, share: 0.61};
  await noteRun(machine, "us-fl-service", {status: "under way", reason: "night 3 of 5, 61 %", under_way});
  const {out} = await machine.shell(blocksOf(page(24)).check[0]!);
  expect(out).toMatch(/^us-fl-service +under way .*night 3 of 5, 61 %/m);
  expect(out).toMatch(/nights of 4 h \(CATTLE_FETCH_HOURS\)/);
});

test("R3: page 25: a fact that a layer lost is named with its column, and its corrected entry is checked", async () => {
  const machine = await machineWith(sound);
  const losses = [
    "acres: the layer no longer has its column GIS_AREA; if it has another name now, correct the entry",
  ];
  await noteRun(machine, "us-tx-stratmap", {status: "new", reason: null, losses});
  const reason = "moved: the layer has no field PARCELID; correct the entry";
  await noteRun(machine, "us-ut-statewide", {status: "failed", reason, fault: "moved", failures: 1});
  const {out} = await machine.shell(blocksOf(page(25)).check[0]!);
  expect(out).toContain(`us-tx-stratmap lacks: ${losses[0]}`);
  expect(out).toMatch(/^us-ut-statewide +failed .*moved: the layer has no field/m);
  const [check] = blocksOf(page(25)).action[0]!.split("\n");
  expect(await machine.shell(check!, {"/opt/cattle/": `${packageRoot}/`})).toMatchObject({code: 0});
});
