import {mkdir, readdir, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {expect, test} from "vitest";
import {makeStaging, sweepStaging} from "../../../pipeline/parts/part-folder.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

test("a staging folder goes with all that is in it when its build ends", async () => {
  const folder = temporaryFolder();
  {
    await using staging = await makeStaging(join(folder, "next"));
    for (const dir of [staging.dir, staging.workDir]) await writeFile(join(dir, "rows.arrow"), "half");
    expect((await readdir(folder)).sort()).toEqual(["next", "next.owner.json", "next.work"]);
  }
  expect(await readdir(folder)).toEqual([]);
});

test("one that nobody owns is swept a day after its last change, and those of other names are not", async () => {
  const folder = temporaryFolder();
  for (const name of ["next-1", "next-1.work", "other"]) await mkdir(join(folder, name));
  await writeFile(join(folder, "next-1", "rows.arrow"), "half");
  const hoursOn = (hours: number) => sweepStaging(folder, "next-", Date.now() + hours * 3_600_000);
  expect(await hoursOn(23)).toEqual([]);
  expect(await hoursOn(25)).toEqual(["next-1"]);
  expect(await readdir(folder)).toEqual(["other"]);
});
