import {mkdir, rm, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {beforeEach, expect, test} from "vitest";
import {digestFile, folderDifferences} from "../src/file-list.ts";
import {withStrikes} from "./strikes.ts";
import {temporaryFolder} from "./temporary-folder.ts";

const paths = ["market/a.arrow", "parcels/state=AZ/a.arrow", "parcels/state=AZ/b.arrow"];
let dir: string;
let listed: Parameters<typeof folderDifferences>[1][number][];
beforeEach(async () => {
  dir = temporaryFolder();
  listed = [];
  for (const path of paths) {
    await mkdir(join(dir, path, ".."), {recursive: true});
    await writeFile(join(dir, path), path);
    listed.push({path, ...(await digestFile(join(dir, path)))});
  }
});

/** Checks the folder while reading a path fails with this code so many times. */
async function faultsWith(code: string, path: string, times = Number.POSITIVE_INFINITY): Promise<unknown> {
  let left = times;
  let found: unknown = null;
  const strike = (_what: string, at: string) => {
    if (at === join(dir, path) && left-- > 0) throw Object.assign(new Error(code), {code});
  };
  await withStrikes(["open", "readdir"], strike, async () => {
    found = await folderDifferences(dir, listed, {depth: "blocks", unlisted: "manifest.json"}).catch(String);
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

test("what is missing, too much, cut or changed is told, as deep as it is looked for", async () => {
  const check = (depth: "sizes" | "blocks" | "full") =>
    folderDifferences(dir, listed, {depth, unlisted: "manifest.json"});
  await writeFile(join(dir, "manifest.json"), "{}");
  expect(await check("full")).toEqual([]);
  await writeFile(join(dir, paths[0]!), "another/arrow/");
  expect([await check("sizes"), await check("blocks")]).toEqual([
    [],
    [{path: paths[0], fault: "damaged between bytes 0 and 1048576"}],
  ]);
  await writeFile(join(dir, paths[1]!), "cut");
  await rm(join(dir, paths[2]!));
  await writeFile(join(dir, "more"), "");
  expect(await check("sizes")).toEqual([
    {path: paths[2], fault: "is missing"},
    {path: "more", fault: "is not in the manifest"},
    {path: paths[1], fault: "3 bytes; the manifest says 24"},
  ]);
  listed[0] = {...listed[0]!, sha256: "0".repeat(64)};
  await writeFile(join(dir, paths[0]!), paths[0]!);
  expect((await check("full"))[2]).toEqual({path: paths[0], fault: "another SHA-256"});
});
