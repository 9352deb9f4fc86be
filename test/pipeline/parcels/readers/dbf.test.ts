import {describe, expect, it, test} from "vitest";
import {type DbfColumn, dbfOf} from "../../../../packages/parcel-files/test/write-dbf.ts";
import {ParcelSource} from "../../../../schemas/parcel-source.ts";
import {sampleEntry} from "./sample-entry.ts";
import {stage} from "./staging.ts";

type Row = {readonly id: string; readonly text: string};

const idColumn: DbfColumn<Row> = {name: "parcel_no", type: "C", width: 10, text: ({id}) => id};
const textColumn = (name = "owner"): DbfColumn<Row> => ({name, type: "C", width: 12, text: ({text}) => text});

function entryOf(fields: Record<string, unknown>, more: Record<string, unknown> = {}): ParcelSource {
  const {area: _, owners: __, use: ___, ...rest} = sampleEntry;
  return ParcelSource.parse({...rest, ids: {raw: "parcel_no"}, fields, ...more});
}

const ownerEntry = entryOf({owner_raw: {from: "owner"}});

async function owner(table: Buffer, {cpg, encoding}: {cpg?: string; encoding?: string} = {}) {
  const staged = await stage(
    {"p.dbf": table, ...(cpg === undefined ? {} : {"p.cpg": cpg})},
    {...ownerEntry, ...(encoding === undefined ? {} : {encoding})},
  );
  return (await staged.rows())[0]?.owner ?? staged.reports.map(({reason}) => reason);
}

const rows = [{id: "1", text: "MUÑOZ"}];
const latin = (text: string) => Buffer.from(text, "latin1");

describe("the encoding of a DBF", () => {
  it("is the entry's, before the .cpg and the language byte", async () => {
    const table = dbfOf([idColumn, textColumn()], rows, {encode: latin, languageByte: 2});
    expect(await owner(table, {encoding: "windows-1252", cpg: "UTF-8"})).toBe("MUÑOZ");
  });

  it.each(["1252", "ANSI 1252", "windows-1252", "ISO 88591", "88591", "ISO-8859-1"])(
    "is what the .cpg says: %s",
    async (cpg) => {
      expect(await owner(dbfOf([idColumn, textColumn()], rows, {encode: latin}), {cpg})).toBe("MUÑOZ");
    },
  );

  it("follows the language byte: DOS code page 850", async () => {
    const dos = (text: string) => Buffer.from(text.replace("Ñ", "\u00a5"), "latin1");
    expect(await owner(dbfOf([idColumn, textColumn()], rows, {encode: dos, languageByte: 2}))).toBe("MUÑOZ");
  });

  it("is UTF-8 if valid, else Windows-1252, if nothing states it", async () => {
    expect(await owner(dbfOf([idColumn, textColumn()], rows, {languageByte: 0x57}))).toBe("MUÑOZ");
    expect(await owner(dbfOf([idColumn, textColumn()], rows, {encode: latin, languageByte: 0x57}))).toBe(
      "MUÑOZ",
    );
  });

  it("loses a character truncated by the width, not the cell", async () => {
    expect(
      await owner(dbfOf([idColumn, textColumn()], [{id: "1", text: "AAAAAAAAAAAÑ"}]), {cpg: "UTF-8"}),
    ).toBe("AAAAAAAAAAA");
  });

  it("names an entry's encoding that is unknown", async () => {
    expect(await owner(dbfOf([idColumn, textColumn()], rows), {encoding: "klingon"})).toEqual([
      expect.stringContaining('encoding "klingon" is unknown'),
    ]);
  });
});

test("the account of a DBF has the bytes of its head and of each record, deleted ones apart", async () => {
  const table = dbfOf(
    [idColumn],
    ["1", "2", "3", "4"].map((id) => ({id, text: ""})),
    {deleted: new Set([1])},
  );
  const staged = await stage({"p.dbf": table}, entryOf({}));
  expect(staged.files[0]!.account).toMatchObject({
    bytes: {all: table.length, read: table.length - 12, skipped: {deleted_row: 11, after_last_row: 1}},
    rows: {all: 4, read: 3, skipped: {deleted_row: 1}},
  });
  staged.db.close();
});

describe("the cells of a DBF", () => {
  it("keep every digit of a number, and asterisks are null", async () => {
    const number: DbfColumn<Row> = {name: "owner", type: "N", width: 20, text: ({text}) => text.padStart(20)};
    const table = dbfOf(
      [idColumn, number],
      [
        {id: "1", text: "12345678901234567890"},
        {id: "2", text: "0.10"},
        {id: "3", text: "*".repeat(20)},
        {id: "4", text: ""},
        {id: "5", text: "54500.001000"},
      ],
    );
    expect((await (await stage({"p.dbf": table}, ownerEntry)).rows()).map((row) => row.owner)).toEqual([
      "12345678901234567890",
      "0.10",
      null,
      null,
      "54500.001000",
    ]);
  });

  it.each([
    ["N", "1713072013.000000000", "1713072013"],
    ["N", "-500.00", "-500"],
    ["F", "55.0", "55"],
    ["C", "54500.000", "54500.000"],
  ])(
    "lose decimals that are all zeros in a column of numbers alone (I15, I18): %s %s",
    async (type, text, read) => {
      const column: DbfColumn<Row> = {name: "owner", type, width: 20, text: () => text};
      expect(await owner(dbfOf([idColumn, column], [{id: "1", text}]))).toBe(read);
    },
  );

  it.each([
    ["I18", "1.71307201300e+009", "1713072013"],
    ["a year", "1.99500000000e+003", "1995"],
    ["a house number", "1.16000000000E+002", "116"],
    ["nothing", "0.00000000000e+000", "0"],
    ["decimals", "-1.25500000000e+002", "-125.5"],
    ["I19: fewer digits than the number has", "4.10106100009e+014", "4.10106100009e+014"],
    ["a fraction", "2.50000000000e-001", "2.50000000000e-001"],
  ])("in a column of doubles lose their exponent where all digits are there: %s", async (_, text, read) => {
    const number: DbfColumn<Row> = {name: "owner", type: "F", width: 19, text: () => text};
    expect(await owner(dbfOf([idColumn, number], [{id: "1", text}]))).toBe(read);
  });

  it("keep an exponent in a binary double whose last digits are lost", async () => {
    const cell = (value: number) => Buffer.from(Float64Array.of(value).buffer).toString("latin1");
    const double: DbfColumn<Row> = {name: "owner", type: "O", width: 8, text: ({text}) => cell(Number(text))};
    const table = (text: string) => dbfOf([idColumn, double], [{id: "1", text}], {encode: latin});
    expect(await owner(table("410106100009"))).toBe("410106100009");
    expect(await owner(table("20123456789012345"))).toBe("2.0123456789012344e+16");
  });

  it.each([
    [8, "125000.5"],
    [4, null],
  ])("of currency are whole ten-thousandths in 8 bytes, and null in %i", async (width, read) => {
    const cell = Buffer.from(BigInt64Array.of(1_250_005_000n).buffer).toString("latin1");
    const money: DbfColumn<Row> = {name: "owner", type: "Y", width, text: () => cell.slice(0, width)};
    const table = dbfOf([idColumn, money], [{id: "1", text: ""}], {encode: latin});
    expect((await (await stage({"p.dbf": table}, ownerEntry)).rows()).map((row) => row.owner)).toEqual([
      read,
    ]);
  });

  it("are found by names truncated to 10 characters, and by a second name with _2", async () => {
    const table = dbfOf(
      [idColumn, textColumn("legal_desc"), textColumn("same"), {...textColumn("same"), text: () => "second"}],
      [{id: "1", text: "LOT 1"}],
    );
    const entry = entryOf({legal_desc: {from: "legal_description"}, owner_raw: {from: "same_2"}});
    expect(await (await stage({"p.dbf": table}, entry)).rows()).toMatchObject([
      {legal_description: "LOT 1", same_2: "second"},
    ]);
  });

  it("are text for dates and logical values, and null for a text that is not a date", async () => {
    const columns: DbfColumn<Row>[] = [
      idColumn,
      {name: "when", type: "D", width: 8, text: ({text}) => text},
      {name: "flag", type: "L", width: 1, text: ({id}) => id},
    ];
    const entry = entryOf({transfer_date: {from: "when", transform: ["ymd"]}, zoning_code: {from: "flag"}});
    const staged = await stage(
      {
        "p.dbf": dbfOf(columns, [
          {id: "T", text: "20250131"},
          {id: "n", text: "00000000"},
          {id: "?", text: ""},
        ]),
      },
      entry,
    );
    expect((await staged.rows()).map(({when, flag}) => [when, flag])).toEqual([
      ["20250131", "true"],
      [null, "false"],
      [null, null],
    ]);
  });

  it("are not read from records that are marked as deleted", async () => {
    const table = dbfOf([idColumn, textColumn()], [...rows, {id: "2", text: "GONE"}], {
      deleted: new Set([1]),
    });
    expect(await (await stage({"p.dbf": table}, ownerEntry)).rows()).toHaveLength(1);
  });
});
