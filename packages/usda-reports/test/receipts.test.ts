import {expect, test} from "vitest";
import {readReceipts} from "../src/receipts.ts";

const header = "                          This Week        Last Reported    Last Year";
const labels = ["Total Receipts", "Feeder Cattle", "Slaughter Cattle", "Replacement Cattle"];
const line = (label: string, ...values: string[]) =>
  `${`${label}:`.padEnd(26)}${values.map((value) => value.padEnd(17)).join("")}`;
const week = ["1,000", "600(60.0%)", "399(39.9%)", "1(0.1%)"];
const last = ["500", "250(50.0%)", "250(50.0%)", "0(0.0%)"];
const year = ["2,000", "2,000(100.0%)", "0(0.0%)", "0(0.0%)"];
const block = [header, ...labels.map((label, i) => line(label, week[i]!, last[i]!, year[i]!))];
const figures = (total: number | null, ...parts: (number | null)[]) =>
  Object.fromEntries(labels.map((label, i) => [i === 0 ? "total" : label, [total, ...parts][i]]));
const whole = {
  thisWeek: figures(1000, 600, 399, 1),
  lastReported: figures(500, 250, 250, 0),
  lastYear: figures(2000, 2000, 0, 0),
};

test("reads receipts from the line of their label and the column of their period", () => {
  expect(readReceipts(block)).toEqual(whole);
  expect(readReceipts(block.map((text) => text.replace("This Week    ", "Current Week ")))).toEqual(whole);
});

test("assigns receipts to periods by order if a text lost its wide gaps", () => {
  expect(readReceipts(block.map((text) => text.replaceAll(/ +/g, " ")))).toEqual(whole);
});

test.each(["I-40 Livestock", "Elm 7 Livestock", "4 County Yards", "Yards of Route 66 - Elm, MO"])(
  "takes no number of a yard's name for receipts: %s",
  (name) => {
    expect(readReceipts([`          ${name}`, ...block])).toEqual(whole);
  },
);

test("reads no receipts without periods or without a total", () => {
  expect(readReceipts([])).toBeNull();
  expect(readReceipts(block.slice(1))).toBeNull();
  expect(readReceipts(block.filter((text) => !text.startsWith("Total")))).toBeNull();
});

test("ignores labels above the periods and labels of other things", () => {
  const letterhead = ["Total Receipts:", "Feeder Cattle:", ...block, "Weather: 20", "Feeder sheet: 7"];
  expect(readReceipts(letterhead)).toEqual(whole);
  expect(readReceipts([header.replace(/^ {15}/, "Total Receipts:"), ...block.slice(1)])).toEqual(whole);
});

/** A block whose first column slipped down by some lines; the others stand where they were. */
function slipped(values: readonly string[], down: number): string[] {
  const lines = [
    header,
    ...labels.map((label, i) => line(label, "", last[i]!, year[i]!)),
    ...Array(6).fill(""),
  ];
  for (const [i, value] of values.entries()) {
    const at = 1 + i + down;
    const text = lines[at]!.padEnd(43);
    lines[at] = `${text.slice(0, 26)}${value.padEnd(17)}${text.slice(43)}`;
  }
  return lines;
}

test.each<[string, readonly string[], number, object]>([
  [
    "whole, with one number for each label",
    ["1,000", "600(60.0%)", "399(39.9%)", "1(0.1%)"],
    1,
    whole.thisWeek,
  ],
  ["with parts that do not add up", ["1,000", "600(60.0%)", "399(39.9%)", "2(0.1%)"], 1, {}],
  ["with a share of another total", ["1,000", "600(60.0%)", "399(39.8%)", "1(0.1%)"], 1, {}],
  ["with a share within its rounding", ["1,000", "600(60.05%)", "399(39.9%)", "1(0.1%)"], 1, whole.thisWeek],
  ["without one of the numbers", ["1,000", "600(60.0%)", "400(40.0%)"], 1, {}],
  [
    "by lines below the labels, where a number without a share is none",
    ["1,000", "600(60.0%)", "399(39.9%)", "1(0.1%)"],
    2,
    whole.thisWeek,
  ],
  ["so that its total is below the labels", ["1,000", "600(60.0%)", "399(39.9%)", "1(0.1%)"], 4, {}],
  [
    "so that its last share is the fifth line below",
    ["1,000", "600(60.0%)", "399(39.9%)", "1(0.1%)"],
    3,
    whole.thisWeek,
  ],
])("reads a column that slipped off its lines %s", (_, values, down, expected) => {
  const read = readReceipts(slipped(values, down));
  expect(read).toEqual({...whole, thisWeek: expected});
});

test("keeps the other receipts if a label lacks its number and they add up to the total", () => {
  const lines = (total: string) => [
    header,
    line(labels[0]!, total),
    line(labels[1]!, "600(60.0%)"),
    line(labels[2]!),
  ];
  expect(readReceipts([...lines("600")].map((text) => text.replace("(60.0%)", "")))?.thisWeek).toEqual({
    total: 600,
    "Feeder Cattle": 600,
    "Slaughter Cattle": null,
  });
  expect(readReceipts(lines("1,000"))?.thisWeek).toEqual({});
});

test("ignores numbers in sentences and dates, unless they have a percentage", () => {
  const sentence = "Compared to last week feeder steers sold 1,000 head higher";
  expect(readReceipts([sentence, "Sale of Nov 12, 2026", ...block])).toEqual(whole);
  const [top, total, ...others] = block.map((text) => text.slice(0, 43));
  const behind = week.slice(1).map((value) => `${"bids went up 9 dollars".padEnd(26)}${value}`);
  const read = readReceipts([top!, total!, ...others.map((text) => text.slice(0, 26)), ...behind]);
  expect(read).toEqual({thisWeek: whole.thisWeek, lastReported: {}, lastYear: {}});
});

test("counts only cattle in the total if sheep or goats came too", () => {
  const mixed = [
    header,
    line("Total Receipts", "100"),
    line("Feeder Cattle", "60(60.0%)"),
    line("Sheep", "40(40.0%)"),
  ];
  expect(readReceipts(mixed)?.thisWeek).toEqual({total: 60, "Feeder Cattle": 60});
  const blank = [header, line("Total Receipts"), line("Feeder Cattle", "60"), line("Goats")];
  expect(readReceipts(blank)?.thisWeek).toEqual({});
});

test("takes the head offered as a video report's receipts", () => {
  const periods = "                          This Week                     Last Reported";
  const columns = `${" ".repeat(24)}Offered   Reported  % PO      Offered   Reported  % PO`;
  const row = (label: string, ...values: string[]) =>
    `${`${label}:`.padEnd(24)}${values.map((value) => value.padEnd(10)).join("")}`;
  const video = [
    periods,
    columns,
    row("Total Receipts", "900", "500", "55", "700", "350", "50"),
    row("Feeder Cattle", "900", "500", "55", "700", "350", "50"),
  ];
  expect(readReceipts(video)).toEqual({
    thisWeek: {total: 900, "Feeder Cattle": 900},
    lastReported: {total: 700, "Feeder Cattle": 700},
    lastYear: {},
  });
});
