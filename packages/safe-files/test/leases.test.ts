import {mkdir, readdir, utimes, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {beforeEach, expect, test} from "vitest";
import * as leases from "../src/leases.ts";
import {asIdentity, ownIdentity} from "../src/process-identity.ts";
import {withStrikes} from "./strikes.ts";
import {temporaryFolder} from "./temporary-folder.ts";

const [first, second] = ["20261120-aaaaaa", "20261121-bbbbbb"];
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** A lease that says which build is in use, and no more. */
type Use = leases.LeaseRecord & {readonly build: string};

function asUse(json: unknown): Use | null {
  const {build, process, ...more} = Object(json) as Use;
  const isUse = typeof build === "string" && asIdentity(process) !== null && Object.keys(more).length === 0;
  return isUse ? (json as Use) : null;
}

const holdLease = () => leases.holdLease<Use>(folder);
const readLeases = async () => {
  const {held, ...others} = await leases.readLeases(folder, asUse);
  return {...others, builds: held.map(({build}) => build)};
};

async function put(name: string, text: string, ageSeconds = 0): Promise<void> {
  const path = join(folder, name);
  await writeFile(path, text);
  await utimes(path, new Date(), new Date(Date.now() - ageSeconds * 1000));
}

test("a lease names one build, the newest, until it is released", async () => {
  const lease = holdLease();
  for (const build of [first, second]) await lease.moveTo({build});
  expect((await readLeases()).builds).toEqual([second]);
  expect(await readdir(folder)).toHaveLength(1);
  await lease.release();
  await lease.release();
  expect(await readdir(folder)).toEqual([]);
});

test("an empty, cut, foreign or unreadable lease is named and never thrown on", async () => {
  await put("1-a.lease.json", "");
  await put("2-b.lease.json", '{"build":"202');
  await put("3-c.lease.json", JSON.stringify({build: first, process: ownIdentity(), more: 1}));
  await mkdir(join(folder, "4-d.lease.json"));
  const {builds, dead, unreadable} = await readLeases();
  expect([builds.length, dead]).toEqual([0, []]);
  expect(unreadable.map(({name, fault}) => `${name} ${fault}`)).toEqual([
    "1-a.lease.json empty",
    "2-b.lease.json no JSON",
    "3-c.lease.json not of this version",
    expect.stringMatching(/^4-d\.lease\.json .*got a folder/),
  ]);
});

test("sweeps the leases of dead servers, cut ones that nobody writes any more, and the remains of dead writers", async () => {
  const dead = {...ownIdentity(), startTicks: "1"};
  await put("1-a.lease.json", JSON.stringify({build: first, process: dead}));
  await put("2-b.lease.json", "", 61);
  await put("2-b.lease.json.2-00000000.new", "", 61);
  await put("build.lock.1-00000000.dead", JSON.stringify(dead));
  await put("3-c.lease.json.3-00000000.new", "");
  const lease = holdLease();
  await lease.moveTo({build: second});
  expect(await leases.sweepLeases(folder, asUse)).toHaveLength(4);
  expect((await readLeases()).builds).toEqual([second]);
  expect(await readdir(folder)).toHaveLength(2);
});

test("B10: whichever call of a lease meets a full disk, the old lease stays whole and nothing else is left", async () => {
  for (let k = 1; ; k++) {
    const lease = holdLease();
    await lease.moveTo({build: first});
    let calls = 0;
    const strike = (what: string) => {
      if (what === "read") return;
      calls += 1;
      if (calls >= k) throw Object.assign(new Error("ENOSPC: no space left on device"), {code: "ENOSPC"});
    };
    const moved = () => lease.moveTo({build: second});
    if (k > 1) await withStrikes(["open", "rename"], strike, () => moved().catch(() => undefined));
    else await withStrikes(["open", "rename"], strike, () => expect(moved()).rejects.toThrow("ENOSPC"));
    const {builds, unreadable} = await readLeases();
    expect([k, builds.length, unreadable, (await readdir(folder)).length]).toEqual([k, 1, [], 1]);
    await lease.release();
    if (calls < k) break;
  }
});
