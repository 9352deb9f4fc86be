import {parsePrintedReport} from "@open-cattle/usda-reports";
import {expect, test} from "vitest";
import {makeAnswers} from "../../../pipeline/market/answers/make-answers.ts";
import {loadMarketSources} from "../../../pipeline/market/reference/market-sources.ts";
import {LatestPrice} from "../../../schemas/market-records.ts";
import {withReading} from "./raw-folder.ts";

const columns = (first: string) =>
  `${first.padEnd(20)}Head      Wt Range      Avg Wt      Price Range      Avg Price`;
const lot = (label: string, head: number, weight: string, price: string, comment = "") =>
  `${`   ${label}`.padEnd(20)}${String(head).padEnd(10)}${weight.padEnd(14)}${weight.padEnd(12)}${price.padEnd(17)}${price.padEnd(12)}${comment}`;

/** An invented two-page report of a video auction; the second page continues the table of the first. */
const video = [
  "        Invented Livestock Video/Internet Auction - Nowhere, TX",
  "        AMS Livestock, Poultry and Grain Market News",
  "        Office of Nowhere                              September 3, 2026",
  "Email us with accessibility issues with this report.",
  "",
  "Livestock Weighted Average Report for 9/3/2026 (Final)",
  "",
  "VIDEO AUCTION",
  "                              This Week                                  Last Reported (8/20/2026)",
  "                    Offered     Reported          % PO         Offered      Reported          % PO",
  "Total Receipts:       1,200          900         25.0%           2,000         1,000         50.0%",
  "Feeder Cattle:        1,150          880 (97.78%) 23.5%          1,900           950 (95.00%) 50.0%",
  "Replacement Cattle:      50           20 (2.22%)  60.0%            100            50 (5.00%)  50.0%",
  "",
  "Current delivery is 14 days from the last day of the video and is up to and including September 17, 2026.",
  "Many dairy cattle sold with an 1.00 right slide. Feeder Cattle prices FOB based on net weights after a 2-2.5% pencil",
  "shrink or equivalent, with up to a 20 cent slide > 600 lbs. Demand good.",
  "",
  "FEEDER CATTLE",
  "North Central",
  "(IA, NE, SD)",
  "",
  "STEERS - Medium and Large 1 (Per Cwt / Est. Wt )",
  columns("   Delivery"),
  lot("Current", 61, "700", "350.00"),
  lot("", 62, "750", "340.00", "Unweaned"),
  lot("Oct - Nov", 63, "600", "390.00"),
  "",
  "Source: USDA AMS Livestock, Poultry & Grain Market News                         Page 1 of 2",
  "        https://mymarketnews.ams.usda.gov/viewReport/9713",
  "\fInvented Livestock Video/Internet Auction - Nowhere, TX",
  "        AMS Livestock, Poultry and Grain Market News",
  "Email us with accessibility issues with this report.",
  "FEEDER CATTLE",
  "North Central",
  "(IA, NE, SD)",
  "STEERS - Medium and Large 1 (Per Cwt / Est. Wt )",
  columns("   Delivery"),
  lot("", 64, "650", "380.00"),
  "",
  "HEIFERS - Medium and Large 1 (Per Cwt / Est. Wt )",
  columns("   Delivery"),
  lot("Nov", 65, "550", "370.00"),
  "South Central",
  "(KS, OK)",
  "HEIFERS - Medium and Large 1 (Per Cwt / Est. Wt )",
  columns("   Delivery"),
  lot("Current", 66, "1,050", "300.00"),
  "",
  "Source: USDA AMS Livestock, Poultry & Grain Market News                         Page 2 of 2",
  "        https://mymarketnews.ams.usda.gov/viewReport/9713",
].join("\n");

/** An invented report of direct trades: headings in title case, delivery and freight in one column. */
const direct = [
  "Invented Plains Direct Cattle Report (AL/FL)",
  "Agricultural Marketing Service Fri Sep 4, 2026",
  "Livestock, Poultry, and Grain Market News",
  "",
  "Direct Livestock Weighted Average Report for week ending 9/4/2026",
  "",
  "Prices FOB based on net weights after a 3% shrink or equivalent, with a and 10 cent slide. Supply included: all steers.",
  "FEEDER CATTLE",
  "DIRECT TRADES",
  "Steers - Medium and Large 1 (Per Cwt)",
  columns("Delivery/Freight"),
  lot("Current FOB", 71, "700", "350.00"),
  lot("", 72, "750", "340.00"),
  lot("Dec DEL", 73, "600", "390.00"),
  "",
  "Beef/Dairy Heifers - Medium and Large 2-3 (Per Cwt)",
  columns("Delivery/Freight"),
  lot("Current FOB", 74, "550", "320.00"),
  "",
  "https://mymarketnews.ams.usda.gov/viewReport/9709",
].join("\n");

type Told = [head: number | null | undefined, delivery: unknown, freight: unknown, region: unknown];

function told(text: string): {read: Told[]; refused: (string | null | undefined)[][]} {
  const {rows} = parsePrintedReport(text, "ams_9713.txt");
  return {
    read: rows
      .filter((row) => !row.reject_reason)
      .map((row) => [row.head_count, row.delivery, row.freight, row.region]),
    refused: rows.flatMap((row) => (row.reject_reason ? [[row.reject_reason, row.reject_detail]] : [])),
  };
}

const [north, south] = ["North Central (IA, NE, SD)", "South Central (KS, OK)"];

test("repeats the delivery above for a blank one, even over a page break, and assigns regions", () => {
  const {header} = parsePrintedReport(video, "ams_9713.txt");
  expect(header).toMatchObject({
    published: "September 3, 2026",
    final_ind: "Final",
    report_end_date: "2026-09-03",
    shrink: "2-2.5%",
    slide: "up to a 20 cent slide > 600 lbs",
  });
  expect(told(video)).toEqual({
    read: [
      [61, "Current", null, north],
      [62, "Current", null, north],
      [63, "Oct - Nov", null, north],
      [64, "Oct - Nov", null, north],
      [65, "Nov", null, north],
      [66, "Current", null, south],
    ],
    refused: [],
  });
});

test("takes the head offered as a video's receipts", () => {
  const {receipts, receipts_prior} = parsePrintedReport(video, "ams_9713.txt").header;
  expect(receipts).toEqual({total: 1200, "Feeder Cattle": 1150, "Replacement Cattle": 50});
  expect(receipts_prior).toEqual({total: 2000, "Feeder Cattle": 1900, "Replacement Cattle": 100});
});

test("requires a delivery in rows of a video known only by its number, too", () => {
  const text = `Invented Yards - Nowhere, NE (Monthly)

Livestock Weighted Average Report for 9/3/2026 - Final

FEEDER CATTLE

STEERS - Medium and Large 1 (Per Cwt / Actual Wt)
  Head            Wt Range          Avg Wt              Price Range     Avg Price
   60               600              600                  390.00         390.00
`;
  const reasonIn = (number: string) => parsePrintedReport(text, `ams_${number}.txt`).rows[0]!.reject_reason;
  expect([reasonIn("9105"), reasonIn("2938")]).toEqual([null, "layout_uncertain"]);
});

test("reads a direct report with week, freight and region, without a venue, and keeps forward months apart", async () => {
  await withReading({files: {"ams-text/ams_9709.txt": direct}}, async ({db, report}) => {
    expect(report("ams-text/ams_9709.txt")).toMatchObject({status: "read", accepted: 4, rejected: {}});
    const same = {
      scope: "direct",
      venue_id: null,
      begin: "2026-08-30",
      end: "2026-09-04",
      region: "Invented Plains (AL/FL)",
      shrink: "3%",
      slide: "10 cent slide",
    };
    expect(
      await db.rows(`SELECT head_count AS head, class, delivery, freight, lot_descriptors AS lots, report_scope AS scope, venue_id,
        region, shrink, slide, report_begin_date AS begin, report_end_date AS "end" FROM price_rows ORDER BY row_ordinal`),
    ).toEqual([
      {...same, head: 71, class: "steers", delivery: "current", freight: "fob", lots: []},
      {...same, head: 72, class: "steers", delivery: "current", freight: "fob", lots: []},
      {...same, head: 73, class: "steers", delivery: "dec", freight: "delivered", lots: []},
      {
        ...same,
        head: 74,
        class: "heifers",
        delivery: "current",
        freight: "fob",
        lots: ["beef_cross"],
        slide: null,
      },
    ]);
  });
});

test("rejects a lot without a known delivery rather than calling it current", async () => {
  const none = "no delivery stands on the line or above it";
  const blank = video.replace(lot("Current", 61, "700", "350.00"), lot("", 61, "700", "350.00"));
  expect(told(blank).refused).toEqual([
    ["layout_uncertain", none],
    ["layout_uncertain", none],
  ]);
  // The label slipped off its line, so its rows are unknown.
  const slipped = direct.replace(
    lot("Dec DEL", 73, "600", "390.00"),
    `   Dec DEL\n${lot("", 73, "600", "390.00")}`,
  );
  expect(told(slipped)).toMatchObject({refused: [["layout_uncertain", none]]});
  // The column's label is lost, so its lines are not rows of that table.
  const unnamed = direct.replaceAll("Delivery/Freight", "                ");
  expect(told(unnamed).read).toEqual([]);
  expect(told(unnamed).refused).toHaveLength(4);
  const misspelt = video.replace("   Current", "   Curent ");
  await withReading({files: {"ams-text/ams_9713.txt": misspelt}}, async ({report}) => {
    expect(report("ams-text/ams_9713.txt")).toMatchObject({accepted: 4, rejected: {unknown_delivery: 2}});
  });
});

test("does not carry a delivery past a heading within a page", () => {
  const onOnePage = video
    .replace(/\n\nSource: [^\f]*\f(?:.*\n){3}/, "\n")
    .replace("Page 2 of 2", "Page 1 of 1");
  expect(told(onOnePage).refused).toEqual([
    ["layout_uncertain", "no delivery stands on the line or above it"],
  ]);
  const withoutHeadings = video.replace(
    /(accessibility issues with this report\.\n)FEEDER CATTLE\nNorth Central\n\(IA, NE, SD\)\nSTEERS.*\n.*Delivery.*\n/,
    "$1",
  );
  expect(withoutHeadings).not.toBe(video);
  expect(told(withoutHeadings)).toEqual(told(video));
});

test("accounts for a line of a newswire text that has the values of a row", () => {
  const wire = [
    "Invented Yards - Nowhere, OK",
    "Livestock Weighted Average Report for 9/1/2026 - Final",
    "FEEDER CATTLE",
    "BULLS  -  Medium and Large  1 (Per Cwt/Actual)",
    "Head   Wt Range       Avg Wt  Price Range    Avg Price         ",
    "21     200-240        209     580-710        605.24             ",
    "92     450-495        473     455-520        484.1              ",
    "11     794-794        794     310-310        310                ",
  ].join("\n");
  expect(told(wire).refused.map(([reason]) => reason)).toEqual(["unread_line", "unread_line", "unread_line"]);
});

test("serves video and direct trades only in latest prices, by region and with forward months apart", async () => {
  const files = {"ams-text/ams_9713.txt": video, "ams-text/ams_9709.txt": direct};
  await withReading({files, asOf: "2026-09-10"}, async ({db, run}) => {
    const registry = loadMarketSources();
    await makeAnswers(run, {
      context: {asOf: "2026-09-10", sample: false, registry},
      ...{venues: [], facts: new Map(), previousDir: null},
    });
    const [counts] = await db.rows(
      "SELECT (SELECT count(*)::INTEGER FROM county_prices) AS counties, (SELECT count(*)::INTEGER FROM state_prices) AS states",
    );
    expect(counts).toEqual({counties: 0, states: 0});
    const rows = await db.rows<{record: string; claim: string}>(
      "SELECT record, claim FROM latest_prices JOIN evidence USING (evidence_id) ORDER BY report_end_date, row_ordinal",
    );
    const told = rows.map(({record}) => JSON.parse(record) as LatestPrice);
    expect(told.map((record) => LatestPrice.safeParse(record).success)).toEqual(told.map(() => true));
    expect(
      told.map(({head_count, report_scope, region, delivery, freight}) => [
        head_count,
        report_scope,
        region,
        delivery,
        freight,
      ]),
    ).toEqual([
      [61, "video_internet", north, "current", null],
      [62, "video_internet", north, "current", null],
      [63, "video_internet", north, "oct-nov", null],
      [64, "video_internet", north, "oct-nov", null],
      [65, "video_internet", north, "nov", null],
      [66, "video_internet", south, "current", null],
      [71, "direct", "Invented Plains (AL/FL)", "current", "fob"],
      [72, "direct", "Invented Plains (AL/FL)", "current", "fob"],
      [73, "direct", "Invented Plains (AL/FL)", "dec", "delivered"],
      [74, "direct", "Invented Plains (AL/FL)", "current", "fob"],
    ]);
    for (const {venue_id, city, county_fips, county_name, state, distance_mi} of told)
      expect([venue_id, city, county_fips, county_name, state, distance_mi]).toEqual([
        null,
        null,
        null,
        null,
        null,
        null,
      ]);
    expect(new Set(told.map(({cell_id}) => cell_id)).size).toBe(10);
    expect(told[2]).toMatchObject({
      shrink: "2-2.5%",
      slide: "up to a 20 cent slide > 600 lbs",
      receipts: 1200,
    });
    expect(rows[2]!.claim).toBe(
      `In the video trades of Invented Livestock Video/Internet Auction, region ${north}, on 2026-09-03, Medium and Large 1 feeder steers weighing 600-649 lb, delivery oct-nov sold at 390.00 USD per cwt, 63 head; receipts 1,200 head.`,
    );
    expect(rows[8]!.claim).toBe(
      "In direct trades, region Invented Plains (AL/FL), on 2026-08-30 to 2026-09-04, Medium and Large 1 feeder steers weighing 600-649 lb, delivery dec, delivered sold at 390.00 USD per cwt, 73 head.",
    );
  });
});
