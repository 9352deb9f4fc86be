import {expect, test} from "vitest";
import {mergeListings} from "../../../../pipeline/market/context/merge-listings.ts";
import {readListFile} from "../../../../pipeline/market/signals/lists/list-reader.ts";
import {loadListSources} from "../../../../pipeline/market/signals/lists/list-sources.ts";
import type {RosterSource} from "../../../../schemas/list-source.ts";
import type {Venue} from "../../../../schemas/vocabulary/venue.ts";
import {listContent, listFile, reasonsOf} from "./read-text.ts";

const file = {path: "market/directory/roster.csv", retrievedAt: "2026-11-20T06:00:00Z", meta: null} as never;
const known: Venue = {
  venueId: "ne-sample-creek",
  name: "Sample Creek Livestock",
  aliases: [],
  venueType: "auction",
  city: "Sample Creek",
  state: "NE",
  zip: null,
  streetAddress: null,
  phone: null,
  website: null,
  countyFips: null,
  lat: 41.0,
  lon: -98.0,
  locationBasis: "yard",
  locationAccuracyM: null,
  reportSlugs: ["ams-9101"],
  schedule: null,
  statements: [],
  facts: [{fields: ["name"], source: "ams-lmr-datamart", publisher: "test", date: "2026-01-01"}],
};
const weekly = (weekday: "tuesday") => ({
  rules: [
    {
      kind: "regular" as const,
      classes: [],
      frequency: "weekly" as const,
      weekday,
      nth: [],
      anchor_date: null,
      dates: [],
      start_time_local: null,
      season: null,
    },
  ],
  exceptions: [],
  text: null,
  verifiedAt: null,
  verifiedBy: null,
});

async function merged(csv: string, venues: Venue[]) {
  const reading = await roster(csv);
  const list = {...(reading.list as RosterSource), source: "editorial-market-reference-sources" as const};
  return mergeListings(venues, [{file, reading: {...reading, list}}]);
}
const lists = loadListSources();
async function roster(content: string | object, path = "directory/roster.csv") {
  return readListFile({file: listFile(path), content: await listContent(path, content)}, lists);
}

test("refuses a roster whose header names no barn, with the file's name", async () => {
  await expect(roster("barn,town,state\nElm Fork,Elm Fork,AL\n")).rejects.toThrow(
    "market/directory/roster.csv: columns barn, town, state; expected name (title or report title or name or ",
  );
  await expect(roster({stats: 3}, "directory/roster.json")).rejects.toThrow(
    "market/directory/roster.json: the JSON has no list of records.",
  );
});

test("reads rosters as tables and as lines, with both kinds of dashes, and rejects hay", async () => {
  const lines =
    "Sale barns\n\nAlabama\n9201 – Elm Fork Stockyard - Elm Fork, AL\n9202 - Opal Livestock – Opal, AL\n";
  const text = await roster(lines, "directory/list.txt");
  expect(text.listings.map(({slug, name, city, state}) => [slug, name, city, state])).toEqual([
    ["ams-9201", "Elm Fork Stockyard", "Elm Fork", "AL"],
    ["ams-9202", "Opal Livestock", "Opal", "AL"],
  ]);
  const csv =
    'ams_report_id,name,city_state,lat,lng,sale_days,categories\n9301,Green Hay Auction (Wed),"Elm Fork, AL",33,-86,Wednesday,"hay, straw"\n9302,Opal Stockyard,"Opal, AL",33,-86,"Mon & Thursdays",feeder_cattle\n';
  const table = await roster(csv);
  expect(table.listings.map(({name, saleDays}) => [name, saleDays])).toEqual([
    ["Opal Stockyard", ["monday", "thursday"]],
  ]);
  expect(reasonsOf(table)).toEqual(["not_cattle"]);
});

test("drops and counts a point outside its state", async () => {
  const points = ["32.9,-86.1", "140.7,-86.1", "-86.1,32.9", "32.9,86.1", ",", "41.0,-98.0"];
  const rows = points.map((point, index) => `${9500 + index},Barn ${index},AL,Elm,${point}`);
  const read = await roster(["slug_id,title,state,city,lat,lng", ...rows].join("\n"));
  expect(read.listings.map(({point}) => point)).toEqual([
    {lat: 32.9, lon: -86.1},
    null,
    null,
    null,
    null,
    null,
  ]);
  expect(read.notes).toEqual({point_outside: 4});
});

test("derives no weekly sale day from a calendar that is not weekly", async () => {
  const days = ["2nd Saturday", "every other Tuesday", "Weds. and Fridays", "monthly"];
  const rows = days.map((text, index) => `${9400 + index},Barn ${index},NE,Elm,"${text}"`);
  const {listings} = await roster(["slug_id,title,state,city,sale_days", ...rows].join("\n"));
  expect(listings.map(({saleDays}) => saleDays)).toEqual([[], [], ["wednesday", "friday"], []]);
});

test("adds a venue that the registry lacks, and a sale day where it knows none, each with its source", async () => {
  const csv =
    'slug_id,title,state,city,sale_days\n9101,"Sample Creek Livestock - Sample Creek, NE",NE,Sample Creek,Tuesday\n9102,"Opal Livestock - Opal, NE",NE,Opal,\n';
  const {venues, contradictions} = await merged(csv, [known]);
  expect(venues.map(({venueId, reportSlugs}) => [venueId, reportSlugs])).toEqual([
    ["ne-opal", ["ams-9102"]],
    ["ne-sample-creek", ["ams-9101"]],
  ]);
  const [opal, creek] = venues;
  expect(creek!.schedule!.rules.map(({weekday}) => weekday)).toEqual(["tuesday"]);
  expect(creek!.schedule!.verifiedAt).toBeNull();
  expect(creek!.facts.at(-1)).toMatchObject({
    fields: ["schedule"],
    source: "editorial-market-reference-sources",
  });
  expect(opal!.facts[0]).toMatchObject({
    source: "ams-lmr-datamart",
    publisher: "roster market/directory/roster.csv",
  });
  expect(contradictions.size).toBe(0);
});

test("reads a sale time beside its days or in its own column, unless it is ambiguous", async () => {
  const cells: [days: string, time: string][] = [
    ["Tues. 10 a.m.", ""],
    ["Monday", "12:30 PM"],
    ["Thursdays at noon", ""],
    ["Friday", "09:00"],
    ["Friday", "10:00"],
    ["Monday 9 am, Thursday 1 pm", ""],
    ["Friday", "25:00"],
    ["Saturday", "12 A.M."],
  ];
  const rows = cells.map(([days, time], i) => `${9500 + i},Barn ${i},NE,Elm,"${days}","${time}"`);
  const {listings} = await roster(["slug_id,title,state,city,sale_days,sale_time", ...rows].join("\n"));
  expect(listings.map(({saleTime}) => saleTime)).toEqual([
    ...["10:00", "12:30", "12:00", "09:00"],
    ...[null, null, null, "00:00"],
  ]);
});

test("gives no sale time if a roster's sale days have several", async () => {
  const csv = (second: string) =>
    `slug_id,title,state,city,sale_days,sale_time\n9101,Sample Creek Livestock,NE,Sample Creek,Tuesday,10 am\n9101,Sample Creek Livestock,NE,Sample Creek,Friday,${second}\n`;
  const timesOf = async (second: string) =>
    (await merged(csv(second), [known])).venues[0]!.schedule!.rules.map((rule) => rule.start_time_local);
  expect(await timesOf("10:00 a.m.")).toEqual(["10:00", "10:00"]);
  expect(await timesOf("1 p.m.")).toEqual([null, null]);
});

test("keeps registry facts, reports another day or a distant point as contradictions, and equal ones as agreement", async () => {
  const csv = (day: string, lat: number) =>
    `slug_id,title,state,city,sale_days,lat,lng\n9101,Sample Creek Livestock,NE,Sample Creek,${day},${lat},-98.0\n`;
  const scheduled = {...known, schedule: weekly("tuesday")};
  const off = await merged(csv("Friday", 41.2), [scheduled]);
  expect(off.venues).toEqual([scheduled]);
  expect(
    off.contradictions
      .get("ne-sample-creek")!
      .map(({kind, difference, a, b}) => [kind, difference, a.value, b.value]),
  ).toEqual([
    ["location_conflict", 13.8, "41, -98", "41.2, -98"],
    ["schedule_conflict", null, "tuesday", "friday"],
  ]);
  const same = await merged(csv("Tuesday", 41.01), [scheduled]);
  expect(same.contradictions.get("ne-sample-creek")).toEqual([]);
});

test("reports contradictions of two rosters separately, but none for a place within five miles", async () => {
  const scheduled = {...known, schedule: weekly("tuesday")};
  const reading = async (day: string, lat: number) =>
    roster(
      `slug_id,title,state,city,sale_days,lat,lng\n9101,Sample Creek Livestock,NE,Sample Creek,${day},${lat},-98.0\n`,
    );
  const lists = [await reading("Friday", 41.05), await reading("Monday", 41.08)];
  const {contradictions, venues} = mergeListings(
    [scheduled],
    lists.map((each) => ({file, reading: each})),
  );
  expect(contradictions.get("ne-sample-creek")!.map(({kind, b}) => [kind, b.value])).toEqual([
    ["schedule_conflict", "friday"],
    ["location_conflict", "41.08, -98"],
    ["schedule_conflict", "monday"],
  ]);
  expect(venues).toEqual([scheduled]);
});

test("matches a barn by report number, else by state, town and name or alias", async () => {
  const aliased = {...known, aliases: ["Creek Yards"]};
  const idsOf = async (line: string) =>
    (await merged(`slug_id,title,state,city,sale_days\n${line}\n`, [aliased])).venues.map(
      ({venueId}) => venueId,
    );
  expect(await idsOf("9101,Any Name,NE,Elsewhere,")).toEqual(["ne-sample-creek"]);
  expect(await idsOf("9300,Creek Yards,NE,Sample Creek,")).toEqual(["ne-sample-creek"]);
  expect(await idsOf("9300,Creek Yards,NE,,")).toEqual(["ne-sample-creek"]);
  expect(await idsOf("9300,Creek Yards,NE,Opal,")).toEqual(["ne-opal", "ne-sample-creek"]);
  expect(await idsOf("9300,Creek Yards,KS,Sample Creek,")).toEqual(["ks-sample-creek", "ne-sample-creek"]);
  expect(await idsOf("9300,Other Barn,NE,Sample Creek,")).toHaveLength(2);
});

test("adds street, phone and point where the registry has none, and keeps existing ones", async () => {
  const csv =
    "slug_id,title,state,city,sale_days,street,zip,phone,lat,lng\n9101,Sample Creek Livestock,NE,Sample Creek,,1 Yard Rd,68001,402-555-0100,41.5,-98.5\n";
  const [filled] = (await merged(csv, [{...known, lat: null, lon: null, phone: "402-555-0199"}])).venues;
  expect(filled).toMatchObject({
    phone: "402-555-0199",
    lat: 41.5,
    lon: -98.5,
    locationBasis: "city_centroid",
  });
  expect(filled!.facts.map(({fields}) => fields)).toEqual([
    ["name"],
    ["lat", "lon"],
    ["streetAddress", "zip"],
  ]);
  const [kept] = (await merged(csv, [known])).venues;
  expect([kept!.lat, kept!.locationBasis]).toEqual([41, "yard"]);
});

test("refuses a table that names no sale barns", async () => {
  await expect(roster("a,b\n1,2\n")).rejects.toThrow(/columns a, b; expected name \(title or/);
});
