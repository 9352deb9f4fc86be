import {chmod, cp, mkdir, readdir, readFile, utimes, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {expect, test} from "vitest";
import {rememberFirstSeen} from "../../../pipeline/raw/first-seen.ts";
import {listRawFiles, type RawFile} from "../../../pipeline/raw/raw-files.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

const noon = new Date("2026-08-23T12:00:00.750Z");
const later = new Date("2026-09-30T00:00:00Z");

/** A folder with the raw folder `raw` and, after a read, perhaps first-seen.json. */
async function folder(): Promise<string> {
  const root = temporaryFolder();
  await mkdir(join(root, "raw/market/mars"), {recursive: true});
  await writeFile(join(root, "raw/market/mars/a.json"), "[]");
  return root;
}

async function look(root: string, now: Date, {own = true, keep = true} = {}) {
  const files = await listRawFiles(join(root, "raw"));
  return rememberFirstSeen(files, {now, book: join(root, "first-seen.json"), own, keep});
}

const facts = ({path, sha256, retrievedAt, retrievedAtFrom, meta}: RawFile) => ({
  path,
  sha256,
  retrievedAt,
  retrievedAtFrom,
  meta,
});

test("gives a file without a meta the time at which it was first seen, and keeps it", async () => {
  const root = await folder();
  const {files, fresh} = await look(root, noon);
  expect(fresh).toEqual(["market/mars/a.json"]);
  expect(files.map(({retrievedAt, retrievedAtFrom}) => [retrievedAt, retrievedAtFrom])).toEqual([
    ["2026-08-23T12:00:00Z", "assumed"],
  ]);
  expect(JSON.parse(await readFile(join(root, "raw/market/mars/a.json.meta.json"), "utf8"))).toEqual({
    retrieved_at: "2026-08-23T12:00:00Z",
    sha256: files[0]?.sha256,
    assumed: true,
  });
  expect(await look(root, later)).toEqual({files, fresh: []});
  expect(await readdir(join(root, "raw/market/mars"))).toEqual(["a.json", "a.json.meta.json"]);
});

test("writes nothing into a foreign folder, and recognises its files by path and digest", async () => {
  const root = await folder();
  const before = await listRawFiles(join(root, "raw"));
  const {files, fresh} = await look(root, noon, {own: false});
  expect(fresh).toEqual(["market/mars/a.json"]);
  expect(files[0]).toMatchObject({retrievedAt: "2026-08-23T12:00:00Z", retrievedAtFrom: "assumed"});
  expect(await listRawFiles(join(root, "raw"))).toEqual(before);
  expect(await readdir(join(root, "raw/market/mars"))).toEqual(["a.json"]);
  await utimes(join(root, "raw/market/mars/a.json"), 1, 1);
  const again = await look(root, later, {own: false});
  expect([again.fresh, again.files.map(facts)]).toEqual([[], files.map(facts)]);
});

test("a read-only run knows the recorded times and writes none", async () => {
  const root = await folder();
  expect((await look(root, noon, {own: false, keep: false})).files[0]?.retrievedAtFrom).toBe("mtime");
  expect(await readdir(root)).toEqual(["raw"]);
  const kept = await look(root, noon, {own: false});
  expect((await look(root, later, {own: false, keep: false})).files).toEqual(kept.files);
});

test("a copy of the folder that lost its times has the same input facts", async () => {
  const root = await folder();
  const {files} = await look(root, noon);
  const copy = temporaryFolder();
  await cp(root, copy, {recursive: true});
  await utimes(join(copy, "raw/market/mars/a.json"), 1, 1);
  expect((await look(copy, later)).files.map(facts)).toEqual(files.map(facts));
});

test.each([true, false])(
  "treats other bytes under the same name as first seen now (own folder: %s)",
  async (own) => {
    const root = await folder();
    await look(root, noon, {own});
    await writeFile(join(root, "raw/market/mars/a.json"), "[{}]");
    const {files, fresh} = await look(root, later, {own});
    expect([fresh, files[0]?.retrievedAt]).toEqual([["market/mars/a.json"], "2026-09-30T00:00:00Z"]);
  },
);

test("writes nothing into a folder that was closed, also where the user could, and remembers the time elsewhere", async () => {
  const root = await folder();
  await chmod(join(root, "raw/market/mars"), 0o555);
  const {files, fresh} = await look(root, noon);
  const again = await look(root, later);
  await chmod(join(root, "raw/market/mars"), 0o755);
  expect([fresh, again.fresh, again.files]).toEqual([["market/mars/a.json"], [], files]);
  expect(await readdir(join(root, "raw/market/mars"))).toEqual(["a.json"]);
});

test("remembers a file whose name is too long for a meta file in first-seen.json", async () => {
  const root = await folder();
  const long = `${"x".repeat(249)}.json`;
  await writeFile(join(root, "raw/market/mars", long), "[]");
  const {files} = await look(root, noon);
  expect(files.map(({retrievedAtFrom, fault}) => [retrievedAtFrom, fault])).toEqual([
    ["assumed", undefined],
    ["assumed", undefined],
  ]);
  expect((await look(root, later)).files).toEqual(files);
});

test("names a damaged first-seen.json, and the cure", async () => {
  const root = await folder();
  await writeFile(join(root, "first-seen.json"), "{");
  await expect(look(root, noon)).rejects.toThrow(
    /first-seen\.json: not the list of first-seen times.*Restore or remove it/,
  );
});
