import {expect, it} from "vitest";
import {roundHalfAway} from "../../../../lib/rounding.ts";
import {basis, slide, valueOfGain} from "../../../../pipeline/market/answers/measures.ts";
import {seasonalIndex} from "../../../../pipeline/market/answers/seasonal-index.ts";

it("V11 finds the slide between two weights", () => {
  expect(slide({weightLb: 800, pricePerCwt: 240}, {weightLb: 850, pricePerCwt: 236})).toBe(8);
});

it("V12 values a pound of gain between two weights", () => {
  const gain = (w1: number, p1: number, w2: number, p2: number) =>
    roundHalfAway(valueOfGain({weightLb: w1, pricePerCwt: p1}, {weightLb: w2, pricePerCwt: p2}), 4);
  expect(gain(550, 230, 750, 190)).toBe(0.8);
  expect(gain(400, 292, 450, (1273 / 450) * 100)).toBe(2.1);
  expect(gain(516, 444.72, 564, 425.35)).toBe(2.1712);
});

it("V14 subtracts the futures price from the cash price", () => {
  expect(roundHalfAway(basis(263.08, 259.4), 2)).toBe(3.68);
});

it("gives a seasonal index only from five complete years", () => {
  const monthly = new Map<string, number>();
  for (let year = 2018; year <= 2024; year++) {
    for (let month = 1; month <= 12; month++) {
      monthly.set(`${year}-${String(month).padStart(2, "0")}`, month === 5 ? 212 : 200);
    }
  }
  const index = seasonalIndex(monthly)!;
  expect(index).toHaveLength(12);
  expect(index[4]).toBeCloseTo(212 / 201, 10);
  expect(index[0]).toBeCloseTo(200 / 201, 10);
  monthly.delete("2020-06");
  expect(seasonalIndex(monthly)).toBeNull();
});
