import {expect, it} from "vitest";
import {addDays, saturdayOf} from "../../../../lib/dates.ts";
import {roundHalfAway} from "../../../../lib/rounding.ts";
import type {Database} from "../../../../lib/sql/duckdb.ts";
import {price_history} from "../../../../pipeline/market/answers/price-history.ts";
import {answersOf, venueSaid} from "./answer-build.ts";
import type {RowSaid} from "./workshop.ts";

const ford = {countyFips: "20057", lat: 37.73, lon: -100.06, locationBasis: "yard" as const};
const venues = [
  venueSaid({venueId: "ks-dodge", ...ford}),
  venueSaid({venueId: "ks-yard", ...ford}),
  venueSaid({venueId: "ks-nowhere"}),
];
const ks = (row: Partial<RowSaid> = {}): RowSaid => ({
  state: "KS",
  venue: "ks-dodge",
  end: "2026-11-16",
  head: 20,
  price: 350,
  ...row,
});

type Week = {
  area_type: string;
  area: string;
  price_basis: string;
  report_slug: string | null;
  cell_id: string;
  week_end_date: string;
  price_avg: number;
  price_avg_unrounded: number;
  head_count: number;
  venues_reporting: number | null;
  rows: number;
};

async function historyOf(rows: readonly RowSaid[]): Promise<{weeks: Week[]; db: Database}> {
  const {db, run} = await answersOf(rows, venues);
  await run.make(price_history);
  const weeks = await db.rows<Week>(
    `SELECT * REPLACE (week_end_date::VARCHAR AS week_end_date, price_avg::DOUBLE AS price_avg)
    FROM price_history ORDER BY area_type, area, price_basis, report_slug, cell_id, week_end_date`,
  );
  return {weeks, db};
}

it("agrees with an independent recomputation of every county and state week by week, ten years back", async () => {
  const rows = generatedRows();
  const {weeks} = await historyOf(rows);
  const expected = new Map([
    ...recomputed(
      rows.filter(({venue}) => venue !== "ks-nowhere"),
      "county|20057",
    ),
    ...recomputed(rows, "state|KS"),
  ]);
  expect(weeks.length).toBe(expected.size);
  for (const week of weeks) {
    const {price, head, sellers, count} = expected.get(
      `${week.area_type}|${week.area}|${week.cell_id}|${week.week_end_date}`,
    )!;
    expect(week.price_avg_unrounded).toBeCloseTo(price, 9);
    expect(week.price_avg).toBe(roundHalfAway(week.price_avg_unrounded, 2));
    expect([week.head_count, week.venues_reporting, week.rows]).toEqual([head, sellers, count]);
  }
});

it("equals the figure of a record whose window holds exactly one week", async () => {
  const {db, answers, run} = await answersOf(
    [ks({price: 350.125, weight: 751}), ks({price: 349.99, head: 31})],
    venues,
  );
  await run.make(price_history);
  const [week] = await db.rows<{price_avg: number; head_count: number; venues_reporting: number}>(
    "SELECT price_avg::DOUBLE AS price_avg, head_count, venues_reporting FROM price_history WHERE area_type = 'county'",
  );
  const record = answers.counties.find(({record: {county_fips}}) => county_fips === "20057")!.record;
  expect(week).toEqual({
    price_avg: record.price_avg,
    head_count: record.head_count,
    venues_reporting: record.venues_reporting,
  });
});

it("rounds a price between two cents as it is written (V21)", async () => {
  const prices = Array.from({length: 40}, (_, i) => 300 + (i * 37) / 100);
  const pairs = prices.flatMap((price, i) => {
    const end = addDays("2024-03-05", -7 * i);
    return [ks({price, end}), ks({price: price + 0.01, end})];
  });
  const {weeks} = await historyOf(pairs);
  const counties = weeks.filter(({area_type}) => area_type === "county");
  expect(counties.map((week) => week.price_avg)).toEqual(
    prices.map((price) => Math.round((price + 0.01) * 100) / 100).toReversed(),
  );
});

it("keeps official summaries by their report and period, and never adds venues to them", async () => {
  const summary = {scope: "state_summary", begin: "2026-11-08", end: "2026-11-14", venue: null};
  const {weeks} = await historyOf([
    ks({...summary, price: 400, head: 200}),
    ks({price: 300, end: "2026-11-11"}),
  ]);
  const states = weeks.filter(({area_type}) => area_type === "state");
  expect(states).toMatchObject([
    {price_basis: "derived_rollup", price_avg: 300, venues_reporting: 1, report_slug: null},
    {price_basis: "official_state_summary", price_avg: 400, venues_reporting: null, report_slug: "ams-900"},
  ]);
  expect(states.map(({week_end_date}) => week_end_date)).toEqual(["2026-11-14", "2026-11-14"]);
});

it("excludes an outlier of a past week as it would have been excluded then (V7)", async () => {
  const prices = [345, 350, 352, 348, 351, 210, 349];
  const {weeks} = await historyOf(prices.map((price) => ks({price, end: "2024-03-05"})));
  const [county] = weeks;
  expect(county).toMatchObject({week_end_date: "2024-03-09", rows: 6});
  expect(county?.price_avg).toBeGreaterThan(340);
});

it("leaves rows without head, with an impossible head and of mandatory reports out", async () => {
  const {weeks} = await historyOf([ks({head: null}), ks({head: -3}), ks({head: 30_000})]);
  expect(weeks).toEqual([]);
});

/** Sales of two located venues and one without a place, from a small linear congruential generator. */
function generatedRows(): RowSaid[] {
  let seed = 20261122;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
  const ends = ["2026-11-21", "2026-11-16", "2026-11-09", "2025-12-31", "2026-01-01", "2016-11-20"];
  return Array.from({length: 300}, () =>
    ks({
      venue: ["ks-dodge", "ks-yard", "ks-nowhere"][random(3)]!,
      end: ends[random(ends.length)]!,
      head: 1 + random(12),
      weight: 700 + random(100),
      price: 300 + random(5000) / 100,
    }),
  );
}

/** The rule reimplemented in plain arithmetic, for rows with prices so close that none is an outlier. */
function recomputed(rows: readonly RowSaid[], area: string) {
  const cell = ({weight}: RowSaid) => `feeder-steers-ml1-${weight! < 750 ? "0700-0749" : "0750-0799"}-cwt`;
  const groups = Map.groupBy(rows, (row) => `${area}|${cell(row)}|${saturdayOf(row.end!)}`);
  return [...groups].map(([key, group]) => {
    const pounds = group.reduce((sum, {head, weight}) => sum + head! * weight!, 0);
    const paid = group.reduce((sum, {head, weight, price}) => sum + head! * weight! * price!, 0);
    const head = group.reduce((sum, row) => sum + row.head!, 0);
    const sellers = new Set(group.map(({venue}) => venue)).size;
    return [key, {price: paid / pounds, head, sellers, count: group.length}] as const;
  });
}
