/** The inputs of a confidence (`docs/design/parcels.md` section 8). */
export type ConfidenceFacts = {
  /** `county`, `state`, `aggregate`, `copy`, `derived` or `unknown`. */
  readonly authority: string;
  /** `YYYY-MM-DD` or `YYYY`; null when unknown. */
  readonly vintage: string | null;
  readonly vintageBasis: string;
  /** How fast this kind of fact ages: owner, value, tax and transfer fast, all others slowly. */
  readonly ages: "fast" | "slowly";
  /**
   * Factors, in ten-thousandths, of the steps that led from the printed cell to the fact; empty for a
   * verbatim fact.
   */
  readonly methods: readonly number[];
};

/** Method factors in ten-thousandths. */
export const methodFactors = {
  parsed: 9_800,
  joined: 9_700,
  centroid: 9_700,
  sourcePoint: 9_500,
  computedArea: 9_000,
  contradicted: 8_000,
  proposedMap: 8_000,
} as const;

const authorities: Readonly<Record<string, number>> = {
  county: 100,
  state: 100,
  aggregate: 95,
  copy: 70,
  derived: 60,
  unknown: 50,
};

/** Factor in hundredths up to an age in days; `older` is for anything beyond. */
const ageSteps = {
  fast: {
    steps: [
      [400, 100],
      [800, 90],
      [1500, 75],
      [3000, 55],
    ],
    older: 40,
    unknown: 50,
  },
  slowly: {
    steps: [
      [800, 100],
      [1500, 95],
      [3000, 85],
    ],
    older: 70,
    unknown: 70,
  },
} as const;
const maxOfRetrieved = 95;
const dayMs = 86_400_000;

/**
 * Confidence of a fact, 0 to 1 with 2 decimals, rounded half away from zero: authority x age x method. `asOf`
 * (`YYYY-MM-DD`) is the build date. It multiplies integers, so that 0.95 x 0.90 is exactly 0.855.
 */
export function confidenceOf(facts: ConfidenceFacts, asOf: string): number {
  const authority = authorities[facts.authority] ?? authorities["unknown"]!;
  let scaled = BigInt(authority * ageFactor(facts, asOf));
  let scale = 100n;
  for (const method of facts.methods) {
    scaled *= BigInt(method);
    scale *= 10_000n;
  }
  return Number((2n * scaled + scale) / (2n * scale)) / 100;
}

/** Days from a vintage to a date; a bare year counts from 1 January. */
export function ageDays(vintage: string, asOf: string): number {
  const from = vintage.length === 4 ? `${vintage}-01-01` : vintage;
  return Math.round((Date.parse(asOf) - Date.parse(from)) / dayMs);
}

function ageFactor({vintage, vintageBasis, ages}: ConfidenceFacts, asOf: string): number {
  const {steps, older, unknown} = ageSteps[ages];
  const days = vintage === null ? Number.NaN : ageDays(vintage, asOf);
  if (Number.isNaN(days)) return unknown;
  const factor = steps.find(([most]) => days <= most)?.[1] ?? older;
  return vintageBasis === "retrieved" ? Math.min(factor, maxOfRetrieved) : factor;
}
