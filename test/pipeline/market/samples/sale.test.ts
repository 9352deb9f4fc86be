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
