import fc from "fast-check";
import {describe, expect, test} from "vitest";
import {barnFigure, newestSales, saleFigure} from "../../../lib/market/barn-price.ts";
import type {SalePen} from "../../../lib/market/curve-figure.ts";
import {curvePrice, fitWeightCurve} from "../../../lib/market/weight-curve.ts";
import {roundHalfAway} from "../../../lib/rounding.ts";
import {netAtVenue} from "../../../server/market/net-at-venue.ts";

type Facts = Partial<Omit<SalePen, "sale">>;
const sale = {venueId: "ks-a", state: "KS", date: "2026-11-18"};

function pensOf(triples: readonly (readonly [head: number, lb: number, price: number])[], facts: Facts = {}) {
  return triples.map(
    ([head, weightLb, price]): SalePen => ({grade: "1", ageDays: 3, weightLb, price, head, sale, ...facts}),
  );
}

const five = pensOf([
  [10, 500, 420],
  [10, 525, 410],
  [10, 550, 400],
  [10, 575, 391],
  [10, 600, 382],
]);

describe("the price of a weight at one sale", () => {
  test("is read from the curve of the sale, else the mean of the pens of the grade within 25 lb", () => {
    const onCurve = (weightLb: number) => roundHalfAway(curvePrice(fitWeightCurve(five)!, weightLb)!, 2);
    // Pens stand within 25 lb of both weights.
    for (const weightLb of [550, 560])
      expect(saleFigure(five, {weightLb})).toMatchObject({
        ...{basis: "curve", price_avg: onCurve(weightLb), pens: 5, head_count: 50, reason: null},
      });
    const small = five.map((pen) => ({...pen, head: 9}));
    expect(saleFigure(small, {weightLb: 560})).toMatchObject({basis: "pens", pens: 2, head_count: 18});
  });

  test("of pens never leaves their printed prices", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.integer({min: 20, max: 200}),
            fc.integer({min: 500, max: 900}),
            fc.integer({min: 250, max: 450}),
          ),
          {
            minLength: 1,
            maxLength: 20,
          },
        ),
        fc.integer({min: 500, max: 900}),
        (triples, weightLb) => {
          const {basis, price_avg, support} = saleFigure(pensOf(triples), {weightLb});
          if (basis !== "pens") return;
          const prices = support.map(({price}) => price);
          expect(price_avg).toBeGreaterThanOrEqual(Math.min(...prices) - 0.005);
          expect(price_avg).toBeLessThanOrEqual(Math.max(...prices) + 0.005);
        },
      ),
    );
  });

  test("of a sale too small for a curve is that of its pens on one side", () => {
    const pens = pensOf([[20, 550, 400]]);
    expect(saleFigure(pens, {weightLb: 560})).toMatchObject({
      ...{basis: "pens", price_avg: 400, pens: 1, head_count: 20, avg_weight_lb: 550},
    });
    expect(saleFigure(pens, {weightLb: 575})).toMatchObject({price_avg: 400});
    expect(saleFigure(pens, {weightLb: 576})).toMatchObject({
      ...{price_avg: null, reason: "none_of_the_weight"},
      nearest_lot: {avg_weight_lb: 550, price_avg: 400, head_count: 20},
    });
  });

  test("never pools grades, and says what is missing", () => {
    const other = pensOf([[30, 550, 360]], {grade: "1-2"});
    const byGrade = [{muscle_grade: "1-2", price_avg: 360, pens: 1, head_count: 30}];
    const none = {
      price_avg: null,
      basis: null,
      pens: 0,
      head_count: 0,
      avg_weight_lb: null,
      nearest_lot: null,
    };
    expect(saleFigure(other, {weightLb: 560})).toMatchObject({
      ...none,
      reason: "none_of_the_grade",
      by_grade: byGrade,
    });
    expect(saleFigure(other, {weightLb: 576})).toMatchObject({
      ...none,
      reason: "none_of_the_weight",
      by_grade: [],
    });
    const both = [...other, ...pensOf([[3, 555, 401]])];
    expect(saleFigure(both, {weightLb: 550})).toMatchObject({
      ...{price_avg: 401, pens: 1, head_count: 3},
      by_grade: [{muscle_grade: "1", price_avg: 401, pens: 1, head_count: 3}, ...byGrade],
    });
  });
});

describe("a sale of both grades", () => {
  const calves = pensOf([
    [20, 410, 505],
    [25, 455, 480],
    [18, 520, 452],
  ]);
  const mixed = pensOf(
    [
      [22, 610, 388],
      [30, 655, 371],
      [26, 700, 352],
      [41, 745, 341],
      [35, 790, 331],
      [20, 840, 322],
    ],
    {grade: "1-2"},
  );

  test.each([
    ["no pen", [], {price_avg: null, basis: null, pens: 0, reason: "none_of_the_grade"}],
    ["one pen", [[12, 740, 362]], {price_avg: 362, basis: "pens", pens: 1, head_count: 12}],
    [
      "two pens",
      [
        [12, 740, 362],
        [9, 880, 330],
      ],
      {basis: "curve", pens: 2, head_count: 21},
    ],
  ] as const)("has for %s of the grade near the weight a price that rests on pens", (_, near, expected) => {
    const figure = saleFigure([...calves, ...mixed, ...pensOf(near)], {weightLb: 750});
    expect(figure).toMatchObject(expected);
    expect(figure.support).toHaveLength(expected.pens);
  });

  test("never has a price without pens of its grade", () => {
    const pen = fc.tuple(fc.integer({min: 5, max: 60}), fc.integer({min: 400, max: 900}), fc.boolean());
    fc.assert(
      fc.property(
        fc.array(pen, {minLength: 1, maxLength: 25}),
        fc.integer({min: 400, max: 900}),
        (facts, weightLb) => {
          const pens = facts.flatMap(([head, lb, isOne]) =>
            pensOf([[head, lb, 600 - lb / 3 - (isOne ? 0 : 15)]], {grade: isOne ? "1" : "1-2"}),
          );
          const {price_avg, support, by_grade} = saleFigure(pens, {weightLb});
          expect(price_avg === null).toBe(support.length === 0);
          expect(support.every(({grade}) => grade === "1")).toBe(true);
          expect(by_grade.every((each) => each.pens > 0)).toBe(true);
        },
      ),
    );
  });
});

const salesOf = (pens: readonly SalePen[]) =>
  [...Map.groupBy(pens, ({ageDays}) => ageDays)].map(([ageDays, ofDay]) => ({
    sale: ofDay[0]!.sale,
    ageDays,
    pens: ofDay,
  }));

/** The figure of the only barn of some pens. */
const figureOf = (pens: readonly SalePen[], weightLb: number) =>
  barnFigure(newestSales(salesOf(pens))[0]!, {weightLb});

describe("the newest sale of a barn", () => {
  const higher = (by: number, facts: Facts) =>
    pensOf(
      five.map(({head, weightLb, price}) => [head, weightLb, price + by] as const),
      facts,
    );

  test.each([
    [3, null],
    [4, -5],
    [7, -5],
    [10, -5],
    [11, null],
  ])("is compared with a sale %i days before it: %s", (days, change) => {
    const pens = [...higher(5, {ageDays: 3 + days}), ...five];
    // Five equal steps in price move the middle of the curve by about as much.
    const {price_avg, change_week} = figureOf(pens, 550);
    expect(price_avg).toBe(saleFigure(five, {weightLb: 550}).price_avg);
    if (change === null) expect(change_week).toBeNull();
    else expect(change_week).toBeCloseTo(change, 1);
  });

  test("has no change where a reporter says that there was no market test, or one sale is too small", () => {
    const untested = [...higher(5, {ageDays: 10, isUntested: true}), ...five];
    const few = [...higher(5, {ageDays: 10}).slice(2, 3), ...five];
    for (const pens of [untested, few]) expect(figureOf(pens, 550).change_week).toBeNull();
  });

  test("gives the same for the pens in any order", () => {
    const all = [...higher(5, {ageDays: 10}), ...five, ...pensOf([[8, 560, 370]], {grade: "1-2"})];
    const known = figureOf(all, 560);
    fc.assert(
      fc.property(fc.shuffledSubarray(all, {minLength: all.length}), (pens) => {
        const {support: _, ...figure} = figureOf(pens, 560);
        expect(figure).toEqual({...known, support: undefined});
      }),
    );
  });
});

test("the newest sale of a barn is also one of other lots alone, which has no price and hides no sale of the week before", () => {
  const described = {sale: {...sale, date: "2026-11-20"}, ageDays: 1, pens: [] as SalePen[]};
  const [older] = salesOf(pensOf([[60, 550, 388]], {ageDays: 15}));
  const [newest] = newestSales([older!, described]);
  expect(newest).toEqual({sale: described.sale, pens: [], before: []});
  expect(barnFigure(newest!, {weightLb: 550})).toMatchObject({
    ...{price_avg: null, reason: "other_lots_alone", pens: 0, nearest_lot: null, change_week: null},
  });
  const special = {...described, ageDays: 8};
  const [now, before] = [salesOf(five)[0]!, salesOf(five.map((pen) => ({...pen, ageDays: 10})))[0]!];
  expect(newestSales([before, special, now])[0]).toEqual({sale, pens: five, before: before.pens});
  expect(newestSales([{...described, ageDays: 29}])).toEqual([]);
  expect(newestSales([{...described, ageDays: 28}])).toHaveLength(1);
});

describe("net at a venue", () => {
  const costs = {ratePerMile: 5.5, loadLb: 50_000, head: 83, commissionPct: 3};

  test("V13: freight of whole trucks, shrink and commission leave the net", () => {
    expect(netAtVenue({...costs, shrinkPct: 2}, {weightLb: 600, price: 360, miles: 20})).toEqual({
      ...{freight_hd: 1.33, net_per_head: 2051.97},
    });
    expect(netAtVenue({...costs, shrinkPct: 4}, {weightLb: 600, price: 372, miles: 160})).toEqual({
      ...{freight_hd: 10.6, net_per_head: 2067.84},
    });
  });

  test("V13: a load of 1,500-lb cattle is 33 head, so 34 go on two trucks", () => {
    const freight = (head: number) =>
      netAtVenue({...costs, head, shrinkPct: 0}, {weightLb: 1500, price: 100, miles: 10}).freight_hd;
    expect([freight(33), freight(34)]).toEqual([1.67, 3.24]);
  });

  test("has freight without a price, and neither where a truck carries no head", () => {
    const place = {weightLb: 600, price: null, miles: 20};
    expect(netAtVenue({...costs, shrinkPct: 2}, place)).toEqual({freight_hd: 1.33, net_per_head: null});
    expect(netAtVenue({...costs, loadLb: 599, shrinkPct: 2}, {...place, price: 360})).toEqual({
      ...{freight_hd: null, net_per_head: null},
    });
  });
});
