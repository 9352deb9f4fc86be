import {afterAll, beforeAll, expect, it} from "vitest";
import type {FileReport} from "../../../schemas/build-report.ts";
import {temporaryFolder} from "../../server/server-fixture.ts";
import {marsAnswer, marsRow} from "./raw-folder.ts";
import {buildOn, opened, putRaw, tableOf, type WeeklyBuild} from "./weekly-builds.ts";

const folder = temporaryFolder();
const towns = ["Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir"];

/** Rows of a town's sale; each town is a market with its own report. */
function sale(town: string, day: string, change: Record<string, unknown> = {}): Record<string, unknown>[] {
  const slug = 9200 + towns.indexOf(town);
  const title = `${town} Livestock Auction - ${town}, NE`;
  const place = {market_location_name: town, market_location_city: town, report_title: title};
  const dates = {
    report_date: day,
    report_begin_date: day,
    report_end_date: day,
    published_date: `${day} 18:00:00`,
  };
  return [650, 700, 750].map((weight) =>
    marsRow({
      ...place,
      ...dates,
      slug_id: slug,
      slug_name: `AMS_${slug}`,
      avg_weight: weight + 20,
      avg_weight_min: null,
      avg_weight_max: null,
      weight_break_low: weight,
      weight_break_high: weight + 50,
      avg_price: 1100 - weight,
      avg_price_min: null,
      avg_price_max: null,
      ...change,
    }),
  );
}

function renamed(rows: Record<string, unknown>[]): Record<string, unknown>[] {
  return rows.map(({avg_price, ...rest}) => ({...rest, mean_price_of_lot: avg_price}));
}

const [lastWeek, today] = ["2026-09-14", "2026-09-21"];

/** Today's files: a good sale for the last town, and a different fault for each of the others. */
const bad: Record<string, string> = {
  alder: marsAnswer(renamed(sale("Alder", today))),
  birch: "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Service unavailable</body></html>",
  cedar: marsAnswer(sale("Cedar", "2026-09-28")),
  dogwood: marsAnswer(sale("Dogwood", today, {price_unit: "Per Stone"})),
  elm: marsAnswer(sale("Elm", today)).slice(0, -400),
};
const retrievedAt = `${today}T20:00:00Z`;
let before: WeeklyBuild;
let clean: WeeklyBuild;
let after: WeeklyBuild;

beforeAll(async () => {
  for (const town of towns) {
    const content = marsAnswer(sale(town, lastWeek));
    await putRaw(folder.path, `mars/${town}-old.json`, {content, retrievedAt: `${lastWeek}T20:00:00Z`});
  }
  before = await buildOn(folder.path, "2026-09-15");
  await putRaw(folder.path, "mars/fir.json", {content: marsAnswer(sale("Fir", today)), retrievedAt});
  await buildOn(folder.path, "2026-09-15", "clean");
  clean = await buildOn(folder.path, "2026-09-22", "clean");
  for (const [town, content] of Object.entries(bad)) {
    await putRaw(folder.path, `mars/${town}.json`, {content, retrievedAt});
  }
  after = await buildOn(folder.path, "2026-09-22");
});
afterAll(() => folder.remove());

function reportOf(town: string): FileReport {
  return after.result.report.parts["MARKET"]!.find(({path}) => path === `market/mars/${town}.json`)!;
}

it("publishes, and names each bad file with its place and reason", () => {
  expect([before.result.outcome, after.result.outcome, after.result.heldBack]).toEqual([
    "published",
    "published",
    [],
  ]);
  expect(reportOf("fir")).toMatchObject({status: "read", accepted: 3});
  expect(reportOf("birch")).toMatchObject({
    status: "failed",
    accepted: 0,
    reason: expect.stringContaining("birch.json"),
  });
  expect(reportOf("elm")).toMatchObject({
    status: "failed",
    accepted: 0,
    reason: expect.stringContaining("elm.json"),
  });
  expect(reportOf("cedar")).toMatchObject({accepted: 0, rejected: {after_as_of: 3}});
  expect(reportOf("dogwood")).toMatchObject({accepted: 0, rejected: {unknown_price_unit: 3}});
  expect(reportOf("alder").accepted).toBe(0);
});

it("keeps rejected rows in the quarantine, with file, row and what came", async () => {
  await opened(async (db) => {
    const kept = await db.rows(
      `SELECT source_path AS path, reject_reason AS reason, row_ordinal AS ordinal FROM ${tableOf(after, "quarantine")}
      WHERE source_path SIMILAR TO '.*(cedar|dogwood).*' ORDER BY ALL`,
    );
    expect(kept).toEqual(
      ["cedar after_as_of", "dogwood unknown_price_unit"].flatMap((said) => {
        const [town, reason] = said.split(" ");
        return [1, 2, 3].map((ordinal) => ({path: `market/mars/${town}.json`, reason, ordinal}));
      }),
    );
  });
});

it("keeps serving the old sale of each market that sent nothing usable, with its age", async () => {
  await opened(async (db) => {
    const sales = await db.rows(
      `SELECT city, max(last_sale_date)::VARCHAR AS sale, min(age_days) AS age, count(*)::INTEGER AS n
      FROM ${tableOf(after, "latest_prices")} GROUP BY 1 ORDER BY 1`,
    );
    expect(sales).toEqual(
      towns.map((city) =>
        city === "Fir" ? {city, sale: today, age: 1, n: 3} : {city, sale: lastWeek, age: 8, n: 3},
      ),
    );
  });
});

it("still counts a sale as held if its prices are unreadable", async () => {
  await opened(async (db) => {
    const held = await db.rows(
      `SELECT issue_id, receipts, head_reported FROM ${tableOf(after, "sale_events")} AS a
      ANTI JOIN ${tableOf(clean, "sale_events")} AS c USING (issue_id)`,
    );
    expect(held).toEqual([{issue_id: "ams-9203@2026-09-21", receipts: 900, head_reported: 0}]);
  });
});

it("leaves all other prices equal to a build without the bad files", async () => {
  await opened(async (db) => {
    for (const table of ["county_prices", "state_prices", "latest_prices", "venue_status_history"]) {
      const differing = await db.rows(
        `(FROM ${tableOf(after, table)} EXCEPT FROM ${tableOf(clean, table)})
        UNION ALL (FROM ${tableOf(clean, table)} EXCEPT FROM ${tableOf(after, table)})`,
      );
      expect([table, differing]).toEqual([table, []]);
    }
  });
});
