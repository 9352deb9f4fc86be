import {mkdir, readdir, readFile, stat, utimes, writeFile} from "node:fs/promises";
import {basename, join} from "node:path";
import {beforeEach, expect, test} from "vitest";
import {isStaleTorn, namesIn, readOwnedFile, sweepLeftovers, writeBeside} from "../src/owned-file.ts";
import {ownIdentity} from "../src/process-identity.ts";
import {temporaryFolder} from "./temporary-folder.ts";

const asNote = (json: unknown) => (typeof (Object(json) as {a: unknown}).a === "number" ? json : null);

let run: string;
beforeEach(() => {
  run = temporaryFolder();
});

test("a value is written beside its file, for its owner alone, under a name of this process", async () => {
  const path = join(run, "build.lock");
  const names = await Promise.all([writeBeside(path, {a: 1}), writeBeside(path, {a: 2})]);
  expect(await Promise.all(names.map((name) => readFile(name, "utf8")))).toEqual(['{"a":1}\n', '{"a":2}\n']);
  for (const name of names) {
    expect(basename(name)).toMatch(new RegExp(`^build\\.lock\\.${process.pid}-[0-9a-f]{8}\\.new$`));
    expect((await stat(name)).mode & 0o777).toBe(0o600);
  }
  expect((await readdir(run)).length).toBe(2);
  await expect(writeBeside(join(run, "absent/build.lock"), 1)).rejects.toMatchObject({code: "ENOENT"});
});

test.each([
  ['{"a":1}', {value: {a: 1}, fault: null, torn: false}],
  ['{"a":"1"}', {value: null, fault: "not of this version", torn: false}],
  ["null", {value: null, fault: "not of this version", torn: false}],
  ['{"a":', {value: null, fault: "no JSON", torn: true}],
  ["", {value: null, fault: "empty", torn: true}],
])("a file with %j is read as %j", async (text, expected) => {
  await writeFile(join(run, "a"), text);
  const read = await readOwnedFile(join(run, "a"), asNote);
  expect(read).toEqual({...expected, stats: expect.objectContaining({size: text.length})});
});

test("an absent file is null, and what is no file a fault that is not torn", async () => {
  expect(await readOwnedFile(join(run, "a"), asNote)).toBeNull();
  await mkdir(join(run, "b"));
  const read = await readOwnedFile(join(run, "b"), asNote);
  expect(read).toMatchObject({value: null, torn: false, fault: expect.stringContaining("got a folder")});
  expect(read!.stats.isDirectory()).toBe(true);
});

test.each([
  [true, 60_000, false],
  [true, 60_001, true],
  [true, -60_000, false],
  [true, -60_001, true],
  [false, 1e9, false],
])("torn %s and %i ms old is forsaken: %s", (torn, ageMs, expected) => {
  const stats = {mtimeMs: 1_000_000_000_000} as Parameters<typeof isStaleTorn>[0]["stats"];
  expect(isStaleTorn({torn, stats}, stats.mtimeMs + ageMs)).toBe(expected);
});

test("what dead processes left on their way is removed, and nothing else", async () => {
  const alive = ownIdentity();
  const dead = {...alive, startTicks: "1"};
  const lease = (process: object) => ({build_id: "20261120-aaaaaa", process});
  const files: Record<string, unknown> = {
    "a.lock.1-0.new": dead,
    "b.lock.1-0.dead": dead,
    "c.lease.json.1-0.new": lease(dead),
    "d.lock.1-0.new": alive,
    "e.lease.json.1-0.new": lease(alive),
    "f.lock.1-0.new": {more: 1},
    "g.lock": dead,
    "h.lease.json": lease(dead),
    "i.new.lock": dead,
  };
  for (const [name, value] of Object.entries(files)) await writeFile(join(run, name), JSON.stringify(value));
  for (const name of ["torn-old.new", "torn-young.new"]) await writeFile(join(run, name), '{"host":');
  const now = Date.now();
  await utimes(join(run, "torn-old.new"), new Date(), new Date(now - 61_000));
  const swept = ["a.lock.1-0.new", "b.lock.1-0.dead", "c.lease.json.1-0.new", "torn-old.new"];
  const left = [...Object.keys(files), "torn-young.new"].filter((name) => !swept.includes(name));
  expect(await sweepLeftovers(run, now)).toEqual(swept);
  expect(await namesIn(run)).toEqual(left.sort());
  expect(await sweepLeftovers(run, now)).toEqual([]);
});

test("names are sorted, an absent folder has none, and a file in its place is a fault", async () => {
  for (const name of ["b", "c", "a"]) await writeFile(join(run, name), "");
  expect(await namesIn(run)).toEqual(["a", "b", "c"]);
  expect(await namesIn(join(run, "absent"))).toEqual([]);
  await expect(namesIn(join(run, "a"))).rejects.toMatchObject({code: "ENOTDIR"});
});
