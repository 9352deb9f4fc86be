/** The two muscle grades of Medium and Large feeders that one curve may hold; each keeps its own price. */
export const curveGrades = ["1", "1-2"] as const;
export type CurveGrade = (typeof curveGrades)[number];

/** One price row of one sale, as the fit needs it: pounds, USD per cwt, head, and days before the end of the window. */
export type CurvePen = {
  readonly grade: CurveGrade;
  readonly weightLb: number;
  readonly price: number;
  readonly head: number;
  readonly ageDays: number;
};

/**
 * Price by weight: `ln(price) = b0 + b1 x + b2 x^2 + b3 x^3 + c g` with `x = (lb - 700) / 100` and `g = 1` for grade 1-2. The lists go by
 * pen: `residuals` are logarithms of price over curve, `weights` what each pen counted in the last round.
 */
export type WeightCurve<Pen extends CurvePen = CurvePen> = {
  readonly degree: 1 | 2 | 3;
  readonly coefficients: readonly number[];
  /** `c`: the logarithm of 1-2 over 1; null where the curve holds one grade alone. */
  readonly offset: number | null;
  /** The grades that can be read from it. */
  readonly grades: readonly CurveGrade[];
  readonly residualSpread: number;
  readonly pens: readonly Pen[];
  readonly residuals: readonly number[];
  readonly weights: readonly number[];
};

const rounds = 50;
/** Head above which a pen counts no more, and the days after which it counts half. */
const largestHead = 200;
const halfLifeDays = 14;
/** Huber's constant, and the least spread that residuals are measured by. */
const huber = 1.5;
const leastSpread = 0.01;
const pensOfGrade = 3;
const binLb = 50;

/**
 * Fits the robust weight curve of `docs/design/market.md` section 7.1: weighted least squares, in which a pen far from the others counts
 * less and less. Both grades share a curve, with an offset, where each has three pens; else the pens of `grade` stand alone. The order of
 * the pens does not matter. Null where the pens have fewer than two weights.
 */
export function fitWeightCurve<Pen extends CurvePen>(
  pens: readonly Pen[],
  grade: CurveGrade = "1",
): WeightCurve<Pen> | null {
  const hasEnough = curveGrades.every(
    (each) => pens.filter((pen) => pen.grade === each).length >= pensOfGrade,
  );
  const shared = hasEnough ? fitPens(pens, curveGrades) : null;
  return (
    shared ??
    fitPens(
      pens.filter((pen) => pen.grade === grade),
      [grade],
    )
  );
}

/** The price of a grade at a weight, in USD per cwt; null outside the weights of its pens, and for a grade that the curve does not hold. */
export function curvePrice(curve: WeightCurve, weightLb: number, grade: CurveGrade = "1"): number | null {
  const [lowest, highest] = weightRange(curve);
  const isInside = weightLb >= lowest && weightLb <= highest;
  return isInside && curve.grades.includes(grade) ? Math.exp(logPrice(curve, weightLb, grade)) : null;
}

/** The lightest and the heaviest pen of a curve, in pounds. */
export function weightRange({pens}: WeightCurve): readonly [number, number] {
  return [pens[0]!.weightLb, pens.at(-1)!.weightLb];
}

function logPrice(
  {coefficients, offset}: Pick<WeightCurve, "coefficients" | "offset">,
  weightLb: number,
  grade: CurveGrade,
): number {
  const x = (weightLb - 700) / 100;
  const logarithm = coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
  return grade === "1-2" ? logarithm + (offset ?? 0) : logarithm;
}

function degreeOf(pens: readonly CurvePen[]): 1 | 2 | 3 {
  const bins = new Set(pens.map(({weightLb}) => Math.floor(weightLb / binLb))).size;
  if (pens.length >= 12 && bins >= 5) return 3;
  return pens.length >= 8 && bins >= 4 ? 2 : 1;
}

function fitPens<Pen extends CurvePen>(
  unordered: readonly Pen[],
  grades: readonly CurveGrade[],
): WeightCurve<Pen> | null {
  const pens = unordered.toSorted(byPen);
  const degree = degreeOf(pens);
  const hasOffset = grades.length > 1;
  const columns = columnsOf(pens, degree, hasOffset);
  const y = Float64Array.from(pens, ({price}) => Math.log(price));
  const u = Float64Array.from(pens, penWeight);
  const r = new Float64Array(pens.length).fill(1);
  let solution: readonly number[] | null = null;
  let residuals = y;
  let spread = leastSpread;
  for (let round = 0; round < rounds; round++) {
    const v = u.map((weight, pen) => weight * r[pen]!);
    solution = leastSquares(columns, y, v);
    if (solution === null) return null;
    residuals = residualsOf(columns, y, solution);
    spread = Math.max(leastSpread, median(residuals.map(Math.abs)) / 0.6745);
    let moved = 0;
    for (let pen = 0; pen < r.length; pen++) {
      const next = Math.min(1, (huber * spread) / Math.abs(residuals[pen]!));
      moved = Math.max(moved, Math.abs(next - r[pen]!));
      r[pen] = next;
    }
    // A round that moves no weight would be repeated as it is.
    if (moved < 1e-12) break;
  }
  if (solution === null) return null;
  return {
    degree,
    coefficients: solution.slice(0, degree + 1),
    offset: hasOffset ? solution[degree + 1]! : null,
    grades,
    residualSpread: spread,
    pens,
    residuals: [...residuals],
    weights: Array.from(u, (weight, pen) => weight * r[pen]!),
  };
}

/** A total order over what the fit reads: sums of doubles depend on the order of their terms. */
function byPen(a: CurvePen, b: CurvePen): number {
  return (
    a.weightLb - b.weightLb ||
    a.price - b.price ||
    a.head - b.head ||
    a.ageDays - b.ageDays ||
    a.grade.length - b.grade.length
  );
}

function penWeight({head, ageDays}: CurvePen): number {
  return Math.min(head, largestHead) * 0.5 ** (ageDays / halfLifeDays);
}

function columnsOf(pens: readonly CurvePen[], degree: number, hasOffset: boolean): Float64Array[] {
  const powers = Array.from({length: degree + 1}, (_, power) =>
    Float64Array.from(pens, ({weightLb}) => ((weightLb - 700) / 100) ** power),
  );
  return hasOffset ? [...powers, Float64Array.from(pens, ({grade}) => Number(grade === "1-2"))] : powers;
}

function residualsOf(
  columns: readonly Float64Array[],
  y: Float64Array,
  solution: readonly number[],
): Float64Array<ArrayBuffer> {
  const residuals = Float64Array.from(y);
  columns.forEach((column, k) => {
    for (let pen = 0; pen < residuals.length; pen++)
      residuals[pen] = residuals[pen]! - solution[k]! * column[pen]!;
  });
  return residuals;
}

/** Below this share of a column's length, what is left of it after the columns before is rounding. */
const rankTolerance = 1e-9;

/**
 * Weighted least squares by modified Gram-Schmidt, which keeps the digits that normal equations lose. Null where the columns are not
 * independent over the pens.
 */
function leastSquares(
  columns: readonly Float64Array[],
  y: Float64Array,
  weights: Float64Array,
): number[] | null {
  const basis = columns.map((column) => Float64Array.from(column));
  const rightSide = Float64Array.from(y);
  const upper = columns.map(() => new Float64Array(columns.length));
  const projected = columns.map(() => 0);
  for (const [k, column] of basis.entries()) {
    const length = inner(column, column, weights);
    if (!(length > rankTolerance * inner(columns[k]!, columns[k]!, weights))) return null;
    for (let later = k + 1; later < basis.length; later++) {
      const share = inner(column, basis[later]!, weights) / length;
      upper[k]![later] = share;
      subtract(basis[later]!, share, column);
    }
    projected[k] = inner(column, rightSide, weights) / length;
    subtract(rightSide, projected[k], column);
  }
  for (let k = basis.length - 1; k >= 0; k--)
    for (let later = k + 1; later < basis.length; later++)
      projected[k]! -= upper[k]![later]! * projected[later]!;
  return projected;
}

function inner(a: Float64Array, b: Float64Array, weights: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]! * weights[at]!;
  return sum;
}

function subtract(from: Float64Array, share: number, column: Float64Array): void {
  for (let at = 0; at < from.length; at++) from[at] = from[at]! - share * column[at]!;
}

/** Sorts `values`. */
function median(values: Float64Array): number {
  values.sort();
  const middle = values.length >> 1;
  return values.length % 2 === 1 ? values[middle]! : (values[middle - 1]! + values[middle]!) / 2;
}
