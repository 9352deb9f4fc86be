import {expect, test} from "vitest";
import type {EvidenceRow} from "../../../lib/market/evidence-row.ts";
import {priceImplication, type VenueContacts} from "../../../lib/market/implications.ts";

const sound = {
  price_basis: "reported",
  price_unit: "per_cwt",
  withdrawn: false,
  venues_reporting: null,
  venues_known: null,
  age_days: 3,
  first_sale_date: "2026-11-18",
  last_sale_date: "2026-11-18",
  nearest_distance_mi: null,
  change_week: 1.5,
  change_week_from: "2026-11-11",
  change_year: null,
  change_year_from: null,
  any_preliminary: false,
  window_widened: false,
  any_estimated_weight: false,
  report_scope: "venue",
  commodity: "feeder_cattle",
  issue_ids: ["ams_9101@2026-11-18", "ams_9102@2026-11-18"],
} as unknown as EvidenceRow;
const contacts: VenueContacts = new Map([
  ["a", {name: "Elm Yards", city: "Elm", state: "NE", phone: "402-555-0100"}],
  ["b", {name: "Oak Yards", city: "Oak", state: "NE", phone: null}],
]);
type Told = Parameters<typeof priceImplication>[0];

const said = (row: Partial<EvidenceRow> = {}, told: Partial<Told> = {}) =>
  priceImplication({
    ...{rows: [{...sound, ...row}], head: 40, thin: false, disagree: false, venues: ["a"], contacts},
    ...told,
  });

test.each<[string, Partial<EvidenceRow>, Partial<Told>, RegExp]>([
  [
    "a figure that the source took back",
    {withdrawn: true, price_basis: "nearest_market_estimate"},
    {disagree: true},
    /took this figure back/,
  ],
  [
    "sources that disagree",
    {price_basis: "nearest_market_estimate"},
    {disagree: true, thin: true},
    /`contradictions`/,
  ],
  [
    "an estimate from elsewhere",
    {price_basis: "nearest_market_estimate"},
    {thin: true},
    /the local supply is not in it/,
  ],
  ["few head", {age_days: 40}, {thin: true}, /too few to price by/],
  ["more than three weeks", {age_days: 22, any_preliminary: true}, {}, /brought since/],
  [
    "a preliminary report",
    {age_days: 21, any_preliminary: true, window_widened: true},
    {},
    /are preliminary/,
  ],
  ["a longer window", {window_widened: true, any_estimated_weight: true}, {}, /last two weeks/],
  ["estimated weights", {any_estimated_weight: true, report_scope: "direct"}, {}, /weights are estimated/],
  [
    "a trade without a barn",
    {report_scope: "direct", price_basis: "derived_rollup"},
    {},
    /delivery, freight, shrink and slide/,
  ],
  ["sales of a state", {price_basis: "derived_rollup", change_week: null}, {}, /venue nearest to you/],
  [
    "a summary of a state",
    {price_basis: "official_state_summary", change_week: null},
    {},
    /which markets it lacks/,
  ],
  ["no like sale a week before", {change_week: null}, {}, /cannot be compared with like pens/],
  [
    "an undated sale of no known scope",
    {age_days: null, report_scope: undefined} as never,
    {},
    /undated.*flesh, fill and weaning/,
  ],
  ["no doubt", {}, {}, /flesh, fill and weaning/],
])("suggests a check for the first doubt about a price: %s", (_, row, told, expected) => {
  expect(said(row, told)).toMatch(expected);
});

test("states head, venues, age, distance and changes of a price, omitting what it lacks", () => {
  const rests = (row: Partial<EvidenceRow>) => /rests on (.*?):/.exec(said(row))![1];
  const none = {change_week: null, change_year: null};
  const rollup = {...none, price_basis: "derived_rollup", venues_known: 9} as const;
  const estimate = {...none, price_basis: "nearest_market_estimate", nearest_distance_mi: 12.5} as const;
  const reckoned = {...none, price_basis: "derived_county"} as never as EvidenceRow;
  expect(rests(none)).toMatch(/^40 head, sold [^,]*(, 2026)?, 3 days ago$/);
  expect(rests({...none, venues_reporting: 2})).toMatch(/^40 head, sold/);
  expect(rests({...none, age_days: 1})).toMatch(/, 1 day ago$/);
  expect(rests({...none, age_days: 0})).toMatch(/, today$/);
  expect(rests({...none, age_days: null})).toBe("40 head, undated");
  expect(rests({...rollup, venues_reporting: 2})).toContain("40 head at 2 of 9 known venues, ");
  expect(rests({...reckoned, venues_reporting: 1})).toContain("40 head at 1 venue, ");
  expect(rests({...reckoned, venues_reporting: 3})).toContain("40 head at 3 venues, ");
  expect(rests({...reckoned, venues_reporting: null})).toContain("40 head, ");
  expect(rests({...estimate, venues_reporting: 1})).toMatch(/ago, the nearest 12\.5 miles away$/);
  expect(rests({...none, nearest_distance_mi: 12.5})).not.toContain("miles");
  expect(rests({change_week: 0, change_year: -2.345, change_year_from: "2025-11-19"})).toMatch(
    /ago, \+0\.00 against 2026-11-11 and -2\.35 against 2025-11-19$/,
  );
  expect(rests({...none, change_year: 4, change_year_from: "2025-11-19"})).toMatch(
    /ago, \+4\.00 against 2025-11-19$/,
  );
});

test("names the first venue with town and phone and counts the others, or names the reporting office, never a number", () => {
  const whom = (venues: string[], row: Partial<EvidenceRow> = {}) =>
    /back: ask (.*) for the/.exec(said({withdrawn: true, ...row}, {venues}))![1];
  expect(whom(["a"])).toBe("Elm Yards (Elm, NE, 402-555-0100)");
  expect(whom(["b", "gone"])).toBe("Oak Yards (Oak, NE)");
  expect(whom(["a", "b"])).toBe("Elm Yards (Elm, NE, 402-555-0100) or 1 more");
  expect(whom(["gone"], {state: "NE"})).toBe("USDA Market News for Nebraska");
  expect(whom([], {issue_ids: null})).toBe("USDA Market News");
});
