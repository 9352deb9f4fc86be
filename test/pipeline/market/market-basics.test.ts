import {distanceMiles} from "@open-cattle/parcel-outlines";
import fc from "fast-check";
import {describe, expect, it} from "vitest";
import {ageDays, freshnessOf, weekdayOf} from "../../../lib/dates.ts";
import {distanceBand, roundedMiles} from "../../../lib/geography/distance-band.ts";
import {
  coverageLimitation,
  limitationId,
  limitations,
  noCountyNearLimitation,
  orderedLimitations,
} from "../../../lib/limitations.ts";
import {roundHalfAway} from "../../../lib/rounding.ts";
import {holidayOn, thanksgiving} from "../../../pipeline/market/calendar/holidays.ts";

describe("rounding", () => {
  it("V21 rounds half away from zero on the shortest decimal form", () => {
    expect(roundHalfAway(450.7393, 2)).toBe(450.74);
    expect(roundHalfAway(2.675, 2)).toBe(2.68);
    expect(roundHalfAway(-0.955, 2)).toBe(-0.96);
    expect(roundHalfAway(1.005, 2)).toBe(1.01);
    expect(Object.is(roundHalfAway(-0.001, 2), 0)).toBe(true);
    expect(roundHalfAway(999.995, 2)).toBe(1000);
  });

  it("stays within half a unit of the value and keeps what is round already", () => {
    fc.assert(
      fc.property(fc.integer({min: -1_000_000_000, max: 1_000_000_000}), (cents) => {
        const value = cents / 100;
        expect(roundHalfAway(value, 2) === value).toBe(true);
        expect(Math.abs(roundHalfAway(cents / 1000, 2) - cents / 1000)).toBeLessThanOrEqual(0.005 + 1e-9);
      }),
    );
  });
});

describe("dates", () => {
  it("V18 tells the freshness of a report by its end date", () => {
    const at = (end: string) => [ageDays(end, "2026-11-21"), freshnessOf(ageDays(end, "2026-11-21"))];
    expect(at("2026-11-16")).toEqual([5, "fresh"]);
    expect(at("2026-11-11")).toEqual([10, "fresh"]);
    expect(at("2026-11-10")).toEqual([11, "recent"]);
    expect(at("2026-10-31")).toEqual([21, "recent"]);
    expect(at("2026-10-30")).toEqual([22, "aging"]);
    expect(at("2026-10-16")).toEqual([36, "stale"]);
    expect(at("2026-09-22")).toEqual([60, "stale"]);
    expect(at("2026-09-21")).toEqual([61, "expired"]);
  });

  it("refuses what is not a date", () => {
    expect(() => ageDays("2026-2-30", "2026-11-21")).toThrow(RangeError);
  });

  it("computes the holidays on which barns stay closed", () => {
    expect(thanksgiving("2026")).toBe("2026-11-26");
    expect(thanksgiving("2024")).toBe("2024-11-28");
    expect(holidayOn("2026-12-24")).toBe("Christmas Eve");
    expect(holidayOn("2026-07-04")).toBe("Independence Day");
    expect(holidayOn("2026-11-27")).toBeNull();
    expect(weekdayOf("2026-11-21")).toBe(6);
  });
});

describe("distances", () => {
  it("V15 measures great-circle miles with one decimal", () => {
    const from = {lat: 35.4525, lon: -97.556};
    expect(roundedMiles(distanceMiles(from, {lat: 35.5323, lon: -97.955}))).toBe(23.1);
    expect(roundedMiles(distanceMiles(from, {lat: 34.8937, lon: -98.3595}))).toBe(59.6);
  });

  it("includes a band's outer edge in the nearer band", () => {
    expect([25, 25.1, 50, 100, 150, 150.1].map(distanceBand)).toEqual([
      "near",
      "local",
      "local",
      "regional",
      "distant",
      "out_of_range",
    ]);
  });
});

describe("limitations", () => {
  it("puts the sample notice first and the general notice last, without doubles", () => {
    const ordered = orderedLimitations(
      [limitations.L01, limitations.L04, limitations.L01, limitations.L17],
      true,
    );
    expect(ordered).toEqual([
      limitations.L23,
      limitations.L17,
      limitations.L04,
      limitations.L01,
      limitations.L22,
    ]);
    expect(orderedLimitations([], false)).toEqual([limitations.L22]);
  });

  it("recognises a catalogue sentence with its numbers filled in", () => {
    expect(limitationId(coverageLimitation(3, 24))).toBe("L05");
    expect(limitationId("Something else.")).toBeUndefined();
    const nearest = {venue_name: "A", city: "B", state: "KS", distance_mi: 9, last_sale_date: "2026-11-18"};
    for (const ofKind of [false, true]) {
      const sentence = noCountyNearLimitation({miles: 10, ofKind, nearest});
      expect(limitationId(sentence)).toBe("L25");
      expect(sentence).toContain(` miles has a price${ofKind ? " of such cattle" : ""}; nearest`);
    }
  });
});
