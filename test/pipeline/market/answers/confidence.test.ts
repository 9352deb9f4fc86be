import {describe, expect, it} from "vitest";
import {headExceedsReceipts, rollupVsSummary, sameCellPrice} from "../../../../lib/market/contradictions.ts";
import {actionabilityOf} from "../../../../lib/market/evidence.ts";
import {
  agreementOf,
  countyCoverage,
  curveConfidence,
  directoryConfidence,
  estimateCoverage,
  priceConfidence,
  recencyPercent,
  rollupCoverage,
} from "../../../../lib/market/price-confidence.ts";
import {roundHalfAway} from "../../../../lib/rounding.ts";
import {openDatabase} from "../../../../lib/sql/duckdb.ts";
import {inverseDistance} from "../../../../pipeline/market/answers/county-prices.ts";
import type {Contradiction} from "../../../../schemas/market-evidence.ts";

const said = (input: Parameters<typeof priceConfidence>[0]) => {
  const {score, level} = priceConfidence(input);
  return [score, level];
};

describe("confidence", () => {
  it("V9 multiplies recency, volume, coverage and agreement", () => {
    const one = {coverage: countyCoverage(1), agreement: agreementOf(null)};
    expect(said({recency: 1, head: 166, ...one})).toEqual([0.81, "high"]);
    expect(said({recency: 1, head: 16, ...one})).toEqual([0.324, "medium"]);
    expect(said({recency: 0.25, head: 166, ...one})).toEqual([0.2025, "low"]);
    expect(
      said({recency: 1, head: 210, coverage: estimateCoverage(22), agreement: 0.9, estimate: true}),
    ).toEqual([0.54, "medium"]);
    const beyond = rollupVsSummary({price: 300, source: "mars", ref: "a"}, {price: 320, ref: "b"}, "per_cwt");
    expect(said({recency: 1, head: 166, coverage: 0.9, agreement: agreementOf(beyond)})).toEqual([
      0.36,
      "medium",
    ]);
    expect(said({recency: 1, head: 4658, coverage: 1, agreement: agreementOf(null)})).toEqual([0.9, "high"]);
    expect(said({recency: 0.8, head: 316, coverage: rollupCoverage(3), agreement: agreementOf([])})).toEqual([
      0.56,
      "medium",
    ]);
    expect(said({recency: 1, head: 8, ...one, thin: true})[1]).toBe("low");
  });

  it("changes each factor at the bounds of docs/design/market.md section 6", () => {
    expect([10, 11, 21, 22, 35, 36, 60, 61].map(recencyPercent)).toEqual([100, 80, 80, 50, 50, 25, 25, 0]);
    expect([1, 2].map(countyCoverage)).toEqual([0.9, 1]);
    expect([1, 2, 4, 5].map(rollupCoverage)).toEqual([0.4, 0.7, 0.7, 0.9]);
    expect([25, 26, 50, 51, 100, 101].map(estimateCoverage)).toEqual([0.6, 0.5, 0.5, 0.3, 0.3, 0.15]);
  });

  it("caps estimates at medium and outliers at low, and knows nothing without a date", () => {
    expect(said({recency: 1, head: 900, coverage: 1, agreement: 1, estimate: true})).toEqual([1, "medium"]);
    expect(said({recency: 1, head: 900, coverage: 1, agreement: 1, outlier: true})).toEqual([1, "low"]);
    expect(said({recency: null, head: 900, coverage: 1, agreement: 1})).toEqual([null, "unknown"]);
  });

  it("weighs the age of each head of a weight curve, and is at most medium where the figure is unsure", () => {
    const pens = [
      {head: 20, ageDays: 5},
      {head: 5, ageDays: 12},
    ];
    const of = {pens, venues: 2, agreement: 1, isUnsure: false};
    expect(curveConfidence(of)).toMatchObject({score: 0.48, factors: {recency: 0.96, volume: 0.5}});
    const many = {...of, pens: [{head: 900, ageDays: 10}]};
    expect(curveConfidence(many)).toMatchObject({score: 1, level: "high"});
    expect(curveConfidence({...many, isUnsure: true}).level).toBe("medium");
  });

  it("judges a directory claim by the age of its check and the yard", () => {
    expect(directoryConfidence(90, true, 0.9).score).toBe(0.81);
    expect(directoryConfidence(365, false, 0.9).score).toBe(0.27);
    expect(directoryConfidence(366, true, 0.9).score).toBe(0.162);
    expect(directoryConfidence(null, true, 0.9).level).toBe("unknown");
  });
});

describe("contradictions", () => {
  it("reports a roll-up that differs from its summary by more than the tolerance, with the difference", () => {
    const against = (rollup: number) =>
      rollupVsSummary({price: 200, source: "mars", ref: "a"}, {price: rollup, ref: "b"}, "per_cwt");
    const head = rollupVsSummary(
      {price: 1000, source: "mars", ref: "a"},
      {price: 1021, ref: "b"},
      "per_head",
    );
    expect([against(205)[0]!.tolerance, head[0]!.tolerance]).toEqual([4, 20]);
    const cheap = rollupVsSummary(
      {price: 100, source: "mars", ref: "a"},
      {price: 103.1, ref: "b"},
      "per_cwt",
    );
    expect(cheap[0]!.tolerance).toBe(3);
    expect(against(204)).toEqual([]);
    expect(agreementOf(against(207))).toBe(0.7);
    expect(agreementOf(against(208.5))).toBe(0.4);
  });

  it("takes more than two percent of head over receipts as unresolved", () => {
    expect(headExceedsReceipts({source: "mars", ref: "x", head: 102, receipts: 100})).toEqual([]);
    const found = headExceedsReceipts({source: "mars", ref: "x", head: 103, receipts: 100});
    expect(found.map(({kind}) => kind)).toEqual(["head_exceeds_receipts"]);
    expect(agreementOf(found)).toBe(0.4);
  });

  it("compares one cell in two sources by half a percent", () => {
    const witness = {status: null, published: null};
    const a = {source: "mars", ref: "a", price: 400, ...witness};
    const of = (price: number) =>
      sameCellPrice({a, b: {source: "ams-lmr-datamart", ref: "b", price, ...witness}, price_unit: "per_cwt"});
    expect(of(402)).toEqual([]);
    expect(of(402.5)[0]!.difference).toBe(2.5);
  });
});

describe("estimates", () => {
  it("V8 weights the nearest markets by inverse square distance, with a floor of ten miles", async () => {
    const db = await openDatabase();
    const rows = await db.rows<{price: number}>(
      `SELECT ${inverseDistance} AS price
      FROM (VALUES (1, 1, 22.0, 350.0), (1, 2, 48, 356), (1, 3, 70, 344), (2, 1, 4, 350), (2, 2, 48, 356)) AS t(n, rank, distance_mi, price)
      GROUP BY n ORDER BY n`,
    );
    db.close();
    expect(rows.map(({price}) => roundHalfAway(price, 2))).toEqual([350.51, 350.25]);
  });
});

describe("actionability", () => {
  const high = priceConfidence({recency: 1, head: 900, coverage: 1, agreement: 1});
  const low = priceConfidence({recency: 0.25, head: 9, coverage: 1, agreement: 1});

  const off = {
    kind: "same_cell_price",
    field: "price_avg",
    difference: 9,
    tolerance: 1,
    resolution: "unresolved",
  };
  const side = {source: "mars", ref: "ams-1", value: 400};
  const found = (changes: object) => [{...off, a: side, b: side, ...changes} as Contradiction];
  const judged = (changes: object, age: number | null = 1) =>
    actionabilityOf(
      {kind: "observed_price", confidence: high, changeStatus: "new", contradictions: null, ...changes},
      age,
    );

  it("leaves `do_not_act` to what is withdrawn, expired or contradicted beyond tolerance", () => {
    expect(judged({changeStatus: "withdrawn"})).toBe("do_not_act");
    expect(judged({}, 61)).toBe("do_not_act");
    expect(judged({contradictions: found({})})).toBe("do_not_act");
    expect(judged({contradictions: found({resolution: "final over preliminary"})})).toBe(
      "verify_before_acting",
    );
    expect(judged({contradictions: found({difference: null, tolerance: null})})).toBe("verify_before_acting");
  });

  it("applies the first rule that fits to all others", () => {
    expect(judged({confidence: low})).toBe("verify_before_acting");
    expect(judged({kind: "estimate"})).toBe("verify_before_acting");
    expect(judged({kind: "schedule"})).toBe("verify_before_acting");
    expect(judged({changeStatus: "stale"})).toBe("verify_before_acting");
    expect(
      judged({
        kind: "count",
        confidence: priceConfidence({recency: null, head: 9, coverage: 1, agreement: 1}),
      }),
    ).toBe("verify_before_acting");
    // However sure and newly told, a price of more than three weeks is one to ask after.
    expect([judged({}, 21), judged({}, 22)]).toEqual(["compare", "verify_before_acting"]);
    expect(judged({kind: "count"}, 400)).toBe("informational");
  });
});
