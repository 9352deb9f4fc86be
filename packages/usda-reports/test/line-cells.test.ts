import {expect, test} from "vitest";
import {type ColumnName, columnNames} from "../src/headings.ts";
import {cellsOf} from "../src/line-cells.ts";
import {tokensOf} from "../src/tokens.ts";

const places: Partial<Record<ColumnName, number>> = {
  Head: 2,
  "Wt Range": 12,
  "Avg Wt": 22,
  "Price Range": 36,
  "Avg Price": 52,
};
const columns = columnNames.flatMap((name) => {
  const center = places[name];
  return center === undefined ? [] : [{name, center}];
});
const read = (line: string, placed: boolean) => cellsOf(tokensOf(line), columns, placed);
const around = (center: number, text: string, line = "") =>
  line.padEnd(center - Math.floor(text.length / 2)) + text;

const prices = {"Price Range": "385.00-390.00", "Avg Price": "387.00"};
const withPrices = (line: string) => around(52, "387.00", around(36, "385.00-390.00", line));

test("assigns an ambiguous weight to the nearer column, or to none if positions are unknown", () => {
  const low = withPrices(around(12, "640", around(2, "6")));
  const average = withPrices(around(22, "640", around(2, "6")));
  expect(read(low, true)).toEqual({Head: "6", "Wt Range": "640", ...prices});
  expect(read(average, true)).toEqual({Head: "6", "Avg Wt": "640", ...prices});
  expect(read(low, false)).toBeNull();
});

test("reads a complete row without column positions, unless a word other than a dressing is among its values", () => {
  const whole = withPrices(around(22, "636", around(12, "633-640", around(2, "6"))));
  const cells = {Head: "6", "Wt Range": "633-640", "Avg Wt": "636", ...prices};
  expect(read(whole, false)).toEqual(cells);
  expect(read(`${whole}   Fleshy`, false)).toEqual({...cells, comment: "Fleshy"});
  expect(read(whole.replace("636", "63x"), true)).toBeNull();
});
