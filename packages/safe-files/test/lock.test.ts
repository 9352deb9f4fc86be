import {mkdir, readdir, readFile, rm, utimes, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {beforeEach, expect, test} from "vitest";
import {takeLock} from "../src/lock.ts";
import {ownIdentity} from "../src/process-identity.ts";
import {withStrikes} from "./strikes.ts";
import {temporaryFolder} from "./temporary-folder.ts";

let folder: string;
let lock: string;
beforeEach(async () => {
  folder = join(temporaryFolder(), "run");
  lock = join(folder, "build.lock");
  await mkdir(folder);
});

const dead = {...ownIdentity(), startTicks: "1"};
const write = (value: unknown) => writeFile(lock, JSON.stringify(value));
const age = (path: string, seconds: number) =>
  utimes(path, new Date(), new Date(Date.now() - seconds * 1000));
const left = async () => (await readdir(folder)).filter((name) => name !== "spare");

test("B4: a second build names the one that runs", async () => {
  const release = await takeLock(lock);
  await expect(takeLock(lock)).rejects.toThrow(`held by process ${process.pid} on ${ownIdentity().host}`);
  await release();
  await (await takeLock(lock))();
  expect(await left()).toEqual([]);
});

test("B4: takes over the lock of a process that is proven dead, and of no other", async () => {
  for (const alive of [{host: "another-machine", pid: 1}, {pidNamespace: "pid:[1]"}]) {
    await write({...ownIdentity(), ...alive});
    await expect(takeLock(lock)).rejects.toThrow("held by process");
  }
  for (const gone of [{bootId: "before-the-restart"}, {startTicks: "1"}]) {
    await write({...ownIdentity(), ...gone});
    await (await takeLock(lock))();
  }
  expect(await left()).toEqual([]);
});

test.each(["", "\0\0\0\0", '{"host":"a","bo'])(
  "B4: takes over a lock that was cut off to %j once nobody can be writing it, also after the clock was set back",
  async (text) => {
    await writeFile(lock, text);
    await expect(takeLock(lock)).rejects.toThrow("its owner cannot be read");
    for (const seconds of [61, -61]) {
      await writeFile(lock, text);
      await age(lock, seconds);
      await (await takeLock(lock))();
    }
    expect(await left()).toEqual([]);
  },
);

test("B4: a lock of another version of the program is left alone for a day", async () => {
  await write({...ownIdentity(), more: 1});
  await age(lock, 23 * 3600);
  await expect(takeLock(lock)).rejects.toThrow("its owner cannot be read (not of this version)");
  await age(lock, 25 * 3600);
  await (await takeLock(lock))();
});

test("B4: a take-over that was cut off stops no later one", async () => {
  await write(dead);
  await writeFile(`${lock}.claim`, JSON.stringify(dead));
  await (await takeLock(lock))();
  expect(await left()).toEqual([]);
});

test("B4: while another process takes a dead lock over, its claim is named", async () => {
  await write(dead);
  await writeFile(`${lock}.claim`, JSON.stringify(ownIdentity()));
  await expect(takeLock(lock)).rejects.toThrow(/build\.lock\.claim: held by process/);
  expect(JSON.parse(await readFile(lock, "utf8"))).toEqual(dead);
});

test("B4: removes no lock that came into the place of the judged one, and releases no lock of another process", async () => {
  const other = {...ownIdentity(), host: "another-machine"};
  await write(dead);
  const change = () => rm(lock).then(() => write(other));
  await withStrikes(
    ["rename"],
    (name) => (name === "rename" ? change() : null),
    () => expect(takeLock(lock)).rejects.toThrow("changed while it was taken over"),
  );
  expect(JSON.parse(await readFile(lock, "utf8"))).toEqual(other);
  await rm(lock);
  const release = await takeLock(lock);
  await rm(lock);
  await write(other);
  await release();
  expect(JSON.parse(await readFile(lock, "utf8"))).toEqual(other);
});

test("B4: a lock that somebody removed is released without a fault, and nothing is kept for the next one", async () => {
  const release = await takeLock(lock);
  const before = (await left()).filter((name) => !name.startsWith("build.lock"));
  await rm(lock);
  await release();
  expect(await left()).toEqual(before);
});

test("B10: whichever call of a lock meets a full disk, it is told, nothing is left, and the next lock is taken", async () => {
  for (let k = 1; ; k++) {
    await write(dead);
    let calls = 0;
    const full = Object.assign(new Error("ENOSPC: no space left on device"), {code: "ENOSPC"});
    let told: unknown = null;
    const strike = (what: string) => {
      if (what === "read") return;
      calls += 1;
      if (calls >= k) throw full;
    };
    await withStrikes(["open", "rename", "link"], strike, async () => {
      await takeLock(lock).then(
        (release) => release(),
        (error: unknown) => {
          told = error;
        },
      );
    });
    if (calls < k) break;
    expect([k, String(told)]).toEqual([k, expect.stringMatching(/ENOSPC|null/)]);
    await (await takeLock(lock))();
    expect([k, await left()]).toEqual([k, []]);
  }
});

test("a lock that is held is waited for, and who holds it is told once", async () => {
  const held = await takeLock(lock);
  const told: string[] = [];
  const waiting = takeLock(lock, {wait: (text) => told.push(text)});
  await expect.poll(() => told).toEqual([expect.stringMatching(/build\.lock: held by process/)]);
  await sleep(600);
  await held();
  await (await waiting)();
  expect(told).toHaveLength(1);
});
