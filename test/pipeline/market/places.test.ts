import {expect, it} from "vitest";
import {distanceMiles} from "../../../lib/geography/geometry/distance.ts";
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

it("infers a sale day from six of the last eight sales on one weekday, at their usual interval", () => {
  const weekly = [
    "2026-09-16",
    "2026-09-09",
    "2026-09-02",
    "2026-08-26",
    "2026-08-22",
    "2026-08-19",
    "2026-08-12",
    "2026-08-05",
  ];
  const schedule = inferSchedule(weekly, "2026-09-20")!;
  expect(schedule).toMatchObject({
    verifiedBy: "reported_sales",
    verifiedAt: "2026-09-16",
    rules: [{frequency: "weekly", weekday: "wednesday"}],
  });
  expect(nextSale(schedule, "2026-09-20")).toEqual({date: "2026-09-23", basis: "inferred", holiday: null});
  const biweekly = ["2026-09-15", "2026-09-01", "2026-08-18", "2026-08-04", "2026-07-21", "2026-07-07"];
  expect(nextSale(inferSchedule(biweekly, "2026-09-20")!, "2026-09-20").date).toBe("2026-09-29");
  expect(inferSchedule(weekly.slice(0, 3), "2026-09-20")).toBeNull();
  const [fourth] = weekly.slice(3, 4);
  expect(inferSchedule([...weekly.slice(0, 3), fourth!], "2026-09-20")!.rules).toMatchObject([
    {frequency: "weekly"},
  ]);
  expect(inferSchedule(weekly, "2027-10-01")).toBeNull();
});

it("V29: infers a week from a week between sales, though reports of other weeks are missing", () => {
  const pratt = ["2026-08-13", "2026-08-06", "2026-07-23", "2026-07-09"];
  const schedule = inferSchedule(pratt, "2026-08-19")!;
  expect(schedule.rules).toMatchObject([{frequency: "weekly", weekday: "thursday"}]);
  expect(nextSale(schedule, "2026-08-19").date).toBe("2026-08-20");
});

it("V29: infers each of two sale days, and none where a weekday has too few sales", () => {
  const mondays = ["2026-09-21", "2026-09-14", "2026-09-07", "2026-08-31"];
  const wednesdays = ["2026-09-23", "2026-09-16", "2026-09-09", "2026-09-02"];
  const sales = [...mondays, ...wednesdays].sort().reverse();
  const {rules} = inferSchedule(sales, "2026-09-26")!;
  expect(rules.map(({weekday, frequency}) => [weekday, frequency])).toEqual([
    ["monday", "weekly"],
    ["wednesday", "weekly"],
  ]);
  expect(nextSale({rules, exceptions: []}, "2026-09-29").date).toBe("2026-09-30");
  expect(inferSchedule([...mondays, ...wednesdays.slice(0, 2)], "2026-09-26")).toBeNull();
});
