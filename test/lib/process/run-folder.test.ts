import {mkdir, readdir, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {ownIdentity, readLock} from "@open-cattle/safe-files";
import {expect, test} from "vitest";
import {
  buildLock,
  holdLease,
  lockBuild,
  lockRun,
  readLeases,
  sweepRun,
} from "../../../lib/process/run-folder.ts";
import {dataFolder} from "../../../lib/storage/data-folder.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

test("leases name builds and their damaged files, and one of another form protects none", async () => {
  const data = dataFolder(temporaryFolder());
  await mkdir(data.run);
  const put = (name: string, value: object) => writeFile(join(data.run, name), JSON.stringify(value));
  await put("1-a.lease.json", {build_id: "20261120-aaaaaa", process: ownIdentity(), damaged: ["b", "a"]});
  await put("2-b.lease.json", {build_id: "20261120-aaaaaa", process: ownIdentity(), damaged: ["a", "c"]});
  await put("3-c.lease.json", {build_id: "20261120-cccccc", process: ownIdentity(), more: 1});
  await put("4-d.lease.json", {build_id: "20261120-dddddd", process: {...ownIdentity(), startTicks: "1"}});
  await holdLease(data).moveTo({build_id: "20261121-bbbbbb"});
  const {builds, damaged, dead, unreadable} = await readLeases(data);
  expect([[...builds].sort(), damaged, dead]).toEqual([
    ["20261120-aaaaaa", "20261121-bbbbbb"],
    ["a", "b", "c"],
    ["4-d.lease.json"],
  ]);
  expect(unreadable).toEqual([{name: "3-c.lease.json", fault: "not of this version"}]);
  expect(await sweepRun(data)).toEqual(["4-d.lease.json"]);
});

test("each work of a data folder has a lock of its own", async () => {
  const data = dataFolder(temporaryFolder());
  await using _build = await lockBuild(data);
  await using _keys = await lockRun(data, "keys");
  expect((await readdir(data.run)).sort()).toEqual(["build.lock", "keys.lock"]);
  expect((await readLock(buildLock(data)))?.value).toEqual(ownIdentity());
  await expect(lockRun(data, "keys")).rejects.toThrow("keys.lock: held by process");
});
