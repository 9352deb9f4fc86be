import {mkdir, mkdtemp, rm, utimes, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {afterEach, beforeEach, expect, test} from "vitest";
import {listRawFiles} from "../../../pipeline/raw/raw-files.ts";

let raw: string;
beforeEach(async () => {
  raw = await mkdtemp(join(tmpdir(), "raw-files-"));
});
afterEach(() => rm(raw, {recursive: true}));

async function put(path: string, text = "x"): Promise<void> {
  await mkdir(dirname(join(raw, path)), {recursive: true});
  await writeFile(join(raw, path), text);
}

test("lists the files inside feeds and entries, sorted, without meta files, README and hidden names", async () => {
  await put("parcels/us-xx-one/a.csv");
  await put("market/mars/2026/b.json");
  await put("market/mars/README.md");
  await put("market/mars/.hidden/c.json");
  await put("market/README.md");
  await put("market/mars/2026/b.json.meta.json", '{"retrieved_at": "2026-08-01T00:00:00Z"}');
  const files = await listRawFiles(raw);
  expect(files.map(({path, side, unit}) => [path, side, unit])).toEqual([
    ["market/mars/2026/b.json", "market", "mars"],
    ["parcels/us-xx-one/a.csv", "parcels", "us-xx-one"],
  ]);
});

test("takes the retrieval time from the meta file in UTC, else from the modification time", async () => {
  await put("market/mars/a.json");
  await put("market/mars/a.json.meta.json", '{"retrieved_at": "2026-08-01T06:00:00-05:00", "sample": true}');
  await put("market/mars/b.json");
  await utimes(join(raw, "market/mars/b.json"), 1_785_000_000.9, 1_785_000_000.9);
  const [a, b] = await listRawFiles(raw);
  expect([a?.retrievedAt, a?.retrievedAtFrom, a?.meta?.sample]).toEqual([
    "2026-08-01T11:00:00Z",
    "meta",
    true,
  ]);
  expect([b?.retrievedAt, b?.retrievedAtFrom, b?.meta]).toEqual(["2026-07-25T17:20:00Z", "mtime", null]);
});

test("names a meta file that is not JSON or has an unknown field", async () => {
  await put("market/mars/a.json");
  await put("market/mars/a.json.meta.json", "{");
  await expect(listRawFiles(raw)).rejects.toThrow("a.json.meta.json: not JSON");
  await put("market/mars/a.json.meta.json", '{"retrieved_at": "2026-08-01T00:00:00Z", "retrived": 1}');
  await expect(listRawFiles(raw)).rejects.toThrow(/a\.json\.meta\.json: not a meta file[\s\S]*retrived/);
});

test("says which raw folder is absent", async () => {
  await expect(listRawFiles(join(raw, "nowhere"))).rejects.toThrow("nowhere: no such folder");
});
