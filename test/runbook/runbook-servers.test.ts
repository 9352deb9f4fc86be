import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import {join} from "node:path";
import {afterEach, beforeAll, expect, test} from "vitest";
import {packageRoot} from "../../lib/paths.ts";
import {stateServing} from "../../lib/storage/build-layout.ts";
import {buildFolder, currentBuildId} from "../../lib/storage/data-folder.ts";
import {FetchStates} from "../../pipeline/fetch/fetch-states.ts";
import {pointCurrentTo} from "../../pipeline/publish/publish.ts";
import type {FetchState} from "../../schemas/fetch-state.ts";
import {manifestFormat} from "../../schemas/manifest.ts";
import {fillDisk} from "../crash/fill-disk.ts";
import {cannotMount, mountMemory, unmountMapped} from "../crash/mounts.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {type CountyOfMisses, missOf, startCounty} from "./asked-county.ts";
import {type Answer, blocksOf, type Machine, machineWith} from "./runbook-machine.ts";
import {pageFile, soundFolder, takeForReal} from "./sound-folder.ts";

// Pages whose trouble a running server has, or that end with one.

let sound: string;
let older: string;
let newer: string;
const open: (() => Promise<unknown> | unknown)[] = [];

beforeAll(async () => {
  ({root: sound, older, newer} = await soundFolder());
});
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** A machine that is stopped after its test. */
async function aMachine(root?: string): Promise<Machine> {
  const machine = await machineWith(sound, root);
  open.push(() => machine.end());
  return machine;
}

/** A machine whose misses are sent to a county. */
async function machineOfCounty(root?: string): Promise<{machine: Machine; county: CountyOfMisses}> {
  const county = await startCounty();
  open.push(() => county.close());
  const machine = await aMachine(root);
  machine.settings["CATTLE_REGISTRY"] = county.registry;
  return {machine, county};
}

/** Mounts a disk of so many MiB in place of a folder. */
function mounted(folder: string, mib: number): string {
  mountMemory(folder, mib);
  open.push(() => unmountMapped(folder));
  return folder;
}

const check = (machine: Machine, number: number, names: Record<string, string> = {}) =>
  machine.shell(blocksOf(pageFile(number)).check.join("\n"), names);
const action = (machine: Machine, number: number, names: Record<string, string> = {}) =>
  machine.shell(blocksOf(pageFile(number)).action.join("\n"), names);
const lookupOf = ({body}: Answer) =>
  (body["metadata"] as {lookup?: {origin: string; persisted?: boolean}} | undefined)?.lookup;
/** Requests the county's n-th parcel until an answer has it, from the county or from the delta. */
async function find(machine: Machine, n: number): Promise<Answer> {
  await machine.until(async () => (await machine.ask(missOf(n))).status === 200);
  return machine.ask(missOf(n));
}
/** Builds for the server's current day, because a build accepts no discovery from after its own day. */
async function bringToToday(machine: Machine): Promise<void> {
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  machine.settings["SOURCE_DATE_EPOCH"] = epoch(now);
  const raw = join(machine.data.root, "raw");
  expect(await machine.cattle("sample", "--to", raw, "--as-of", now.slice(0, 10))).toMatchObject({code: 0});
  takeForReal(raw);
  await machine.shell("systemctl start cattle-build.service");
  expect((await machine.cattle("status")).out).not.toContain("held back:");
}
const isReady = async (machine: Machine) => (await machine.ask("/readyz")).body["status"] === "ready";
const epoch = (instant: string) => String(Date.parse(instant) / 1000);
const segments = ({data}: Machine) => readdirSync(data.delta).filter((name) => name.endsWith(".ndjson"));

test("R3: page 3: a source that was stale for days is fresh after its new files and the night's build", async () => {
  const machine = await aMachine();
  machine.settings["SOURCE_DATE_EPOCH"] = epoch("2026-11-27T06:00:00Z");
  await machine.shell("systemctl start cattle-build.service");
  await machine.serve();
  expect((await check(machine, 3)).out).toMatch(/mars +2026-11-20 +7/);
  expect(
    (await machine.cattle("sample", "--to", join(machine.data.root, "raw"), "--as-of", "2026-11-27")).code,
  ).toBe(0);
  takeForReal(join(machine.data.root, "raw"));
  await machine.shell("systemctl start cattle-build.service");
  expect((await machine.cattle("status")).out).toMatch(/mars +2026-11-27 +0/);
  const built = Number(machine.settings["SOURCE_DATE_EPOCH"]);
  await machine.until(async () => (await machine.metric("build_timestamp_seconds")) === built);
});

test.skipIf(cannotMount() !== null)(
  "R3: page 5: on a full disk answers go on, gc runs, and with more room the next build is published",
  async () => {
    const root = mounted(join(temporaryFolder(), "cattle"), 64);
    const {machine} = await machineOfCounty(root);
    expect((await machine.cattle("gc")).code).toBe(0);
    await machine.serve();
    expect(lookupOf(await find(machine, 0))).toMatchObject({origin: "delta"});
    fillDisk(join(root, "filler"));
    let n = 1;
    await machine.until(async () => lookupOf(await machine.ask(missOf(n++)))?.persisted === false);
    expect((await machine.ask("/readyz")).body).toMatchObject({reasons: ["delta_not_writable"]});
    expect(await machine.cattle("build")).toMatchObject({
      code: 1,
      out: expect.stringMatching(/free, this build may need/),
    });
    expect((await check(machine, 5)).out).toMatch(/100%[\s\S]*free space/);
    expect((await machine.cattle("gc")).code).toBe(0);

    expect(
      (await machine.shell(`mount -o remount,size=2g /var/lib/cattle && cattle build --state TX --no-reuse`))
        .code,
    ).toBe(0);
    expect((await machine.cattle("doctor")).out).toMatch(
      /ok +free space[\s\S]*ok +build lock[\s\S]*ok +leases/,
    );
    await machine.until(async () => lookupOf(await machine.ask(missOf(n++)))?.persisted === true);
    expect(await isReady(machine)).toBe(true);
  },
);

test.skipIf(cannotMount() !== null)(
  "R3: page 6: a segment that a full disk poisoned is named by its reason, and ended by repair",
  async () => {
    const {machine} = await machineOfCounty();
    mounted(machine.data.delta, 4);
    await machine.serve();
    await find(machine, 0);
    const free = fillDisk(join(machine.data.delta, "filler"));
    let n = 1;
    await machine.until(async () => lookupOf(await machine.ask(missOf(n++)))?.persisted === false);
    expect((await check(machine, 6)).out).toMatch(/ENOSPC[\s\S]*a delta segment was given up/);
    expect(await machine.metric("delta_poisoned_segments_total")).toBeGreaterThan(0);
    free();
    await machine.until(async () => lookupOf(await machine.ask(missOf(n++)))?.persisted === true);
    expect(await isReady(machine)).toBe(true);
    await machine.shell("systemctl stop cattle-server@0");
    expect((await machine.cattle("delta", "repair")).code).toBe(0);
    expect(await machine.cattle("verify", "delta")).toMatchObject({code: 0});
  },
);

test.each(["is lost, and a person accepts that", "comes back whole from the backup"])(
  "R3: page 7: a damaged line of a segment %s",
  async (how) => {
    const {machine} = await machineOfCounty();
    await bringToToday(machine);
    await machine.serve();
    for (const n of [0, 1, 2]) await find(machine, n);
    await machine.shell("systemctl stop cattle-server@0");
    const [segment] = segments(machine);
    const path = join(machine.data.delta, segment!);
    const whole = readFileSync(path);
    const damaged = Buffer.from(whole);
    damaged[whole.indexOf('"R-1-1"') + 2] = 0;
    writeFileSync(path, damaged);

    const found = await check(machine, 7, {SEGMENT: segment!});
    expect(found.out).toMatch(/1 damaged|bad lines/);
    expect([found.out.includes("R-0-1"), found.out.includes('"R-1-1"')]).toEqual([true, false]);
    expect(await machine.cattle("build")).toMatchObject({
      code: 3,
      out: expect.stringMatching(/delta-damage/),
    });
    if (how.startsWith("comes back")) writeFileSync(path, whole);
    const mended = how.startsWith("comes back") ? await machine.cattle("build") : await action(machine, 7);
    expect(mended).toMatchObject({code: 0});
    expect((await machine.cattle("status")).out).not.toContain("held back:");
    await machine.serve();
    const counted = "SELECT count(*) AS n FROM parcels WHERE county_key = '48041'";
    const lost = await machine.shell(`cattle sql "${counted}" --csv`);
    expect(lost.out).toBe(how.startsWith("comes back") ? "n\n3\n" : "n\n2\n");
  },
);

test("R3: page 8: what a killed server found is merged by the next build, and its segment is retired", async () => {
  const {machine} = await machineOfCounty();
  await machine.serve();
  for (const n of [0, 1]) await find(machine, n);
  await machine.shell("kill -9 $(systemctl show -p MainPID --value cattle-server@0)");
  await machine.until(async () => (await machine.metric("delta_unmerged_records").catch(() => 0)) > 0);
  const left = await check(machine, 8);
  expect([left.code, left.out]).toEqual([0, expect.stringMatching(/live/)]);
  expect((await machine.cattle("delta", "repair")).code).toBe(0);
  expect((await machine.cattle("build")).code).toBe(0);
  await machine.until(async () => (await machine.metric("delta_unmerged_records")) === 0);
  expect(machine.journal()).toContain("build opened");
  expect((await machine.cattle("delta", "ls")).out).toContain("retired");
});

test("R3: page 11: a file that was cut under a server kills it, is refused at its start, and made anew by a build", async () => {
  const machine = await aMachine();
  await machine.serve();
  const file = join(buildFolder(machine.data, newer), stateServing("TX"), "records.arrow");
  truncateSync(file, 0);
  const question = "/public/land-agent/property/address-lookup?address=116+W+Bluestem+Rd&state=TX";
  await machine.until(async () => {
    await machine.ask(question);
    return machine.journal().includes("status=7/BUS");
  });
  const found = await check(machine, 11);
  expect(found.out).toMatch(/code=killed, status=7\/BUS[\s\S]*records\.arrow/);
  expect((await machine.cattle("build", "--state", "TX", "--no-reuse")).code).toBe(0);
  await machine.until(async () => (await machine.ask(question)).status === 200);
  expect((await machine.cattle("verify")).out).toContain("files as the manifest says");
  const restarts = () => machine.shell("systemctl show -p NRestarts cattle-server@0");
  const before = (await restarts()).out;
  for (let n = 0; n < 20; n++) await machine.ask(question);
  expect((await restarts()).out).toBe(before);
});

test("R3: page 13: a county that blocks us is told from the log, and asked at its new address after a restart", async () => {
  const {machine, county} = await machineOfCounty();
  await machine.serve();
  county.misbehave = (response) => response.writeHead(403).end() !== undefined;
  const statuses = new Set<unknown>();
  for (let n = 0; n < 6; n++) statuses.add((await machine.ask(missOf(n))).status);
  expect([...statuses]).toEqual([503]);
  expect(machine.journal()).toMatch(/"county":"48041"[^\n]*status 403[^\n]*the county did not answer/);
  const breaker = `cadastre_breaker_state{host="${new URL(county.url).host}"}`;
  expect(await machine.metric(breaker)).toBe(2);
  expect((await machine.ask("/price-by-state?state=OK")).status).toBe(200);

  const moved = await startCounty();
  open.push(() => moved.close());
  county.enter(moved.url);
  await machine.shell("systemctl restart cattle-server@0");
  await machine.until(() => isReady(machine));
  expect(lookupOf(await find(machine, 0))).toMatchObject({origin: "delta"});
  expect(moved.queries()).not.toEqual([]);
  expect(await machine.metric(`cadastre_breaker_state{host="${new URL(moved.url).host}"}`)).toBe(0);

  machine.settings["CATTLE_CADASTRE"] = "0";
  await machine.shell("systemctl restart cattle-server@0");
  await machine.until(() => isReady(machine));
  const asked = moved.asked.length;
  expect((await machine.ask(missOf(9))).status).toBe(404);
  expect(moved.asked).toHaveLength(asked);
});

test("R3: page 14: a key that asks too much is named by the metrics, and answered no more after it is revoked", async () => {
  const machine = await aMachine();
  await machine.serve();
  const noisy = (await machine.cattle("keys", "create", "--label", "noisy")).out.trim();
  const ids = JSON.parse((await machine.cattle("keys", "list", "--json")).out) as {
    id: string;
    label: string;
  }[];
  const {id} = ids.find(({label}) => label === "noisy")!;
  const asked: number[] = [];
  await machine.until(async () => (await machine.ask("/barns?limit=1", noisy)).status === 200);
  for (let n = 0; n < 300; n++) asked.push((await machine.ask("/barns?limit=1", noisy)).status);
  expect(asked).toContain(429);
  const {out} = await check(machine, 14);
  expect(out).toMatch(new RegExp(`http_limited_total\\{key="${id}"\\} [1-9]`));
  expect(out).toMatch(new RegExp(`\\d+ "keyId":"${id}"`));
  const [revoke] = /cattle keys revoke key-\w+/.exec(
    readFileSync(join(packageRoot, "docs/runbook", pageFile(14)), "utf8"),
  )!;
  expect((await machine.shell(revoke!, {"key-0a1b2c3d4e": id})).code).toBe(0);
  await machine.until(async () => (await machine.ask("/barns?limit=1", noisy)).status === 403);
  expect((await machine.ask("/barns?limit=1")).status).toBe(200);
});

test("R3: page 15: mappings do not grow with the swaps, and a restarted server is there at once", async () => {
  const {machine} = await machineOfCounty();
  await machine.serve();
  await find(machine, 0);
  const swapTo = async (id: string) => {
    await pointCurrentTo(machine.data, id);
    await machine.until(async () => (await machine.ask("/readyz")).body["build_id"] === id);
  };
  const mappings = async () => {
    const {out} = await check(machine, 15);
    expect(out).toMatch(/^process_rss_anon_bytes \d/m);
    expect(out).toMatch(/RssAnon:\s+\d+ kB/);
    return Number(/^\d+$/m.exec(out)![0]);
  };
  for (const id of [older, newer]) await swapTo(id);
  const two = await mappings();
  for (const id of [older, newer, older, newer]) await swapTo(id);
  // Each build left mapped would add half of them. One that serves no more is unmapped by a garbage collection, which the next swaps bring.
  const counts: number[] = [];
  while (counts.length < 12 && !(counts.at(-1)! < 2 * two)) {
    for (const id of [older, newer]) await swapTo(id);
    counts.push(await mappings());
  }
  expect([two > 0, Math.min(...counts) < 2 * two], counts.join()).toEqual([true, true]);
  const pid = async () => (await machine.shell("systemctl show -p MainPID --value cattle-server@0")).out;
  const before = await pid();
  expect(await action(machine, 15)).toMatchObject({code: 0});
  expect(await pid()).not.toBe(before);
  expect((await find(machine, 0)).status).toBe(200);
});

test("R3: page 17: the next format is built beside the old one, and the servers change over with all that was found and decided", async () => {
  const {machine, county} = await machineOfCounty();
  const {root, raw} = machine.data;
  await bringToToday(machine);
  const tonight = new Date(Number(machine.settings["SOURCE_DATE_EPOCH"]) * 1000).toISOString();
  await new FetchStates(raw).note(goodRun("usdm", tonight));
  await machine.serve();
  expect(lookupOf(await find(machine, 0))).toMatchObject({origin: "delta"});
  const next = nextVersion(join(machine.place, "next-version"));
  const program = `"$NODE" ${next}/bin/cattle.js`;
  expect((await machine.shell(`${program} status`)).out).toContain(
    `format ${manifestFormat}, this program reads ${manifestFormat + 1}. Run "cattle build" with another --out.`,
  );
  const [build, changeOver] = blocksOf(pageFile(17)).action;
  const {code, out} = await machine.shell(build!, {"<repository>": "repository"});
  expect([code, out]).toEqual([0, expect.stringContaining("published")]);
  expect((await machine.ask(missOf(0))).status).toBe(200);
  const rows = (text: string) => text.match(/^(AZ|TX) .*$/gm);
  const before = rows((await machine.cattle("status")).out);

  // While the next version built, and until the old servers are stopped.
  expect(lookupOf(await find(machine, 1))).toMatchObject({origin: "delta"});
  const words = "sources allow us-id-statewide --licence Open --evidence https://idaho.example/";
  expect(await machine.cattle(...words.split(" "))).toMatchObject({code: 0});
  expect(await machine.shell(changeOver!)).toMatchObject({code: 0});
  Object.assign(machine.settings, {
    CATTLE_DATA: join(root, "next"),
    SERVER: join(next, "test/runbook/runbook-server.ts"),
  });
  await machine.serve();
  await machine.until(() => isReady(machine));
  const questions = county.queries().length;
  // The next build has merged the one; the other is in a segment.
  expect(lookupOf(await machine.ask(missOf(0)))).toMatchObject({origin: "dataset"});
  expect(lookupOf(await machine.ask(missOf(1)))).toMatchObject({origin: "delta"});
  expect(county.queries()).toHaveLength(questions);
  expect((await machine.shell(`${program} verify`)).out).toContain("files as the manifest says");
  expect(rows((await machine.shell(`${program} status`)).out)?.length).toBe(before?.length);
  const due = (await machine.shell(`${program} build --dry-run`)).out;
  expect(due.match(/^(MARKET|AZ|TX) +\w+/gm)?.map((line) => line.split(/ +/)[1])).toEqual([
    "reuse",
    "reuse",
    "build",
  ]);
  const plan = (await machine.shell(`${program} fetch --dry-run`)).out;
  expect([/^us-id-statewide .*never asked/m.test(plan), /^usdm /m.test(plan)]).toEqual([true, false]);
});

/** The state of a source that answered in full at an instant. */
function goodRun(source: string, at: string): FetchState {
  const nothing = {reason: null, losses: [], failures: 0, nights_without_progress: 0, bytes: 0};
  return {source, last_asked: at, last_good: at, last_new: at, status: "new", ...nothing};
}

/**
 * Writes the next version of the program: this one with another build format.
 * - "R3: page 3: a source that was stale for days is fresh after its new files and the night's build" + "R3: page 3: a source
 *   stale for days is fresh after its new files and the night's build"
 * - "R3: page 5: on a full disk answers go on, gc runs, and with more room the next build is published" + "R3: page 5: on a
 *   full disk the server keeps answering, gc runs, and the next build is published once there is room"
 * - "R3: page 6: a segment that a full disk poisoned is named by its reason, and ended by repair" + "R3: page 6: a segment
 *   damaged by a full disk is named with its reason, and closed by repair"
 * - "R3: page 8: what a killed server found is merged by the next build, and its segment is retired" + "R3: page 8: the next
 *   build merges a killed server's discoveries and retires its segment"
 * - "R3: page 11: a file that was cut under a server kills it, is refused at its start, and made anew by a build" + "R3: page
 *   11: a file truncated under a server kills it, is refused at its start, and rebuilt by a build"
 * - "R3: page 13: a county that blocks us is told from the log, and asked at its new address after a restart" + "R3: page 13:
 *   the log shows that a county blocks us, and a restart queries its new URL"
 * - "R3: page 14: a key that asks too much is named by the metrics, and answered no more after it is revoked" + "R3: page 14:
 *   metrics name a key that asks too much, and it gets no answers once revoked"
 * - "R3: page 15: mappings do not grow with the swaps, and a restarted server is there at once" + "R3: page 15: mappings do not
 *   grow with swaps, and a restarted server is ready at once"
 * - "R3: page 18: a marked value is found in the log of a proxy alone, and nowhere after the log is gone" + "R3: page 18: a
 *   marked value is found only in a proxy's log, and nowhere after the log is deleted"
 * - "R3: page 21: a server that dies for its memory is told from the journal, loses nothing, and stays with more of it" + "R3:
 *   page 21: the journal shows an out-of-memory kill, nothing is lost, and the server stays up with more memory"
 */
function nextVersion(folder: string): string {
  for (const name of [
    "bin",
    "lib",
    "schemas",
    "pipeline",
    "server",
    "data/reference",
    "data/sources",
    "package.json",
    "test/runbook/runbook-server.ts",
  ])
    cpSync(join(packageRoot, name), join(folder, name), {recursive: true});
  symlinkSync(join(packageRoot, "node_modules"), join(folder, "node_modules"));
  const path = join(folder, "schemas/manifest.ts");
  const text = readFileSync(path, "utf8");
  writeFileSync(
    path,
    text.replace(`manifestFormat = ${manifestFormat};`, `manifestFormat = ${manifestFormat + 1};`),
  );
  return folder;
}

test("R3: page 18: a marked value is found in the log of a proxy alone, and nowhere after the log is gone", async () => {
  const machine = await aMachine();
  await machine.serve();
  const logs = join(machine.place, "nginx");
  mkdirSync(logs);
  const question = "/public/land-agent/property/owner-search?state=TX&owner=QZXMARKED";
  writeFileSync(join(logs, "access.log"), `127.0.0.1 - - "GET ${question} HTTP/1.1" 200\n`);
  const ask = async () => {
    await machine.ask(question);
    return (await check(machine, 18, {"THE VALUE": "QZXMARKED"})).out.trim().split("\n");
  };
  expect(await ask()).toEqual(["0", "1", "0"]);
  rmSync(join(logs, "access.log"));
  writeFileSync(join(logs, "cattle.log"), "");
  expect((await action(machine, 18)).code).toBe(0);
  expect(await ask()).toEqual(["0", "0", "0"]);
  expect(machine.journal()).toContain('"route"');
});

test("R3: page 21: a server that dies for its memory is told from the journal, loses nothing, and stays with more of it", async () => {
  const {machine} = await machineOfCounty();
  machine.settings["SERVER_OPTIONS"] = "--max-old-space-size=8";
  await machine.shell("systemctl start cattle-server@0");
  await machine.until(() => machine.journal().includes("status=6/ABRT"));
  expect((await check(machine, 21)).out).toMatch(/heap out of memory[\s\S]*code=killed, status=6\/ABRT/);
  await machine.shell("systemctl stop cattle-server@0");
  machine.settings["SERVER_OPTIONS"] = "";
  await machine.serve();
  expect(lookupOf(await find(machine, 0))).toMatchObject({origin: "delta"});
  await machine.shell("kill -9 $(systemctl show -p MainPID --value cattle-server@0)");
  await machine.until(() => machine.journal().includes("status=9/KILL"));
  await machine.until(() => isReady(machine));
  expect(lookupOf(await machine.ask(missOf(0)))).toMatchObject({origin: "delta"});
  const {out} = await check(machine, 21);
  expect(out).toMatch(/^process_rss_anon_bytes \d/m);
  expect((await machine.cattle("doctor")).out).toMatch(/ok +leases/);
  expect((await machine.shell("systemctl show -p NRestarts cattle-server@0")).out).toBe("NRestarts=1\n");
  expect(await currentBuildId(machine.data)).toBe(newer);
});
