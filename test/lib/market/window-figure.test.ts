import {expect, test} from "vitest";
import {type AreaPen, curveSummary, headByAge} from "../../../lib/market/curve-summary.ts";
import {type CurveGrade, curveGrades} from "../../../lib/market/weight-curve.ts";
import {windowFigure} from "../../../lib/market/window-figure.ts";
import {randomFrom} from "../../pipeline/market/recomputed/answers.ts";

const seed = Number(process.env["SEED"] ?? 46);

/** Each sale with the day of its week, and the pens as head, pounds and USD per cwt. */
function penOf(
  venueId: string,
  ageDays: number,
  [head, weightLb, price]: readonly [number, number, number],
  grade: CurveGrade = "1",
): AreaPen {
  const date = `2026-09-${23 - ageDays}`.replace(/-(\d)$/, "-0$1");
  const sale = {
    venueId,
    state: "KS",
    date,
    venueName: venueId,
    place: `${venueId}, KS`,
    countyFips: null,
    miles: null,
  };
  return {grade, weightLb, price, head, ageDays, sale};
}

const summaryAt = (steers: readonly AreaPen[], weightLb: number) =>
  curveSummary({steers, heifers: []}, {kind: "steers", weightLb, place: "in Kansas"}).summary;

/** A line that falls by 0.08 % a pound, in whole cents. */
const onLine = (level: number, lb: number) => Math.round(100 * level * Math.exp(-0.0008 * (lb - 700))) / 100;

/** Pens of head and pounds, sold in turns at two yards, the second of which sells a day later. */
const soldAt = (level: number, ageDays: number, pens: readonly (readonly [head: number, lb: number])[]) =>
  pens.map(([head, lb], at) =>
    penOf(at % 2 === 0 ? "ks-a" : "ks-b", ageDays - (at % 2), [head, lb, onLine(level, lb)]),
  );

/** Two yards sell at a level of 340; a week before, with more head, the level was 366. */
const fallingWeek = [
  ...soldAt(340, 2, [
    [30, 575],
    [22, 640],
    [40, 690],
    [25, 730],
    [28, 790],
    [20, 905],
  ]),
  ...soldAt(366, 9, [
    [60, 600],
    [55, 660],
    [70, 705],
    [62, 750],
    [44, 800],
    [50, 850],
  ]),
];

test("a weight for which the newest week has too few pens has the shape of two weeks at the level of the newest", () => {
  const [last, first] = [725, 726].map((lb) => summaryAt(fallingWeek, lb));
  expect([last!.window_days, first!.window_days]).toEqual([7, 14]);
  // Both weeks lie on lines of one slope: 340 * exp(-0.0008 * 25) and, a pound heavier, 0.27 less.
  expect(last!.price_avg).toBeCloseTo(333.27, 1);
  expect(first!.price_avg).toBeCloseTo(333.0, 1);
  expect(first).toMatchObject({
    level_weights_lb: [725, 755],
    change_week: null,
    change_week_reason: "window_too_wide",
  });
  expect(first!.level_shift_pct).toBeCloseTo(-4.8, 0);
  expect(first!.sentence).toContain(
    "at 4 sales from 2026-09-14 to 2026-09-22, moved 4.9 % down to join the figures of fewer days at 725 and 755 lb (four pens",
  );
  expect(first!.price_low! < first!.price_avg! && first!.price_avg! < first!.price_high!).toBe(true);
  expect(last).not.toHaveProperty("level_shift_pct");
});

test("a window that no shorter one has a figure beside stays at its own level", () => {
  const lastWeek = fallingWeek.filter(({ageDays}) => ageDays > 7);
  const summary = summaryAt(lastWeek, 726);
  expect(summary.price_avg).toBeCloseTo(onLine(366, 726), 1);
  expect(summary).not.toHaveProperty("level_shift_pct");
});

test("the other grade, the slide and the heifers are at the level of the figure", () => {
  const mixed = fallingWeek.map((pen) => ({...pen, grade: curveGrades[1], price: 0.95 * pen.price}));
  const heifers = fallingWeek.map((pen) => ({...pen, price: 0.9 * pen.price}));
  const [now, then] = [0, 6].map((from) => [
    ...fallingWeek.slice(from, from + 6),
    ...mixed.slice(from, from + 6),
  ]);
  const steers = [...now!.filter(({weightLb}) => weightLb < 760), ...then!];
  const {summary} = curveSummary({steers, heifers}, {kind: "steers", weightLb: 800, place: "in Kansas"});
  expect(summary).toMatchObject({window_days: 14, level_weights_lb: [expect.any(Number)]});
  const isNear = (actual: number, expected: number) =>
    expect(Math.abs(actual / expected - 1), `${actual} for ${expected}`).toBeLessThan(0.015);
  isNear(summary.price_avg!, onLine(340, 800));
  isNear(summary.by_grade[1]!.price_avg!, 0.95 * onLine(340, 800));
  isNear(summary.price_avg! + summary.heifer_spread!, 0.9 * onLine(340, 800));
  expect(summary.slide).toBeGreaterThan(15);
});

test("the head of a figure is told by the week of its sale, each with its first and its last day", () => {
  const ages = [0, 7, 8, 14, 15, 21];
  const pens = ages.map((ageDays, at) => penOf("ks-a", ageDays, [at + 1, 700, 340]));
  expect(headByAge(pens)).toEqual([
    {days: "0-7", share: 0.1429},
    {days: "8-14", share: 0.3333},
    {days: "15-21", share: 0.5238},
  ]);
  expect(headByAge(pens.slice(2, 3))).toEqual([{days: "8-14", share: 1}]);
});

test.each([
  [7, null, "no_earlier_sale"],
  [8, -25, null],
  [14, -25, null],
  [15, null, "no_earlier_sale"],
])("the change of a week of a figure is against sales %i days old: %j %j", (age, change, reason) => {
  const pens = fallingWeek.map((pen) => (pen.ageDays > 7 ? {...pen, ageDays: age} : pen));
  const summary = summaryAt(pens, 725);
  expect([summary.window_days, summary.change_week_reason]).toEqual([7, reason]);
  if (change === null) expect(summary.change_week).toBeNull();
  // From 366 to 340 at 700 lb, of lines that fall by 0.08 % a pound.
  else expect(summary.change_week).toBeCloseTo((340 - 366) * Math.exp(-0.0008 * 25), 0);
});

/** Pens of three weeks of levels that fall or rise by up to 9 % a week, thin enough for windows of all lengths. */
function threeWeeks(random: (below: number) => number): AreaPen[] {
  let level = 350;
  return [1, 9, 16].flatMap((ageDays) => {
    level *= 0.91 + random(18) / 100;
    return Array.from({length: 6 + random(6)}, (_, at) => {
      const weightLb = 450 + random(450);
      const grade: CurveGrade = random(4) === 0 ? "1-2" : "1";
      const price = onLine(level, weightLb) * (0.985 + random(31) / 1000) * (grade === "1" ? 1 : 0.95);
      return penOf(
        at % 2 === 0 ? "ks-a" : "ks-b",
        ageDays + (at % 2),
        [10 + random(60), weightLb, price],
        grade,
      );
    });
  });
}

test(`two questions a pound apart differ by less than 0.5 %, in all windows and between them (SEED=${seed})`, () => {
  const random = randomFrom(seed);
  const switches = new Set<string>();
  for (let run = 0; run < 25; run++) {
    const pens = threeWeeks(random);
    let last: ReturnType<typeof windowFigure> | null = null;
    for (let weightLb = 450; weightLb <= 900; weightLb++) {
      const next = windowFigure(pens, {weightLb});
      const [from, to] = [last?.figure.price, next.figure.price];
      if (last !== null && from != null && to !== null) {
        const told = `${weightLb} lb: ${from} of ${last.windowDays} days, ${to} of ${next.windowDays}`;
        expect(Math.abs(Math.log(to / from)), told).toBeLessThan(0.005);
        if (last.windowDays !== next.windowDays) switches.add(`${last.windowDays} ${next.windowDays}`);
      }
      last = next;
    }
  }
  expect([...switches].sort()).toEqual(["14 21", "14 7", "21 14", "21 7", "7 14", "7 21"]);
});
