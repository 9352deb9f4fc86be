import {chmod, cp, mkdir, readdir, readFile, utimes, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {expect, test} from "vitest";
import {rememberFirstSeen} from "../../../pipeline/raw/first-seen.ts";
import {listRawFiles} from "../../../pipeline/raw/raw-files.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

const noon = new Date("2026-08-23T12:00:00.750Z");
const later = new Date("2026-09-30T00:00:00Z");

async function rawFolder(): Promise<string> {
  const raw = temporaryFolder();
  await mkdir(join(raw, "market/mars"), {recursive: true});
  await writeFile(join(raw, "market/mars/a.json"), "[]");
  return raw;
}

test("gives a file without a meta the time at which it was first seen, and leaves it at that", async () => {
  const raw = await rawFolder();
  const {files, written} = await rememberFirstSeen(await listRawFiles(raw), noon);
  expect(written).toEqual(["market/mars/a.json"]);
  expect(files.map(({retrievedAt, retrievedAtFrom}) => [retrievedAt, retrievedAtFrom])).toEqual([
    ["2026-08-23T12:00:00Z", "assumed"],
  ]);
  expect(JSON.parse(await readFile(join(raw, "market/mars/a.json.meta.json"), "utf8"))).toEqual({
    retrieved_at: "2026-08-23T12:00:00Z",
    sha256: files[0]?.sha256,
    assumed: true,
  });
  expect(await rememberFirstSeen(await listRawFiles(raw), later)).toEqual({files, written: [], readOnly: []});
  expect(await readdir(join(raw, "market/mars"))).toEqual(["a.json", "a.json.meta.json"]);
});

test("a copy of the folder that lost its times has the same input facts", async () => {
  const raw = await rawFolder();
  const {files} = await rememberFirstSeen(await listRawFiles(raw), noon);
  const copy = temporaryFolder();
  await cp(raw, copy, {recursive: true});
  await utimes(join(copy, "market/mars/a.json"), 1, 1);
  const facts = ({path, sha256, retrievedAt, retrievedAtFrom, meta}: (typeof files)[number]) => ({
    path,
    sha256,
    retrievedAt,
    retrievedAtFrom,
    meta,
  });
  const copied = await rememberFirstSeen(await listRawFiles(copy), later);
  expect(copied.files.map(facts)).toEqual(files.map(facts));
});

test("sees other bytes under the same name for the first time", async () => {
  const raw = await rawFolder();
  await rememberFirstSeen(await listRawFiles(raw), noon);
  await writeFile(join(raw, "market/mars/a.json"), "[{}]");
  const {files, written} = await rememberFirstSeen(await listRawFiles(raw), later);
  expect([written, files[0]?.retrievedAt]).toEqual([["market/mars/a.json"], "2026-09-30T00:00:00Z"]);
});

test("writes nothing into a folder that was closed, also where the user could", async () => {
  const raw = await rawFolder();
  await chmod(join(raw, "market/mars"), 0o555);
  const before = await listRawFiles(raw);
  const seen = await rememberFirstSeen(before, noon);
  await chmod(join(raw, "market/mars"), 0o755);
  expect(seen).toEqual({files: before, written: [], readOnly: ["market/mars/a.json"]});
  expect(await readdir(join(raw, "market/mars"))).toEqual(["a.json"]);
});
