import {describe, expect, test} from "vitest";
import {readRows} from "./read-rows.ts";
import {sampleEntry} from "./sample-rows.ts";
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

  test("keeps columns apart whose names differ in case alone, or are those of the database", async () => {
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

  test("reads Windows-1252 and UTF-16 as what they are", async () => {
    const expected = [{PIN: "1", N: "NUÑEZ “X”"}];
    const latin = Buffer.from("PIN,N\n1,NU\xd1EZ \x93X\x94\n", "latin1");
    const wide = Buffer.from("\ufeffPIN,N\n1,NUÑEZ “X”\n", "utf16le");
    expect((await readRows("a.csv", latin, ["PIN", "N"])).cells).toEqual(expected);
    expect((await readRows("a.csv", wide, ["PIN", "N"])).cells).toEqual(expected);
    expect((await readRows("a.csv", wide.swap16(), ["PIN", "N"])).cells).toEqual(expected);
    expect((await readRows("a.csv", "PIN,N\n1,NUÑEZ “X”\n", ["PIN", "N"])).cells).toEqual(expected);
  });

  test("counts rows that do not split into the header's columns, and reads the others", async () => {
    const {cells, malformed} = await readRows("a.csv", "PIN,A\n1,2\n3\n4,5,6\n7,8\n", ["PIN"]);
    expect(cells).toEqual([{PIN: "1"}, {PIN: "7"}]);
    expect(malformed).toBe(2);
  });

  test("counts the lines that an open quote takes along, also where another quote ends it", async () => {
    const line = (i: number, owner: string) => `${i},${owner},12 ELM ST,97301`;
    const text = (owner: (i: number) => string) =>
      `PIN,OWNER,SITUS,ZIP\n${Array.from({length: 10}, (_, i) => `${line(i, owner(i))}\n`).join("")}`;
    const counts = async (owner: (i: number) => string) => {
      const {cells, malformed} = await readRows("a.csv", text(owner), ["PIN", "OWNER"]);
      return [cells.length, malformed];
    };
    expect(await counts((i) => (i === 4 ? '"X' : "X"))).toEqual([4, 6]);
    expect(await counts((i) => (i === 9 ? '"X' : "X"))).toEqual([9, 1]);
    expect(await counts((i) => (i === 4 ? '"X' : i === 6 ? 'X"' : "X"))).toEqual([7, 3]);
    expect(await counts((i) => (i === 4 ? '"X, Y\nZ"' : "X"))).toEqual([10, 0]);
  });

  test("says what is wrong with a file that is empty, HTML, a header alone or of a broken quote", async () => {
    expect(await fault("")).toContain("a.csv: empty file");
    expect(await fault("\n\n")).toContain("a.csv: empty file");
    expect(await fault(" <!doctype html>")).toContain("HTML or XML came");
    expect(await fault("PIN,A\n")).toContain("no rows behind the header");
    expect(await fault('PIN,A\n"1,2\n3,4\n')).toContain("a.csv:");
  });
});
