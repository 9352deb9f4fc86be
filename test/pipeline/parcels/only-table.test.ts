import {mkdirSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {openDatabase} from "../../../lib/sql/duckdb.ts";
import {inline, workbook} from "../../../packages/parcel-files/test/write-workbook.ts";
import {zipOf} from "../../../packages/parcel-files/test/write-zip.ts";
import {onlyTable} from "../../../pipeline/parcels/propose/only-table.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

/** The table in a file of this name and content: its columns, and the header that fits. */
async function tableOf(name: string, content: string | Buffer, layer?: string) {
  const [dir, path] = [temporaryFolder(), join(temporaryFolder(), name)];
  writeFileSync(path, content);
  using db = await openDatabase();
  const {columns, header, dataset} = await onlyTable(db, path, {
    dir,
    state: "TX",
    ...(layer === undefined ? {} : {layer}),
  });
  return {columns, header, shown: dataset.shownPath};
}

const csv = "PIN,OWNER\n1,ROE JANE\n";

test("gives the columns of a file, of the only table of an archive, and of the layer that is meant", async () => {
  expect(await tableOf("p.csv", csv)).toEqual({columns: ["PIN", "OWNER"], header: undefined, shown: "p.csv"});
  expect((await tableOf("p.zip", zipOf({"in/a.csv": csv, "in/readme.pdf": "x"}))).columns).toEqual([
    "PIN",
    "OWNER",
  ]);
  const sheets = workbook({
    Notes: `<row r="1">${inline("A1", "NOTE")}${inline("B1", "BY")}</row><row r="2">${inline("A2", "x")}${inline("B2", "y")}</row>`,
    Roll: `<row r="1">${inline("A1", "PIN")}${inline("B1", "OWNER")}</row><row r="2">${inline("A2", "1")}${inline("B2", "ROE JANE")}</row>`,
  });
  expect((await tableOf("p.xlsx", sheets, "Roll")).columns).toEqual(["PIN", "OWNER"]);
});

test("refuses a file without a table, one with several, one that is not there, and a geodatabase", async () => {
  await expect(tableOf("p.zip", zipOf({"readme.pdf": "x"}))).rejects.toThrow(
    "p.zip: no reader found a table in it.",
  );
  await expect(tableOf("p.zip", zipOf({"a.csv": csv, "b.csv": csv}))).rejects.toThrow(
    /p\.zip: holds 2 tables \(.*a\.csv, .*b\.csv\)/,
  );
  using db = await openDatabase();
  const asked = (path: string) => onlyTable(db, path, {dir: temporaryFolder(), state: "TX"});
  await expect(asked("/nowhere/p.csv")).rejects.toThrow("/nowhere/p.csv: no such file.");
  await expect(asked(temporaryFolder())).rejects.toThrow(/no such file/);
  const geodatabase = join(temporaryFolder(), "p.GDB");
  mkdirSync(geodatabase);
  await expect(asked(geodatabase)).rejects.toThrow(/^p\.GDB: .*ogr2ogr/);
});

/** A header with one name too many before the last, and so many rows of parcels. */
const shifted = (rows: number, header = "PIN,OWNER,LOST,SITUS,ACRES") =>
  [
    header,
    ...Array.from({length: rows}, (_, i) => `00${i}-1${i},ROE JANE,${100 + i} ELM ST,${i + 1}.5`),
  ].join("\n");

test("drops the one header name without cells if five rows have one cell less", async () => {
  const names = ["PIN", "OWNER", "SITUS", "ACRES"];
  expect(await tableOf("p.csv", shifted(5))).toMatchObject({header: names, columns: names});
  expect((await tableOf("p.csv", `${shifted(5)}\n1,2,3,4,5`)).header).toBeUndefined();
  for (const unfit of [shifted(4), shifted(6, "PIN,OWNER,LOST,GONE,SITUS,ACRES")])
    await expect(tableOf("p.csv", unfit)).rejects.toThrow(/no rows behind the header that fit it/);
});

test("says where JSON rows must be if they are elsewhere", async () => {
  const keyed = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({length: count}, (_, i) => [`k${i}`, {PIN: String(i)}])));
  await expect(tableOf("p.json", keyed(2001))).rejects.toThrow(
    /one record of 2,001 members \(k0, .*k7, \.\.\).*jq -c '\.\[\]'/,
  );
  const nested = JSON.stringify({about: "x", parcels: [{PIN: "1", note: "y".repeat(1 << 18)}]});
  await expect(tableOf("p.json", nested)).rejects.toThrow(
    /one record of 2 members \(about, parcels, \.\.\).*jq -c '\.parcels\[\]'/,
  );
  expect((await tableOf("p.json", '[{"PIN": "1"}]')).columns).toEqual(["PIN"]);
});
