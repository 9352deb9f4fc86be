import {expect, test} from "vitest";
import {type CellSale, type ComparedMarket, changesOf} from "../../../server/market/past-changes.ts";

const saleOf = (date: string, price: number, more: Partial<CellSale> = {}): CellSale => ({
  ...{date, price, weight: 20_000, head: 40, pens: 4, few: false, thin: false, untested: false},
  ...more,
});
const now = saleOf("2026-11-18", 400);
/** A market that sold now and at these earlier sales. */
const marketOf = (...earlier: CellSale[]): ComparedMarket => ({
  now,
  soldIn: ({from, to}) => earlier.filter(({date}) => date >= from && date <= to),
});
const changes = (...earlier: CellSale[]) => changesOf([marketOf(...earlier)], "per_cwt");

test.each([
  ["three days less than a week before", ["2026-11-14"], "2026-11-14"],
  ["four days less", ["2026-11-15"], null],
  ["three days more than a week before", ["2026-11-08"], "2026-11-08"],
  ["four days more", ["2026-11-07"], null],
  ["two, the older of which is nearer to a week", ["2026-11-14", "2026-11-10"], "2026-11-10"],
  ["two, the newer of which is nearer to a week", ["2026-11-12", "2026-11-09"], "2026-11-12"],
  ["two as near to a week, of which the earlier counts", ["2026-11-12", "2026-11-10"], "2026-11-10"],
])("a sale is compared with the one nearest to a week before: %s", (_, days, expected) => {
  const found = changes(...days.map((day, i) => saleOf(day, 390 - i)));
  expect(found.change_week_from).toBe(expected);
});

test("a sale of few cattle is compared with only where there is no other", () => {
  const few = saleOf("2026-11-11", 380, {few: true});
  expect(changes(few, saleOf("2026-11-14", 390))).toMatchObject({
    change_week: 10,
    change_week_from: "2026-11-14",
  });
});

test("a year back is 52 weeks, and the sale nearest to it counts", () => {
  const found = changes(saleOf("2025-11-27", 300), saleOf("2025-11-17", 310));
  expect(found).toMatchObject({change_week: null, change_year: 90, change_year_from: "2025-11-17"});
});
