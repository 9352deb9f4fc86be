import {statfs} from "node:fs/promises";
import {expect, test} from "vitest";
import {temporaryFolder} from "../../temporary-folder.ts";
import {cattle} from "./run-cattle.ts";

test("doctor tells the free space of the data folder in GiB", async () => {
  const root = temporaryFolder();
  const {stdout} = await cattle("doctor", "--json", "--out", root);
  const findings = JSON.parse(stdout) as {check: string; found: string}[];
  const told = findings.find(({check}) => check === "free space")!.found;
  const {bavail, bsize} = await statfs(root);
  expect(told).toMatch(/^\d+\.\d GiB/);
  // Other programs write meanwhile.
  expect(Number.parseFloat(told) / ((bavail * bsize) / 1024 ** 3)).toBeCloseTo(1, 0);
});
