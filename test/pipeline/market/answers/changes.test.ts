import {expect, it} from "vitest";
import {roundHalfAway} from "../../../../lib/rounding.ts";
import {matchedChange, readChanges} from "../../../../pipeline/market/answers/changes.ts";
import {cellsOf, type RowSaid} from "./workshop.ts";

const now = "2026-11-16";
const weekAgo = "2026-11-09";

function bulls(
  end: string,
  head: number,
  weight: number,
  price: number,
  more: Partial<RowSaid> = {},
): RowSaid {
  return {class: "bulls", end, head, weight, price, ...more};
}

it("V5 compares matched cells by what was sold now, not differently composed means", async () => {
  const db = await cellsOf([
    bulls(weekAgo, 68, 516, 444.72),
    bulls(weekAgo, 53, 564, 425.35),
    bulls(now, 56, 516, 448.7),
    bulls(now, 74, 567, 425.32),
  ]);
  const book = await readChanges(db);
  const cells = ["feeder-bulls-ml1-0500-0549-cwt", "feeder-bulls-ml1-0550-0599-cwt"];
  const matches = cells.map((cell) => book.of("ok-alpha", now, cell).week!);
  expect(matches.map(({weight}) => weight)).toEqual([28_896, 41_958]);
  expect(roundHalfAway(matchedChange(matches).change!, 2)).toBe(1.61);
  const changes = book.changes([{market: "ok-alpha", date: now, cell: cells[0]!}]);
  expect(roundHalfAway(changes.week.change!, 2)).toBe(3.98);
  expect(roundHalfAway((changes.week.change! / 444.72) * 100, 2)).toBe(0.89);
  expect(changes.matched_cells).toBe(1);
});

it("takes the sale nearest to seven days back, of two equally near the earlier one", async () => {
  const db = await cellsOf([
    bulls(now, 20, 510, 400),
    bulls("2026-11-10", 20, 510, 390),
    bulls("2026-11-08", 20, 510, 380),
    bulls("2026-11-05", 20, 510, 300),
  ]);
  const book = await readChanges(db);
  expect(book.of("ok-alpha", now, "feeder-bulls-ml1-0500-0549-cwt").week).toMatchObject({
    before: 380,
    from: "2026-11-08",
  });
});

it("does not match thin cells, other venues, or sales outside the tolerance", async () => {
  const cell = "feeder-bulls-ml1-0500-0549-cwt";
  const week = async (rows: RowSaid[]) =>
    (await readChanges(await cellsOf(rows))).of("ok-alpha", now, cell).week;
  expect(await week([bulls(now, 9, 510, 400), bulls(weekAgo, 20, 510, 390)])).toBeNull();
  expect(await week([bulls(now, 20, 510, 400), bulls(weekAgo, 9, 510, 390)])).toBeNull();
  expect(await week([bulls(now, 20, 510, 400), bulls(weekAgo, 20, 510, 390, {venue: "ok-beta"})])).toBeNull();
  expect(await week([bulls(now, 20, 510, 400), bulls("2026-11-05", 20, 510, 390)])).toBeNull();
  expect(matchedChange([])).toEqual({change: null, matched: 0, from: null});
});

it("finds the sale a year back within ten days of 364, and a summary's own earlier week", async () => {
  const summary = {scope: "state_summary", begin: "2026-11-08"};
  const db = await cellsOf([
    bulls(now, 20, 510, 400),
    bulls("2025-11-10", 20, 510, 350),
    {...summary, end: "2026-11-14", price: 360},
    {...summary, begin: "2026-11-01", end: "2026-11-07", price: 355},
  ]);
  const book = await readChanges(db);
  expect(book.of("ok-alpha", now, "feeder-bulls-ml1-0500-0549-cwt").year!.before).toBe(350);
  expect(book.of("ams-900", "2026-11-14", "feeder-steers-ml1-0750-0799-cwt").week!.before).toBe(355);
});

it("tells the dates compared with, the earliest where venues have several", async () => {
  const cell = "feeder-bulls-ml1-0500-0549-cwt";
  const db = await cellsOf([
    bulls(now, 20, 510, 400),
    bulls(weekAgo, 20, 510, 390),
    bulls("2026-11-15", 20, 510, 410, {venue: "ok-beta"}),
    bulls("2026-11-07", 20, 510, 400, {venue: "ok-beta"}),
  ]);
  const {week, year} = (await readChanges(db)).changes([
    {market: "ok-alpha", date: now, cell},
    {market: "ok-beta", date: "2026-11-15", cell},
  ]);
  expect(week).toEqual({change: 10, matched: 2, from: "2026-11-07"});
  expect(year).toEqual({change: null, matched: 0, from: null});
});
