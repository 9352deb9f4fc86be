import {readFileSync} from "node:fs";
import {join} from "node:path";
import * as fc from "fast-check";
import {expect, test} from "vitest";
import {packageRoot} from "../../../lib/paths.ts";
import {bareVenue} from "../../../pipeline/market/reference/venues.ts";
import {addsUp} from "../../../schemas/build-report.ts";
import {marsAnswer, marsRow, metaFetched, withReading} from "./raw-folder.ts";

const printed = readFileSync(
  join(packageRoot, "test/cases/printed-reports/well-laid-report/in/ams_9101_2026-09-15.txt"),
  "utf8",
);

test("rejects a row with the first reason that applies", async () => {
  const bad = [
    marsRow({price_unit: "Per Lb", avg_price: 1}),
    marsRow({avg_price: 340}),
    marsRow({avg_weight: 740}),
    marsRow({avg_price: 9.99, avg_price_min: 9.99, avg_price_max: 9.99}),
    marsRow({class: "Camels"}),
    marsRow({avg_price: null}),
    marsRow({head_count: 0}),
    marsRow({report_date: "soon", report_begin_date: null, report_end_date: null}),
  ];
  await withReading({files: {"mars/bad.json": marsAnswer(bad)}}, async ({db, reports}) => {
    const reasons = await db.rows<{reject_reason: string}>(
      "SELECT reject_reason FROM row_rejects ORDER BY rowid",
    );
    expect(reasons.map((row) => row.reject_reason).toSorted()).toEqual(
      [
        "unknown_price_unit",
        "price_order",
        "weight_order",
        "implausible_price",
        "unknown_class",
        "no_price",
        "implausible_head",
        "no_report_date",
      ].toSorted(),
    );
    expect(reports[0]).toMatchObject({rowsIn: 8, accepted: 0});
    expect(
      await db.rows("SELECT raw->>'class' AS class FROM row_rejects WHERE reject_reason = 'unknown_class'"),
    ).toEqual([{class: "Camels"}]);
  });
});

test("rejects a heading whose unit is wrong by other headings of its class, and no lone odd price under a heading that is right", async () => {
  const heavy = {
    avg_weight: 910,
    avg_weight_min: 905,
    avg_weight_max: 915,
    weight_break_low: 900,
    weight_break_high: 950,
  };
  const priced = (price: number, more = {}) =>
    marsRow({...heavy, avg_price: price, avg_price_min: price, avg_price_max: price, ...more});
  const usual = [300, 305, 310, 315, 320, 325].map((price) => priced(price));
  const odd = [priced(310, {price_unit: "Per Unit"}), priced(2800), priced(20)];
  await withReading({files: {"mars/rows.json": marsAnswer([...usual, ...odd])}}, async ({db, reports}) => {
    expect(await db.rows("SELECT reject_reason, detail FROM row_rejects ORDER BY detail")).toEqual([
      {
        reject_reason: "implausible_unit",
        detail: "310.00 per_head is no value of like cattle, which bring 2843.66 a head",
      },
    ]);
    expect(reports[0]).toMatchObject({accepted: 8});
  });
});

test("counts a row printed twice once, but rows that differ only in a comment twice", async () => {
  const rows = [marsRow(), marsRow(), marsRow({lot_desc: "Spayed"}), marsRow({lot_desc: "Guaranteed Open"})];
  await withReading({files: {"mars/rows.json": marsAnswer(rows)}}, async ({db, reports}) => {
    expect(reports[0]).toMatchObject({accepted: 3, rejected: {duplicate_row: 1}});
    expect(await db.rows("SELECT duplicate_rows_dropped AS dropped FROM report_issues")).toEqual([
      {dropped: 1},
    ]);
  });
});

test("replaces an earlier issue as a whole, including rows that the later one dropped", async () => {
  const first = marsAnswer([marsRow(), marsRow({class: "Heifers"})]);
  const second = marsAnswer([marsRow({avg_price: 356, published_date: "09/16/2026 08:00:00"})]);
  await withReading({files: {"mars/a.json": second, "mars/b.json": first}}, async ({db}) => {
    expect(await db.rows("SELECT class, price_avg::DOUBLE AS price, row_ordinal FROM price_rows")).toEqual([
      {class: "steers", price: 356, row_ordinal: 1},
    ]);
    expect(
      await db.rows(
        "SELECT class, price_avg::DOUBLE AS price FROM price_rows_superseded ORDER BY row_ordinal",
      ),
    ).toEqual([
      {class: "steers", price: 355.89},
      {class: "heifers", price: 355.89},
    ]);
    expect(
      await db.rows("SELECT issue_version, current, rows_accepted FROM report_issues ORDER BY issue_version"),
    ).toEqual([
      {issue_version: 1, current: false, rows_accepted: 2},
      {issue_version: 2, current: true, rows_accepted: 1},
    ]);
  });
});

test("prefers a final issue over a preliminary one published later", async () => {
  const final = marsAnswer([marsRow()]);
  const preliminary = marsAnswer([
    marsRow({final_ind: "Preliminary", avg_price: 350, published_date: "09/17/2026 08:00:00"}),
  ]);
  await withReading(
    {files: {"mars/final.json": final, "mars/preliminary.json": preliminary}},
    async ({db}) => {
      expect(await db.rows("SELECT price_avg::DOUBLE AS price, issue_status FROM price_rows")).toEqual([
        {price: 355.89, issue_status: "final"},
      ]);
    },
  );
});

test("treats the printed and the served report of a sale as one sale", async () => {
  const served = Array.from({length: 20}, (_, at) => marsRow({avg_weight: 755 + at, head_count: 60}));
  const files = {"ams-text/report.txt": printed, "mars/served.json": marsAnswer(served)};
  await withReading({files}, async ({db, report}) => {
    expect(report("ams-text/report.txt").accepted).toBe(20);
    expect(await db.rows("SELECT DISTINCT source_path FROM price_rows")).toEqual([
      {source_path: "market/mars/served.json"},
    ]);
    expect(await db.rows("SELECT count(*)::INTEGER AS rows FROM price_rows_superseded")).toEqual([
      {rows: 20},
    ]);
    expect(await db.rows("SELECT count(*)::INTEGER AS events FROM sale_events")).toEqual([{events: 1}]);
  });
});

test("treats versions of a weekly summary with different dates as one week", async () => {
  const title = {
    report_title: "Kansas Weekly Cattle Auction Summary",
    slug_id: 9195,
    slug_name: "AMS_9195",
    market_location_state: "N/A",
  };
  const monday = marsRow({
    ...title,
    report_date: "08/17/2026",
    report_begin_date: null,
    report_end_date: null,
    published_date: "08/21/2026 06:00:00",
  });
  const friday = marsRow({
    ...title,
    report_date: "08/16/2026",
    report_begin_date: "08/16/2026",
    report_end_date: "08/21/2026",
    published_date: "08/24/2026 09:00:00",
  });
  await withReading(
    {files: {"mars/a.json": marsAnswer([monday]), "mars/b.json": marsAnswer([friday])}},
    async ({db}) => {
      expect(await db.rows("SELECT issue_id, venue_id, state, report_scope FROM price_rows")).toEqual([
        {issue_id: "ams-9195@2026-08-21", venue_id: null, state: "KS", report_scope: "state_summary"},
      ]);
      expect(await db.rows("SELECT superseded_by FROM report_issues WHERE NOT current")).toEqual([
        {superseded_by: "ams-9195@2026-08-21"},
      ]);
      expect(await db.rows("SELECT week_begin_date, receipts FROM summary_events")).toEqual([
        {week_begin_date: "2026-08-16", receipts: 900},
      ]);
    },
  );
});

test("merges a re-read with the same content and updates the last verification", async () => {
  const files = {
    "mars/monday.json": marsAnswer([marsRow()]),
    "mars/monday.json.meta.json": metaFetched("2026-09-16T06:00:00Z"),
    "mars/tuesday.json": marsAnswer([marsRow()]),
    "mars/tuesday.json.meta.json": metaFetched("2026-09-17T06:00:00Z", {verified_at: "2026-09-18T06:00:00Z"}),
  };
  await withReading({files}, async ({db, report}) => {
    expect(report("mars/tuesday.json")).toMatchObject({accepted: 0, merged: 1});
    expect(
      await db.rows(
        "SELECT ingested_at::VARCHAR AS ingested, last_verified_at::VARCHAR AS verified FROM price_rows",
      ),
    ).toEqual([{ingested: "2026-09-16 06:00:00", verified: "2026-09-18 06:00:00"}]);
    expect(await db.rows("SELECT count(*)::INTEGER AS issues FROM report_issues")).toEqual([{issues: 1}]);
  });
});

test("deletes nothing for an empty answer", async () => {
  await withReading(
    {files: {"mars/a.json": marsAnswer([marsRow()]), "mars/b.json": marsAnswer([])}},
    async ({db, report}) => {
      expect(report("mars/b.json")).toMatchObject({status: "read", rowsIn: 0});
      expect(report("mars/b.json").reason).toContain("nothing was deleted");
      expect(await db.rows("SELECT count(*)::INTEGER AS rows FROM price_rows")).toEqual([{rows: 1}]);
    },
  );
});

test("does not replace an issue with rows by one without usable rows", async () => {
  const unusable = marsAnswer([marsRow({price_unit: "Per Lb", published_date: "09/20/2026 08:00:00"})]);
  await withReading(
    {files: {"mars/a.json": marsAnswer([marsRow()]), "mars/b.json": unusable}},
    async ({db}) => {
      expect(await db.rows("SELECT price_avg::DOUBLE AS price FROM price_rows")).toEqual([{price: 355.89}]);
    },
  );
});

test("keeps rows of one issue together even if they name different places", async () => {
  const rows = [
    marsRow(),
    marsRow({
      class: "Heifers",
      market_location_city: "Elsewhere",
      market_type: "Auction Livestock (Special)",
    }),
  ];
  await withReading({files: {"mars/a.json": marsAnswer(rows)}}, async ({db}) => {
    expect(await db.rows("SELECT rows_read, rows_accepted, current FROM report_issues")).toEqual([
      {rows_read: 2, rows_accepted: 2, current: true},
    ]);
    expect(await db.rows("SELECT row_ordinal FROM price_rows ORDER BY 1")).toEqual([
      {row_ordinal: 1},
      {row_ordinal: 2},
    ]);
  });
});

test("keeps two sales of one report in one week apart", async () => {
  const special = marsRow({
    report_date: "09/19/2026",
    report_begin_date: "09/19/2026",
    report_end_date: "09/19/2026",
  });
  await withReading({files: {"mars/a.json": marsAnswer([marsRow(), special])}}, async ({db}) => {
    expect(await db.rows("SELECT sale_date, receipts FROM sale_events ORDER BY sale_date")).toEqual([
      {sale_date: "2026-09-15", receipts: 900},
      {sale_date: "2026-09-19", receipts: 900},
    ]);
    expect(await db.rows("SELECT sales FROM venues_seen")).toEqual([{sales: 2}]);
  });
});

test("rejects a report that ends after the as-of date", async () => {
  const files = {"mars/future.json": marsAnswer([marsRow()])};
  await withReading({files, asOf: "2026-09-14"}, async ({db, report}) => {
    expect(report("mars/future.json")).toMatchObject({accepted: 0, rejected: {after_as_of: 1}});
    expect(
      await db.rows(
        "SELECT (SELECT count(*) FROM report_issues) + (SELECT count(*) FROM sale_events) = 0 AS none",
      ),
    ).toEqual([{none: true}]);
  });
});

test("reports an unreadable file with its reason and leaves everything else unchanged", async () => {
  const files = {
    "mars/good.json": marsAnswer([marsRow()]),
    "mars/cut.json": marsAnswer([marsRow()]).slice(0, 200),
    "mars/page.json": "<!DOCTYPE html><html><body>Service unavailable</body></html>",
    "mars/empty.csv": "",
    "mars/header-only.csv": "slug_id,report_date,commodity,class,avg_price,head_count\n",
    "mars/error.json": JSON.stringify({message: "Invalid API key"}),
    "mars/no-price.csv":
      "slug_id,report_date,commodity,class,head_count\n9101,2026-09-15,Feeder Cattle,Steers,3\n",
    "mars/no-report.csv":
      "report_date,commodity,class,avg_price,head_count\n2026-09-15,Feeder Cattle,Steers,300,3\n",
    "mars/broken.parquet": "PAR1 this is no parquet file PAR1",
    "ams-text/scan.txt": "%PDF-1.7 …",
    "nass/corn.json": "{}",
  };
  await withReading({files}, async ({db, reports, report}) => {
    expect(report("mars/good.json").accepted).toBe(1);
    expect(await db.rows("SELECT count(*)::INTEGER AS rows FROM price_rows")).toEqual([{rows: 1}]);
    const reason = (path: string) => `${report(path).status}: ${report(path).reason}`;
    expect(reason("mars/cut.json")).toMatch(/^failed: .*cut\.json: not valid JSON, perhaps cut off/);
    expect(reason("mars/page.json")).toMatch(/^failed: .*got a web page or XML/);
    expect(reason("mars/empty.csv")).toMatch(/^failed: .*the file is empty/);
    expect(reason("mars/header-only.csv")).toMatch(/^failed: .*no rows below the header/);
    expect(reason("mars/error.json")).toMatch(/^failed: .*Invalid API key/);
    expect(reason("mars/no-price.csv")).toMatch(
      /^failed: .*expected avg_price or price_avg.*got slug_id, report_date, commodity, class, head_count/,
    );
    expect(reason("mars/no-report.csv")).toMatch(/^failed: .*no report number/);
    expect(reason("mars/broken.parquet")).toMatch(/^failed: /);
    expect(reason("ams-text/scan.txt")).toMatch(/^failed: .*not a PDF that can be read/);
    expect(reason("nass/corn.json")).toBe("no_reader: no reader yet for the feed nass");
    expect(reports.every(addsUp)).toBe(true);
  });
});

test("takes a printed report without tables as a sale that was not held", async () => {
  const text = readFileSync(
    join(packageRoot, "test/cases/printed-reports/no-sale-this-week/in/ams_9103_2026-11-26.txt"),
    "utf8",
  );
  await withReading({files: {"ams-text/report.txt": text}, asOf: "2026-11-27"}, async ({db, reports}) => {
    expect(reports[0]).toMatchObject({status: "read", rowsIn: 0});
    expect(await db.rows("SELECT venue_id, sale_status, receipts, receipts_prior FROM sale_events")).toEqual([
      {
        venue_id: "ok-nowhere-invented-weekly-yards",
        sale_status: "no_sale",
        receipts: null,
        receipts_prior: 1100,
      },
    ]);
  });
});

test("finds a registered venue by report code, and by town and name", async () => {
  const venue = {
    ...bareVenue({
      venueId: "ne-sample-creek",
      name: "Sample Creek Livestock Auction",
      city: "Sample Creek",
      state: "NE",
    }),
    reportSlugs: ["ams-9101"],
    facts: [{fields: ["name"], source: "ams-lmr-datamart", publisher: "invented", date: "2026-01-01"}],
  };
  const special = marsRow({
    slug_id: 9188,
    slug_name: "AMS_9188",
    report_title: "Sample Creek Livestock Auction Replacement Cattle Special - Sample Creek, NE",
    head_count: 12,
  });
  await withReading(
    {files: {"mars/a.json": marsAnswer([marsRow(), special])}, venues: [venue]},
    async ({db}) => {
      expect(
        await db.rows("SELECT venue_id, report_slug, registered FROM venues_seen ORDER BY report_slug"),
      ).toEqual([
        {venue_id: "ne-sample-creek", report_slug: "ams-9101", registered: true},
        {venue_id: "ne-sample-creek", report_slug: "ams-9188", registered: true},
      ]);
      expect(
        await db.rows("SELECT special_sale_name FROM sale_events WHERE report_slug = 'ams-9188'"),
      ).toEqual([{special_sale_name: "Replacement Cattle Special"}]);
    },
  );
});

test("accounts for every random row, and accepts only rows that pass all checks", async () => {
  const row = fc.record({
    price_unit: fc.constantFrom("Per Cwt", "Per Unit", "Per Family", "Per Lb", null),
    commodity: fc.constantFrom("Feeder Cattle", "Slaughter Cattle", "Replacement Cattle", "Cheese", null),
    class: fc.constantFrom("Steers", "Cows", "Bred Cows", "Goats"),
    avg_price: fc.option(fc.integer({min: -5, max: 30_000})),
    avg_price_min: fc.option(fc.integer({min: 0, max: 2_000})),
    avg_price_max: fc.option(fc.integer({min: 0, max: 2_000})),
    avg_weight: fc.option(
      fc.oneof(fc.integer({min: 0, max: 2_500}), fc.constant("1,234"), fc.constant("n/a")),
    ),
    head_count: fc.option(fc.integer({min: -1, max: 900})),
    report_end_date: fc.constantFrom("09/15/2026", "2026-09-16", "12/31/2026", "soon", null),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row, {minLength: 1, maxLength: 40}), async (changes) => {
      await withReading(
        {files: {"mars/rows.json": marsAnswer(changes.map(marsRow))}},
        async ({db, reports}) => {
          expect(reports.every(addsUp) && reports[0]!.rowsIn === changes.length).toBe(true);
          // A row with a negative head count is kept, but excluded from every sum (`docs/design/market.md` section 2, check 6).
          const [wrong] = await db.rows<{
            rows: number;
          }>(`SELECT count(*)::INTEGER AS rows FROM price_rows WHERE price_avg IS NULL OR price_unit IS NULL
          OR class IS NULL OR price_avg < price_min - 0.01 OR price_avg > price_max + 0.01 OR head_count = 0 OR report_end_date > '2026-11-21'`);
          expect(wrong!.rows).toBe(0);
          const [kept] = await db.rows<{rows: number}>(
            "SELECT (SELECT count(*) FROM price_rows)::INTEGER + (SELECT count(*) FROM row_rejects)::INTEGER AS rows",
          );
          expect(kept!.rows).toBe(changes.length);
        },
      );
    }),
    {numRuns: 15},
  );
});

const elsewhere = {
  market_location_name: "Other Creek",
  market_location_city: "Other Creek",
  report_title: "Other Creek Livestock Auction - Other Creek, NE",
};
const cows = {
  commodity: "Slaughter Cattle",
  class: "Cows",
  frame: "N/A",
  muscle_grade: "N/A",
  quality_grade_name: "Boner 80-85%",
};
const cowLot = {
  ...cows,
  avg_weight: 1310,
  avg_weight_min: 1290,
  avg_weight_max: 1330,
  weight_break_low: null,
  weight_break_high: null,
};

/** A correction: published later, with other prices for the same lots and one more. */
function corrected(row: Record<string, unknown>, price: number): object[] {
  const next = {
    ...row,
    published_date: "09/16/2026 09:00:00",
    avg_price: price,
    avg_price_min: price - 1,
    avg_price_max: price + 1,
  };
  return [next, {...next, head_count: 3}];
}

test.each([
  ["another town", {...elsewhere, head_count: 17}, "ne-other-creek"],
  ["other sections of the sale", {...cowLot, head_count: 17}, "slaughter_cattle"],
])(
  "keeps two reports of one number and day from %s, and replaces only the corrected one",
  async (_, change, part) => {
    const later = marsRow({
      ...change,
      published_date: "09/15/2026 20:00:00",
      avg_price: 151,
      avg_price_min: 150,
      avg_price_max: 152,
    });
    const files = {
      "mars/a.json": marsAnswer([marsRow()]),
      "mars/b.json": marsAnswer([later]),
      "mars/c.json": marsAnswer(corrected(later, 149)),
      "mars/d.json": marsAnswer(corrected(marsRow(), 340)),
    };
    const [own, other] = ["ams-9101@2026-09-15", `ams-9101@2026-09-15@${part}`];
    for (const paths of [Object.keys(files), Object.keys(files).reverse()])
      await withReading(
        {files: Object.fromEntries(paths.map((path) => [path, files[path as keyof typeof files]]))},
        async ({db}) => {
          expect(
            await db.rows(
              "SELECT issue_id, source_path, current, superseded_by FROM report_issues ORDER BY source_path",
            ),
          ).toEqual([
            {issue_id: own, source_path: "market/mars/a.json", current: false, superseded_by: own},
            {issue_id: other, source_path: "market/mars/b.json", current: false, superseded_by: other},
            {issue_id: other, source_path: "market/mars/c.json", current: true, superseded_by: other},
            {issue_id: own, source_path: "market/mars/d.json", current: true, superseded_by: own},
          ]);
          expect(
            await db.rows("SELECT issue_id, count(*)::INTEGER AS rows FROM price_rows GROUP BY 1 ORDER BY 1"),
          ).toEqual([
            {issue_id: own, rows: 2},
            {issue_id: other, rows: 2},
          ]);
          expect(await db.rows("SELECT issue_id, head_reported FROM sale_events ORDER BY 1")).toEqual([
            {issue_id: own, head_reported: 44},
            {issue_id: other, head_reported: 20},
          ]);
        },
      );
  },
);

test("recognises a version of a report by a shared row, or by joining two of its sections", async () => {
  const steers = marsRow();
  const cow = marsRow({...cowLot, head_count: 17, avg_price: 151, avg_price_min: 150, avg_price_max: 152});
  const renamed = marsRow({...elsewhere, published_date: "09/16/2026 09:00:00"});
  const whole = [steers, cow, marsRow({head_count: 5})].map((row) => ({
    ...row,
    published_date: "09/16/2026 09:00:00",
  }));
  const cases: Record<string, string>[] = [
    {"mars/a.json": marsAnswer([steers]), "mars/z.json": marsAnswer([renamed])},
    {"mars/a.json": marsAnswer([steers]), "mars/b.json": marsAnswer([cow]), "mars/z.json": marsAnswer(whole)},
  ];
  for (const files of cases)
    await withReading({files}, async ({db}) => {
      expect(await db.rows("SELECT DISTINCT issue_id FROM report_issues")).toEqual([
        {issue_id: "ams-9101@2026-09-15"},
      ]);
      expect(await db.rows("SELECT source_path FROM report_issues WHERE current")).toEqual([
        {source_path: "market/mars/z.json"},
      ]);
    });
});

test("tells of a letterhead more than 60 days after the heading, which counts", async () => {
  const print = (letterhead: string, head: number) => `Invented Yards - Elm, NE
AMS Livestock, Poultry, & Grain Market News
Elm, NE                                                     ${letterhead}
Livestock Weighted Average Report for 1/5/2026 - Final

FEEDER CATTLE

STEERS - Medium and Large 1 (Per Cwt / Actual Wt)
  Head            Wt Range          Avg Wt              Price Range     Avg Price
   ${head}               600              600                  390.00         390.00
`;
  const files = {
    "ams-text/ams_9105.txt": print("Fri Mar 6, 2026", 60),
    "ams-text/ams_9106.txt": print("Mon Oct 12, 2026", 61),
  };
  await withReading({files}, async ({db, report}) => {
    expect(Object.keys(files).map((file) => report(file))).toMatchObject([
      {accepted: 1, reason: null},
      {
        accepted: 1,
        reason:
          "market/ams-text/ams_9106.txt: the letterhead says 2026-10-12, the heading 2026-01-05, which counts.",
      },
    ]);
    expect(await db.rows("SELECT DISTINCT report_end_date AS day FROM price_rows")).toEqual([
      {day: "2026-01-05"},
    ]);
  });
});
