import {expect, it} from "vitest";
import type {CoveredState} from "../../../schemas/coverage-answer.ts";
import {describeCoverage} from "../../../server/text/coverage-description.ts";

const state = (code: string, members: Partial<CoveredState>): CoveredState => ({
  state: code,
  name: code,
  status: "planned",
  parcels: 0,
  counties: {with_parcels: 0, live: 0, total: 9},
  vintage: null,
  barns: 0,
  priced_counties: 0,
  sources: [],
  sentence: `About ${code}.`,
  ...members,
});
const states = [
  state("TX", {
    parcels: 1200,
    barns: 2,
    priced_counties: 3,
    counties: {with_parcels: 4, live: 1, total: 254},
  }),
  state("MT", {parcels: 34, priced_counties: 5, vintage: "2025", status: "live"}),
  state("OK", {barns: 40}),
  state("WY", {}),
  state("GU", {}),
];
const source = {
  ...{id: "mars", name: "Market news", parts: ["MARKET", "TX"], newest: "2026-11-18", age_days: 3},
  ...{retrieved_at: null, licence: "public domain", attribution: null},
};
const gate = {
  part: "TX",
  gate: "G1",
  status: "warn",
  figure: 0.4,
  warn_at: 0.2,
  fail_at: 0.5,
  detail: "fewer",
};
const answer = {
  ...{build_id: "20261121-3f9c1a", generated_at: "2026-11-21T06:10:00Z", as_of_date: "2026-11-21"},
  ...{sample: false, query: {applied: {}, ignored: []}, limitations: ["Public context only."]},
  ...{market: {rows: {}, newest: "2026-11-18"}, states, sources: [source], gates: [gate]},
};
const county = {
  ...{state: "TX", county_key: "48453", county: "TRAVIS", status: "partial", parcels: 1200, vintage: "2025"},
  ...{attributes: {owner_name: 0.999, situs_name: 1}, sources: ["mars"]},
  completeness: {owner: 0.99, address: 0.29, point: 1, use: 0, value: 0.57},
};

it("sums up the states that have anything, and counts the others", () => {
  const {headline, tables, notes, records} = describeCoverage(answer);
  expect(headline).toEqual(["1,234 parcels in 2 states and provinces, 42 sale barns, prices of 8 counties."]);
  expect(records).toEqual(states.slice(0, 3));
  expect(tables.map(({rows}) => rows.map(([first]) => first))).toEqual([["TX", "MT", "OK"], ["mars"]]);
  expect(tables[0]!.rows[0]).toEqual(["TX", "1,200", "planned", "4 of 254", "1", "", "2", "3"]);
  expect(notes).toEqual([
    ["Build", "20261121-3f9c1a, as of 2026-11-21, made 2026-11-21T06:10:00Z"],
    ["Market", "newest report 2026-11-18"],
    ["Planned", "2 states and territories without parcels or barns"],
    ["Gate: warn", "TX G1 fewer"],
  ]);
});

it("says the sentence of the state that was asked for, and lists its counties with whole per cents", () => {
  const {headline, tables, notes, facts} = describeCoverage({
    ...{...answer, states: states.slice(0, 1), counties: [county]},
  });
  expect(headline).toEqual(["About TX."]);
  expect(tables[0]!.rows).toEqual([
    ["TRAVIS", "48453", "partial", "1,200", "2025", "99%", "29%", "100%", "0%", "57%"],
  ]);
  expect(notes.find(([label]) => label === "Planned")).toEqual(["Planned", ""]);
  expect(facts["states"]).toEqual(states.slice(0, 1));
  expect(describeCoverage(answer).facts["states"]).toBeUndefined();
});

it("tells sample data, a build without a market, and a market without a report", () => {
  const noteOf = (changes: object, label: string) =>
    describeCoverage({...answer, ...changes}).notes.find(([each]) => each === label)![1];
  expect(noteOf({sample: true}, "Build")).toMatch(/, SAMPLE DATA$/);
  expect(noteOf({market: null}, "Market")).toBe("none in this build");
  expect(noteOf({market: {rows: {}, newest: null}}, "Market")).toBe("newest report not known");
});
