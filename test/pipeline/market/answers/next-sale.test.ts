import {expect, it} from "vitest";
import {nextSale} from "../../../../pipeline/market/answers/next-sale.ts";
import {statusOf} from "../../../../pipeline/market/answers/venue-status.ts";
import {type ScheduleException, ScheduleRule, type Venue} from "../../../../schemas/vocabulary/venue.ts";

const asOf = "2026-11-21";

function rule(said: Partial<ScheduleRule>): ScheduleRule {
  return ScheduleRule.parse({
    kind: "regular",
    classes: [],
    frequency: "weekly",
    weekday: null,
    nth: [],
    anchor_date: null,
    start_time_local: null,
    season: null,
    ...said,
  });
}

const noSale = (date: string): ScheduleException => ({date, kind: "no_sale", note: null, source: "venue"});
const next = (rules: ScheduleRule[], exceptions: ScheduleException[] = [], date = asOf) =>
  nextSale({rules, exceptions}, date);

it("V17 finds the next sale by weekday, fortnight, day of the month, holiday, exception and season", () => {
  expect(next([rule({weekday: "tuesday"})]).date).toBe("2026-11-24");
  expect(next([rule({weekday: "tuesday", frequency: "biweekly", anchor_date: "2026-11-10"})]).date).toBe(
    "2026-11-24",
  );
  expect(next([rule({weekday: "saturday", frequency: "monthly_nth", nth: [1, 3]})]).date).toBe("2026-11-21");
  expect(next([rule({weekday: "thursday"})])).toEqual({
    date: "2026-11-26",
    basis: "projected_holiday_unconfirmed",
    holiday: "Thanksgiving Day",
  });
  expect(next([rule({weekday: "thursday"})], [noSale("2026-11-26")])).toEqual({
    date: "2026-12-03",
    basis: "projected",
    holiday: null,
  });
  const seasonal = rule({weekday: "wednesday", season: {from: "08-01", to: "05-31"}});
  expect(next([seasonal], [], "2026-06-15").date).toBe("2026-08-05");
});

it("calls calendar dates and added dates published, and finds no sale without rules", () => {
  expect(next([rule({frequency: "dates", dates: ["2026-11-01", "2026-12-05"]})])).toEqual({
    date: "2026-12-05",
    basis: "published",
    holiday: null,
  });
  expect(next([], [{date: "2026-11-30", kind: "added", note: null, source: "venue"}]).basis).toBe(
    "published",
  );
  expect(next([])).toEqual({date: null, basis: null, holiday: null});
});

const venue = (said: Partial<Pick<Venue, "statements" | "schedule">>) => ({
  statements: [],
  schedule: null,
  ...said,
});
const scheduled = (verifiedAt: string | null, season: ScheduleRule["season"] = null) => ({
  rules: [rule({weekday: "tuesday", season})],
  exceptions: [],
  text: null,
  verifiedAt,
  verifiedBy: null,
});
const statement = (status: "closed" | "failed_verification", date: string) => ({
  status,
  date,
  by: "owner",
  source: "x",
});

it("decides the status in its order: closed, seasonal, active, inactive, unverified", () => {
  const of = (said: Partial<Pick<Venue, "statements" | "schedule">>, lastSale: string | null) => {
    const {status, reason} = statusOf(venue(said), lastSale === null ? [] : [lastSale], asOf);
    return `${status} ${reason}`;
  };
  expect(of({statements: [statement("closed", "2026-05-01")]}, "2026-11-16")).toBe("closed statement");
  expect(of({schedule: scheduled(null, {from: "01-01", to: "05-31"})}, "2026-05-20")).toBe(
    "seasonal off_season",
  );
  // A sale out of the season shows that the season is not kept.
  expect(of({schedule: scheduled(null, {from: "01-01", to: "05-31"})}, "2026-11-09")).toBe(
    "active reported_sale",
  );
  expect(of({}, "2026-09-22")).toBe("active reported_sale");
  expect(of({schedule: scheduled("2026-06-01")}, null)).toBe("active verified_schedule");
  expect(of({statements: [statement("failed_verification", "2026-10-01")]}, "2026-03-01")).toBe(
    "inactive failed_verification",
  );
  expect(of({}, "2026-03-01")).toBe("unverified no_evidence");
  expect(of({}, null)).toBe("unverified no_evidence");
});
