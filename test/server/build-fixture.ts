import {cpSync, mkdirSync, renameSync, symlinkSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {digestFile, filesBelow} from "@open-cattle/safe-files";
import {marketServing} from "../../lib/storage/build-layout.ts";
import {dataFolder} from "../../lib/storage/data-folder.ts";
import {manifestText} from "../../lib/storage/manifest-file.ts";
import {type ManifestFile, manifestFormat} from "../../schemas/manifest.ts";
import {writeMarketFixture} from "./market/market-fixture.ts";
import {temporaryFolder} from "./server-fixture.ts";

const DIGEST = "0".repeat(64);

const templateFolder = temporaryFolder();
let template: Promise<string> | undefined;
process.once("exit", templateFolder.remove);

/** The market is written once for all tests of a worker and copied into each build. */
async function writeTemplate(): Promise<string> {
  await writeMarketFixture(templateFolder.path);
  return templateFolder.path;
}

/**
 * Writes a build with the market of the fixture and no state into a data folder, with the tables that a test adds; it is not
 * published.
 */
export async function writeBuild(
  root: string,
  buildId: string,
  addTables: (folder: string) => Promise<void> = async () => {},
): Promise<string> {
  const folder = join(dataFolder(root).builds, buildId);
  mkdirSync(folder, {recursive: true});
  template ??= writeTemplate();
  cpSync(await template, join(folder, marketServing), {recursive: true});
  await addTables(folder);
  const files: ManifestFile[] = [];
  for (const path of await filesBelow(folder)) {
    files.push({path, ...(await digestFile(join(folder, path))), rows: null, schema_sha256: null});
  }
  const text = manifestText({
    format: manifestFormat,
    build_id: buildId,
    base_build_id: null,
    earlier_build_id: null,
    code_version: "test",
    as_of_date: "2026-11-21",
    built_at: "2026-11-21T06:10:00Z",
    sample: true,
    inputs: [],
    sources: [],
    market: {
      status: "built",
      built_in: buildId,
      inputs_sha256: DIGEST,
      attempted_inputs_sha256: null,
      held_back_because: null,
      delta: [],
      files,
      rows: {},
      sources: [],
      figures: {},
    },
    states: {},
    gates: [],
    acceptances: [],
    files: [],
  });
  writeFileSync(join(folder, "manifest.json"), text);
  return folder;
}

/** Points `current` at a build, by rename as publishing does. */
export function publish(root: string, buildId: string): void {
  const beside = join(root, ".current-test");
  symlinkSync(join("builds", buildId), beside);
  renameSync(beside, dataFolder(root).current);
}
