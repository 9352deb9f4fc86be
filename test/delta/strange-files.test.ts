import {execFileSync} from "node:child_process";
import {mkdirSync} from "node:fs";
import {join} from "node:path";
import {readLock} from "@open-cattle/safe-files";
import {expect, test} from "vitest";
import {DeltaReader} from "../../lib/delta/delta-folder.ts";
import {buildLock, lockBuild, readLeases} from "../../lib/process/run-folder.ts";
import {dataFolder} from "../../lib/storage/data-folder.ts";
import {deltaFaults, deltaSummary} from "../../pipeline/commands/run-check.ts";
import {readDeltaInputs} from "../../pipeline/parts/delta-inputs.ts";
import {planGc} from "../../pipeline/publish/gc.ts";
import {repairSegments} from "../../pipeline/publish/segments.ts";
import {temporaryFolder} from "../temporary-folder.ts";

const [live, retired] = ["20261121T000000Z-1-aaaaaaaa.ndjson", "20261121T000001Z-1-bbbbbbbb.ndjson"];

/** A data folder with a named pipe in place of every file of the program. */
function pipes() {
  const data = dataFolder(temporaryFolder());
  mkdirSync(join(data.delta, "retired"), {recursive: true});
  mkdirSync(data.run);
  const paths = [
    join(data.delta, live),
    join(data.delta, "retired", retired),
    join(data.run, "build.lock"),
    join(data.run, "1-a.lease.json"),
  ];
  for (const path of paths) execFileSync("mkfifo", [path]);
  return data;
}

test("names a pipe in place of a segment, without waiting for it", async () => {
  const data = pipes();
  const reader = new DeltaReader(data.delta);
  await reader.poll(() => undefined);
  expect([reader.segments(), reader.nonFiles().map(({fault}) => fault)]).toEqual([
    [],
    Array(2).fill("expected a segment, got a named pipe"),
  ]);
  expect((await deltaFaults(data)).map(({path}) => path)).toEqual([live, `retired/${retired}`]);
  expect((await deltaSummary(data)).strange).toHaveLength(2);
  expect(await repairSegments(data.delta)).toEqual(new Map());
});

test("a build leaves it out by name", async () => {
  const {leftOut} = await readDeltaInputs([pipes().delta], null);
  expect(leftOut.map(({path, status}) => [path, status])).toEqual([
    [`delta/${live}`, "failed"],
    [`delta/retired/${retired}`, "failed"],
  ]);
});

test("names a pipe in place of a lock or lease like any unreadable one", async () => {
  const data = pipes();
  expect((await readLock(buildLock(data)))?.fault).toMatch(/got a named pipe/);
  expect((await readLeases(data)).unreadable.map(({name}) => name)).toEqual(["1-a.lease.json"]);
  await expect(lockBuild(data)).rejects.toThrow(/its owner cannot be read .*got a named pipe/);
  expect((await planGc(data)).unreadableLeases).toHaveLength(1);
});
