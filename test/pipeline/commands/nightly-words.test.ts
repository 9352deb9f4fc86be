import {join} from "node:path";
import {expect, test} from "vitest";
import {lockRun} from "../../../lib/process/run-folder.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {cattle} from "./run-cattle.ts";

test("a night says in its last line why each part failed, and goes on with the next", async () => {
  const root = temporaryFolder();
  // While another run fetches, this one asks nobody.
  await using _lock = await lockRun({run: join(root, "run")}, "fetch");
  const {stdout} = await cattle("nightly", "--out", root);
  const held = `${join(root, "run/fetch.lock")}: held by process ${process.pid}`;
  const [market, build, parcels, ...others] = stdout.trim().split("\n").at(-1)!.split("; ");
  expect([market, parcels]).toEqual([
    expect.stringContaining(`nightly: market failed: ${held}`),
    expect.stringContaining(`parcels failed: ${held}`),
  ]);
  expect(build).toMatch(/^build failed: \S+ \S+/);
  expect(others.at(-2)).toMatch(/^gc removed 0 builds/);
});
