import {expect, test} from "vitest";
import {halvesOf, isDue, isoOfSlashed, nextDue, slashedWindow} from "../../pipeline/fetch/jobs/cadence.ts";

/** 2026-11-18 is a Wednesday. */
const wednesday = "2026-11-18T12:30:00.000Z";

test.each<[string, Parameters<typeof nextDue>[0], string]>([
  ["after its hours", {everyHours: 24}, "2026-11-19T12:30:00.000Z"],
  ["at the next release of the week", {weekday: 5, hour: 20}, "2026-11-20T20:00:00.000Z"],
  ["at midnight where no hour is said", {weekday: 4}, "2026-11-19T00:00:00.000Z"],
  ["on the same day before the hour", {weekday: 3, hour: 13}, "2026-11-18T13:00:00.000Z"],
  ["a week later after the hour", {weekday: 3, hour: 12}, "2026-11-25T12:00:00.000Z"],
  ["on a day of the next week", {weekday: 1, hour: 1}, "2026-11-23T01:00:00.000Z"],
  ["at the release that comes before its hours", {everyHours: 240, weekday: 0}, "2026-11-22T00:00:00.000Z"],
  ["at its hours that come before the release", {everyHours: 2, weekday: 0}, "2026-11-18T14:30:00.000Z"],
])("a source is due %s", (_, cadence, expected) => {
  expect(nextDue(cadence, new Date(wednesday)).toISOString()).toBe(expected);
  expect(isDue(cadence, wednesday, new Date(expected))).toBe(true);
  expect(isDue(cadence, wednesday, new Date(Date.parse(expected) - 1))).toBe(false);
});

test("a release taken at its exact time is due a week later, and a source that never answered is due", () => {
  const release = new Date("2026-11-18T12:00:00.000Z");
  expect(nextDue({weekday: 3, hour: 12}, release).toISOString()).toBe("2026-11-25T12:00:00.000Z");
  expect(isDue({everyHours: 9999}, null, release)).toBe(true);
});

test.each([
  ["2026-11-18", "2026-11-18", null],
  ["2026-11-18", "2026-11-19", ["11/18/2026:11/18/2026", "11/19/2026:11/19/2026"]],
  ["2026-12-30", "2027-01-02", ["12/30/2026:12/31/2026", "01/01/2027:01/02/2027"]],
  ["2026-11-01", "2026-11-03", ["11/01/2026:11/02/2026", "11/03/2026:11/03/2026"]],
])("splits the window of %s to %s into halves without overlap or gap", (from, to, expected) => {
  expect(halvesOf({from, to})?.map(slashedWindow) ?? null).toEqual(expected);
});

test.each([
  ["11/18/2026", "2026-11-18"],
  ["11/18/2026 14:00:00", "2026-11-18"],
  ["1/18/2026", null],
  ["on 11/18/2026", null],
  [null, null],
  [undefined, null],
])("reads the date of %j as %j", (text, expected) => {
  expect(isoOfSlashed(text)).toBe(expected);
});
