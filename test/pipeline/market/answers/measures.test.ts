import {expect, it} from "vitest";
import {roundHalfAway} from "../../../../lib/rounding.ts";
import {
  adjustedPrice,
  basis,
  breakEvenPrice,
  headPerLoad,
  netAtVenue,
  percentChange,
  seasonalIndex,
  slide,
  valueOfGain,
} from "../../../../pipeline/market/answers/measures.ts";

it("V10 compares receipts in percent of the earlier ones", () => {
  expect(roundHalfAway(percentChange(4658, 5997)!, 2)).toBe(-22.33);
  expect(roundHalfAway(percentChange(4658, 4936)!, 2)).toBe(-5.63);
  expect(roundHalfAway(percentChange(140_440, 145_744)!, 2)).toBe(-3.64);
  expect(percentChange(4658, null)).toBeNull();
});

it("V11 adjusts a base price by its slide", () => {
  const price = adjustedPrice({weightLb: 800, pricePerCwt: 240}, 8, 850);
  expect(price).toBe(236);
  expect((price * 850) / 100).toBe(2006);
  expect(roundHalfAway(adjustedPrice({weightLb: 735, pricePerCwt: 75}, 5, 686), 2)).toBe(77.45);
  expect(slide({weightLb: 800, pricePerCwt: 240}, {weightLb: 850, pricePerCwt: 236})).toBe(8);
});

it("V12 values a pound of gain between two weights", () => {
  const gain = (w1: number, p1: number, w2: number, p2: number) =>
    roundHalfAway(valueOfGain({weightLb: w1, pricePerCwt: p1}, {weightLb: w2, pricePerCwt: p2}), 4);
  expect(gain(550, 230, 750, 190)).toBe(0.8);
  expect(gain(400, 292, 450, (1273 / 450) * 100)).toBe(2.1);
  expect(gain(516, 444.72, 564, 425.35)).toBe(2.1712);
});

it("V13 nets a price over shrink, commission and freight", () => {
  const costs = {
    weightLb: 600,
    head: 83,
    loadLb: 50_000,
    ratePerLoadedMile: 5.5,
    commission: 0.03,
    fixedPerHead: 0,
  };
  const near = netAtVenue(360, {...costs, miles: 20, shrink: 0.02});
  const farCosts = {...costs, miles: 160, shrink: 0.04};
  const far = netAtVenue(372, farCosts);
  expect(near.payWeightLb).toBe(588);
  expect([near.gross, near.freight, near.net].map((usd) => roundHalfAway(usd, 2))).toEqual([
    2116.8, 1.33, 2051.97,
  ]);
  expect([far.payWeightLb, far.gross, far.freight, far.net].map((usd) => roundHalfAway(usd, 2))).toEqual([
    576, 2142.72, 10.6, 2067.84,
  ]);
  expect(roundHalfAway(breakEvenPrice(near.net, farCosts), 2)).toBe(369.16);
  expect(headPerLoad(50_000, 1500)).toBe(33);
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
