import {expect, test} from "vitest";
import {splitPages} from "../src/pages.ts";

/** A report of pages, each with the number at its foot. */
const printed = (...feet: string[]) =>
  feet.map((foot) => `Elm Livestock\nSteers 12 head\nSource: Invented   ${foot}\n`).join("\f");

test.each([
  ["all pages", ["Page 1 of 3", "Page 2 of 3", "Page 3 of 3"], null],
  ["no numbers", ["", ""], null],
  ["no last page", ["Page 1 of 3", "Page 2 of 3"], "page 3 of 3 is missing"],
  ["a count that slipped on one page", ["Page 1 of 8", "Page 2 of 3", "Page 3 of 3"], null],
  ["its last page first", ["Page 2 of 2", "Page 1 of 2"], "its pages are in the order 2, 1"],
])("a report with %s", (_, feet, missing) => {
  expect(splitPages(printed(...feet)).missingPages).toBe(missing);
});
