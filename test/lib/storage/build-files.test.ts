import {mkdir, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {beforeEach, expect, test} from "vitest";
import {buildFaults, digestFile} from "../../../lib/storage/build-files.ts";
import type {Manifest} from "../../../schemas/manifest.ts";
import {withStrikes} from "../../pipeline/publish/faults.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

const paths = ["market/a.arrow", "parcels/state=AZ/a.arrow", "parcels/state=AZ/b.arrow"];
let dir: string;
let manifest: Manifest;
beforeEach(async () => {
  dir = temporaryFolder();
  const files: unknown[] = [];
  for (const path of paths) {
    await mkdir(join(dir, path, ".."), {recursive: true});
    await writeFile(join(dir, path), path);
    files.push({path, ...(await digestFile(join(dir, path))), rows: null, schema_sha256: null});
  }
  manifest = {files, market: null, states: {}} as unknown as Manifest;
});

/** Checks the folder while reading a path fails with this code so many times. */
async function faultsWith(code: string, path: string, times = Number.POSITIVE_INFINITY): Promise<unknown> {
  let left = times;
  let found: unknown = null;
  const strike = (_what: string, at: string) => {
    if (at === join(dir, path) && left-- > 0) throw Object.assign(new Error(code), {code});
  };
  await withStrikes(["open", "readdir"], strike, async () => {
    found = await buildFaults(dir, manifest, {depth: "blocks"}).catch(String);
  });
  return found;
}

test("a file that cannot be read is a fault of that file, and a folder one of that folder", async () => {
  expect(await faultsWith("EACCES", paths[1]!)).toEqual([{path: paths[1], fault: "cannot be read (EACCES)"}]);
  expect(await faultsWith("EACCES", "parcels/state=AZ")).toEqual([
    {path: "parcels/state=AZ", fault: "cannot be read (EACCES)"},
  ]);
});

test("an I/O error counts when it comes twice, and too many open files are no fault of a file", async () => {
  expect(await faultsWith("EIO", paths[0]!, 1)).toEqual([]);
  expect(await faultsWith("EIO", paths[0]!)).toEqual([{path: paths[0], fault: "cannot be read (EIO)"}]);
  for (const path of [paths[0]!, "parcels"]) expect(await faultsWith("EMFILE", path)).toBe("Error: EMFILE");
});
