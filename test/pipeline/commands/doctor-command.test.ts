import {statfs} from "node:fs/promises";
import {afterEach, expect, test, vi} from "vitest";
import {main} from "../../../pipeline/cli.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

test("doctor tells the free space of the data folder in GiB", async () => {
  const root = temporaryFolder();
  let out = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += text;
    return true;
  });
  await main(["doctor", "--json", "--out", root]);
  const findings = JSON.parse(out) as {check: string; found: string}[];
  const told = findings.find(({check}) => check === "free space")!.found;
  const {bavail, bsize} = await statfs(root);
  expect(told).toMatch(/^\d+\.\d GiB/);
  // Other programs write meanwhile.
  expect(Number.parseFloat(told) / ((bavail * bsize) / 1024 ** 3)).toBeCloseTo(1, 0);
});
