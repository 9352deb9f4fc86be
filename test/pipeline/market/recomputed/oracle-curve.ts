/** A pen as the oracle reads it from the published rows. */
export type OraclePen = {
  readonly grade: string;
  readonly lb: number;
  readonly price: number;
  readonly head: number;
  readonly age: number;
  readonly sale: string;
  readonly venue: string;
  readonly state: string;
};

type Solution = {
  beta: number[];
  degree: number;
  hasOffset: boolean;
  spread: number;
  weights: number[];
  pens: readonly OraclePen[];
};

/**
 * The curve of section 7.1 a second time, with none of the code of `lib/market/`: normal equations, solved by Gauss and Jordan with
 * pivoting, over pens in the order given, and always 50 rounds. Null where they have no solution.
 */
export function solveCurve(all: readonly OraclePen[], grade: string): Solution | null {
  const count = (of: string) => all.filter((pen) => pen.grade === of).length;
  const shared = count("1") >= 3 && count("1-2") >= 3 ? solve(all, true) : null;
  return (
    shared ??
    solve(
      all.filter((pen) => pen.grade === grade),
      false,
    )
  );
}

function solve(pens: readonly OraclePen[], hasOffset: boolean): Solution | null {
  const bins = new Set(pens.map(({lb}) => lb - (lb % 50))).size;
  const degree = pens.length >= 12 && bins >= 5 ? 3 : pens.length >= 8 && bins >= 4 ? 2 : 1;
  const row = ({lb, grade}: OraclePen) => {
    const x = lb / 100 - 7;
    return [1, x, x * x, x * x * x].slice(0, degree + 1).concat(hasOffset ? [grade === "1-2" ? 1 : 0] : []);
  };
  const X = pens.map(row);
  const y = pens.map(({price}) => Math.log(price));
  let weights = pens.map(({head, age}) => Math.min(200, head) / 2 ** (age / 14));
  const start = weights;
  let beta: number[] = [];
  let spread = 0;
  for (let round = 1; round <= 50; round++) {
    const matrix = X[0]?.map((_, i) =>
      X[0]!
        .map((__, j) => total(X.map((x, n) => weights[n]! * x[i]! * x[j]!)))
        .concat(total(X.map((x, n) => weights[n]! * x[i]! * y[n]!))),
    );
    const solved = matrix === undefined ? null : eliminate(matrix);
    if (solved === null) return null;
    beta = solved;
    const residuals = X.map((x, n) => Math.abs(y[n]! - total(x.map((each, i) => each * beta[i]!))));
    const ranked = [...residuals].sort((a, b) => a - b);
    const [low, high] = [
      ranked[Math.floor((ranked.length - 1) / 2)]!,
      ranked[Math.ceil((ranked.length - 1) / 2)]!,
    ];
    spread = Math.max((low + high) / 2 / 0.6745, 0.01);
    weights = start.map((u, n) => (residuals[n]! <= 1.5 * spread ? u : (u * 1.5 * spread) / residuals[n]!));
  }
  return {beta, degree, hasOffset, spread, weights, pens};
}

/** The solution of equations whose last column is the right side; null where a pivot vanishes. */
function eliminate(rows: number[][]): number[] | null {
  const size = rows.length;
  const scale = Math.max(...rows.map((row) => Math.abs(row[rows.indexOf(row)]!)));
  for (let k = 0; k < size; k++) {
    const pivot = rows.slice(k).reduce((best, row) => (Math.abs(row[k]!) > Math.abs(best[k]!) ? row : best));
    if (!(Math.abs(pivot[k]!) > 1e-10 * scale)) return null;
    rows.splice(rows.indexOf(pivot), 1);
    rows.splice(k, 0, pivot);
    for (const row of rows) {
      if (row === pivot) continue;
      const factor = row[k]! / pivot[k]!;
      for (let j = k; j <= size; j++) row[j]! -= factor * pivot[j]!;
    }
  }
  return rows.map((row, k) => row[size]! / row[k]!);
}

const total = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);

/** The figure of the oracle at a weight: a price, or the minimums that are missing. */
export function oracleFigure(
  all: readonly OraclePen[],
  lb: number,
  {grade = "1", pens: leastPens = 5, head: leastHead = 50, states: leastStates = 1, ofGrade = 2} = {},
  solution: Solution | null = solveCurve(all, grade),
) {
  const pens = solution?.pens ?? all.filter((pen) => pen.grade === grade);
  const weights = solution?.weights ?? pens.map(({head}) => head);
  const near = pens.flatMap((pen, n) => (Math.abs(pen.lb - lb) <= 150 ? [{...pen, v: weights[n]!}] : []));
  const head = total(near.map((pen) => pen.head));
  const gaps = near.map((pen) => pen.lb - lb);
  const effective = total(near.map(({v}) => v)) ** 2 / total(near.map(({v}) => v * v));
  const range = pens.map((pen) => pen.lb);
  const canRead = solution !== null && lb >= Math.min(...range) && lb <= Math.max(...range);
  const reasons = [
    near.length < leastPens ? "too_few_pens" : "",
    head < leastHead ? "too_few_head" : "",
    total(near.map((pen) => Number(pen.grade === grade))) < ofGrade ? "too_few_of_the_grade" : "",
    new Set(near.map(({state}) => state)).size < leastStates ? "too_few_states" : "",
    new Set(near.map(({sale}) => sale)).size < 2 && (near.length < 5 || head < 100) ? "one_small_sale" : "",
    canRead &&
    gaps.some((gap) => Math.abs(gap) <= 50) &&
    gaps.some((gap) => gap <= 0 && gap >= -100) &&
    gaps.some((gap) => gap >= 0 && gap <= 100)
      ? ""
      : "no_weight_support",
    effective >= 3 ? "" : "one_pen_dominates",
    (solution?.spread ?? 0) > 0.12 ? "prices_too_scattered" : "",
  ].filter((reason) => reason !== "");
  return {
    price: reasons.length > 0 ? null : Math.exp(logarithmAt(solution!, lb, grade)),
    reasons,
    pens,
    near: near.length,
    head,
    spread: solution?.spread ?? null,
  };
}

function logarithmAt({beta, degree, hasOffset}: Solution, lb: number, grade: string): number {
  const x = lb / 100 - 7;
  return (
    total(beta.slice(0, degree + 1).map((each, n) => each * x ** n)) +
    (hasOffset && grade === "1-2" ? beta.at(-1)! : 0)
  );
}

/**
 * The figure of grade 1 of the shortest window that has one, by scanning all weights: `windows` are the pens of each, shortest first. A longer
 * one is at the level of the nearest figures of the shorter ones.
 */
export function oracleOfWindows(windows: readonly (readonly OraclePen[])[], lb: number) {
  const solved = windows.map((pens) => ({pens, solution: solveCurve(pens, "1")}));
  const figureAt = (weight: number, count: number): {price: number | null; at: number} => {
    const prices = solved
      .slice(0, count)
      .map(({pens, solution}) => oracleFigure(pens, weight, {}, solution).price);
    const at = prices.findIndex((price) => price !== null);
    if (at <= 0) return {price: prices[at] ?? null, at};
    const ends = [-1, 1].flatMap((step) => {
      for (let other = weight + step; other >= 50 && other <= 2000; other += step) {
        const {price} = figureAt(other, at);
        if (price !== null)
          return [
            {
              off: Math.abs(other - weight),
              shift: Math.log(price) - logarithmAt(solved[at]!.solution!, other, "1"),
            },
          ];
      }
      return [];
    });
    const [near, far] = [ends[0], ends.at(-1)];
    if (near === undefined || far === undefined) return {price: prices[at]!, at};
    const shift =
      near === far ? near.shift : (near.shift * far.off + far.shift * near.off) / (near.off + far.off);
    return {price: prices[at]! * Math.exp(shift), at};
  };
  const {price, at} = figureAt(lb, windows.length);
  const chosen = solved.at(at)!;
  return {
    ...oracleFigure(chosen.pens, lb, {}, chosen.solution),
    price,
    window: at === -1 ? windows.length - 1 : at,
  };
}
