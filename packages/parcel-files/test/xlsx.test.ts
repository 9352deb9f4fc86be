import {expect, test} from "vitest";
import {readRows} from "./read-rows.ts";
import {inline, workbook} from "./write-workbook.ts";

const header = `<row r="1">${inline("A1", "PIN")}${inline("B1", "ADDR")}${inline("D1", "SALE")}</row>`;

test("reads a sheet below its title, with shared texts, gaps, dates and long numbers", async () => {
  const texts = "<si><t>12 N MAIN ST &amp; 1</t></si><si><r><t>14 </t></r><r><t>ELM ST</t></r></si>";
  const rows = `<row r="1">${inline("A1", "Parcels of Asperville")}</row>${header.replaceAll('1"', '2"')}
    <row r="3"><c r="A3"><v>4.10106100009E11</v></c><c r="B3" t="s"><v>0</v></c><c r="D3" s="1"><v>40269</v></c></row>
    <row r="4"/><row r="5"><c r="A5" t="str"><v>0012-004</v></c><c r="B5" t="s"><v>1</v></c><c r="D5" s="2"><v>40270.5</v></c></row>`;
  const {cells, seen} = await readRows("p.xlsx", workbook({Parcels: rows}, {texts}), ["PIN", "ADDR", "SALE"]);
  expect(cells).toEqual([
    {PIN: "410106100009", ADDR: "12 N MAIN ST & 1", SALE: "2010-04-01"},
    {PIN: "0012-004", ADDR: "14 ELM ST", SALE: "2010-04-02 12:00:00"},
  ]);
  expect(seen).toEqual(["PIN", "ADDR", "column_3", "SALE"]);
});

test("counts days from 1904 if the workbook says so", async () => {
  const rows = `${header}<row r="2"><c r="A2"><v>7</v></c><c r="D2" s="1"><v>38807</v></c></row>`;
  const {cells} = await readRows("p.xlsx", workbook({Parcels: rows}, {date1904: true}), ["SALE"]);
  expect(cells).toEqual([{SALE: "2010-04-01"}]);
});

test("names the sheets of a workbook that has several", async () => {
  const book = workbook({Notes: header, Parcels: header});
  await expect(readRows("p.xlsx", book, ["PIN"])).rejects.toThrow(
    'p.xlsx: sheets "Notes", "Parcels"; say which one has the parcels: --layer, in an entry "layer".',
  );
});

test("says how to convert an old Excel file", async () => {
  const old = Buffer.from("d0cf11e0a1b11ae1", "hex");
  await expect(readRows("p.xls", old, ["PIN"])).rejects.toThrow("--convert-to csv");
});

// A cell in the last column expands a few bytes to 49 KB.
const wide = `<row>${inline("XFD1", "x")}</row>`;

test("is read when its cells take 64 MiB, three bytes a cell beside its text, and refused with a byte more", async () => {
  const titles = `<row>${inline("A1", "PIN")}${inline("B1", "V")}</row>`;
  const rest = 64 * 2 ** 20 - 1365 * (16_384 * 3 + 1) - "PINV".length - 2 * 3;
  const readTo = (last: number) => {
    const row = `<row>${inline("A1", "x".repeat(last - 3))}</row>`;
    return readRows("p.xlsx", workbook({One: `${titles}${wide.repeat(1365)}${row}`}), ["PIN"]);
  };
  expect((await readTo(rest)).cells).toHaveLength(1366);
  await expect(readTo(rest + 1)).rejects.toThrow("its rows take more than 67108864 bytes");
});

test("is refused when its cells take far more bytes than the file", async () => {
  await expect(
    readRows(
      "p.xlsx",
      workbook({One: `<row>${inline("A1", "PIN")}${inline("B1", "V")}</row>${wide.repeat(1400)}`}),
      ["PIN"],
    ),
  ).rejects.toThrow(/p\.xlsx: its rows take more than 67108864 bytes/);
});
