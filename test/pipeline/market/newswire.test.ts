import {parsePrintedReport} from "@open-cattle/usda-reports";
import fc from "fast-check";
import {expect, test} from "vitest";
import {withReading} from "./raw-folder.ts";

/** An invented weekly summary as a newswire prints it: no cents, rules between sections, receipts in capitals. */
const wire = (
  rows: readonly string[] = ["21     200-240        209     580-710        605.24             "],
) =>
  [
    "USDA NE Weekly Cattle Summary 09/25 07:30",
    "",
    "AMS_9933 MARS",
    "Nebraska Weekly Livestock Auction Summary",
    "  ",
    "-,",
    "Livestock Weighted Average Report for 09/21/2026 - Final",
    "  ",
    "Summary                  This Week      Last Reported    Last Year",
    "------------------------------------------------------------",
    "Total Receipts:                                           ",
    "------------------------------------------------------------",
    "    ",
    "FEEDER CATTLE            4,658          5997    4936      ",
    "SLAUGHTER GOATS          100            90      80        ",
    "REPLACEMENT CATTLE       1145           1103    724       ",
    "  ",
    "Compared to last week: Slaughter cows and bulls sold 2.00 to 6.00 higher.",
    "---------------------------------------------------------------",
    "FEEDER CATTLE",
    "---------------------------------------------------------------",
    "  ",
    "BULLS  -  Medium and Large  1 (Per Cwt/Actual)",
    "Head   Wt Range       Avg Wt  Price Range    Avg Price         ",
    ...rows,
  ].join("\n");

test("reads a newswire text: prices without cents, the week of its date, receipts of the cattle", async () => {
  const text = wire([
    "21     200-240        209     580-710        605.24             ",
    "92     450-495        473     455-520        484.1    Fleshy",
    "11     794-794        794     310-310.5      310                ",
    "7      850            850     299                               ",
    "3      687-687        687     1498.25-1503.251503.02    Fleshy",
  ]);
  await withReading({files: {"ams-text/wire.txt": text}}, async ({db, report}) => {
    expect(report("ams-text/wire.txt")).toMatchObject({accepted: 4, rejected: {unread_line: 1}});
    const same = {
      issue: "ams-9933@2026-09-26",
      scope: "state_summary",
      state: "NE",
      basis: "actual",
      begin: "2026-09-20",
    };
    expect(
      await db.rows(`SELECT issue_id AS issue, report_scope AS scope, state, weight_basis AS basis, report_begin_date AS begin,
        head_count AS head, weight_min_lb AS low, weight_max_lb AS high, price_min::VARCHAR AS least, price_max::VARCHAR AS most,
        price_avg::VARCHAR AS price, lot_descriptors AS lots FROM price_rows ORDER BY row_ordinal`),
    ).toEqual([
      {...same, head: 21, low: 200, high: 240, least: "580.00", most: "710.00", price: "605.24", lots: []},
      {
        ...same,
        head: 92,
        low: 450,
        high: 495,
        least: "455.00",
        most: "520.00",
        price: "484.10",
        lots: ["fleshy"],
      },
      {...same, head: 11, low: 794, high: 794, least: "310.00", most: "310.50", price: "310.00", lots: []},
      {
        ...same,
        head: 3,
        low: 687,
        high: 687,
        least: "1498.25",
        most: "1503.25",
        price: "1503.02",
        lots: ["fleshy"],
      },
    ]);
    expect(await db.rows("SELECT receipts, receipts_prior, receipts_year_ago FROM summary_events")).toEqual([
      {receipts: 5803, receipts_prior: 7100, receipts_year_ago: 5660},
    ]);
  });
});

test("reads dairy cattle of a newswire text as a table, and replacement cattle with age and stage", () => {
  const text = wire([
    "DAIRY STEERS  -  Large  3 (Per Cwt/Actual)",
    "Head   Wt Range       Avg Wt  Price Range    Avg Price         ",
    "12     412-430        421     310-312.5      311.4             ",
    "---------------------------------------------------------------",
    "REPLACEMENT CATTLE",
    "---------------------------------------------------------------",
    "BRED COWS  -  Medium and Large  1-2 (Per Unit/Actual)",
    "Age    Stage  Head   Wt Range       Avg Wt  Price Range    Avg Price         ",
    "2-4    T2     7      1080-1100      1090    2600-3100      2900.5            ",
  ]).replace("BULLS  -  Medium and Large  1 (Per Cwt/Actual)", "");
  const {rows} = parsePrintedReport(text, "wire.txt");
  expect(rows).toMatchObject([
    {commodity: "FEEDER CATTLE", class: "DAIRY STEERS", avg_price: 311.4, reject_reason: null},
    {commodity: "REPLACEMENT CATTLE", age: "2-4", pregnancy_stage: "T2", avg_price: 2900.5},
  ]);
});

test("rejects rows of other species in any order, and cattle rows below them", () => {
  const text = wire([
    "---------------------------------------------------------------",
    "SLAUGHTER HOGS",
    "---------------------------------------------------------------",
    "SOWS  -  1-3 (Per Cwt/Actual)",
    "Head   Wt Range       Avg Wt  Price Range    Avg Price Dressing",
    "10     500-560        530     50-60          55        Average",
    "4      400-450        420     40-48          45        Average",
    "STEERS  -  Medium and Large  1 (Per Cwt/Actual)",
    "Head   Wt Range       Avg Wt  Price Range    Avg Price         ",
    "12     412-430        421     310-312.5      311.4             ",
  ]).replace("BULLS  -  Medium and Large  1 (Per Cwt/Actual)", "");
  expect(parsePrintedReport(text, "wire.txt").rows.map((row) => row.reject_reason)).toEqual([
    null,
    null,
    "layout_uncertain",
  ]);
});

test("refuses two newswire texts in one file, naming their numbers", () => {
  const two = `${wire()}\n${wire().replace("9933", "9934")}`;
  expect(() => parsePrintedReport(two, "wire.txt")).toThrow("expected one report, got several (9933, 9934)");
});

test("reads every row of a newswire text with its own numbers, whatever cents were dropped", () => {
  const cents = fc.integer({min: 1000, max: 90_000});
  const row = fc.record({
    head: fc.integer({min: 1, max: 900}),
    lb: fc.integer({min: 100, max: 1400}),
    low: cents,
    up: fc.nat(5000),
  });
  const printed = (value: number) => String(value / 100);
  fc.assert(
    fc.property(fc.array(row, {minLength: 1, maxLength: 8}), (made) => {
      const lines = made.map(
        ({head, lb, low, up}) =>
          `${head}     ${lb}-${lb + 5}        ${lb + 2}     ${printed(low)}-${printed(low + up)}        ${printed(low + (up >> 1))}`,
      );
      const {rows} = parsePrintedReport(wire(lines), "wire.txt");
      expect(
        rows.map(({head_count, avg_weight, avg_price_min, avg_price_max, avg_price}) => [
          head_count,
          avg_weight,
          avg_price_min,
          avg_price_max,
          avg_price,
        ]),
      ).toEqual(
        made.map(({head, lb, low, up}) => [
          head,
          lb + 2,
          low / 100,
          (low + up) / 100,
          (low + (up >> 1)) / 100,
        ]),
      );
    }),
    {numRuns: 60},
  );
});

test("counts only cattle in the receipts if sheep and goats came too", () => {
  const printed = [
    "                 Nebraska Weekly Auction Summary",
    "                 AMS Livestock, Poultry, & Grain Market News",
    "Email us with accessibility issues with this report.",
    "Livestock Weighted Average Report for 9/20/2026 - 9/26/2026",
    "LIVESTOCK SUMMARY",
    "                                   Current Week         Last Reported         Last Year",
    "                                                        9/14/2026",
    "Total Receipts:                    1,000                 500                   0",
    "Feeder Cattle:                       300(30.0%)          100(20.0%)            0(0.0%)",
    "Replacement Dairy Cattle:            100(10.0%)            0(0.0%)             0(0.0%)",
    "Feeder Dairy Calves:                  50(5.0%)             0(0.0%)             0(0.0%)",
    "Slaughter Sheep/Lambs:               550(55.0%)          400(80.0%)            0(0.0%)",
    "FEEDER CATTLE",
    "https://mymarketnews.ams.usda.gov/viewReport/9976",
  ].join("\n");
  const {receipts, receipts_prior, receipts_year_ago} = parsePrintedReport(printed, "ams_9976.txt").header;
  expect([receipts, receipts_prior, receipts_year_ago]).toEqual([
    {total: 450, "Feeder Cattle": 300, "Replacement Dairy Cattle": 100, "Feeder Dairy Calves": 50},
    {total: 100, "Feeder Cattle": 100, "Replacement Dairy Cattle": 0, "Feeder Dairy Calves": 0},
    {total: 0, "Feeder Cattle": 0, "Replacement Dairy Cattle": 0, "Feeder Dairy Calves": 0},
  ]);
});
