import {expect, test} from "vitest";
import {curveFigure, readFigure, type SalePen} from "../../../lib/market/curve-figure.ts";
import {type CurveGrade, curveGrades, curvePrice, fitWeightCurve} from "../../../lib/market/weight-curve.ts";
import {windowFigure} from "../../../lib/market/window-figure.ts";

const seed = Number(process.env["SEED"] ?? 46);

/** Random numbers from 0 to 1: a linear congruence, the same for the same seed. */
function randomNumbers(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Triple = readonly [head: number, lb: number, price: number];

type PenFacts = Partial<SalePen["sale"]> & {readonly ageDays?: number};

function pensOf(
  triples: readonly Triple[],
  grade: CurveGrade,
  {ageDays = 5, ...place}: PenFacts = {},
): SalePen[] {
  const sale = {venueId: "ks-a", state: "KS", date: "2026-09-21", ...place};
  return triples.map(([head, weightLb, price]) => ({grade, weightLb, price, head, ageDays, sale}));
}

const oneBadPen = [
  ...pensOf(
    [
      [30, 525, 460],
      [10, 575, 440],
      [30, 625, 410],
    ],
    "1",
  ),
  ...pensOf(
    [
      [12, 520, 430],
      [10, 574, 287.5],
      [14, 616, 370],
    ],
    "1-2",
  ),
];

// biome-ignore format: triples, as V23 prints them.
const wholeSale = {
  ones: [
    [8, 320, 600], [11, 376, 540], [32, 435, 503.75], [82, 478, 447.78], [105, 516, 449.52], [114, 566, 420.31],
    [377, 636, 389.49], [77, 681, 377.59], [224, 730, 352.81], [330, 782, 339.95], [83, 824, 339.46],
    [201, 871, 318.81], [482, 916, 321.67], [33, 962, 308], [86, 1024, 294.94], [152, 1060, 291.42],
  ],
  mixed: [
    [10, 388, 530], [36, 439, 441.28], [49, 482, 408.06], [48, 528, 400.32], [115, 580, 380.19], [54, 627, 363.01],
    [82, 671, 361.86], [52, 733, 325.57], [71, 766, 327.84], [304, 829, 322.62], [88, 858, 312.82],
    [59, 924, 306], [24, 978, 300], [9, 1063, 279],
  ],
} as const satisfies Record<string, readonly Triple[]>;
const wholeSalePens = [...pensOf(wholeSale.ones, "1"), ...pensOf(wholeSale.mixed, "1-2")];

/** The tolerance of all curve vectors is 0.02. */
function expectPrice(actual: number | null | undefined, expected: number): void {
  expect(actual).not.toBeNull();
  expect(Math.abs(actual! - expected), `${actual} for ${expected}`).toBeLessThanOrEqual(0.02);
}

test("V22: one bad pen does not make the figure, and is listed by its residual", () => {
  const curve = fitWeightCurve(oneBadPen)!;
  expect(curve.degree).toBe(1);
  expect(curve.residualSpread).toBeCloseTo(0.0133, 4);
  expect(100 * Math.expm1(curve.offset!)).toBeCloseTo(-10.24, 2);
  for (const [lb, price] of [
    [549, 449.44],
    [550, 448.88],
    [600, 421.73],
  ] as const)
    expectPrice(curvePrice(curve, lb), price);
  expectPrice(curvePrice(curve, 550, "1-2"), 402.92);
  const {low, high, near} = curveFigure(oneBadPen, {weightLb: 550});
  expectPrice(low, 441.18);
  expectPrice(high, 456.72);
  expect(near.sales).toBe(1);
  const worst = curve.pens.findIndex(({price}) => price === 287.5);
  expect(100 * Math.expm1(curve.residuals[worst]!)).toBeCloseTo(-26.5, 1);
});

test("V23: a whole sale is a cubic with an offset for grade 1-2, whatever one pen is misprinted as", () => {
  const figure = curveFigure(wholeSalePens, {weightLb: 725});
  const curve = figure.curve!;
  expect([curve.degree, curve.pens.length, figure.near.pens.length, figure.near.head]).toEqual([
    3, 30, 13, 2058,
  ]);
  expect(curve.pens.reduce((sum, {head}) => sum + head, 0)).toBe(3398);
  expect(curve.residualSpread).toBeCloseTo(0.0237, 4);
  expect(100 * Math.expm1(curve.offset!)).toBeCloseTo(-5.32, 2);
  const at = [500, 550, 600, 700, 725, 750, 800];
  const prices = [445.34, 419.8, 398.51, 365.39, 358.61, 352.28, 340.76];
  for (const [n, lb] of at.entries()) expectPrice(curvePrice(curve, lb), prices[n]!);
  expectPrice(curvePrice(curve, 550, "1-2"), 397.47);
  expectPrice(figure.low, 347.75);
  expectPrice(figure.high, 369.8);
  expectPrice(curvePrice(curve, 700)! - curvePrice(curve, 800)!, 24.63);
  const misprinted = wholeSalePens.map((pen) => (pen.price === 352.81 ? {...pen, price: 252.81} : pen));
  const bad = fitWeightCurve(misprinted)!;
  expectPrice(curvePrice(bad, 725), 356.09);
  expectPrice(curvePrice(bad, 550), 417.77);
  const far = bad.residuals.flatMap((residual) =>
    Math.abs(residual) > 0.15 ? 100 * Math.expm1(residual) : [],
  );
  expect(far).toEqual([expect.closeTo(-28.7, 1)]);
});

test("the weights of pens are found anew fifty times, also where they have not settled", () => {
  const pens = pensOf(
    [
      [152, 506, 326.3],
      [93, 646, 433.6],
      [107, 786, 317.2],
    ],
    "1",
  );
  // After 45 times it is a dollar more, after 200 times five dollars less.
  expectPrice(curvePrice(fitWeightCurve(pens)!, 646), 328.02);
});

test("V24: three pens of 21 days are no figure", () => {
  const pens = [
    ...pensOf([[45, 706, 389]], "1", {ageDays: 18, date: "2026-08-05", venueId: "ks-dodge"}),
    ...pensOf([[6, 719, 350]], "1", {ageDays: 4, date: "2026-08-19", venueId: "ks-dodge"}),
    ...pensOf([[27, 713, 350]], "1", {ageDays: 3, date: "2026-08-20", venueId: "ks-pratt"}),
  ];
  const {windowDays, figure} = windowFigure(pens, {weightLb: 725});
  expect([windowDays, figure.price, figure.reasons[0]]).toEqual([21, null, "too_few_pens"]);
  expect([figure.near.pens.length, figure.near.head]).toEqual([3, 78]);
});

type Curve = {b: readonly number[]; c: number};

function priceOf({b, c}: Curve, grade: CurveGrade, weightLb: number): number {
  const x = (weightLb - 700) / 100;
  const y = b.reduce((sum, each, power) => sum + each * x ** power, 0);
  return Math.exp(grade === "1" ? y : y + c);
}

/** Pens of both grades on a curve, each off by up to half the noise. */
function randomPens(curve: Curve, random: () => number, {count, noise}: {count: number; noise: number}) {
  return Array.from({length: count}, (_, n): SalePen => {
    const grade = n % 2 === 0 ? "1" : "1-2";
    const weightLb = 300 + Math.floor(random() * 700);
    const price = priceOf(curve, grade, weightLb) * Math.exp((random() - 0.5) * noise);
    const [head, ageDays] = [1 + Math.floor(random() * 300), Math.floor(random() * 22)];
    return pensOf([[head, weightLb, price]], grade, {ageDays})[0]!;
  });
}

/** A curve like those of real sales: about 350 USD at 700 lb, dearer for light cattle. */
function randomCurve(random: () => number): Curve {
  const around = (middle: number, width: number) => middle + (random() - 0.5) * width;
  return {
    b: [around(5.85, 0.4), around(-0.11, 0.04), around(0.01, 0.01), around(-0.001, 0.002)],
    c: around(-0.06, 0.06),
  };
}

test(`a cubic without noise comes back as it is (SEED=${seed})`, () => {
  const random = randomNumbers(seed);
  for (let n = 0; n < 50; n++) {
    const truth = randomCurve(random);
    const curve = fitWeightCurve(randomPens(truth, random, {count: 40, noise: 0}))!;
    expect([...curve.coefficients, curve.offset]).toEqual(
      [...truth.b, truth.c].map((each) => expect.closeTo(each, 8)),
    );
  }
});

test(`the price of one pen in the middle moves the figure by less than 1 %, whatever it is (SEED=${seed})`, () => {
  const random = randomNumbers(seed);
  for (let n = 0; n < 50; n++) {
    const curve = randomCurve(random);
    const pens = Array.from({length: 40}, (_, at): SalePen => {
      const [weightLb, grade] = [400 + 15 * at, curveGrades[at % 2]!];
      return pensOf([[20, weightLb, priceOf(curve, grade, weightLb) * (0.98 + 0.04 * random())]], grade)[0]!;
    });
    const figure = (factor: number) => {
      const wrong = pens.map((pen, at) => (at === 20 ? {...pen, price: pen.price * factor} : pen));
      return curvePrice(fitWeightCurve(wrong)!, 650)!;
    };
    for (const factor of [0.1, 0.6, 1.6, 10])
      expect(Math.abs(Math.log(figure(factor) / figure(1)))).toBeLessThan(0.01);
  }
});

test(`the order of the pens does not matter, to the last bit (SEED=${seed})`, () => {
  const random = randomNumbers(seed);
  const pens = randomPens(randomCurve(random), random, {count: 60, noise: 0.1});
  const shuffled = pens.map((pen) => ({pen, rank: random()})).sort((a, b) => a.rank - b.rank);
  expect(fitWeightCurve(shuffled.map(({pen}) => pen))).toEqual(fitWeightCurve(pens));
});

test(`two questions a pound apart differ by less than 0.5 %, over bins and degrees alike (SEED=${seed})`, () => {
  const random = randomNumbers(seed);
  for (let n = 0; n < 20; n++) {
    const pens = randomPens(randomCurve(random), random, {count: 6 + n, noise: 0.06});
    const curve = fitWeightCurve(pens);
    const prices = Array.from({length: 700}, (_, at) => readFigure(curve, pens, {weightLb: 300 + at}).price);
    const steps = prices.flatMap((price, at) =>
      price === null || prices[at + 1] == null ? [] : Math.log(prices[at + 1]! / price),
    );
    for (const step of steps) expect(Math.abs(step)).toBeLessThan(0.005);
  }
});

test.each([
  [11, 5, 2],
  [12, 5, 3],
  [12, 4, 2],
  [8, 4, 2],
  [7, 5, 1],
  [9, 3, 1],
])("%i pens in %i bins have a curve of degree %i", (count, bins, degree) => {
  const triples = Array.from({length: count}, (_, n): Triple => [10, 500 + 50 * (n % bins) + n, 400 - n]);
  expect(fitWeightCurve(pensOf(triples, "1"))!.degree).toBe(degree);
});

test("a grade of two pens neither joins the curve of the other nor can be read from it", () => {
  const pens = [...pensOf(wholeSale.ones, "1"), ...pensOf(wholeSale.mixed.slice(0, 2), "1-2")];
  const curve = fitWeightCurve(pens)!;
  expect(curve).toMatchObject({offset: null, grades: ["1"]});
  expect(curve.pens.length).toBe(wholeSale.ones.length);
  expect(curvePrice(curve, 550, "1-2")).toBeNull();
});

test("a curve is read only between its lightest and its heaviest pen", () => {
  const curve = fitWeightCurve(wholeSalePens)!;
  expect([319, 1064].map((lb) => curvePrice(curve, lb))).toEqual([null, null]);
  expect([320, 1063].every((lb) => curvePrice(curve, lb) !== null)).toBe(true);
});

test.each([
  ["nothing at all", [], undefined],
  [
    "pens of one weight",
    [
      [10, 550, 400],
      [20, 550, 410],
      [30, 550, 405],
    ] as Triple[],
    undefined,
  ],
  ["the other grade alone", wholeSale.mixed.slice(0, 5), "1-2" as const],
])("there is no curve of %s", (_, triples, grade) => {
  expect(fitWeightCurve(pensOf(triples, grade ?? "1"))).toBeNull();
});

test("grades that never share a weight have no offset", () => {
  const ones = pensOf(
    [
      [10, 500, 400],
      [20, 500, 410],
      [30, 500, 405],
    ],
    "1",
  );
  const mixed = pensOf(
    [
      [10, 600, 370],
      [20, 600, 375],
      [30, 600, 360],
    ],
    "1-2",
  );
  expect(fitWeightCurve([...ones, ...mixed])).toBeNull();
});

const line = (head: number, weights: readonly number[]): Triple[] =>
  weights.map((lb) => [head, lb, 600 - lb / 3]);
const twoSales = (triples: readonly Triple[]) =>
  pensOf(triples, "1").map((pen, n) => ({
    ...pen,
    sale: {...pen.sale, venueId: n % 2 === 0 ? "ks-a" : "ks-b"},
  }));

test.each([
  ["nothing", line(20, [500, 525, 550, 575, 600]), 550, []],
  ["pens", line(20, [500, 525, 575, 600]), 550, ["too_few_pens"]],
  ["pens near", line(20, [300, 500, 525, 575, 600]), 550, ["too_few_pens"]],
  ["head", line(9, [500, 525, 550, 575, 600]), 550, ["too_few_head"]],
  ["a pen within 50 lb", line(20, [450, 470, 490, 610, 630, 640]), 550, ["no_weight_support"]],
  ["a pen above", line(20, [480, 500, 520, 540, 549]), 550, ["no_weight_support"]],
  ["effective pens", [...line(200, [550]), ...line(3, [500, 525, 575, 600])], 550, ["one_pen_dominates"]],
])("a figure is missing for want of %s", (_, triples, weightLb, reasons) => {
  expect(curveFigure(twoSales(triples), {weightLb}).reasons).toEqual(reasons);
});

test.each([
  [0, ["too_few_of_the_grade"]],
  [1, ["too_few_of_the_grade"]],
  [2, []],
])(
  "with %i pens of its grade near the weight, and an offset of calves, grade 1 misses: %j",
  (count, reasons) => {
    const calves = pensOf(line(20, [400, 430, 460]), "1");
    const near = pensOf(line(10, [660, 800]).slice(0, count), "1");
    const mixed = pensOf(line(40, [620, 660, 700, 740, 780, 820]), "1-2");
    const pens = [...calves, ...near, ...mixed];
    expect(curveFigure(pens, {weightLb: 720}).reasons).toEqual(reasons);
    expect(curveFigure(pens, {weightLb: 720, grade: "1-2"}).reasons).toEqual([]);
  },
);

test("one sale carries a figure only with 100 head", () => {
  const weights = [500, 525, 550, 575, 600];
  expect(curveFigure(pensOf(line(19, weights), "1"), {weightLb: 550}).reasons).toEqual(["one_small_sale"]);
  expect(curveFigure(pensOf(line(20, weights), "1"), {weightLb: 550}).reasons).toEqual([]);
});

test("scattered prices have no figure", () => {
  const scattered = line(20, [500, 525, 550, 575, 600]).map(
    ([head, lb, price], n): Triple => [head, lb, n % 2 === 0 ? price : price * 1.5],
  );
  expect(curveFigure(twoSales(scattered), {weightLb: 550}).reasons).toEqual(["prices_too_scattered"]);
});

test("a nation needs 30 pens, 1,000 head and 3 states", () => {
  const minimums = {pens: 30, head: 1000, states: 3};
  const figure = curveFigure(wholeSalePens, {weightLb: 725, minimums});
  expect(figure.reasons).toEqual(["too_few_pens", "too_few_states"]);
});

test("the shortest window that meets the minimums is taken, and no longer one", () => {
  const old = twoSales(line(20, [500, 525, 550, 575, 600])).map((pen) => ({...pen, ageDays: 9}));
  const fresh = twoSales(line(30, [500, 525, 550, 575, 600]));
  expect(windowFigure([...old, ...fresh], {weightLb: 550}).windowDays).toBe(7);
  expect(windowFigure([...old, ...fresh.slice(1)], {weightLb: 550}).windowDays).toBe(14);
  expect(windowFigure([...old, ...fresh], {weightLb: 550}).figure.near.pens.length).toBe(5);
});

test("both grades are read from one curve, each with its own price", () => {
  const curve = fitWeightCurve(wholeSalePens)!;
  const [one, mixed] = (["1", "1-2"] as const).map(
    (grade) => readFigure(curve, wholeSalePens, {weightLb: 550, grade}).price!,
  );
  expect(Math.log(mixed! / one!)).toBeCloseTo(curve.offset!, 12);
});
