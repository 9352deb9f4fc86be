import {readdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {expect} from "vitest";
import {packageRoot} from "../../lib/paths.ts";
import {currentBuildId} from "../../lib/storage/data-folder.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {machineWith} from "./runbook-machine.ts";

const pages = readdirSync(join(packageRoot, "docs/runbook")).filter((name) => /^\d\d-/.test(name));

/** The file of a runbook page, by number. */
export function pageFile(number: number): string {
  return pages.find((name) => name.startsWith(String(number).padStart(2, "0")))!;
}

/** Makes a data folder with raw files of the sample, unmarked as such, and two published builds; each test damages a copy. */
export async function soundFolder(): Promise<{root: string; older: string; newer: string}> {
  const {data, cattle} = await machineWith(temporaryFolder());
  expect(await cattle("sample", "--to", join(data.root, "raw"), "--as-of", "2026-11-20")).toMatchObject({
    code: 0,
  });
  takeForReal(join(data.root, "raw"));
  expect(await cattle("build", "--as-of", "2026-11-20")).toMatchObject({code: 0});
  const older = (await currentBuildId(data))!;
  expect(await cattle("build", "--as-of", "2026-11-21")).toMatchObject({code: 0});
  return {root: data.root, older, newer: (await currentBuildId(data))!};
}

/** Removes the sample mark from raw files: a build with it queries no county on a miss. */
export function takeForReal(raw: string): void {
  const names = readdirSync(raw, {recursive: true, encoding: "utf8"});
  for (const name of names.filter((each) => each.endsWith(".meta.json"))) {
    const {sample: _, ...meta} = JSON.parse(readFileSync(join(raw, name), "utf8")) as Record<string, unknown>;
    writeFileSync(join(raw, name), JSON.stringify(meta));
  }
}
