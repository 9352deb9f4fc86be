import {execFileSync} from "node:child_process";
import {once} from "node:events";
import {writeFileSync} from "node:fs";
import {mkdir, mkdtemp, rm, symlink, utimes, writeFile} from "node:fs/promises";
import {createServer} from "node:net";
import {tmpdir} from "node:os";
import {basename, dirname, join} from "node:path";
import {afterEach, beforeEach, expect, onTestFinished, test} from "vitest";
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
  expect(files.map(({path, kind, feedOrEntryId}) => [path, kind, feedOrEntryId])).toEqual([
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

test("names a meta file that is not JSON or has an unknown field, and lists the others", async () => {
  await put("market/mars/a.json");
  await put("market/mars/b.json");
  await put("market/mars/a.json.meta.json", "{");
  expect(await faults()).toEqual([
    ["market/mars/a.json", expect.stringMatching(/^market\/mars\/a\.json\.meta\.json: not JSON/)],
    ["market/mars/b.json", undefined],
  ]);
  await put("market/mars/a.json.meta.json", '{"retrieved_at": "2026-08-01T00:00:00Z", "retrived": 1}');
  expect((await faults())[0]![1]).toMatch(/a\.json\.meta\.json: not a meta file[\s\S]*retrived/);
});

/** Every file with its fault. */
async function faults(): Promise<[string, string | undefined][]> {
  return (await listRawFiles(raw)).map(({path, fault}) => [path, fault]);
}

/** Entries that are not files, by the reason for which they are skipped. */
const strange: Record<string, (path: string) => unknown> = {
  "got a named pipe": (path) => execFileSync("mkfifo", [path]),
  "got a socket": async (path) => {
    const server = createServer().listen(path);
    await once(server, "listening");
    onTestFinished(() => void server.close());
  },
  "a link to a device": (path) => symlink("/dev/zero", path),
  "leads out of the raw folder": (path) => symlink("/etc/hostname", path),
  "leads nowhere": (path) => symlink("nothing", path),
  "a link to a link": async (path) => {
    await symlink(basename(path), path);
  },
  "a link to a folder that it is in": (path) => symlink("..", path),
  "its name is not UTF-8": (path) => {
    writeFileSync(Buffer.concat([Buffer.from(`${path}-`), Buffer.from([0xe9, 0xff])]), "x");
  },
};

test.each(Object.keys(strange))(
  "names and skips an entry that is not a file, and lists the others: %s",
  async (reason) => {
    await put("market/mars/good.json");
    await strange[reason]!(join(raw, "market/mars/bad.json"));
    const [bad, good] = await faults();
    expect(bad![0]).toMatch(/^market\/mars\/bad\.json/);
    expect(bad![1]).toContain(reason);
    expect(bad![1]).toMatch(/^market\/mars\/bad\.json/);
    expect(good).toEqual(["market/mars/good.json", undefined]);
  },
);

test("names a pipe in place of a meta file, a pull record or a feed", async () => {
  await put("market/mars/a.json");
  await put("parcels/us-xx-one/pull/page-1.json");
  execFileSync("mkfifo", [join(raw, "market/mars/a.json.meta.json")]);
  execFileSync("mkfifo", [join(raw, "parcels/us-xx-one/pull/pull.json")]);
  execFileSync("mkfifo", [join(raw, "market/nass")]);
  expect(await faults()).toEqual([
    ["market/mars/a.json", "market/mars/a.json.meta.json: expected a file, got a named pipe."],
    ["market/nass", "market/nass: expected a file, got a named pipe."],
    [
      "parcels/us-xx-one/pull/pull.json",
      "parcels/us-xx-one/pull/pull.json: expected a file, got a named pipe.",
    ],
  ]);
});

test("follows a link inside the raw folder once, but no second one behind it", async () => {
  await put("parcels/us-xx-two/2026/a.csv");
  await mkdir(join(raw, "parcels/us-xx-one"), {recursive: true});
  await symlink("../us-xx-two/2026/a.csv", join(raw, "parcels/us-xx-one/b.csv"));
  await symlink("../us-xx-two", join(raw, "parcels/us-xx-one/whole"));
  await symlink("a.csv", join(raw, "parcels/us-xx-two/2026/z.csv"));
  expect(await faults()).toEqual([
    ["parcels/us-xx-one/b.csv", undefined],
    ["parcels/us-xx-one/whole/2026/a.csv", undefined],
    ["parcels/us-xx-one/whole/2026/z.csv", expect.stringContaining("a second link")],
    ["parcels/us-xx-two/2026/a.csv", undefined],
    ["parcels/us-xx-two/2026/z.csv", undefined],
  ]);
});

test("reads a file with the longest possible name", async () => {
  await put(`market/mars/${"x".repeat(249)}.json`);
  expect((await faults()).map(([, fault]) => fault)).toEqual([undefined]);
});

test("the raw folder itself may be a link", async () => {
  await put("market/mars/a.json");
  await symlink(raw, `${raw}-link`);
  onTestFinished(() => rm(`${raw}-link`));
  expect((await listRawFiles(`${raw}-link`)).map(({path}) => path)).toEqual(["market/mars/a.json"]);
});

test("reports the number of files at the start, then each file examined", async () => {
  for (const name of ["a", "b", "c"]) await put(`market/mars/${name}.json`, "four");
  const told: unknown[] = [];
  await listRawFiles(raw, {onProgress: (seen) => told.push(seen)});
  expect(told).toEqual([0, 1, 2, 3].map((files) => ({files, of: 3, bytes: files * 4})));
});

test("names a missing raw folder", async () => {
  await expect(listRawFiles(join(raw, "nowhere"))).rejects.toThrow("nowhere: no such folder");
});
