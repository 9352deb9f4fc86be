import {describe, expect, test} from "vitest";
import {priceSheet} from "../src/price-sheet.ts";
import {tableHead} from "../src/table-head.ts";

const names = ["report_date", "commodity", "class", "avg_price", "head_count"];

describe("the header of delimited text", () => {
  test.each([
    ["commas", names.join(","), {columns: names, delimiter: ",", above: 0}],
    [
      "semicolons below a title",
      `\uFEFFMarket, News\n\r\n${names.join(";")}\n1;2`,
      {delimiter: ";", above: 2},
    ],
    ["the last line that may be it", `${"a,b\n".repeat(19)}${names.join("|")}`, {delimiter: "|", above: 19}],
    ["a line further down", `${"a\tb\n".repeat(20)}${names.join("|")}`, {columns: ["a", "b"], above: 0}],
    ["other columns", "a;b\n1;2", {columns: ["a", "b"], delimiter: ";", above: 0}],
    ["names that repeat or are empty", 'a,A,"",,a', {columns: ["a", "A_", "column", "column_", "a__"]}],
  ])("is found for %s", (_, text, head) => {
    expect(tableHead(text)).toMatchObject(head);
  });

  test.each([
    ["", "the first line has no column; the names of the table's columns were expected there."],
    ["\na,b", "the first line has no column;"],
    ["price\n1", 'the first line has the one column "price";'],
    [Array.from({length: 1001}, (_, at) => `c${at}`).join(","), "1001 columns; at most 1000 are read."],
  ])("is refused in %j", (text, message) => {
    expect(() => tableHead(text)).toThrow(message);
  });

  test("has at most a thousand columns", () => {
    expect(tableHead(Array.from({length: 1000}, (_, at) => `c${at}`).join(",")).columns).toHaveLength(1000);
  });
});

describe("the worksheet with price rows", () => {
  const sheet = (name: string, ...lines: string[][]) => ({
    name,
    async *rows() {
      yield* lines;
    },
  });
  const listed = async (rows: AsyncIterable<string[]>) => {
    const lines: string[][] = [];
    for await (const cells of rows) lines.push(cells);
    return lines;
  };
  const title = (count: number) => Array.from({length: count}, () => ["Market News"]);

  test("begins with its header, and its rows are as long as that or longer", async () => {
    const report = sheet(
      "Report",
      ["Market News"],
      names,
      ["1"],
      ["", " "],
      ["1", "2", "3", "4", "5", "x", ""],
    );
    const rows = await listed(await priceSheet([sheet("Notes", ["a"]), report]));
    expect(rows).toEqual([names, ["1", "", "", "", ""], ["1", "2", "3", "4", "5", "x"]]);
  });

  test("has its header within the first lines", async () => {
    expect(await listed(await priceSheet([sheet("a", ...title(20), names)]))).toEqual([names]);
    await expect(priceSheet([sheet("a", ...title(21), names)])).rejects.toThrow("0 worksheets have");
  });

  test("is one", async () => {
    await expect(priceSheet([sheet("Mon", names), sheet("Tue", names)])).rejects.toThrow(
      "2 worksheets have the columns of price rows (Mon, Tue); one was expected.",
    );
  });
});
