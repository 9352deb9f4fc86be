import {readFileSync} from "node:fs";
import {join} from "node:path";
import {DatabaseSync} from "node:sqlite";
import {expect, test} from "vitest";
import {sampleRows} from "../../../../packages/parcel-files/test/sample-rows.ts";
import {writeGeopackage} from "../../../../packages/parcel-files/test/write-geopackage.ts";
import {temporaryFolder} from "../../../temporary-folder.ts";
import {stage} from "./staging.ts";

const sound = "parcel_no,owner,address,acreage,account,use_code\nB-1,ROE,1 ELM ST,1,1,A1\n";

/** A package of 40 KiB whose tree of pages leads to its only row some billion times: all children of a page are the same page. */
function endlessPackage(): Buffer {
  const path = join(temporaryFolder(), "made.gpkg");
  writeGeopackage(path, sampleRows.slice(0, 1), {layers: ["p"]});
  using database = new DatabaseSync(path);
  database.exec("CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (zeroblob(24000))");
  const page = (sql: string) => Number(Object.values(database.prepare(sql).get()!)[0]);
  const [root, count] = [
    page("SELECT rootpage FROM sqlite_master WHERE name = 'p'"),
    page("PRAGMA page_count"),
  ];
  const bytes = readFileSync(path);
  const pageSize = bytes.length / count;
  const at = (number: number) => (number - 1) * pageSize;
  const [leaf, ...inner] = [count, count - 1, count - 2, count - 3, root];
  bytes.copy(bytes, at(leaf!), at(root), at(root) + pageSize);
  inner.forEach((number, i) => {
    const below = i === 0 ? leaf! : inner[i - 1]!;
    const cells = 400;
    const start = pageSize - cells * 5;
    const head = Buffer.alloc(12 + cells * 2);
    head[0] = 5;
    head.writeUInt16BE(cells, 3);
    head.writeUInt16BE(start, 5);
    head.writeUInt32BE(below, 8);
    for (let cell = 0; cell < cells; cell += 1) {
      head.writeUInt16BE(start + cell * 5, 12 + cell * 2);
      bytes.writeUInt32BE(below, at(number) + start + cell * 5);
      bytes[at(number) + start + cell * 5 + 4] = 1;
    }
    head.copy(bytes, at(number));
  });
  return bytes;
}

test("S16: a file that takes more than its size allows is ended by name, and the files beside it are read", async () => {
  const staging = await stage({"endless.gpkg": endlessPackage(), "sound.csv": sound});
  using _ = staging.db;
  expect(staging.reason("endless.gpkg")).toMatch(/endless\.gpkg: reading it takes more than/);
  expect(staging.files.map(({rows}) => rows)).toEqual([1]);
}, 120_000);
