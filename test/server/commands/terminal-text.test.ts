import {expect, test} from "vitest";
import {terminalText} from "../../../server/commands/terminal-text.ts";
import {type Description, nothing} from "../../../server/text/description.ts";

const answer: Description = {
  ...nothing,
  headline: ["A part of the question has no answer here."],
  tables: [
    {
      title: "Weeks",
      columns: [
        {header: "county"},
        {header: "cattle"},
        {header: "USD", right: true},
        {header: "range", right: true, priority: 5},
        {header: "source", priority: 4},
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
  limitations: ["Prices are for the stated report dates and venues, not current bids."],
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

test("columns with a priority go first, those of the highest number before the others", () => {
  expect(terminalText(answer, 100)).not.toContain("90.00-99.00");
  expect(terminalText(answer, 100)).toContain("ams-lmr-datamart");
  expect(terminalText(answer, 85)).not.toContain("ams-lmr-datamart");
});

test("a header is never cut: it keeps its longest word and is broken between words", () => {
  const columns = [{header: "town"}, {header: "last reported"}, {header: "confidence"}];
  const rows = [["Invented Prairie Junction City, KS", "2026-11-18", "low"]];
  const lines = terminalText({...nothing, tables: [{title: "", columns, rows}]}, 34).split("\n");
  expect(lines.slice(0, 3)).toEqual([
    expect.stringMatching(/^town +last +confidence$/),
    expect.stringMatching(/^ +reported$/),
    expect.stringMatching(/^─{1,34}$/),
  ]);
});
