import {expect, it} from "vitest";
import {roundHalfAway} from "../../../../lib/rounding.ts";
import {type Database, sqlText} from "../../../../lib/sql/duckdb.ts";
import {cell_changes, changesSql} from "../../../../pipeline/market/answers/changes.ts";
import {reporter_trends} from "../../../../pipeline/market/answers/reporter-trends.ts";
import {rowsSql} from "../../../lib/models/given.ts";
import {cellsOf, type RowSaid, runOf} from "./workshop.ts";

type Change = {
  week_change: number | null;
  week_from: string | null;
  year_change: number | null;
  year_from: string | null;
  matched: number;
  matched_pens: number;
  week_reason: string | null;
  week_now: string | null;
  week_then: string | null;
  year_both: string | null;
};

/** The changes of a cell over the latest sales of some markets, or those of one day. */
async function changesOf(
  db: Database,
  {cell, markets, date}: {cell: string; markets: string[]; date?: string},
): Promise<Change | undefined> {
  await runOf(db).make(cell_changes);
  const day = date === undefined ? "NULL::DATE" : `DATE ${sqlText(date)}`;
  const draft = `(SELECT 'a' AS evidence_id, ${sqlText(cell)} AS cell_id, ${day} AS market_date, [${markets.map(sqlText).join(", ")}] AS markets)`;
  const [row] = await db.rows<Change>(`SELECT * EXCLUDE (evidence_id) FROM (${changesSql(draft)})`);
  return row;
}

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

/** Two pens, as a change needs, of so many head together. */
function twoPens(...[end, head, ...rest]: Parameters<typeof bulls>): RowSaid[] {
  return [bulls(end, head - 1, ...rest), bulls(end, 1, ...rest)];
}

it("V5 compares matched cells by what was sold now, not differently composed means", async () => {
  const db = await cellsOf([
    ...twoPens(weekAgo, 68, 516, 444.72),
    ...twoPens(weekAgo, 53, 564, 425.35),
    ...twoPens(now, 56, 516, 448.7),
    ...twoPens(now, 74, 567, 425.32),
  ]);
  const cells = ["feeder-bulls-ml1-0500-0549-cwt", "feeder-bulls-ml1-0550-0599-cwt"];
  await runOf(db).make(cell_changes);
  const [both] = await db.rows<Change>(
    changesSql(
      `(SELECT 'a' AS evidence_id, unnest([${cells.map(sqlText).join(", ")}]) AS cell_id, NULL::DATE AS market_date, ['ok-alpha'] AS markets)`,
    ),
  );
  expect([both!.matched, roundHalfAway(both!.week_change!, 2)]).toEqual([2, 1.61]);
  const weights = await db.rows<{weight: number}>(
    "SELECT weight FROM cell_changes WHERE market = 'ok-alpha' ORDER BY cell_id",
  );
  expect(weights.map(({weight}) => weight)).toEqual([28_896, 41_958]);
  const one = (await changesOf(db, {cell: cells[0]!, markets: ["ok-alpha"], date: now}))!;
  expect(roundHalfAway(one.week_change!, 2)).toBe(3.98);
  expect(roundHalfAway((one.week_change! / 444.72) * 100, 2)).toBe(0.89);
  expect(one.matched).toBe(1);
});

it("takes the sale nearest to seven days back, of two equally near the earlier one", async () => {
  const db = await cellsOf([
    ...twoPens(now, 20, 510, 400),
    ...twoPens("2026-11-10", 20, 510, 390),
    ...twoPens("2026-11-08", 20, 510, 380),
    ...twoPens("2026-11-05", 20, 510, 300),
  ]);
  const cell = "feeder-bulls-ml1-0500-0549-cwt";
  expect(await changesOf(db, {cell, markets: ["ok-alpha"]})).toMatchObject({
    week_change: 20,
    week_from: "2026-11-08",
  });
});

it("does not match cells of few head, other venues, or sales outside the tolerance", async () => {
  const cell = "feeder-bulls-ml1-0500-0549-cwt";
  const week = async (rows: RowSaid[]) =>
    (await changesOf(await cellsOf(rows), {cell, markets: ["ok-alpha"], date: now}))?.week_change;
  expect(await week([...twoPens(now, 9, 510, 400), ...twoPens(weekAgo, 20, 510, 390)])).toBeNull();
  expect(await week([...twoPens(now, 20, 510, 400), ...twoPens(weekAgo, 9, 510, 390)])).toBeNull();
  expect(
    await week([...twoPens(now, 20, 510, 400), ...twoPens(weekAgo, 20, 510, 390, {venue: "ok-beta"})]),
  ).toBeNull();
  expect(await week([...twoPens(now, 20, 510, 400), ...twoPens("2026-11-05", 20, 510, 390)])).toBeNull();
  const db = await cellsOf([...twoPens(now, 20, 510, 400), ...twoPens(weekAgo, 20, 510, 390)]);
  expect(await changesOf(db, {cell, markets: ["ok-alpha"], date: weekAgo})).toBeUndefined();
});

it("finds the sale a year back within ten days of 364, and a summary's own earlier week", async () => {
  const summary = {scope: "state_summary", begin: "2026-11-08", head: 20};
  const db = await cellsOf([
    ...twoPens(now, 20, 510, 400),
    ...twoPens("2025-11-10", 20, 510, 350),
    {...summary, end: "2026-11-14", price: 360},
    {...summary, begin: "2026-11-01", end: "2026-11-07", price: 355},
  ]);
  const venue = await changesOf(db, {cell: "feeder-bulls-ml1-0500-0549-cwt", markets: ["ok-alpha"]});
  expect([venue!.year_change, venue!.year_from, venue!.matched]).toEqual([50, "2025-11-10", 1]);
  expect(JSON.parse(venue!.year_both!)).toMatchObject({
    last_sale: {date: now, price_avg: 400, head_count: 20, pens: 2},
    then_sale: {date: "2025-11-10", price_avg: 350},
  });
  const report = {cell: "feeder-steers-ml1-0750-0799-cwt", markets: ["ams-900"], date: "2026-11-14"};
  expect((await changesOf(db, report))!.week_change).toBe(5);
});

it("states the date compared with, the earliest if venues have several", async () => {
  const cell = "feeder-bulls-ml1-0500-0549-cwt";
  const db = await cellsOf([
    ...twoPens(now, 20, 510, 400),
    ...twoPens(weekAgo, 20, 510, 390),
    ...twoPens("2026-11-15", 20, 510, 410, {venue: "ok-beta"}),
    ...twoPens("2026-11-07", 20, 510, 400, {venue: "ok-beta"}),
  ]);
  expect(await changesOf(db, {cell, markets: ["ok-alpha", "ok-beta"]})).toMatchObject({
    week_change: 10,
    week_cells: 2,
    year_cells: 0,
    week_from: "2026-11-07",
    year_change: null,
    year_from: null,
    year_both: null,
    matched: 2,
  });
});

it.each([
  ["one pen now and one then", [300], [310], null],
  ["one pen now, several then", [300], [305, 315], null],
  ["several now, one pen then", [295, 305], [310], null],
  ["two pens at both dates", [295, 305], [305, 315], 2],
] as const)("tells no change of a single pen on a side: %s", async (_, prices, before, pens) => {
  const sold = (end: string, of: readonly number[]) =>
    of.map((price) => bulls(end, 20, 510, price, {range: [price - 9, price + 9]}));
  const db = await cellsOf([...sold(now, prices), ...sold(weekAgo, before)]);
  expect(await changesOf(db, {cell: "feeder-bulls-ml1-0500-0549-cwt", markets: ["ok-alpha"]})).toMatchObject(
    pens === null
      ? {week_change: null, matched: 0, week_reason: "too_few"}
      : {week_change: -10, matched: 1, matched_pens: pens, week_reason: null},
  );
});

it.each([
  ["a pen each at two markets", [30, 30], [30, 30], {week_change: -9, matched: 2, week_reason: null}],
  ["20 head together", [10, 10], [10, 10], {week_change: -9, matched: 2, week_reason: null}],
  ["a thin side at one of them", [10, 30], [9, 30], {week_change: null, matched: 0, week_reason: "too_few"}],
  ["a thin side now", [30, 9], [30, 30], {week_change: null, matched: 0, week_reason: "too_few"}],
] as const)(
  "judges whether there are enough cattle by all markets of a record: %s",
  async (_, now20, before, expected) => {
    const venues = ["ok-alpha", "ok-beta"];
    const pens = (end: string, heads: readonly number[], prices: readonly number[]) =>
      venues.map((venue, at) => bulls(end, heads[at]!, 510, prices[at]!, {venue}));
    const db = await cellsOf([...pens(now, now20, [340, 344]), ...pens(weekAgo, before, [350, 352])]);
    const found = await changesOf(db, {cell: "feeder-bulls-ml1-0500-0549-cwt", markets: venues});
    expect(found).toMatchObject(expected);
  },
);

it("V26 tells a change of two pens and 20 head on each side, and says too few below", async () => {
  const sold = (end: string, head: number, weight: number, price: number): RowSaid => ({
    end,
    head,
    weight,
    price,
  });
  const cell = "feeder-steers-ml1-0750-0799-cwt";
  const pratt = await cellsOf([sold(weekAgo, 20, 780, 359), sold(now, 10, 773, 334.56)]);
  expect(await changesOf(pratt, {cell, markets: ["ok-alpha"]})).toMatchObject({
    ...{week_change: null, week_reason: "too_few", year_both: null},
    week_now: '{"date":"2026-11-16","price_avg":334.56,"head_count":10,"pens":1,"markets":1}',
    week_then: '{"date":"2026-11-09","price_avg":359,"head_count":20,"pens":1,"markets":1}',
  });
  const made = await cellsOf([
    ...[sold(now, 20, 760, 340), sold(now, 20, 780, 336)],
    ...[sold(weekAgo, 25, 765, 345), sold(weekAgo, 15, 785, 341)],
  ]);
  const {week_change: change, week_now, week_then} = (await changesOf(made, {cell, markets: ["ok-alpha"]}))!;
  expect(roundHalfAway(change!, 2)).toBe(-5.5);
  expect([week_now, week_then].map((sale) => JSON.parse(sale!))).toMatchObject([
    {price_avg: 337.97, head_count: 40, pens: 2},
    {price_avg: 343.48, head_count: 40, pens: 2},
  ]);
  const two = (head: number, end: string) => [bulls(end, head, 510, 400), bulls(end, head, 512, 402)];
  for (const [headNow, headThen, reason] of [
    [10, 10, null],
    [10, 9, "too_few"],
    [9, 10, "too_few"],
  ] as const) {
    const db = await cellsOf([...two(headNow, now), ...two(headThen, weekAgo)]);
    const found = await changesOf(db, {cell: "feeder-bulls-ml1-0500-0549-cwt", markets: ["ok-alpha"]});
    expect(found).toMatchObject({week_reason: reason});
  }
});

it("tells no change where a reporter of either sale calls the cattle not tested, but of other cattle and weights", async () => {
  const cell = "feeder-bulls-ml1-0500-0549-cwt";
  const change = async (said: Record<string, unknown>) => {
    const db = await cellsOf([...twoPens(now, 20, 510, 400), ...twoPens(weekAgo, 20, 510, 390)]);
    const trend = {
      issue_id: `ams-ok-alpha@${now}`,
      direction: "not_tested",
      commodity: "feeder_cattle",
      ...said,
    };
    await runOf(db).giveSql(reporter_trends, rowsSql(reporter_trends, [trend]));
    const {week_change, week_reason} = (await changesOf(db, {cell, markets: ["ok-alpha"]}))!;
    return [week_change, week_reason];
  };
  const blocked = [null, "not_tested"];
  expect(await change({class: "bulls"})).toEqual(blocked);
  expect(await change({issue_id: `ams-ok-alpha@${weekAgo}`})).toEqual(blocked);
  expect(await change({commodity: null})).toEqual(blocked);
  expect(await change({class: "bulls", weight_low_lb: 500, weight_high_lb: 600})).toEqual(blocked);
  expect(await change({kind: "calves", weight_high_lb: 600})).toEqual(blocked);
  const alone = await cellsOf([...twoPens(now, 20, 510, 400)]);
  const said = {issue_id: `ams-ok-alpha@${now}`, direction: "not_tested"};
  await runOf(alone).giveSql(reporter_trends, rowsSql(reporter_trends, [said]));
  expect(await changesOf(alone, {cell, markets: ["ok-alpha"]})).toMatchObject({week_reason: "not_tested"});
  for (const other of [
    {class: "steers"},
    {commodity: "slaughter_cattle"},
    {class: "bulls", weight_low_lb: 600},
    {class: "bulls", weight_high_lb: 520},
    {kind: "calves"},
    {grade: "boner"},
    {direction: "lower"},
    {issue_id: "ams-ok-beta@2026-11-16"},
  ])
    expect(await change(other)).toEqual([10, null]);
});
