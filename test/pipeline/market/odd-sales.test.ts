import {writeFile} from "node:fs/promises";
import {join} from "node:path";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {limitations} from "../../../lib/limitations.ts";
import {temporaryFolder} from "../../server/server-fixture.ts";
import {marsAnswer, marsRow} from "./raw-folder.ts";
import {buildOn, opened, putRaw, tableOf, type WeeklyBuild} from "./weekly-builds.ts";

/** A row of an invented yard in a county of Kansas. */
function row(change: Record<string, unknown>): Record<string, unknown> {
  const price = change["avg_price"];
  return marsRow({
    slug_id: 9889,
    slug_name: "AMS_9889",
    report_title: "Flint Creek Livestock - Dodge City, KS",
    market_location_name: "Flint Creek Livestock",
    market_location_city: "Dodge City",
    market_location_state: "KS",
    avg_price_min: price,
    avg_price_max: price,
    avg_weight_min: null,
    avg_weight_max: null,
    ...change,
  });
}

const bull = {
  ...{commodity: "Replacement Cattle", class: "Bulls", price_unit: "Per Unit", avg_weight: 2200},
  ...{weight_break_low: null, weight_break_high: null, head_count: 12},
};

/** A report that says that the sale of a day was not held: one record without cattle. */
function noSale(day: string, words: string): Record<string, unknown> {
  const nothing = ["commodity", "class", "frame", "muscle_grade", "price_unit", "head_count", "avg_weight"];
  const dates = {
    report_date: day,
    report_begin_date: day,
    report_end_date: day,
    published_date: `${day} 18:05:00`,
  };
  const blank = Object.fromEntries([...nothing, "receipts"].map((name) => [name, null]));
  return row({...blank, ...dates, avg_price: null, weight_break_low: null, report_narrative: words});
}

/** The yard among the barns of a generated sample, with a calendar of its sales. */
const listed = {
  ...{venueId: "ks-dodge-city-flint-creek-livestock", name: "Flint Creek Livestock", aliases: []},
  ...{venueType: "auction", city: "Dodge City", state: "KS", zip: null, streetAddress: null, phone: null},
  ...{
    website: null,
    countyFips: "20057",
    lat: 37.75,
    lon: -100.02,
    locationBasis: "yard",
    locationAccuracyM: null,
  },
  reportSlugs: ["ams-9889"],
  schedule: {
    rules: [
      {
        ...{kind: "regular", classes: [], frequency: "dates", weekday: null, nth: [], anchor_date: null},
        ...{dates: ["2026-10-06"], start_time_local: null, season: null},
      },
    ],
    ...{exceptions: [], text: null, verifiedAt: "2026-09-01", verifiedBy: "venue"},
  },
  statements: [],
  facts: [
    {
      fields: ["name", "city", "state", "reportSlugs", "lat", "lon", "countyFips", "schedule"],
      ...{source: "editorial-market-reference-sources", publisher: "Invented list", date: "2026-09-01"},
    },
  ],
};

describe("sales that are not like others", () => {
  const folder = temporaryFolder();
  let built: WeeklyBuild;
  beforeAll(async () => {
    const rows = [
      row({avg_price: 301.25, avg_weight: 755, avg_weight_min: 740, avg_weight_max: 820}),
      row({
        ...{avg_price: 200.14, avg_weight: 325, class: "Heifers"},
        ...{weight_break_low: 300, weight_break_high: 350},
      }),
      row({...bull, avg_price: 12_500}),
      row({...bull, avg_price: 1_900}),
      noSale("09/22/2026", "No cattle sale this week due to the holiday. *** Next sale October 13 ***"),
      noSale("09/24/2026", "Comments follow. There will be no cattle sale October 13."),
    ];
    const files = {"mars/ams_9889.json": marsAnswer(rows), "directory/venues.json": JSON.stringify([listed])};
    for (const [path, content] of Object.entries(files)) {
      await putRaw(folder.path, path, {content, retrievedAt: "2026-09-25T20:00:00Z"});
      const meta = {retrieved_at: "2026-09-25T20:00:00Z", sample: true};
      await writeFile(join(folder.path, "raw/market", `${path}.meta.json`), JSON.stringify(meta));
    }
    built = await buildOn(folder.path, "2026-09-26");
  });
  afterAll(() => folder.remove());

  it("reads a breeding bull whose price times weight is beyond 32 bits beside a cheap one", async () => {
    await opened(async (db) => {
      const bulls = await db.rows(
        `SELECT price_avg, rows FROM ${tableOf(built, "county_prices")} WHERE class = 'bulls'`,
      );
      expect(bulls).toEqual([{price_avg: 7200, rows: 2}]);
    });
  });

  it("tells no sale as no sale, and a comment alone as unknown", async () => {
    await opened(async (db) => {
      const events = await db.rows(
        `SELECT sale_date::VARCHAR AS day, sale_status FROM ${tableOf(built, "sale_events")} ORDER BY day`,
      );
      expect(events).toEqual([
        {day: "2026-09-15", sale_status: "held"},
        {day: "2026-09-22", sale_status: "no_sale"},
        {day: "2026-09-24", sale_status: "unknown"},
      ]);
      const [barn] = await db.rows(
        `SELECT first_reported_sale_date::VARCHAR AS first, last_reported_sale_date::VARCHAR AS last, reports_last_365_days AS reports
         FROM ${tableOf(built, "barns")} WHERE reports_last_365_days > 0`,
      );
      expect(barn).toEqual({first: "2026-09-15", last: "2026-09-15", reports: 1});
      expect(await db.rows(`FROM ${tableOf(built, "quarantine")}`)).toEqual([]);
    });
  });

  it("has the newest word on a day that two reports announce", async () => {
    await opened(async (db) => {
      const [barn] = await db.rows<{schedule: string}>(
        `SELECT schedule::VARCHAR AS schedule FROM ${tableOf(built, "barns")} WHERE reports_last_365_days > 0`,
      );
      const {exceptions, rules} = JSON.parse(barn!.schedule) as {
        exceptions: {date: string; note: string}[];
        rules: {dates: string[]}[];
      };
      expect(exceptions.map(({date, note}) => `${date} ${note}`)).toEqual([
        "2026-09-22 reported as no sale",
        "2026-10-13 announced as no sale",
      ]);
      expect(rules.flatMap(({dates}) => dates)).toEqual(["2026-10-06"]);
    });
  });

  it("says that weights span bins only of cells that have a bin", async () => {
    await opened(async (db) => {
      const spans = await db.rows(
        `SELECT class, weight_spans_bins AS spans FROM ${tableOf(built, "county_prices")}
         WHERE price_basis = 'observed_in_county' ORDER BY class`,
      );
      expect(spans).toEqual([
        {class: "bulls", spans: false},
        {class: "heifers", spans: false},
        {class: "steers", spans: true},
      ]);
    });
  });

  it("rounds a value per head of half a cent away from zero: 200.14 at 325 lb is 650.455", async () => {
    await opened(async (db) => {
      for (const table of ["county_prices", "state_prices", "latest_prices"]) {
        const found = await db.rows(
          `SELECT value_per_head FROM ${tableOf(built, table)} WHERE class = 'heifers' AND price_basis <> 'nearest_market_estimate'`,
        );
        expect([table, found]).toEqual([table, [{value_per_head: 650.46}]]);
      }
    });
  });

  it("L13 calls no date of the yard's own calendar projected", async () => {
    await opened(async (db) => {
      const said = await db.rows<{day: string; limitations: string[]; actionability: string}>(
        `SELECT next_sale_date::VARCHAR AS day, limitations, actionability
         FROM ${tableOf(built, "barns")} JOIN ${tableOf(built, "evidence")} USING (evidence_id) WHERE venue_id = '${listed.venueId}'`,
      );
      expect(said).toMatchObject([{day: "2026-10-06", actionability: "verify_before_acting"}]);
      expect(said[0]!.limitations).not.toContain(limitations.L13);
    });
  });
});
