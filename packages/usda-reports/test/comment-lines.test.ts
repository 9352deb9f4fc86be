import {expect, test} from "vitest";
import {readComment} from "../src/comment-lines.ts";

const receipts = [
  "AUCTION",
  "                       This Week        Last Reported",
  "Total Receipts:          1,197               1,034",
  "",
];
const read = (...lines: string[]) => {
  const {narrative, notices} = readComment([], [...receipts, ...lines], "2026-09-02");
  return {narrative, notices};
};

test("leaves the comment behind a mark in asterisks", () => {
  expect(
    read(
      "**CLOSE** Compared to last sale: Feeder steers sold 5.00 higher. Heifers steady to 4.00",
      "higher.",
    ),
  ).toEqual({
    narrative: "Compared to last sale: Feeder steers sold 5.00 higher. Heifers steady to 4.00 higher.",
    notices: ["CLOSE"],
  });
});

test("joins a notice that wraps, and leaves the comment below it", () => {
  expect(
    read(
      "*** The next Special Calf Sale will be held on Thursday",
      "October 8, 2026 with 3,500 head expected. ***",
      "*** Final Report ***",
      "Compared to last week: Steers 5.00 higher. *** No sale",
      "September 9 ***",
    ),
  ).toEqual({
    narrative: "Compared to last week: Steers 5.00 higher.",
    notices: [
      "The next Special Calf Sale will be held on Thursday October 8, 2026 with 3,500 head expected.",
      "Final Report",
      "No sale September 9",
    ],
  });
});

test.each([
  [["***************", "NO SALE SEPTEMBER 9", "***************"], ["NO SALE SEPTEMBER 9"], null],
  [
    ["*** Note*** No sale", "September 9 ***", "Steers sold steady."],
    ["Note", "No sale September 9"],
    "Steers sold steady.",
  ],
  [
    ["* Special Calf Sale September 9", "Steers sold steady."],
    ["Special Calf Sale September 9"],
    "Steers sold steady.",
  ],
  [
    ["* Special Calf Sale September 9", "", "Steers steady * sold."],
    ["Special Calf Sale September 9"],
    "Steers steady * sold.",
  ],
  [["*** Final Report", "Steers sold steady."], ["Final Report"], "Steers sold steady."],
  [
    ["** Correction made to head count", "Steers sold steady."],
    ["Correction made to head count"],
    "Steers sold steady.",
  ],
  [
    ["Steers sold steady.", "* Prices include the buyer's premium"],
    ["Prices include the buyer's premium"],
    "Steers sold steady.",
  ],
  [["* Steers sold 5.00 higher."], [], "Steers sold 5.00 higher."],
  [["Steers sold steady.", "****"], [], "Steers sold steady."],
  [["* Compared to last sale, steers sold steady."], [], "Compared to last sale, steers sold steady."],
  [["*** Compared to last sale, steers sold steady. ***"], [], "Compared to last sale, steers sold steady."],
])("tells notices from the comment by their asterisks: %j", (lines, notices, narrative) => {
  expect(read(...lines)).toEqual({notices, narrative});
});

test("keeps a figure that ends a sentence on its own line, but none that slipped from the receipts", () => {
  const open = "Feeder cattle supply over 600 lbs was";
  expect(read(open, "74%.").narrative).toBe(`${open} 74%.`);
  expect(read(open, `${" ".repeat(60)}375(31.1%)`).narrative).toBe(open);
  expect(read(`${open} 74%.`, "375(31.1%)").narrative).toBe(`${open} 74%.`);
});
