import {mkdtemp, readFile, rm, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {basename, join} from "node:path";
import {gzipSync} from "node:zlib";
import {expansionLimits} from "@open-cattle/parcel-files";
import {afterEach, beforeEach, expect, test} from "vitest";
import {zipOf} from "../../../packages/parcel-files/test/write-zip.ts";
import {openRawContent} from "../../../pipeline/raw/raw-content.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "raw-content-"));
});
afterEach(() => rm(dir, {recursive: true}));

async function rawFile(name: string, content: Buffer | string) {
  const absolutePath = join(dir, name);
  await writeFile(absolutePath, content);
  return {path: `market/mars/${name}`, absolutePath};
}

test("reads a plain file as it is and does not copy it", async () => {
  const file = await rawFile("rows.csv", "a,b\n");
  const content = await openRawContent(file);
  expect([content.name, content.packing, String(await content.bytes())]).toEqual([
    "rows.csv",
    "none",
    "a,b\n",
  ]);
  expect(await content.extractTo(join(dir, "out"))).toEqual([file.absolutePath]);
});

test("opens a gzip file by its first bytes, whatever its name", async () => {
  for (const name of ["rows.csv.gz", "rows.csv"]) {
    const content = await openRawContent(await rawFile(name, gzipSync("a,b\n")));
    expect([content.name, String(await content.bytes())]).toEqual(["rows.csv", "a,b\n"]);
  }
});

test("writes the members of an archive below the folder, without the clutter of file managers", async () => {
  const members = {
    "county/parcels.dbf": "rows",
    "county/parcels.prj": "crs",
    "__MACOSX/county/._parcels.dbf": "junk",
  };
  const content = await openRawContent(await rawFile("parcels.zip", zipOf(members)));
  const paths = await content.extractTo(join(dir, "out"));
  expect(paths.map((path) => basename(path))).toEqual(["parcels.dbf", "parcels.prj"]);
  expect(await readFile(paths[0]!, "utf8")).toBe("rows");
  await expect(content.bytes()).rejects.toThrow("parcels.zip: expected one file in the archive, got 2 files");
});

test("names an archive of one file after that file", async () => {
  const content = await openRawContent(await rawFile("export.zip", zipOf({"in/rows.csv": "a,b\n"})));
  expect([content.name, String(await content.bytes())]).toEqual(["rows.csv", "a,b\n"]);
});

test.each([
  ["a name that climbs out", "../up.csv", {}, "invalid relative path: ../up.csv"],
  ["an absolute name", "/etc/up.csv", {}, "absolute path: /etc/up.csv"],
  ["a name with a drive", "C:/up.csv", {}, "absolute path: C:/up.csv"],
  ["a backslash", "..\\up.csv", {}, "invalid relative path"],
  ["a link", "link", {mode: 0o120777}, "is a link"],
  ["an encrypted member", "rows.csv", {flags: 1}, "is encrypted"],
])("refuses an archive with %s", async (_, name, marks, message) => {
  const file = await rawFile("bad.zip", zipOf({[name]: "/etc/passwd"}, marks));
  await expect(openRawContent(file)).rejects.toThrow(message);
});

test("refuses two members whose names differ in case only", async () => {
  const file = await rawFile("twice.zip", zipOf({"A.csv": "1", "a.csv": "2"}));
  await expect(openRawContent(file)).rejects.toThrow("comes twice");
});

test("finds a damaged member and a damaged gzip file", async () => {
  const zip = await openRawContent(await rawFile("bad.zip", zipOf({"a.csv": "rows"}, {crc: 1})));
  await expect(zip.bytes()).rejects.toThrow("bad.zip");
  const torn = await openRawContent(
    await rawFile("torn.csv.gz", gzipSync("a,b\n".repeat(1000)).subarray(0, 40)),
  );
  await expect(torn.bytes()).rejects.toThrow("market/mars/torn.csv.gz: damaged gzip file");
});

test("reports an extension that promises a compression which the content lacks", async () => {
  await expect(openRawContent(await rawFile("a.zip", "plain"))).rejects.toThrow("not a zip archive");
  await expect(openRawContent(await rawFile("a.gz", "plain"))).rejects.toThrow("not a gzip file");
});

test("stops a decompression bomb by its ratio, its total and its number of members", async () => {
  const zeros = Buffer.alloc(1 << 20);
  const bomb = await rawFile("bomb.gz", gzipSync(zeros));
  const byRatio = await openRawContent(bomb, {...expansionLimits, ratioFromBytes: 1 << 16});
  await expect(byRatio.bytes()).rejects.toThrow("more than 250 times its size");
  const byTotal = await openRawContent(bomb, {...expansionLimits, totalBytes: 1 << 16});
  await expect(byTotal.extractTo(join(dir, "out"))).rejects.toThrow("more than 65536 bytes");
  const many = await rawFile("many.zip", zipOf({a: "", b: ""}));
  await expect(openRawContent(many, {...expansionLimits, members: 1})).rejects.toThrow("2 members");
});

test("an archive of several files is refused where one was expected, a shapefile by its name", async () => {
  const members = (...names: string[]) => Object.fromEntries(names.map((name) => [name, "x"]));
  const outlines = await openRawContent(await rawFile("USDM.zip", zipOf(members("USDM.shp", "USDM.dbf"))));
  await expect(outlines.stream()).rejects.toThrow(
    "USDM.zip: expected one file in the archive, got a shapefile of outlines",
  );
  const two = await openRawContent(await rawFile("two.zip", zipOf(members("a.csv", "b.csv"))));
  await expect(two.stream()).rejects.toThrow("two.zip: expected one file in the archive, got 2");
});
