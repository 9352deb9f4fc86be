import {expect, test} from "vitest";
import {mergeListings} from "../../../../pipeline/market/context/merge-listings.ts";
import {bareVenue} from "../../../../pipeline/market/reference/venues.ts";
import type {Listing} from "../../../../pipeline/market/signals/lists/listing.ts";
import type {Venue} from "../../../../schemas/vocabulary/venue.ts";

type Lists = Parameters<typeof mergeListings>[1];
const cited = "editorial-market-reference-sources";

const listing = (changes: Partial<Listing> = {}): Listing => ({
  ...{slug: null, name: "Opal Livestock", city: "Opal", state: "NE", street: null, zip: null, phone: null},
  ...{
    website: null,
    point: null,
    isPointOdd: false,
    saleDays: [],
    saleDaysText: null,
    saleTime: null,
    ...changes,
  },
});
function venueOf(venueId: string, changes: Partial<Venue> = {}): Venue {
  const bare = bareVenue({venueId, name: "Creek Yards", city: "Creek", state: "NE"});
  return {
    ...bare,
    facts: [{fields: ["name"], source: "ams-lmr-datamart", publisher: "p", date: "2026-01-01"}],
    ...changes,
  };
}
function merged(venues: Venue[], listings: Listing[], {feed = "directory", meta = null as unknown} = {}) {
  const file = {path: "market/directory/roster.csv", retrievedAt: "2026-11-20T06:00:00Z", meta};
  const lists = [{file, reading: {list: {feed, source: cited}, listings}}] as unknown as Lists;
  return mergeListings(venues, lists);
}

test("adds a venue for a roster line with a town, but not for a licence list or a line without a town", () => {
  const idsOf = (...asked: Parameters<typeof merged>) => merged(...asked).venues.map(({venueId}) => venueId);
  expect(idsOf([], [listing()])).toEqual(["ne-opal"]);
  expect(idsOf([], [listing({city: null})])).toEqual([]);
  expect(idsOf([], [listing()], {feed: "dealers"})).toEqual([]);
  expect(idsOf([venueOf("ne-opal")], [listing()])).toEqual(["ne-opal", "ne-opal-opal-livestock"]);
  expect(
    idsOf([venueOf("ne-z"), venueOf("ne-a")], [listing(), listing({city: null, name: "Other"})]),
  ).toEqual(["ne-a", "ne-opal", "ne-z"]);
});

test("cites the reports' publisher for an added venue with a report number, else the list, with date and URL", () => {
  const meta = {url: "https://lists.example/roster.csv"};
  const [opal] = merged([], [listing({slug: "ams-9102"})], {meta}).venues;
  expect([opal!.reportSlugs, opal!.facts]).toEqual([
    ["ams-9102"],
    [
      {
        ...{
          fields: ["name", "city", "state"],
          source: "ams-lmr-datamart",
          publisher: "roster market/directory/roster.csv",
        },
        ...{sourceUrl: meta.url, date: "2026-11-20"},
      },
      expect.objectContaining({fields: ["reportSlugs"], source: "ams-lmr-datamart"}),
    ],
  ]);
  const [bare] = merged([], [listing()]).venues;
  expect([bare!.reportSlugs, bare!.facts]).toEqual([
    [],
    [
      {
        fields: ["name", "city", "state"],
        source: cited,
        publisher: "roster market/directory/roster.csv",
        date: "2026-11-20",
      },
    ],
  ]);
});

test("adds and cites new report numbers, in sorted order", () => {
  const known = venueOf("ne-creek", {reportSlugs: ["ams-2"]});
  const of = (...slugs: (string | null)[]) =>
    merged(
      [known],
      slugs.map((slug) => listing({slug, name: "Creek Yards", city: "Creek"})),
    ).venues[0]!;
  expect(of("ams-3", "ams-1", null, "ams-2").reportSlugs).toEqual(["ams-1", "ams-2", "ams-3"]);
  expect(of("ams-3").facts.at(-1)!.fields).toEqual(["reportSlugs"]);
  expect(of("ams-2", null).facts).toEqual(known.facts);
});

test("matches a venue by name and state, unless the towns differ", () => {
  const matches = (city: string | null, said: string | null) =>
    merged([venueOf("ne-creek", {city})], [listing({name: "Creek Yards", city: said, slug: "ams-7"})]).venues
      .length === 1;
  expect([
    matches(null, "Opal"),
    matches("Creek", null),
    matches("Creek", "CREEK"),
    matches("Creek", "Opal"),
  ]).toEqual([true, true, true, false]);
});

test("sorts sale days, joins the texts of all lines, and gives a time if the lines with days agree on one", () => {
  const scheduleOf = (...lines: Partial<Listing>[]) => {
    const {rules, text} = merged(
      [],
      lines.map((line) => listing(line)),
    ).venues[0]!.schedule!;
    return [rules.map(({weekday, start_time_local: time}) => [weekday, time]), text];
  };
  const thursday: Partial<Listing> = {saleDays: ["thursday"], saleDaysText: "Thurs.", saleTime: "10:00"};
  const monday: Partial<Listing> = {saleDays: ["monday"], saleDaysText: "Mon.", saleTime: "10:00"};
  expect(scheduleOf(thursday, monday)).toEqual([
    [
      ["monday", "10:00"],
      ["thursday", "10:00"],
    ],
    "Thurs.; Mon.",
  ]);
  expect(scheduleOf(thursday, {...monday, saleTime: "12:00", saleDaysText: null})).toEqual([
    [
      ["monday", null],
      ["thursday", null],
    ],
    "Thurs.",
  ]);
  expect(scheduleOf(thursday, {saleTime: "12:00"})).toEqual([[["thursday", "10:00"]], "Thurs."]);
  expect(scheduleOf({...thursday, saleDaysText: null})).toEqual([[["thursday", "10:00"]], null]);
});

test("cites both sources of a contradicted fact, and sees none for the same sale days in another order", () => {
  const fact = (fields: string[], source: string) =>
    ({fields, source, publisher: "p", date: "2026-01-01"}) as Venue["facts"][number];
  const rule = (weekday: string | null) => ({weekday}) as never;
  const schedule = {rules: ["thursday", "monday", null].map(rule)} as unknown as Venue["schedule"];
  const facts = [
    fact(["name"], "ams-lmr-datamart"),
    fact(["lat", "lon"], "open-map-parcel-context"),
    fact(["schedule"], "derived-aggregates"),
  ];
  const known = venueOf("ne-creek", {lat: 41, lon: -98, schedule, facts});
  const conflicts = (venue: Venue, changes: Partial<Listing>) =>
    merged([venue], [listing({name: "Creek Yards", city: "Creek", ...changes})])
      .contradictions.get("ne-creek")
      ?.map(({kind, a, b}) => [kind, a.source, a.value, b.source, b.value]);
  expect(conflicts(known, {point: {lat: 42, lon: -98}, saleDays: ["tuesday", "friday"]})).toEqual([
    ["location_conflict", "open-map-parcel-context", "41, -98", "open-map-parcel-context", "42, -98"],
    ["schedule_conflict", "derived-aggregates", "monday, thursday", cited, "friday, tuesday"],
  ]);
  expect(conflicts(known, {saleDays: ["thursday", "monday"]})).toEqual([]);
  const unsaid = conflicts({...known, facts: facts.slice(0, 1)}, {saleDays: ["friday"]});
  expect(unsaid![0]!.slice(0, 2)).toEqual(["schedule_conflict", "ams-lmr-datamart"]);
  expect(conflicts(known, {})).toBeUndefined();
  expect(
    conflicts({...known, schedule: null, lat: null}, {saleDays: ["friday"], point: {lat: 42, lon: -98}}),
  ).toBeUndefined();
});
