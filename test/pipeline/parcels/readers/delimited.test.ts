import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {describe, expect, test} from "vitest";
import {UserError} from "../../../../lib/errors.ts";
import {maxColumns} from "../../../../lib/parcels/conform/file-cells.ts";
import {firstRows} from "../../../../pipeline/parcels/readers/delimited.ts";
import {temporaryFolder} from "../../../temporary-folder.ts";
import {readRows} from "./read-rows.ts";
import {sampleEntry} from "./sample-entry.ts";
import {stage} from "./staging.ts";

const fault = (text: string) =>
  readRows("a.csv", text, ["PIN"]).then(String, (error: Error) => error.message);

describe("the reader of delimited text", () => {
  test.each([
    ["a comma", "a.csv", ","],
    ["a tab", "a.tsv", "\t"],
    ["a semicolon", "a.csv", ";"],
    ["a bar", "a.txt", "|"],
  ])(
    "finds %s between cells, and keeps quotes, delimiters and line feeds inside them",
    async (_, name, delimiter) => {
      const text =
        ["PIN", '"LEGAL, DESC; |"', "ZIP"].join(delimiter) +
        "\r\n" +
        ['"007"', `"LOT ""A""${delimiter}\nBLK 2"`, "01234"].join(delimiter) +
        "\r\n";
      const {cells} = await readRows(name, text, ["PIN", "LEGAL, DESC; |", "ZIP"]);
      expect(cells).toEqual([{PIN: "007", "LEGAL, DESC; |": `LOT "A"${delimiter}\nBLK 2`, ZIP: "01234"}]);
    },
  );

  test.each([
    ["a title", "Roll of 2026\r\n"],
    ["a title in a sheet's row", "Roll of 2026,,\r\n,,\r\n"],
    ["several lines and a blank one", "Roll of 2026\r\nmade 1/2/2026\r\n\r\n"],
  ])("finds the header behind %s", async (_, title) => {
    const text = `\ufeff${title}PIN,N,ZIP\r\n1,HARLOW,01234\r\n2,QUISTAD,01235\r\n`;
    const {cells, seen} = await readRows("a.csv", text, ["PIN", "ZIP"]);
    expect(seen).toEqual(["PIN", "N", "ZIP"]);
    expect(cells).toEqual([
      {PIN: "1", ZIP: "01234"},
      {PIN: "2", ZIP: "01235"},
    ]);
  });

  test("does not take a header with a single name for a title", async () => {
    expect((await readRows("a.csv", "PIN\n1\n2\n", ["PIN"])).cells).toEqual([{PIN: "1"}, {PIN: "2"}]);
    expect(await readRows("a.csv", "PIN\n1,2,3\n", ["PIN"]).catch(String)).toMatch(
      /no rows behind the header/,
    );
  });

  test("names empty and repeated columns by place and number, and takes off a byte-order mark", async () => {
    const {cells, seen} = await readRows("a.csv", "\ufeffPIN,,A,A,A\n1,2,3,4,5\n", [
      "PIN",
      "column_2",
      "A",
      "A_3",
    ]);
    expect(seen).toEqual(["PIN", "column_2", "A", "A_2", "A_3"]);
    expect(cells).toEqual([{PIN: "1", column_2: "2", A: "3", A_3: "5"}]);
  });

  test("reads the text of a formula that keeps a number's zeros", async () => {
    const {cells} = await readRows("a.csv", 'PIN,A\n="0012",1\n"=""0013""",="x\n', ["PIN", "A"]);
    expect(cells).toEqual([
      {PIN: "0012", A: "1"},
      {PIN: "0013", A: '="x'},
    ]);
  });

  test("separates columns whose names differ only in case, or clash with our own", async () => {
    const entry = {
      ...sampleEntry,
      ids: {raw: "parcel_no"},
      fields: {subdivision: {from: "Name"}, neighborhood: {from: "NAME"}, legal_desc: {from: "rowid"}},
      area: undefined,
      use: undefined,
    };
    const text = "parcel_no,NAME,rowid,Name\n0001,NORTH,LOT 9,OAKS\n";
    const [row] = await (await stage({"p.csv": text}, entry)).conformed();
    expect(row).toMatchObject({subdivision: "OAKS", neighborhood: "NORTH", legal_desc: "LOT 9"});
  });

  test("recognises and reads Windows-1252 and UTF-16", async () => {
    const expected = [{PIN: "1", N: "NUÑEZ “X”"}];
    const latin = Buffer.from("PIN,N\n1,NU\xd1EZ \x93X\x94\n", "latin1");
    const wide = Buffer.from("\ufeffPIN,N\n1,NUÑEZ “X”\n", "utf16le");
    expect((await readRows("a.csv", latin, ["PIN", "N"])).cells).toEqual(expected);
    expect((await readRows("a.csv", wide, ["PIN", "N"])).cells).toEqual(expected);
    expect((await readRows("a.csv", wide.swap16(), ["PIN", "N"])).cells).toEqual(expected);
    expect((await readRows("a.csv", "PIN,N\n1,NUÑEZ “X”\n", ["PIN", "N"])).cells).toEqual(expected);
  });

  test.each<[string, string]>([
    ["\xff", "ÿ"],
    ["\xfe", "þ"],
    ["x\xfe", "xþ"],
    ["x\xff", "xÿ"],
    ["\xff\xff", "ÿÿ"],
    ["\xfe\xfe", "þþ"],
    ["\xef\xbb", "ï»"],
    ["\xef.\xbf", "ï.¿"],
    [".\xbb\xbf", ".»¿"],
  ])("reads an incomplete byte order mark as Windows-1252: %j", async (bytes, name) => {
    const {seen} = await readRows("a.csv", Buffer.from(`${bytes},N\n1,2\n`, "latin1"), ["N"]);
    expect(seen).toEqual([name, "N"]);
    const declared = Buffer.from(`${bytes},N\n1,2\n`, "latin1");
    expect((await readRows("a.csv", declared, ["N"], {encoding: "windows-1252"})).seen).toEqual([name, "N"]);
  });

  test("trusts a byte order mark over the bytes, and these over the declared encoding, cell by cell", async () => {
    const read = async (bytes: Buffer, encoding: string) =>
      (await readRows("a.csv", bytes, ["N"], {encoding})).cells[0]!["N"];
    expect(await read(Buffer.from("\ufeffPIN,N\n1,Ñ\n"), "windows-1252")).toBe("Ñ");
    expect(await read(Buffer.from("PIN,N\n1,Ñ\n"), "windows-1252")).toBe("Ñ");
    expect(await read(Buffer.from("PIN,N\n1,Ñ\n", "latin1"), "windows-1252")).toBe("Ñ");
    const mixed = Buffer.concat([Buffer.from("N,M\n"), Buffer.from("Ñ,", "latin1"), Buffer.from("Ü\n")]);
    expect((await readRows("a.csv", mixed, ["N", "M"])).cells).toEqual([{N: "Ñ", M: "Ü"}]);
    for (const [more, utf8] of [
      ["", 0],
      ["Ñ,Ü\n", 2],
    ] as const) {
      const latin = Buffer.from("99,NU\xd1EZ JOS\xc9\n", "latin1");
      const marked = Buffer.concat([Buffer.from("\ufeffN,M\n1,A\n"), latin, Buffer.from(more)]);
      const {cells, seen, remark} = await readRows("a.csv", marked, ["N", "M"], {encoding: "windows-1251"});
      expect([cells[1], seen]).toEqual([{N: "99", M: "NUÑEZ JOSÉ"}, ["N", "M"]]);
      expect(remark).toContain("its byte order mark says UTF-8");
      expect(remark).toContain(`of ${utf8 + 1} cells with other letters than ASCII, ${utf8} are UTF-8`);
    }
    const wide = Buffer.from("PIN,N\n1,Ñandú\n", "utf16le");
    expect((await readRows("a.csv", wide, ["N"])).cells).toEqual([{N: "Ñandú"}]);
    await expect(read(Buffer.from("PIN,N\n1,2\n"), "klingon")).rejects.toThrow(UserError);
  });

  test("detects UTF-8 over all bytes, even with a character across a chunk boundary", async () => {
    const first = async (tail: Buffer, before: number) => {
      const text = Buffer.concat([
        Buffer.from(`N\n${"x".repeat(2 ** 20 - 2 - before)}`),
        tail,
        Buffer.from("\n"),
      ]);
      return (await readRows("a.csv", text, ["N"])).cells[0]!["N"]!.slice(-2);
    };
    for (const before of [1, 2, 3]) expect(await first(Buffer.from("z€"), before + 1)).toBe("z€");
    expect(await first(Buffer.from("z\xd1", "latin1"), 1)).toBe("zÑ");
    expect(await first(Buffer.from("z\xd1", "latin1"), 2)).toBe("zÑ");
  });

  test("takes the entry's names of columns in place of the header", async () => {
    const {cells, seen} = await readRows("a.csv", "x,y\n1,2\n", ["PIN"], {header: ["N", "PIN"]});
    expect([cells, seen]).toEqual([[{PIN: "2"}], ["N", "PIN"]]);
  });

  test("gives the first rows with their header, without blank lines and without a row that may be cut", async () => {
    const rowsOf = async (text: string, most: number) => {
      const path = join(temporaryFolder(), "a.csv");
      writeFileSync(path, text);
      return firstRows(
        {path, shownPath: "a.csv", extension: "csv", head: Buffer.alloc(0), siblings: []},
        most,
      );
    };
    const text = 'PIN;N\n1;"a\n""b;"\n\n2;c\r\n3;d';
    expect(await rowsOf(text, 9)).toEqual({
      header: ["PIN", "N"],
      rows: [
        ["1", 'a\n"b;'],
        ["2", "c"],
        ["3", "d"],
      ],
    });
    expect((await rowsOf(text, 1)).rows).toHaveLength(1);
    expect((await rowsOf("PIN;N", 9)).rows).toEqual([]);
    const long = `PIN;N\n1;2\n3;${"x".repeat(2 ** 18)}\n4;5\n`;
    expect((await rowsOf(long, 9)).rows).toEqual([["1", "2"]]);
  });

  test("takes the delimiter that splits the header into most cells, and a comma where none splits it", async () => {
    expect((await readRows("a.csv", "a,b;c;d\n1;2;3\n", ["d"])).seen).toEqual(["a,b", "c", "d"]);
    expect((await readRows("a.csv", "PIN\n1\n", ["PIN"])).cells).toEqual([{PIN: "1"}]);
    expect((await readRows("a.csv", "a,b;c\n1,2\n", ["a"])).seen).toEqual(["a", "b;c"]);
  });

  test("refuses more columns than it reads", async () => {
    const header = (columns: number) => Array.from({length: columns}, (_, i) => `C${i}`).join(",");
    expect(await fault(`${header(maxColumns + 1)}\n1\n`)).toContain("columns; at most");
  });

  test("counts rows that do not split into the header's columns, and reads the others", async () => {
    const {cells, malformed} = await readRows("a.csv", "PIN,A\n1,2\n3\n4,5,6\n7,8\n", ["PIN"]);
    expect(cells).toEqual([{PIN: "1"}, {PIN: "7"}]);
    expect(malformed).toBe(2);
  });

  test("counts the lines swallowed by an open quote, even if another quote closes it", async () => {
    const situs = (i: number, quoted: number) => (i < quoted ? `"${i} ELM ST, APT 2"` : "12 ELM ST");
    const text = (owner: (i: number) => string, quoted: number) =>
      `PIN,OWNER,SITUS,ZIP\n${Array.from({length: 10}, (_, i) => `${i},${owner(i)},${situs(i, quoted)},97301\n`).join("")}`;
    const counts = async (owner: (i: number) => string, quoted = 4) => {
      const {cells, malformed} = await readRows("a.csv", text(owner, quoted), ["PIN", "OWNER"]);
      return [cells.length, malformed];
    };
    expect(await counts((i) => (i === 7 ? '"X' : "X"))).toEqual([7, 3]);
    expect(await counts((i) => (i === 9 ? '"X' : "X"))).toEqual([9, 1]);
    expect(await counts((i) => (i === 7 ? '"X' : i === 9 ? 'X"' : "X"))).toEqual([7, 3]);
    // Without a cell that needs its quotes, no row is lost.
    expect(await counts((i) => (i === 4 ? '"X' : "X"), 0)).toEqual([10, 0]);
    expect(await counts((i) => (i === 4 ? '"X' : i === 6 ? 'X"' : "X"), 0)).toEqual([10, 0]);
    expect(await counts((i) => (i === 4 ? '"X, Y\nZ"' : "X"))).toEqual([10, 0]);
  });

  test("R04: takes a quote at the start of a cell as a letter where quoting would lose rows", async () => {
    const rows = Array.from({length: 60}, (_, i) => `P${i}|${i} OAK ST|LOT ${i}|1`);
    rows[7] = 'P7|7 OAK ST|"12 PIPE EASEMENT|1';
    rows[20] = 'P20|HARLOW "BUD" DALE|LOT 20|1';
    rows[45] = 'P45|45 OAK ST|"A" ADDN LOT 3|1';
    rows[50] = 'P50|"50 OAK ST"|LOT 50|1';
    const {cells, malformed} = await readRows("a.txt", `PIN|SITUS|LEGAL|ACRES\n${rows.join("\n")}\n`, [
      "PIN",
      "SITUS",
      "LEGAL",
    ]);
    expect([cells.length, malformed]).toEqual([60, 0]);
    expect([7, 20, 45, 50].map((i) => [cells[i]!["SITUS"], cells[i]!["LEGAL"]])).toEqual([
      ["7 OAK ST", '"12 PIPE EASEMENT'],
      ['HARLOW "BUD" DALE', "LOT 20"],
      ["45 OAK ST", '"A" ADDN LOT 3'],
      ["50 OAK ST", "LOT 50"],
    ]);
  });

  test("reads quotes that a backslash escapes where quotes are not doubled", async () => {
    const {cells} = await readRows(
      "a.csv",
      'PIN,LEGAL,ZIP\n1,"LOT \\"A\\", BLK 2",01234\n2,"LOT 1, BLK 3",01235\n',
      ["PIN", "LEGAL"],
    );
    expect(cells).toEqual([
      {PIN: "1", LEGAL: 'LOT "A", BLK 2'},
      {PIN: "2", LEGAL: "LOT 1, BLK 3"},
    ]);
  });

  test("explains what is wrong with a file that is empty, HTML, only a header, or has a broken quote", async () => {
    expect(await fault("")).toContain("a.csv: empty file");
    expect(await fault("\n\n")).toContain("a.csv: empty file");
    expect(await fault(" <!doctype html>")).toContain("got HTML or XML");
    expect(await fault("PIN,A\n")).toContain("no rows behind the header");
    expect(await fault('PIN,A\n"1\n')).toContain("a.csv:");
  });
});

test("R12: a table of fixed widths fails with the places of its columns and the command that writes a CSV", async () => {
  const lines = [
    "parcel_no owner        address",
    "12-1      HARLOW DALE  7 ELM ST",
    "12-2      QUISTAD      902 OAK RD",
  ];
  const {db, reason} = await stage({"p.txt": `${lines.join("\n")}\n`});
  db.close();
  expect(reason("p.txt")).toMatch(
    /columns begin at 1, 11, 24\. .*awk -v OFS='\|' .*substr\(\$0, 1, 10\), substr\(\$0, 11, 13\), substr\(\$0, 24\).* "p\.txt" > "p\.psv"/,
  );
});

test("S13: files are read by their names, whatever their neighbours are called", async () => {
  const row = (parcel: string) =>
    `parcel_no,owner,address,acreage,account,use_code\n${parcel},HARLOW,1 ELM ST,1,1,A1\n`;
  const {db, files, rows} = await stage({
    "roll1.csv": row("A-1"),
    "roll[1].csv": row("B-1"),
    "star*.csv": row("C-1"),
    "starry.csv": row("D-1"),
    "year=9/who?.csv": row("E-1"),
    "year=9/whom.csv": row("F-1"),
    "a\\[b]/it's.csv": row("G-1"),
  });
  using _ = db;
  expect(files.map(({rows: count}) => count)).toEqual([1, 1, 1, 1, 1, 1, 1]);
  const numbers = (await rows())
    .flatMap((each) => Object.values(each))
    .filter((cell) => /^[A-G]-1$/.test(String(cell)));
  expect(numbers.sort()).toEqual(["A-1", "B-1", "C-1", "D-1", "E-1", "F-1", "G-1"]);
});
