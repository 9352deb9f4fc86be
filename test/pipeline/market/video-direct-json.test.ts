import {deliveryOf, isCashPrice, readReportTitle} from "@open-cattle/usda-reports";
import {expect, test} from "vitest";
import {addsUp} from "../../../schemas/build-report.ts";
import {directRow, directTitle, marsAnswer, marsRow, withReading} from "./raw-folder.ts";

const header = {
  slug_id: 9710,
  report_title: directTitle,
  report_end_date: "09/15/2026",
};
const sections = (details: readonly object[]) =>
  JSON.stringify([
    {
      reportSection: "Report Header",
      results: [{...header, report_narrative: "Net weights after a 2% shrink."}],
    },
    {reportSection: "Report Details", stats: {returnedRows: details.length}, results: details},
    {reportSection: "Report Receipts", results: [{...header, commodity: "Feeder Cattle", head_count: 900}]},
  ]);

test("reads weight, price, delivery, freight and region of a sectioned report, and no receipts as rows", async () => {
  const details = [
    directRow(),
    directRow({current: "No", delivery_month: "Oct - Nov", freight: "DEL", wtd_Avg_Price: 350}),
    directRow({
      current: "No",
      delivery_month: "Nov",
      class: "Heifers",
      geographical_location: "South Central",
    }),
    directRow({current: "No", class: "Heifers", head_count: 7}),
    directRow({purchase_type: "Basis", basis_futures_month: "Nov", head_count: 8}),
    directRow({
      commodity: "Replacement Cattle",
      class: "Cow-Calf Pairs",
      price_unit: "Per Unit",
      wtd_Avg_Price: 2500,
      price_min: 2400,
      price_max: 2600,
      pregnancy: "Open",
      offspring_weight_estimate: "150-300",
    }),
  ];
  await withReading({files: {"mars/direct.json": sections(details)}}, async ({db, report}) => {
    const told = report("mars/direct.json");
    expect(told).toMatchObject({
      accepted: 4,
      rejected: {unknown_delivery: 1, not_a_cash_price: 1},
      merged: 2,
    });
    expect(addsUp(told)).toBe(true);
    const rows =
      await db.rows(`SELECT class, report_scope AS scope, venue_id, avg_weight_lb AS lb, price_avg::DOUBLE AS price,
      delivery, freight, region, shrink, pregnancy_stage AS stage, offspring_weight AS calf FROM price_rows ORDER BY row_ordinal`);
    const same = {scope: "direct", venue_id: null, lb: 775, shrink: "2%", stage: null, calf: null};
    expect(rows).toEqual([
      {
        ...same,
        class: "steers",
        price: 355.89,
        delivery: "current",
        freight: "fob",
        region: "Invented Plains",
      },
      {
        ...same,
        class: "steers",
        price: 350,
        delivery: "oct-nov",
        freight: "delivered",
        region: "Invented Plains",
      },
      {...same, class: "heifers", price: 355.89, delivery: "nov", freight: "fob", region: "South Central"},
      {
        ...same,
        class: "cow_calf_pairs",
        price: 2500,
        delivery: "current",
        freight: "fob",
        region: "Invented Plains",
        shrink: null,
        stage: "O",
        calf: "150-300",
      },
    ]);
  });
});

test("places a video lot in its region, not in the office's town or at the venue", async () => {
  const {geographical_location, ...lot} = directRow({
    region_name: "North Central",
    report_title: "Invented Livestock Video/Internet Auction - Nowhere, TX (Mon)",
    current: null,
    delivery_month: "Sep-Oct",
  }) as Record<string, unknown>;
  await withReading({files: {"mars/video.json": sections([lot])}}, async ({db}) => {
    expect(await db.rows("SELECT report_scope, venue_id, state, delivery, region FROM price_rows")).toEqual([
      {
        report_scope: "video_internet",
        venue_id: null,
        state: null,
        delivery: "sep-oct",
        region: "North Central",
      },
    ]);
  });
});

test("puts a region with and without its printed states into one cell", async () => {
  const regions = ["North Central", "North Central (CO, IA, MT)", "South Central"];
  const lots = regions.map((geographical_location) => directRow({geographical_location}));
  await withReading({files: {"mars/direct.json": sections(lots)}}, async ({db}) => {
    expect(await db.rows("SELECT DISTINCT region FROM price_rows")).toHaveLength(3);
    expect(await db.rows("SELECT cell_id FROM cells ORDER BY ALL")).toMatchObject([
      {cell_id: expect.stringMatching(/-north-central$/)},
      {cell_id: expect.stringMatching(/-south-central$/)},
    ]);
  });
});

test("rejects a category of another species as no cattle, and an unknown commodity under cattle as such", async () => {
  const rows = [
    marsRow({category: "Cattle"}),
    marsRow({category: "Sheep", head_count: 2}),
    marsRow({category: "Cattle", commodity: "Yard Cattle", head_count: 3}),
    marsRow({commodity: "Feeder Pigs", head_count: 4}),
  ];
  await withReading({files: {"mars/mixed.json": marsAnswer(rows)}}, async ({report}) => {
    expect(report("mars/mixed.json")).toMatchObject({
      accepted: 1,
      rejected: {not_cattle: 2, unknown_commodity: 1},
    });
  });
});

test("decides by the market type's category whether a report covers one venue", () => {
  const scope = (title: string, category: string | null) => readReportTitle(title, null, category).scope;
  expect(scope("Kansas Weekly Cattle", "Summary")).toBe("state_summary");
  expect(scope("Kansas Weekly Cattle", null)).toBe("venue");
  expect(scope("Invented Yards - Nowhere, KS", "Summary")).toBe("state_summary");
  expect(scope("Invented Summary Yards", "Auction")).toBe("venue");
  expect(scope("Invented Video Auction - Nowhere, KS", "Auction")).toBe("video_internet");
});

test("reads the months of a delivery, and rejects a text without any", () => {
  const read = ["Current", "Nov", "Sep-Oct", "Oct - Nov", "November", "Sep 2026", "N/A"].map((text) =>
    deliveryOf(text, null),
  );
  expect(read).toEqual(["current", "nov", "sep-oct", "oct-nov", "nov", "sep", null]);
  expect(
    ["Fall", "Curent", "Jan-Feb-Mar", "Marbles", "30 days"].map((text) => deliveryOf(text, null)),
  ).toEqual(Array.from({length: 5}, () => undefined));
  expect([
    deliveryOf(null, "Yes"),
    deliveryOf(null, "No"),
    deliveryOf("Current", "No"),
    deliveryOf("Nov", "Yes"),
  ]).toEqual(["current", undefined, undefined, "nov"]);
  expect([
    isCashPrice("Cash", "Nov"),
    isCashPrice(null, null),
    isCashPrice(null, "Nov"),
    isCashPrice("Basis", null),
  ]).toEqual([true, true, false, false]);
});
