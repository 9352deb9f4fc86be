import {describe, expect, test} from "vitest";
import {limitations} from "../../../../lib/limitations.ts";
import type {EvidenceRow} from "../../../../lib/market/evidence-row.ts";
import {priceEvidence} from "../../../../lib/market/price-evidence.ts";
import type {Contradiction} from "../../../../schemas/market-evidence.ts";

type Inputs = Parameters<typeof priceEvidence>[1];
type Row = Readonly<Record<string, unknown>>;

/** A price of ten steers without any doubt. */
const plain = {
  ...{frame: "medium_and_large", muscle_grade: "1", quality_grade: null, dressing: null, age_class: null},
  ...{
    pregnancy_stage: null,
    offspring_weight: null,
    weight_bin: null,
    delivery: null,
    freight: null,
    region: null,
  },
  ...{
    evidence_id: "e",
    cell_id: "c",
    price_unit: "per_head",
    price_avg: 1500,
    change_status: "new",
    lot_descriptors: [],
  },
  ...{
    commodity: "feeder_cattle",
    class: "steers",
    state: "KS",
    county_fips: null,
    county_name: null,
    county_vintage: null,
  },
  ...{
    head_count: 40,
    counted_head: 40,
    age_days: 3,
    first_sale_date: "2026-11-18",
    last_sale_date: "2026-11-18",
  },
  ...{thin: false, window_days: 14, window_widened: false, weighting: "head", rows: 1, rows_excluded: 0},
  ...{
    issue_ids: ["ams-1@2026-11-18"],
    source_ids: ["mars"],
    ingested_at: "2026-11-19",
    last_verified_at: "2026-11-20",
  },
  ...{
    venue_id: null,
    venue_ids: ["ks-a", "ks-b"],
    receipts: null,
    head_reported: null,
    outlier: false,
    head_excluded: false,
  },
  ...{value_per_head: null, change_week: null, change_year: null, price_min: null, price_max: null},
};
const county = {
  ...plain,
  price_basis: "observed_in_county",
  county_fips: "20057",
  county_name: "Ford",
  venues_reporting: 2,
};
const rollup = {
  ...{...plain, price_basis: "derived_rollup", venues_reporting: 2, venues_known: 6},
  ...{week_begin_date: "2026-11-15", week_end_date: "2026-11-21"},
};
const official = {
  ...{...rollup, price_basis: "official_state_summary", report_slug: "ams-1", price_avg_unrounded: 1500},
  rollup: '{"price": null, "head": null, "thin": null, "issue_ids": null}',
};
const reported = {
  ...{
    ...plain,
    price_basis: "reported",
    report_scope: "venue",
    venue_id: "ks-a",
    venue_name: "Market A",
    place: "Town, KS",
  },
  ...{report_end_date: "2026-11-18", row_ordinal: 1},
};
const estimated = {
  ...{
    ...county,
    price_basis: "nearest_market_estimate",
    windows: [14, 28],
    contributing_head: 30,
    nearest_distance_mi: 20,
  },
  ...{
    contributing_venues: '[{"distance_mi": 20}, {"distance_mi": 60}]',
    price_low: 1,
    price_high: 2,
    has_venue: false,
  },
};

const leftOut = (kind: string) =>
  ({kind, resolution: "unresolved", difference: null, tolerance: null}) as unknown as Contradiction;

/** The evidence of rows, given the rows excluded from their figure. */
function told(rows: readonly Row[], found: readonly Contradiction[] = []) {
  const books = {
    context: {asOf: "2026-11-21", sample: false, registry: []},
    contacts: new Map(),
    excluded: {of: () => (found.length === 0 ? null : [...found])},
    secondSources: {of: () => null},
    unitSlips: {of: () => null},
  } as unknown as Inputs;
  return priceEvidence(rows as unknown as readonly EvidenceRow[], books);
}

/** Ids of the catalogue sentences that an answer has. */
const limitsOf = (row: Row, ...more: Row[]) =>
  told([row, ...more]).limitations.flatMap((text) =>
    Object.entries(limitations).flatMap(([id, sentence]) => (sentence === text ? [id] : [])),
  );

describe("the limitations of a price", () => {
  const usual = limitsOf(county);

  test.each<[string, Row, string]>([
    ["a thin cell", {thin: true}, "L04"],
    ["preliminary reports", {any_preliminary: true}, "L07"],
    ["a wider window", {window_widened: true}, "L06"],
    ["estimated weights", {any_estimated_weight: true}, "L21"],
    ["counties of another edition", {county_vintage: "2020"}, "L19"],
  ])("mention %s", (_, change, id) => {
    expect(limitsOf({...county, ...change}).filter((each) => !usual.includes(each))).toEqual([id]);
  });

  test.each(["any_preliminary", "any_estimated_weight"])(
    "mention %s in one of the rows of a sale",
    (flag) => {
      expect(limitsOf(reported, {...reported, [flag]: true})).toEqual(
        limitsOf({...reported, [flag]: true}, reported),
      );
      expect(limitsOf(reported, {...reported, [flag]: true})).not.toEqual(limitsOf(reported, reported));
    },
  );

  test("match its kind", () => {
    expect(usual).toEqual(expect.arrayContaining(["L01", "L02"]));
    expect(limitsOf(official)).toContain("L18");
    expect(limitsOf(estimated)).toEqual(expect.arrayContaining(["L03", "L16"]));
    const withdrawn = limitsOf({...county, withdrawn: true, any_preliminary: true});
    expect(withdrawn).toContain("L20");
    expect(withdrawn.filter((id) => ["L01", "L02", "L07"].includes(id))).toEqual([]);
  });

  test.each([
    [official, {receipts: 40, head_count: 40}, false],
    [official, {receipts: 41, head_count: 40}, true],
    [official, {receipts: null, head_count: 40}, false],
    [reported, {receipts: 40, head_reported: 40}, false],
    [reported, {receipts: 41, head_reported: 40}, true],
    [reported, {receipts: null, head_reported: 40}, false],
    [reported, {receipts: 41, head_reported: null}, false],
  ])("say if fewer head are priced than the receipts: case %#", (row, change, isShort) => {
    expect(limitsOf({...row, ...change}).includes("L08")).toBe(isShort);
  });

  test("L30: say that the newest sale of a report is old, and nothing of a past sale that a later one followed", () => {
    const of = (row: Row) => limitsOf({...reported, ...row}).includes("L30");
    expect([21, 22].map((age_days) => of({age_days}))).toEqual([false, true]);
    expect(of({age_days: 22, newer_known: true})).toBe(false);
    expect(limitsOf({...county, age_days: 22})).not.toContain("L30");
  });

  test("mention a head count that was excluded in one row of a sale", () => {
    expect(limitsOf(reported, {...reported, head_excluded: true})).toContain("L26");
    expect(limitsOf(reported, reported)).not.toContain("L26");
  });

  test("call a group thin by the head of all its rows, or by pairs", () => {
    const of = (head: number, price_unit = "per_head") =>
      limitsOf(
        {...reported, price_unit, thin: true, counted_head: head},
        {...reported, price_unit, counted_head: 2},
      ).includes("L04");
    expect([of(8), of(7), of(3, "per_pair"), of(2, "per_pair")]).toEqual([false, true, false, true]);
  });
});

test("calls nothing thin whose head is not known, and trusts it no more", () => {
  const unknown = {...reported, head_count: null, counted_head: null};
  for (const rows of [[unknown], [unknown, unknown]]) {
    const {limitations: said, confidence, actionability, operational_implication} = told(rows);
    expect(said).not.toContain(limitations.L04);
    expect([confidence.level, actionability]).toEqual(["low", "verify_before_acting"]);
    expect(operational_implication).toMatch(/^It rests on unknown head, .*how many is not stated/);
  }
  expect(limitsOf(unknown, {...reported, counted_head: 5})).toContain("L04");
});

test("a pooled figure whose head is not known is not counted as of one head", () => {
  for (const row of [county, rollup]) expect(told([{...row, head_count: null}]).confidence.score).toBe(0);
});

test("more head than receipts is told of the first issue of a sale and its source", () => {
  const row = {...reported, commodity_receipts: 100, commodity_head: 103};
  const pooled = {
    ...row,
    source_ids: ["ams-text", "mars"],
    issue_ids: ["ams_7@2026-11-18", "ams-1@2026-11-18"],
  };
  expect(told([pooled]).contradictions).toMatchObject([
    {
      kind: "head_exceeds_receipts",
      a: {source: "ams-text", ref: "ams_7@2026-11-18 rows"},
      b: {source: "ams-text", ref: "ams_7@2026-11-18 receipts"},
    },
  ]);
});

test("names its entities: cell, state, county, venues and reports", () => {
  expect(told([county]).entity_ids).toEqual([
    "cell:c",
    "county:20057",
    "report:ams-1@2026-11-18",
    "state:KS",
    "venue:ks-a",
    "venue:ks-b",
  ]);
  expect(told([{...official, state: null}]).entity_ids).toEqual(["cell:c", "report:ams-1@2026-11-18"]);
  expect(told([reported]).entity_ids).toContain("venue:ks-a");
});

test.each<[string, Row[], boolean]>([
  ["a county's mean", [county], true],
  ["a row as it was printed", [reported], false],
  ["a row with a value by the head", [reported, {...reported, value_per_head: 1}], true],
  ["a row with a change", [{...reported, change_week: 1}], true],
  ["a summary's only figure", [official], false],
  ["a summary's several rows", [{...official, rows: 2}], true],
  ["a summary's figure by the weight", [{...official, price_unit: "per_cwt"}], true],
])("cites our aggregates if we computed a number of %s", (_, rows, isComputed) => {
  const {sources} = told(rows);
  expect(sources.includes("derived-aggregates")).toBe(isComputed);
  expect(sources).toEqual(expect.arrayContaining(["mars", "ams-lmr-datamart"]));
});

test("calls a group with mixed statuses revised, and gives no price for a withdrawn record", () => {
  const status = (...of: string[]) =>
    told(of.map((change_status) => ({...reported, change_status}))).change_status;
  expect([status("new", "new"), status("new", "unchanged")]).toEqual(["new", "revised"]);
  expect(told([{...county, withdrawn: true, change_status: "withdrawn"}])).toMatchObject({
    actionability: "do_not_act",
    sources: ["ams-lmr-datamart", "derived-aggregates"],
    contradictions: null,
  });
});

test("lists excluded rows as contradictions, except outliers of an estimate", () => {
  expect(told([county]).contradictions).toBeNull();
  expect(told([county], [leftOut("outlier")]).contradictions).toHaveLength(1);
  expect(told([estimated], [leftOut("outlier")]).contradictions).toBeNull();
  expect(told([estimated], [leftOut("unit")]).contradictions).toHaveLength(2);
  expect(told([official]).contradictions).toBeNull();
  expect(told([official], [leftOut("outlier")]).contradictions).toHaveLength(1);
});

test("sums the head of all rows, takes the latest times, and has low confidence in an outlier", () => {
  const more = {...reported, counted_head: 60, ingested_at: "2026-11-20", last_verified_at: "2026-11-19"};
  const {confidence, ingested_at, last_verified_at} = told([reported, more]);
  expect([confidence.factors!.volume, confidence.level]).toEqual([1, "high"]);
  expect([ingested_at, last_verified_at]).toEqual(["2026-11-20", "2026-11-20"]);
  expect(told([reported, {...more, outlier: true}]).confidence.level).toBe("low");
});

test("throws for a record without a price that is not a tombstone", () => {
  expect(() => told([{...plain, price_basis: "none"}])).toThrow(/tombstone/);
});
