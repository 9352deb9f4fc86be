import {expect, test} from "vitest";
import {type SampleRow, sampleSale} from "../../../../pipeline/market/samples/sale.ts";

const short = ({className, grade, head, avgWeight, avgPrice}: SampleRow) =>
  `${className} ${grade}: ${head} head, ${avgWeight} lb, ${avgPrice}`;

test("the sale of a barn on a day is the same on each machine", () => {
  const {rows, receipts} = sampleSale(99001, "2026-11-16");
  const others = rows.filter(({commodity}) => commodity !== "Feeder Cattle");
  expect([...rows.slice(0, 3), ...others].map(short)).toEqual([
    "Steers Medium and Large 1: 7 head, 433 lb, 408.5",
    "Steers Medium and Large 1: 4 head, 467 lb, 393.5",
    "Steers Medium and Large 1: 3 head, 527 lb, 378.25",
    "Cows Breaker 75-80%: 13 head, 1457 lb, 158",
    "Cows Boner 80-85%: 27 head, 1294 lb, 152.5",
    "Cows Lean 85-90%: 37 head, 1148 lb, 139.25",
    "Bulls 1-2: 25 head, 1751 lb, 193",
    "Bred Cows Medium and Large 1-2: 10 head, 1189 lb, 2305.75",
    "Bred Cows Medium and Large 1-2: 18 head, 1140 lb, 2447",
    "Bred Cows Medium and Large 1-2: 10 head, 1220 lb, 2588",
  ]);
  expect(receipts).toEqual({"Feeder Cattle": 1134, "Slaughter Cattle": 111, "Replacement Cattle": 47});
});

/** Price at 500 lb and fall per pound of feeder cattle, in USD per cwt. */
const feeders = [
  ["Steers", "Medium and Large 1", 410, 0.32],
  ["Steers", "Medium and Large 1-2", 392, 0.31],
  ["Heifers", "Medium and Large 1", 372, 0.27],
  ["Heifers", "Medium and Large 1-2", 355, 0.26],
  ["Bulls", "Medium and Large 1", 380, 0.34],
] as const;
const weights = [425, 475, 525, 575, 625, 675, 725, 775, 825];

test("an invented sale prices each class by its weight, all at one level of the day", () => {
  const usual = [
    ...feeders.flatMap(([name, grade, at500, fall]) =>
      weights.map((weight) => [name, grade, at500 - (weight - 500) * fall] as const),
    ),
    ["Cows", "Breaker 75-80%", 168] as const,
    ["Cows", "Boner 80-85%", 162] as const,
    ["Cows", "Lean 85-90%", 148] as const,
    ["Bulls", "1-2", 205] as const,
    ...[2450, 2600, 2750].map((price) => ["Bred Cows", "Medium and Large 1-2", price] as const),
  ];
  const total = (prices: readonly number[]) => prices.reduce((sum, price) => sum + price);
  for (const date of ["2026-04-02", "2026-11-19"]) {
    const {rows} = sampleSale(99_001, date);
    const level = total(rows.map(({avgPrice}) => avgPrice)) / total(usual.map(([, , price]) => price));
    expect(Math.abs(level - 1)).toBeLessThan(0.11);
    expect(rows.map(({className, grade, avgPrice}) => [className, grade, avgPrice])).toEqual(
      // Prices are in quarters of a dollar.
      usual.map(([name, grade, price]) => [name, grade, closeTo(price * level, 0.4)]),
    );
  }
});

function closeTo(wanted: number, most: number) {
  return {
    asymmetricMatch: (price: number) => Math.abs(price - wanted) < most,
    toString: () => `about ${wanted}`,
  };
}
