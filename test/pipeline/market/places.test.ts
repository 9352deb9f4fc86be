import {distanceMiles} from "@open-cattle/parcel-outlines";
import {expect, it} from "vitest";
import type {KnownSale} from "../../../pipeline/market/answers/known-sales.ts";
import {inferSchedule, nextSale} from "../../../pipeline/market/answers/next-sale.ts";
import {pointOfTown} from "../../../pipeline/market/reference/town-points.ts";
import {loadVenues} from "../../../pipeline/market/reference/venues.ts";

it("finds the centre of a town in any spelling, but no town of another state", () => {
  expect(pointOfTown("Dodge City", "KS")).toMatchObject({
    point: {lat: expect.closeTo(37.75, 1), lon: expect.closeTo(-100.02, 1)},
    accuracyM: 5000,
  });
  expect(pointOfTown("Saint Joseph", "MO")).toEqual(pointOfTown("St. Joseph", "MO"));
  expect(pointOfTown("Dodge City", "MT")).toBeNull();
});

it("locates small towns by their post office, but no name shared by distant towns", () => {
  expect(pointOfTown("Yoder", "WY")).toEqual({point: {lat: 41.8975, lon: -104.439}, accuracyM: 8000});
  expect(pointOfTown("Letohatchee", "AL")).toMatchObject({point: {lat: 32.1293}, accuracyM: 5000});
});

it("is within three miles of every registered venue in the same town", () => {
  const wrong = loadVenues().flatMap(({venueId, city, state, lat, lon}) => {
    const town = city === null ? null : pointOfTown(city, state);
    if (town === null || lat === null || lon === null) return [];
    return distanceMiles(town.point, {lat, lon}) > 3 ? [venueId] : [];
  });
  expect(wrong).toEqual([]);
});

it("locates every venue of the registry that has a town", () => {
  expect(loadVenues().filter(({city, lat}) => city !== null && lat === null)).toEqual([]);
});

const sale = (day: string, more: Partial<KnownSale> = {}): KnownSale => ({
  ...{venue_id: "ks-pratt", report_slug: "ams-1891", day, basis: "reported", receipts: null},
  ...{special: false, classes: [], source_id: "ams-lmr-datamart", ...more},
});
const rulesOf = (days: string[], asOf: string) =>
  inferSchedule(
    days.map((day) => sale(day)),
    asOf,
  )?.rules ?? [];

it("infers a sale day from six of the last eight sales on one weekday, at their usual interval", () => {
  const weekly = ["09-16", "09-09", "09-02", "08-26", "08-22", "08-19", "08-12", "08-05"].map(
    (day) => `2026-${day}`,
  );
  const schedule = inferSchedule(
    weekly.map((day) => sale(day)),
    "2026-09-20",
  )!;
  expect(schedule).toMatchObject({
    verifiedBy: "reported_sales",
    verifiedAt: "2026-09-16",
    rules: [{frequency: "weekly", weekday: "wednesday"}],
  });
  expect(nextSale(schedule, "2026-09-20")).toEqual({date: "2026-09-23", basis: "inferred", holiday: null});
  const biweekly = ["2026-09-15", "2026-09-01", "2026-08-18", "2026-08-04", "2026-07-21", "2026-07-07"];
  expect(nextSale({rules: rulesOf(biweekly, "2026-09-20"), exceptions: []}, "2026-09-20").date).toBe(
    "2026-09-29",
  );
  expect(rulesOf(weekly.slice(0, 3), "2026-09-20")).toEqual([]);
  expect(rulesOf(weekly.slice(0, 4), "2026-09-20")).toMatchObject([{frequency: "weekly"}]);
  expect(rulesOf(weekly, "2027-10-01")).toEqual([]);
});

it("V29: infers a week from a week between sales, though reports of other weeks are missing", () => {
  const pratt = ["2026-08-13", "2026-08-06", "2026-07-23", "2026-07-09"].map((day) => sale(day));
  const printed = sale("2026-07-30", {basis: "last_reported", receipts: 1978});
  for (const known of [pratt, [...pratt, printed]]) {
    const schedule = inferSchedule(known, "2026-08-19")!;
    expect(schedule.rules).toMatchObject([{frequency: "weekly", weekday: "thursday"}]);
    expect(nextSale(schedule, "2026-08-19").date).toBe("2026-08-20");
  }
});

it("V29: gives each report number its rule, its cattle and its usual head", () => {
  const weeks = ["07", "14", "21", "28"];
  const known = weeks.flatMap((day) => [
    sale(`2026-09-${day}`, {report_slug: "ams-1245", receipts: 6000 + Number(day), classes: ["steers"]}),
    sale(`2026-09-${Number(day) + 2}`.replace(/-(\d)$/, "-0$1"), {
      report_slug: "ams-1797",
      receipts: 500,
      classes: ["cows"],
    }),
  ]);
  expect(inferSchedule(known, "2026-09-30")!.rules).toMatchObject([
    {weekday: "monday", report_slug: "ams-1245", usual_head: 6018, classes: ["steers"]},
    {weekday: "wednesday", report_slug: "ams-1797", usual_head: 500, classes: ["cows"]},
  ]);
});

it("splits a number of two weekdays where each has four sales, and finds no rule where one has two", () => {
  const mondays = ["2026-09-21", "2026-09-14", "2026-09-07", "2026-08-31"];
  const wednesdays = ["2026-09-23", "2026-09-16", "2026-09-09", "2026-09-02"];
  const rules = rulesOf([...mondays, ...wednesdays], "2026-09-26");
  expect(rules.map(({weekday, frequency}) => [weekday, frequency])).toEqual([
    ["monday", "weekly"],
    ["wednesday", "weekly"],
  ]);
  expect(nextSale({rules, exceptions: []}, "2026-09-29").date).toBe("2026-09-30");
  expect(rulesOf([...mondays, ...wednesdays.slice(0, 2)], "2026-09-26")).toEqual([]);
});

it("leaves special sales out of the interval, and lists announced ones as dates", () => {
  const biweekly = ["2026-09-15", "2026-09-01", "2026-08-18", "2026-08-04"].map((day) => sale(day));
  const special = sale("2026-09-08", {special: true});
  const announced = sale("2026-09-24", {basis: "announced", special: true});
  expect(inferSchedule([...biweekly, special, announced], "2026-09-20")!.rules).toMatchObject([
    {frequency: "biweekly", kind: "regular"},
    {frequency: "dates", kind: "special", dates: ["2026-09-24"]},
  ]);
});

it("takes a next sale announced for the day of its rule for that sale, and for another day as a date", () => {
  const weekly = ["2026-09-17", "2026-09-10", "2026-09-03", "2026-08-27"].map((day) => sale(day));
  const next = ["2026-09-24", "2026-09-28"].map((day) => sale(day, {basis: "announced"}));
  expect(inferSchedule([...weekly, ...next], "2026-09-20")!.rules).toMatchObject([
    {frequency: "weekly", kind: "regular"},
    {frequency: "dates", kind: "special", dates: ["2026-09-28"]},
  ]);
  const special = sale("2026-09-24", {basis: "announced", special: true});
  expect(inferSchedule([...weekly, special], "2026-09-20")!.rules).toMatchObject([
    {kind: "regular"},
    {kind: "special", dates: ["2026-09-24"]},
  ]);
});

it("has a week where the interval of two weeks occurs twice and a single week once", () => {
  expect(rulesOf(["2026-09-17", "2026-09-03", "2026-08-20", "2026-08-13"], "2026-09-20")).toMatchObject([
    {frequency: "weekly"},
  ]);
  expect(rulesOf(["2026-09-17", "2026-08-20", "2026-07-30", "2026-06-11"], "2026-09-18")).toEqual([]);
});
