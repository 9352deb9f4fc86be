import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {inline, workbook} from "../../../packages/parcel-files/test/write-workbook.ts";
import {writeSheets} from "../../../pipeline/raw/workbook/sheets.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

function written(book: Buffer): string {
  const path = join(temporaryFolder(), "book.xlsx");
  writeFileSync(path, book);
  return path;
}

test("writes the rows of each sheet as lines of JSON, up to the bound of their bytes", async () => {
  const dir = temporaryFolder();
  const task = (rows: string) => ({
    path: written(workbook({One: rows, Two: ""})),
    ...{shownPath: "book.xlsx", isBinary: false, size: 1000, dir},
  });
  const sheets = await writeSheets(task(`<row>${inline("A1", "a")}</row><row>${inline("B1", "b")}</row>`));
  expect(sheets.map(({name, path}) => [name, readFileSync(path, "utf8")])).toEqual([
    ["One", '["a"]\n["","b"]\n'],
    ["Two", ""],
  ]);
  // A cell in the last column expands a few bytes to 49 KB.
  const wide = `<row>${inline("XFD1", "x")}</row>`;
  await expect(writeSheets(task(wide.repeat(1400)))).rejects.toThrow(
    /its rows take more than 67108864 bytes/,
  );
});
