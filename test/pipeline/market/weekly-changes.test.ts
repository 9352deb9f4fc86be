import {afterAll, beforeAll, expect, it} from "vitest";
import {temporaryFolder} from "../../server/server-fixture.ts";
import {statusesOf} from "./issue-diff.ts";
import {marsAnswer, marsRow} from "./raw-folder.ts";
import {buildOn, opened, putRaw, tableOf, type WeeklyBuild, wrongAges} from "./weekly-builds.ts";

const folder = temporaryFolder();
const builds: WeeklyBuild[] = [];

/** A sale of three rows in Sample Creek; `light` is the price of the lightest steers, null drops their row. */
function sale(day: string, {light, published = day}: {light: number | null; published?: string}): string {
  const row = (weight: number, price: number) =>
    marsRow({
      report_date: day,
      report_begin_date: day,
      report_end_date: day,
      published_date: `${published} 18:00:00`,
      avg_weight: weight,
      avg_weight_min: weight - 5,
      avg_weight_max: weight + 5,
      weight_break_low: Math.floor(weight / 50) * 50,
      weight_break_high: Math.floor(weight / 50) * 50 + 50,
      avg_price: price,
      avg_price_min: price - 2,
      avg_price_max: price + 2,
    });
  const lightest = light === null ? [] : [row(525, light)];
  return marsAnswer([...lightest, row(625, 400), row(775, 355.89)]);
}

const raw: [path: string, retrievedAt: string, content: string][] = [
  ["mars/first.json", "2026-07-06T20:00:00Z", sale("2026-07-06", {light: 430})],
  ["mars/corrected.json", "2026-07-13T20:00:00Z", sale("2026-07-06", {light: 433, published: "2026-07-13"})],
  ["mars/shorter.json", "2026-07-20T20:00:00Z", sale("2026-07-06", {light: null, published: "2026-07-20"})],
  ["mars/empty.json", "2026-07-27T20:00:00Z", marsAnswer([])],
  ["mars/next-sale.json", "2026-08-10T20:00:00Z", sale("2026-08-10", {light: 440})],
];
const weeks = ["2026-07-07", "2026-07-14", "2026-07-21", "2026-07-28", "2026-08-11"];

beforeAll(async () => {
  for (const [path, retrievedAt, content] of raw) await putRaw(folder.path, path, {content, retrievedAt});
  for (const week of weeks) builds.push(await buildOn(folder.path, week));
});
afterAll(() => folder.remove());

it("V19 calls a sale new, then a corrected price revised with its earlier value, a dropped row withdrawn for one build, an old sale stale", async () => {
  await opened(async (db) => {
    const told = [];
    for (const build of builds) {
      told.push(
        await db.rows(
          `SELECT price_avg::DOUBLE AS price, change_status AS status, previous->>'price_avg' AS before, age_days AS age
          FROM ${tableOf(build, "latest_prices")} ORDER BY cell_id`,
        ),
      );
    }
    const row = (price: number | null, status: string, age: number, before: string | null = null) => ({
      price,
      status,
      before,
      age,
    });
    expect(told).toEqual([
      [row(430, "new", 1), row(400, "new", 1), row(355.89, "new", 1)],
      [row(433, "revised", 8, "430"), row(400, "revised", 8, "400"), row(355.89, "revised", 8, "355.89")].map(
        (said) => (said.price === 433 ? said : {...said, status: "unchanged", before: null}),
      ),
      [row(null, "withdrawn", 15, "433"), row(400, "unchanged", 15), row(355.89, "unchanged", 15)],
      [row(400, "stale", 22), row(355.89, "stale", 22)],
      [row(440, "new", 1), row(400, "new", 1), row(355.89, "new", 1)],
    ]);
  });
});

it("agrees with a diff of the issues of the two builds, in every table and week, and counts ages from the day of the build", async () => {
  await opened(async (db) => {
    for (const [index, now] of builds.entries()) {
      for (const table of ["county_prices", "state_prices", "latest_prices"] as const) {
        const found = await statusesOf(db, table, now, builds[index - 1] ?? null);
        expect(found.filter(({change_status, expected}) => change_status !== expected)).toEqual([]);
      }
      expect(await wrongAges(db, now)).toEqual([]);
    }
  });
});

it("keeps superseded versions, and deletes nothing for an empty answer", async () => {
  await opened(async (db) => {
    const [sales] = await db.rows(`SELECT count(*)::INTEGER AS n FROM ${tableOf(builds[3]!, "sale_events")}`);
    expect(sales).toEqual({n: 1});
    const replaced = await db.rows(`SELECT DISTINCT issue_version AS version
      FROM ${tableOf(builds[3]!, "price_rows_superseded/*/rows")} ORDER BY 1`);
    expect(replaced).toEqual([{version: 1}, {version: 2}]);
  });
});
