import {join} from "node:path";
import {filesBelow} from "@open-cattle/safe-files";
import {test} from "vitest";
import {sha256OfFile} from "../../pipeline/raw/file-digest.ts";
import {writeSample} from "../../pipeline/sample/write-sample.ts";
import {expectKept} from "../kept-text.ts";
import {temporaryFolder} from "../temporary-folder.ts";

test("the sample of a day has the same bytes on every machine: README, cookbook and benches print what comes of it", async () => {
  const lines: string[] = [];
  // A Saturday, and a Thursday on which a February ends.
  for (const asOf of ["2026-11-21", "2024-02-29"]) {
    const folder = join(temporaryFolder(), "sample");
    await writeSample(folder, asOf);
    const paths = (await filesBelow(folder)).toSorted();
    for (const path of paths) lines.push(`${asOf} ${path} ${await sha256OfFile(join(folder, path))}`);
  }
  expectKept("sample-files.txt", lines.map((line) => `${line}\n`).join(""));
});
