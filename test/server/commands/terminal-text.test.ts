import {expect, test} from "vitest";
import {terminalText} from "../../../server/commands/terminal-text.ts";
import type {Readable} from "../../../server/readable/readable.ts";

const answer: Readable = {
  above: ["A part of the question has no answer here."],
  tables: [
    {
      title: "Weeks",
      columns: [
        {name: "county"},
        {name: "cattle"},
        {name: "USD", right: true},
        {name: "range", right: true, optional: 5},
        {name: "source", optional: 4},
      ],
      rows: [
        [
          "Invented Prairie County, KS",
          "steers M&L 1-2, fancy, value added",
          "372.25/cwt",
          "1.00-2.00",
          "mars",
        ],
        ["Ford County, KS", "cows", "98.00/cwt", "90.00-99.00", "ams-lmr-datamart"],
      ],
    },
  ],
  below: [["Limitations", "Prices are for the stated report dates and venues, not current bids."]],
};

test("a wide terminal gets every column in one line a row, numbers flush right", () => {
  const lines = terminalText(answer, 120).split("\n");
  expect(lines.slice(2, 7)).toEqual([
    "Weeks",
    "county                       cattle                                     USD        range  source",
    expect.stringMatching(/^─+$/),
    "Invented Prairie County, KS  steers M&L 1-2, fancy, value added  372.25/cwt    1.00-2.00  mars",
    "Ford County, KS              cows                                 98.00/cwt  90.00-99.00  ams-lmr-datamart",
  ]);
});

test.each([50, 60, 80, 100])(
  "no line is longer than a terminal of %i columns, and no price is cut",
  (width) => {
    const text = terminalText(answer, width);
    expect(text.split("\n").filter((line) => line.length > width)).toEqual([]);
    expect(text).toContain("372.25/cwt");
    expect(text).not.toContain("…");
  },
);

test("optional columns go first, those of the highest number before the others", () => {
  expect(terminalText(answer, 100)).not.toContain("90.00-99.00");
  expect(terminalText(answer, 100)).toContain("ams-lmr-datamart");
  expect(terminalText(answer, 85)).not.toContain("ams-lmr-datamart");
});
