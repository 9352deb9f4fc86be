import {describe, expect, it} from "vitest";
import {
  ageDays,
  type ConfidenceFacts,
  confidenceOf,
  methodFactors,
} from "../../../../lib/parcels/record/record-confidence.ts";

const asOf = "2026-11-21";
const {parsed, centroid, computedArea, contradicted} = methodFactors;
const facts = (changes: Partial<ConfidenceFacts>): ConfidenceFacts => ({
  authority: "aggregate",
  vintage: "2025-08-01",
  vintageBasis: "row_date",
  ages: "slowly",
  methods: [],
  ...changes,
});

describe("confidence of a fact", () => {
  it.each<[string, number, Partial<ConfidenceFacts>]>([
    ["county, row date 2026-10-01, verbatim", 1, {authority: "county", vintage: "2026-10-01"}],
    ["aggregate, roll year 2025, market value", 0.86, {vintage: "2025", ages: "fast"}],
    ["aggregate, 2025-08-01, parcel id", 0.95, {}],
    ["aggregate, 2025-08-01, parsed situs", 0.93, {methods: [parsed]}],
    ["aggregate, 2025-08-01, centroid", 0.92, {methods: [centroid]}],
    ["aggregate, 2025-08-01, land use at 0.70", 0.67, {methods: [7000]}],
    ["county, 2024, computed area", 0.86, {authority: "county", vintage: "2024", methods: [computedArea]}],
    ["aggregate, 2024, owner", 0.71, {vintage: "2024", ages: "fast"}],
    ["copy, vintage unknown, owner", 0.35, {authority: "copy", vintage: null, ages: "fast"}],
    ["county, no date in file or meta, owner", 0.5, {authority: "county", vintage: null, ages: "fast"}],
    ["county, no date in file or meta, parcel id", 0.7, {authority: "county", vintage: null}],
    ["aggregate, no date, owner", 0.48, {vintage: null, ages: "fast"}],
    ["derived, 2016-01-20, value", 0.24, {authority: "derived", vintage: "2016-01-20", ages: "fast"}],
  ])("vector of section 8: %s", (_, expected, changes) => {
    expect(confidenceOf(facts(changes), asOf)).toBe(expected);
  });

  it("counts a bare year from 1 January", () => {
    expect([ageDays("2025", asOf), ageDays("2025-08-01", asOf), ageDays("2016-01-20", asOf)]).toEqual([
      689, 477, 3958,
    ]);
  });

  it("gives a vintage that is only the retrieval at most 0.95 for its age", () => {
    const retrieved = facts({authority: "county", vintage: "2026-11-20", vintageBasis: "retrieved"});
    expect(confidenceOf(retrieved, asOf)).toBe(0.95);
  });

  it("rounds half away from zero in decimals, whatever the number of factors", () => {
    expect(confidenceOf(facts({ages: "fast"}), asOf)).toBe(0.86); // 0.855
    expect(confidenceOf(facts({methods: [parsed, contradicted]}), asOf)).toBe(0.74); // 0.7448
  });
});
