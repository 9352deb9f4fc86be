import {existsSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {packageRoot} from "../../lib/paths.ts";
import {filesBelow} from "../../lib/storage/build-files.ts";
import {sha256OfFile} from "../../pipeline/raw/file-digest.ts";
import {writeSample} from "../../pipeline/sample/write-sample.ts";
import {temporaryFolder} from "../temporary-folder.ts";

const kept = join(packageRoot, "test/cases/sample-files.txt");

test("the sample of a day has the same bytes on every machine: README, cookbook and benches print what comes of it", async () => {
  const lines: string[] = [];
  // A Saturday, and a Thursday that ends a February.
  for (const asOf of ["2026-11-21", "2024-02-29"]) {
    const folder = join(temporaryFolder(), "sample");
    await writeSample(folder, asOf);
    const paths = (await filesBelow(folder)).toSorted();
    for (const path of paths) lines.push(`${asOf} ${path} ${await sha256OfFile(join(folder, path))}`);
  }
  const actual = lines.map((line) => `${line}\n`).join("");
  if (!existsSync(kept) && process.env["CI"] === undefined) writeFileSync(kept, actual);
  expect(actual).toBe(readFileSync(kept, "utf8"));
});
