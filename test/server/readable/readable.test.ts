import {describe, expect, it} from "vitest";
import {cattleWords, changeWords, priceWords} from "../../../server/readable/cattle-words.ts";
import {readAnswer} from "../../../server/readable/read-answer.ts";

const envelope = {
  as_of_date: "2026-11-21",
  source_date: "2026-11-18",
  sources: ["mars"],
  limitations: ["Market information only."],
  result_status: "ok",
  records: [],
  evidence: [],
  page: {returned: 0, total: 0},
};

function market(changes: Record<string, unknown>, path = "/price-by-county") {
  return readAnswer(path, {ok: true, body: JSON.stringify({...envelope, ...changes})});
}

describe("words for cattle", () => {
  it("name frame and grade in the short forms of the trade, and described lots in full", () => {
    expect(cattleWords({class: "steers", frame: "medium_and_large", muscle_grade: "1-2"})).toBe(
      "steers M&L 1-2",
    );
    expect(cattleWords({class: "cows", quality_grade: "boner", dressing: "very_high"})).toBe(
      "cows boner, very high dressing",
    );
    expect(cattleWords({class: "steers", frame: "small", lot_descriptors: ["fancy", "value_added"]})).toBe(
      "steers S, fancy, value added",
    );
  });

  it("give prices with their unit and changes with their sign", () => {
    expect([priceWords(372.5, "per_cwt"), priceWords(2100, "per_pair"), priceWords(null, "per_cwt")]).toEqual(
      ["372.50/cwt", "2100.00/pair", ""],
    );
    expect([changeWords(3), changeWords(-0.5), changeWords(null)]).toEqual(["+3.00", "-0.50", ""]);
  });
});

describe("a market answer in words", () => {
  it("has the weeks of a record in a table of their own, and marks an estimate", () => {
    const history = [{week_end_date: "2026-11-14", price_avg: 401.5, head_count: 31, venues_reporting: 1}];
    const record = {
      county_name: "Ford County",
      state: "KS",
      class: "steers",
      weight_bin: "550-599",
      price_avg: 410.25,
      price_unit: "per_cwt",
      price_basis: "nearest_market_estimate",
      history,
    };
    const {tables, below} = market({records: [record], page: {returned: 1, total: 4, offset: 2}});
    expect(tables[0]?.rows).toEqual([["Ford County, KS", "steers", "550-599", "410.25/cwt*"]]);
    expect(tables[1]).toMatchObject({
      title: "Weeks: Ford County, KS, steers 550-599 lb",
      rows: [["2026-11-14", "401.50/cwt", "31", "1"]],
    });
    expect(Object.fromEntries(below)).toMatchObject({
      Shown: "3 to 3 of 4",
      Estimate: expect.stringContaining("*"),
    });
  });

  it("says what is nearest where nothing is near", () => {
    const nearest_market = {
      venue_name: "Two Windmills",
      city: "Sample Flats",
      state: "TX",
      distance_mi: 812.4,
      last_sale_date: "2026-11-17",
    };
    const {above} = market({result_status: "no_rows", last_known_source_date: "2026-11-17", nearest_market});
    expect(above).toEqual([
      "Nothing is reported for this question. The last one known is of 2026-11-17.",
      "The nearest market is Two Windmills, Sample Flats, TX: 812.4 miles, last sale 2026-11-17.",
    ]);
    expect(market({result_status: "unresolved_location"}).above[0]).toContain("no such ZIP code");
  });
});

describe("a parcel answer in words", () => {
  const property = {
    parcelUid: "48143-R1",
    parcelId: "R1",
    county: "ERATH",
    state: "TX",
    acres: 40,
    acresBasis: "deeded",
    totalMarketValue: 208000,
    marketValueYear: 2026,
    transferDate: "20240131",
    provenance: {
      default: {source: "us-tx", vintage: "2026-03-01", confidence: 0.95},
      fields: {totalMarketValue: {vintage: "2026", confidence: 0.8}},
    },
    match: {type: "fuzzy", score: 0.9, notes: ["city_corrected"]},
  };
  const metadata = {
    sources: [{id: "us-tx", name: "Texas land parcels", licence: "CC0-1.0", vintage: "2026-03-01"}],
    coverage: [{state: "TX", county: "ERATH", status: "live"}],
    lookup: {origin: "dataset", cadastreStatus: "not_asked"},
    limitations: ["Public context only."],
    buildId: "20261121-bbbbbb",
  };

  it("is a card whose facts have their own vintage and confidence", () => {
    const body = JSON.stringify({property, metadata});
    const {tables, below} = readAnswer("/public/land-agent/property/address-lookup", {ok: true, body});
    expect(tables[0]?.rows).toEqual([
      ["parcel number", "R1", "2026-03-01", "0.95", "us-tx"],
      ["county", "ERATH, TX", "2026-03-01", "0.95", "us-tx"],
      ["acres", "40 (deeded)", "2026-03-01", "0.95", "us-tx"],
      ["market value", "208,000 USD (2026)", "2026", "0.80", "us-tx"],
      ["sold", "2024-01-31", "2026-03-01", "0.95", "us-tx"],
    ]);
    expect(Object.fromEntries(below)).toMatchObject({Match: "fuzzy (0.9); city_corrected", From: "dataset"});
  });

  it("lists the parcels to choose from where several fit, and names each wrong parameter", () => {
    const problem = {
      title: "Several parcels fit",
      status: 400,
      detail: "2 parcels match. Add county.",
      candidates: [{parcelUid: "a", county: "ERATH", state: "TX"}],
      candidateTotal: 2,
    };
    const path = "/public/land-agent/property/parcel-id-lookup";
    const several = readAnswer(path, {ok: false, body: JSON.stringify(problem)});
    expect(several.above).toEqual(["Several parcels fit. 2 parcels match. Add county."]);
    expect(several.tables[0]?.rows).toEqual([["a", "ERATH, TX"]]);
    const wrong = {
      title: "Wrong",
      status: 400,
      detail: "",
      invalid_params: [{name: "use", reason: "is unknown", allowed: ["vacant"]}],
    };
    expect(readAnswer(path, {ok: false, body: JSON.stringify(wrong)}).below).toEqual([
      ["use", "is unknown (vacant)"],
    ]);
  });
});
