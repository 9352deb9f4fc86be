import {afterAll, beforeAll, expect, it, test} from "vitest";
import {ageDays} from "../../../lib/dates.ts";
import {temporaryFolder} from "../server-fixture.ts";
import {
  answerTo,
  before,
  type Named,
  type Opened,
  openPastMarket,
  pagesOf,
  seed,
  today,
} from "./past-market.ts";
import {comparedWindows} from "./past-windows.ts";

const folder = temporaryFolder();
let early: Opened;
let late: Opened;
beforeAll(async () => {
  ({early, late} = await openPastMarket(folder.path));
}, 120_000);
afterAll(async () => {
  for (const one of [early, late]) await one.server.close();
  folder.remove();
});

it(`V36 pools past sales as the build pools those of its own windows (seed ${seed})`, async () => {
  for (const [build, past, asOf] of [
    [late, late, today],
    [early, early, before],
    [early, late, before],
  ] as const) {
    const found = await comparedWindows(
      {build: build.server, past: past.server},
      {asOf, states: ["KS", "NE"]},
    );
    expect(found.wrong.slice(0, 40)).toEqual([]);
    expect(found.missing).toEqual([]);
    expect(found.counties).toBeGreaterThan(20);
    expect(found.weeks).toBeGreaterThan(20);
  }
});

const counted = (records: readonly Named[], name: string) =>
  records.reduce((sum, record) => sum + Number(record[name]), 0);

it("pools each row of the days once, page by page, whatever the size of a page", async () => {
  const days = "from=2025-11-21&to=2026-11-21";
  for (const limit of [7, 100]) {
    const ofCounty = await pagesOf(late.server, `/price-by-county?county=20081&${days}&limit=${limit}`);
    const ofState = await pagesOf(late.server, `/price-by-state?state=KS&${days}&limit=${limit}`);
    const rows = await pagesOf(late.server, `/latest-prices?county=20081&${days}&limit=500`);
    for (const {records, evidence, total} of [ofCounty, ofState]) {
      expect(records.length).toBe(total);
      expect(new Set(records.map(({evidence_id}) => evidence_id)).size).toBe(total);
      expect(new Set(evidence.map(({evidence_id}) => evidence_id))).toEqual(
        new Set(records.map(({evidence_id}) => evidence_id)),
      );
    }
    const isPriced = ({cell_id}: Named) => ofCounty.records.some((record) => record["cell_id"] === cell_id);
    expect(counted(ofCounty.records, "rows") + counted(ofCounty.records, "rows_excluded")).toBe(
      rows.records.filter(isPriced).length,
    );
    expect(ofCounty.records.every((record) => record["window_days"] === 366)).toBe(true);
    // The weeks of a state begin with the Sunday of the first day.
    const weeks = ofState.records.map((record) => String(record["week_end_date"]));
    expect(weeks).toEqual(weeks.toSorted().reverse());
    expect(weeks.filter((week) => week < "2025-11-22" || week > "2026-11-21")).toEqual([]);
    expect(new Set(weeks).size).toBeGreaterThan(45);
  }
});

it("takes of a week that is not over the days to the last one asked", async () => {
  const of = async (days: string) =>
    (await pagesOf(late.server, `/price-by-state?state=KS&class=steers&${days}&limit=100`)).records;
  const whole = await of("from=2026-08-11&to=2026-08-15");
  const part = await of("from=2026-08-12&to=2026-08-12");
  expect(new Set([...whole, ...part].map((record) => record["week_end_date"]))).toEqual(
    new Set(["2026-08-15"]),
  );
  expect(counted(part, "rows")).toBeLessThan(counted(whole, "rows"));
  expect(part.every((record) => String(record["last_sale_date"]) <= "2026-08-12")).toBe(true);
});

it("says which parts of an answer are of the newest sales alone", async () => {
  for (const question of ["/price-by-county?county=20081", "/price-by-state?state=KS"]) {
    const body = await answerTo(late.server, `${question}&class=steers&weight=560&to=2026-06-30&limit=2`);
    expect(body).toMatchObject({summary: null, summary_reason: expect.stringContaining("newest sales")});
    expect(Object.keys(body)).not.toContain("indicators");
    expect(body.limitations.some((one) => one.startsWith("Prices of past"))).toBe(true);
    expect(body["query"]).toMatchObject({applied: {from: "2025-06-29", to: "2026-06-30"}});
    const [{last_sale_date: last, age_days: age}] = body.records as [Named];
    expect(age).toBe(ageDays(String(last), "2026-06-30"));
  }
});

test.each([
  ["from=2026-08-02&to=2026-08-08", null, true],
  ["from=2026-08-02&to=2026-08-07", "2026-08-08", false],
  ["from=2026-08-09", "2026-08-08", false],
])("says that only an official summary is held of the weeks of a state: %s", async (days, last, isHeld) => {
  const body = await answerTo(early.server, `/price-by-state?state=MT&${days}`);
  expect(body).toMatchObject({result_status: "no_rows", last_known_source_date: last});
  const said = (words: string) => body.limitations.some((one) => one.includes(words));
  expect([said("An official summary of these weeks is held"), said("last known date")]).toEqual([
    isHeld,
    !isHeld,
  ]);
});

test.each(["/price-by-county?county=20081", "/price-by-state?state=KS"])(
  "refuses on %s what is of the newest sales, and days after the build's",
  async (question) => {
    const refused = async (more: string) => {
      const reply = await late.server.get(`${question}&${more}`);
      return [reply.status, ...reply.json().invalid_params.map(({name, reason}) => `${name} ${reason}`)];
    };
    const reason = "cannot be given together with from and to: it is of the newest sales";
    expect(await refused("history=8&from=2026-01-01")).toEqual([400, `history ${reason}`]);
    expect(await refused("curve=full&to=2026-01-01")).toEqual([400, `curve ${reason}`]);
    expect(await refused("from=2026-11-22")).toEqual([400, "from is after the build's day, 2026-11-21"]);
    expect(await refused("cursor=AAAA")).toEqual([
      400,
      "cursor pages past sales: repeat from and to with it",
    ]);
  },
);
