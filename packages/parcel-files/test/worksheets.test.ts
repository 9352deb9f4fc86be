import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {describe, expect, test} from "vitest";
import {openSheets} from "../src/worksheets.ts";
import {temporaryFolder} from "./temporary-folder.ts";
import {inline, workbook} from "./write-workbook.ts";
import {zipOf} from "./write-zip.ts";

function written(book: Buffer): string {
  const path = join(temporaryFolder(), "book.xlsx");
  writeFileSync(path, book);
  return path;
}

/** The sheets of a workbook by their names, as rows of cells. */
async function sheetsOf(book: Buffer): Promise<Record<string, string[][]>> {
  const read: Record<string, string[][]> = {};
  for (const {name, rows} of await openSheets(written(book), {shownPath: "book.xlsx", isBinary: false})) {
    read[name] = [];
    for await (const row of rows()) read[name].push(row);
  }
  return read;
}

/** The cells of one row. */
async function cellsOf(cells: string, more?: Parameters<typeof workbook>[1]): Promise<string[]> {
  return (await sheetsOf(workbook({Sheet: `<row r="1">${cells}</row>`}, more)))["Sheet"]![0]!;
}

describe("the cells of a row", () => {
  test.each([
    ["A1", 0],
    ["Z1", 25],
    ["AA1", 26],
    ["AB12", 27],
    ["ZZ1", 701],
    ["AAA1", 702],
    ["XFD1", 16_383],
    ["ZZZ1", 16_383],
  ])("are placed by their reference: %s", async (place, index) => {
    const cells = await cellsOf(inline(place, "x"));
    expect([cells.length, cells[index], cells.filter(String)]).toEqual([index + 1, "x", ["x"]]);
  });

  test("follow each other if they have no reference", async () => {
    expect(await cellsOf('<c><v>1</v></c><c r="C1"><v>2</v></c><c><v>3</v></c>')).toEqual([
      "1",
      "",
      "2",
      "3",
    ]);
  });

  test.each([
    ['<c r="A1" t="s"><v>1</v></c>', "second"],
    ['<c r="A1" t="s"><v>7</v></c>', ""],
    ['<c r="A1" t="e"><v>#REF!</v></c>', ""],
    ['<c r="A1" t="b"><v>1</v></c>', "true"],
    ['<c r="A1" t="b"><v>0</v></c>', "false"],
    ['<c r="A1" t="str"><v>1E5</v></c>', "1E5"],
    ['<c r="A1" t="d" s="1"><v>2026-01-02</v></c>', "2026-01-02"],
    ['<c r="A1"/>', ""],
    ['<c r="A1" s="1"/>', ""],
    ['<c r="A1" s="1"><v>words</v></c>', ""],
    ['<c r="A1"><v>4.10106100009E11</v></c>', "410106100009"],
    ['<c r="A1"><v>2.034567890123456E15</v></c>', "2034567890123456"],
    ['<c r="A1"><v>2034567890123451.0</v></c>', "2034567890123451"],
    ['<c r="A1"><v>1.5e-3</v></c>', "1.5e-3"],
    ['<c r="A1"><v>9.1E17</v></c>', "9.1E17"],
    ['<c r="A1"><v>0012.50</v></c>', "0012.50"],
    ['<c r="A1"><v>123.01000000000001</v></c>', "123.01"],
    ['<c r="A1"><v>-4.0999999999999996</v></c>', "-4.1"],
    ['<c r="A1"><v>4.0999999999999996E-2</v></c>', "0.041"],
    ['<c r="A1"><v>0.001234567890123456</v></c>', "0.00123456789012346"],
    ['<c r="A1"><v>12345678901234.5</v></c>', "12345678901234.5"],
    ['<c r="A1"><v>20123456789012345</v></c>', "20123456789012345"],
    ['<c r="A1"><v>2.0123456789012345E16</v></c>', "2.0123456789012345E16"],
    ['<c r="A1" t="inlineStr"><is><t>12 ELM_x000D_\nSALEM _x005F_x</t></is></c>', "12 ELM\r\nSALEM _x"],
    ['<c r="A1" t="inlineStr"><is><t>12_X0041_7</t></is></c>', "12_X0041_7"],
    ['<c r="A1" t="inlineStr"><is><t xml:space="preserve">A_x000d_</t></is></c>', "A\r"],
    ['<c r="A1" t="inlineStr"><is><r><t>14 </t></r><r><t>ELM</t></r></is></c>', "14 ELM"],
    ['<c r="A1" t="inlineStr"><is><t xml:space="preserve"> x </t></is></c>', " x "],
  ])("are read by their type: %s", async (cell, expected) => {
    const texts = "<si><t>first</t></si><si>\n  <r><t>sec</t></r>\n  <r><t>ond</t></r>\n</si>";
    expect(await cellsOf(cell, {texts})).toEqual([expected]);
  });

  test.each([
    [1, false, "1899-12-31"],
    [60.99, false, "1900-02-28 23:45:36"],
    [46_000, false, "2025-12-09"],
    [0, true, "1904-01-01"],
    [44_538, true, "2025-12-09"],
  ])(
    "are days, with a time if they have one, if their format is a date's: %d",
    async (days, date1904, expected) => {
      expect(await cellsOf(`<c r="A1" s="1"><v>${days}</v></c>`, {date1904})).toEqual([expected]);
    },
  );
});

/**
 * A workbook with a cell of 45000 in each of some formats, by number; 170 has a format text. Its elements have a namespace
 * prefix.
 */
function formatted(format: string, ids: readonly number[]): Buffer {
  const cells = ids.map((_, style) => `<x:c s="${style}"><x:v>45000</x:v></x:c>`);
  return zipOf({
    "xl/workbook.xml": '<workbook><sheets><sheet name="Sheet" id="a"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels":
      '<Relationships><Relationship Id="a" Target="/xl/one.xml"/></Relationships>',
    "xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="${format}"/></numFmts><cellXfs>${ids.map((id) => `<xf numFmtId="${id}"/>`).join("")}</cellXfs></styleSheet>`,
    "xl/one.xml": `<x:worksheet><x:sheetData><x:row r="1">${cells.join("")}</x:row></x:sheetData></x:worksheet>`,
  });
}

test.each([
  ["dd/mm/yy", true],
  ["YYYY", true],
  ["h:ss", true],
  ["0.00", false],
  ["#,##0 &quot;head&quot;", false],
  ["[Red]0", false],
  ["0\\d", false],
])("takes numbers of the format %s for days: %s", async (format, isDate) => {
  expect(await sheetsOf(formatted(format, [170]))).toEqual({Sheet: [[isDate ? "2023-03-15" : "45000"]]});
});

test("knows which built-in formats are dates", async () => {
  const ids = [...Array(50).keys()];
  const isDate = (id: number) => (id >= 14 && id <= 22) || (id >= 45 && id <= 47);
  expect(await sheetsOf(formatted("0", ids))).toEqual({
    Sheet: [ids.map((id) => (isDate(id) ? "2023-03-15" : "45000"))],
  });
});

describe("the sheets of a workbook", () => {
  test("come in its order; one without a part is skipped, and one whose part is missing has no rows", async () => {
    const book = zipOf({
      "xl/workbook.xml":
        '<workbook><sheets><sheet name="B" id="b"/><sheet name="Gone" id="x"/><sheet name="A" id="a"/></sheets></workbook>',
      "xl/_rels/workbook.xml.rels":
        '<Relationships><Relationship Id="a" Target="a.xml"/><Relationship Id="b" Target="b.xml"/></Relationships>',
      "xl/a.xml": `<worksheet><row>${inline("A1", "1")}</row><row r="2"/><row>${inline("A3", "3")}</row></worksheet>`,
    });
    expect(Object.entries(await sheetsOf(book))).toEqual([
      ["B", []],
      ["A", [["1"], [], ["3"]]],
    ]);
  });

  test("are none in a workbook without a list of them", async () => {
    expect(await sheetsOf(zipOf({"xl/other.xml": "<x/>"}))).toEqual({});
  });

  test("are read completely if chunks split their rows", async () => {
    const rows = Array.from(
      {length: 3000},
      (_, i) => `<row r="${i + 1}" spans="1:2">${inline(`A${i + 1}`, `r&amp;${i}`)}</row>`,
    );
    const {Sheet: read} = await sheetsOf(workbook({Sheet: rows.join("\n")}));
    expect(read).toHaveLength(rows.length);
    expect(read!.every(([cell], i) => cell === `r&${i}`)).toBe(true);
  });

  test("may have rows of any length, split into many chunks", async () => {
    const long = "x".repeat(300_000);
    const rows = [inline("A1", "before"), inline("A2", long), inline("A3", "after")];
    const book = workbook({Sheet: rows.map((cell, i) => `<row r="${i + 1}">${cell}</row>`).join("")});
    expect(await sheetsOf(book)).toEqual({Sheet: [["before"], [long], ["after"]]});
  });

  test("in the binary format are refused with a next step", async () => {
    await expect(openSheets("x.xls", {shownPath: "x.xls", isBinary: true})).rejects.toThrow(
      "--convert-to csv",
    );
  });
});
