import {mkdirSync, readdirSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {expect, test} from "vitest";
import {makeViews, tablePaths} from "../../../lib/sql/build-views.ts";
import {openDatabase} from "../../../lib/sql/duckdb.ts";
import {
  allowFilesSql,
  copySql,
  csvRelation,
  jsonRelation,
  parquetMetadata,
  parquetRelation,
} from "../../../lib/sql/sql-path.ts";
import {stateTablePath, yearPath} from "../../../lib/storage/build-layout.ts";
import {sizeOf} from "../../crash/table.ts";
import {randomOf} from "../../pipeline/hostile-files.ts";
import {randomName} from "../../random-names.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

const seed = Number(process.env["SEED"] ?? 51);
/** Names that the name would match as a pattern, which lie beside it. */
function neighbours(name: string): string[] {
  return [
    name.replaceAll("*", "zz"),
    name.replaceAll("?", "q"),
    name.replace(/\[([^\]])[^\]]*\]/g, "$1"),
    name.replaceAll("[", "[[]"),
    name.replaceAll("\\", ""),
  ].filter((other) => other !== name && other !== "" && other !== "." && other !== "..");
}

/** 2,000 for `make crash`, fewer in a push. */
const names = sizeOf("NAMES", {push: 500, long: 2_000});

test("S13: a random name is read as that name and no other, beside what it would match as a pattern", async () => {
  using db = await openDatabase({threads: 1});
  const root = temporaryFolder();
  const random = randomOf(seed);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), {recursive: true});
    writeFileSync(path, `{"a": ${JSON.stringify(text)}}\n`, {flag: "wx"});
  };
  for (let i = 0; i < names; i += 1) {
    const folder = join(root, String(i));
    const [place, file] = [randomName(random), randomName(random)];
    const path = join(folder, place, file);
    write(path, "own");
    for (const other of [
      ...neighbours(file).map((name) => join(folder, place, name)),
      ...neighbours(place).map((name) => join(folder, name, file)),
    ])
      try {
        write(other, "other");
      } catch (error) {
        if (!["EEXIST", "EISDIR", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? ""))
          throw error;
      }
    const rows = await db.rows(
      `SELECT * FROM ${jsonRelation(path, "format = 'newline_delimited'", "columns = {a: 'VARCHAR'}")}`,
    );
    expect([seed, place, file, rows]).toEqual([seed, place, file, [{a: "own"}]]);
  }
}, 60_000);

const oddNames = ["roll[1].csv", "star*.csv", "a?b", "k=v", "\\[x]", 'it\'s "q"', "[!a]", "~", "{a,b}", "**"];

test("a folder and a file of any name are written and read in every format, and add no column", async () => {
  using db = await openDatabase({threads: 1});
  for (const name of oddNames) {
    const folder = join(temporaryFolder(), name, "year=9");
    mkdirSync(folder, {recursive: true});
    const query = "SELECT 1 AS one, 'x' AS two";
    const at = (format: string) => join(folder, `${name}.${format}`);
    await db.run(copySql(query, at("parquet"), "FORMAT parquet", "KV_METADATA {known: 'yes'}"));
    await db.run(copySql(query, at("csv"), "FORMAT csv, HEADER true"));
    await db.run(copySql(query, at("json"), "FORMAT json"));
    expect(readdirSync(folder).sort()).toEqual(["csv", "json", "parquet"].map((end) => `${name}.${end}`));
    const rows = (relation: string) => db.rows(`SELECT * FROM ${relation}`);
    expect(await rows(parquetRelation([at("parquet"), at("parquet")]))).toEqual([
      {one: 1, two: "x"},
      {one: 1, two: "x"},
    ]);
    expect(await rows(csvRelation(at("csv"), "columns = {one: 'INTEGER', two: 'VARCHAR'}"))).toHaveLength(1);
    expect(await rows(jsonRelation(at("json"), "columns = {one: 'INTEGER', two: 'VARCHAR'}"))).toEqual([
      {one: 1, two: "x"},
    ]);
    expect(await db.rows(`SELECT decode(key) AS key FROM ${parquetMetadata(at("parquet"))}`)).toEqual([
      {key: "known"},
    ]);
  }
});

test("views of a build in a folder of any name have the columns of its own folders, and read what is allowed", async () => {
  for (const name of [...oddNames, "state=ZZ", "year=1"]) {
    const [above, outside] = [temporaryFolder(), temporaryFolder()];
    const folder = join(above, name, "20260101-abcdef");
    using db = await openDatabase({threads: 1});
    const write = (path: string, query: string) => {
      mkdirSync(dirname(path), {recursive: true});
      return db.run(copySql(query, path, "FORMAT parquet"));
    };
    await write(join(folder, stateTablePath("boundaries", "TX")), "SELECT 1 AS acres");
    await write(join(folder, stateTablePath("boundaries", "AR")), "SELECT 2 AS acres, 'N' AS flag");
    await write(join(folder, yearPath("price_rows", 2025)), "SELECT 3 AS head");
    await write(join(folder, "tables/barns.parquet"), "SELECT 'b' AS venue_id, 30.0 AS lat, -90.0 AS lon");
    await write(join(outside, "x.parquet"), "SELECT 1 AS x");
    await makeViews(db, folder);
    await db.run(allowFilesSql((await tablePaths(folder)).map((path) => join(folder, path))));
    await db.run("SET enable_external_access = false");
    expect(await db.rows("SELECT * FROM boundaries ORDER BY acres")).toEqual([
      {acres: 1, flag: null, state: "TX"},
      {acres: 2, flag: "N", state: "AR"},
    ]);
    expect(await db.rows("SELECT * FROM price_rows")).toEqual([{head: 3, year: "2025"}]);
    expect(await db.rows("SELECT venue_id FROM barns")).toEqual([{venue_id: "b"}]);
    await expect(db.rows(`FROM ${parquetRelation(join(outside, "x.parquet"))}`)).rejects.toThrow(/disabled/);
  }
});

test("a question about one state reads the file of that state alone", async () => {
  const folder = temporaryFolder();
  using db = await openDatabase({threads: 1});
  for (const state of ["AR", "KS", "TX"]) {
    const path = join(folder, stateTablePath("boundaries", state));
    mkdirSync(dirname(path), {recursive: true});
    await db.run(copySql("SELECT unnest(range(10)) AS acres", path, "FORMAT parquet"));
  }
  await makeViews(db, folder);
  const [plan] = await db.rows<{explain_value: string}>(
    "EXPLAIN SELECT sum(acres) FROM boundaries WHERE state = 'KS'",
  );
  expect(plan!.explain_value.match(/Function:/g)).toHaveLength(1);
});
