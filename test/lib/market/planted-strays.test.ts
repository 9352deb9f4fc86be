import {expect, test} from "vitest";
import {curveFigure, type SalePen} from "../../../lib/market/curve-figure.ts";
import {randomFrom} from "../../pipeline/market/recomputed/answers.ts";

const seed = Number(process.env["SEED"] ?? 46);
const tries = 400;
/** A figure moves by less than this share for one false pen among many, and for one among few. */
const bounds = {many: 0.02, few: 0.05};

/** Pens of two invented sales around a falling line, with a spread of 2 %. */
function pensOf(count: number, random: (below: number) => number): SalePen[] {
  return Array.from({length: count}, (_, at): SalePen => {
    const weightLb = 450 + Math.round((500 * at) / (count - 1));
    const price = 420 * Math.exp(-0.0012 * (weightLb - 550)) * (0.98 + random(41) / 1000);
    const sale = {venueId: `ks-${at % 2}`, state: "KS", date: "2026-11-18"};
    return {grade: "1", weightLb, price, head: 10 + random(80), ageDays: 3, sale};
  });
}

/** A pen of random weight and head whose price is wrong by a quarter to a half, or too high by a third to double. */
function falsePen(random: (below: number) => number): SalePen {
  const weightLb = 480 + random(440);
  const factor = random(2) === 0 ? 0.5 + random(250) / 1000 : 1.33 + random(670) / 1000;
  const sale = {venueId: "ks-0", state: "KS", date: "2026-11-18"};
  const price = 420 * Math.exp(-0.0012 * (weightLb - 550)) * factor;
  return {grade: "1", weightLb, price, head: 5 + random(60), ageDays: random(8), sale};
}

test.each([
  ["many", 20],
  ["few", 10],
] as const)("one false pen among %s moves no figure beyond its bound", (name, count) => {
  const random = randomFrom(seed);
  let worst = 0;
  for (let run = 0; run < tries; run++) {
    const pens = pensOf(count, random);
    const planted = [...pens, falsePen(random)];
    for (const weightLb of [550, 650, 750, 850]) {
      const before = curveFigure(pens, {weightLb}).price;
      const after = curveFigure(planted, {weightLb}).price;
      if (before !== null && after !== null) worst = Math.max(worst, Math.abs(after / before - 1));
    }
  }
  process.stderr.write(
    `one false pen among ${count}: moves a figure by ${(100 * worst).toFixed(2)} % at most (seed ${seed})\n`,
  );
  expect(worst).toBeLessThan(bounds[name]);
});
