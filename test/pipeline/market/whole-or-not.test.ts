import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {exitCode} from "../../../pipeline/publish/build.ts";
import type {FileReport} from "../../../schemas/build-report.ts";
import {temporaryFolder} from "../../server/server-fixture.ts";
import {marsAnswer, marsRow} from "./raw-folder.ts";
import {buildOn, opened, putRaw, tableOf, type WeeklyBuild} from "./weekly-builds.ts";

const heading = "STEERS - Medium and Large 1 (Per Cwt / Actual Wt)";
const columns = "Head     Wt Range    Avg Wt  Price Range     Avg Price";

/** An invented printed report of two pages; `lines` stand in its table. */
function printed(report: number, lines: readonly string[], pages = ["Page 1 of 2", "Page 2 of 2"]): string {
  const body = ["FEEDER CATTLE", "", heading, "", columns, ...lines, ""];
  const foot = (page: string) => [
    `Source: USDA AMS   ${page}`,
    `  https://mymarketnews.ams.usda.gov/viewReport/${report}`,
  ];
  return [
    `Invented Yard ${report} - Elm, NE     Mon Sep 21, 2026`,
    "AMS Livestock, Poultry, & Grain Market News",
    "Email us with accessibility issues with this report.",
    "Livestock Weighted Average Report for 9/21/2026 - Final",
    "",
    ...body,
    ...foot(pages[0]!),
    ...(pages[1] === undefined ? [] : ["\fInvented Yard", ...foot(pages[1])]),
  ].join("\n");
}

const good = [
  "5        410-440     425     400.00-410.00   405.00",
  "6        455         455     390.00          390.00",
  "7        505         505     380.00          380.00",
];
const rows = (count: number, published: string) =>
  Array.from({length: count}, (_, at) =>
    marsRow({
      slug_id: 9401,
      slug_name: "AMS_9401",
      avg_weight: 751 + at,
      published_date: published,
      report_date: "09/14/2026",
      report_begin_date: "09/14/2026",
      report_end_date: "09/14/2026",
    }),
  );

describe("whole or not", () => {
  const folder = temporaryFolder();
  let built: WeeklyBuild;
  beforeAll(async () => {
    const retrievedAt = "2026-09-21T20:00:00Z";
    const put = (path: string, content: string) => putRaw(folder.path, path, {content, retrievedAt});
    await put("ams-text/ams_9411_whole.txt", printed(9411, good));
    await put("ams-text/ams_9412_page.txt", printed(9412, good, ["Page 1 of 2"]));
    await put(
      "ams-text/ams_9413_line.txt",
      printed(9413, [...good.slice(0, 2), "7        505         xyz     380.00 - 380.00          380.00"]),
    );
    await put("mars/ams_9401_early.json", marsAnswer(rows(3, "09/14/2026 12:00:00")));
    await put("mars/ams_9401_long.json", marsAnswer(rows(8, "09/14/2026 18:00:00")));
    await put("mars/ams_9401_short.json", marsAnswer(rows(3, "09/15/2026 18:00:00")));
    const town = (market_location_city: string, change: object) =>
      marsRow({
        ...{...rows(1, "09/14/2026 18:00:00")[0], slug_id: 9403, slug_name: "AMS_9403"},
        ...{
          market_location_city,
          report_title: `Invented Livestock - ${market_location_city}, NE`,
          ...change,
        },
      });
    const cows = {
      ...{commodity: "Slaughter Cattle", class: "Cows", frame: "N/A", muscle_grade: "N/A"},
      ...{quality_grade_name: "Boner 80-85%", avg_price: 151, avg_price_min: 150, avg_price_max: 152},
    };
    await put("mars/ams_9403_elm.json", marsAnswer([town("Elm", {head_count: 17})]));
    await put("mars/ams_9403_ash.json", marsAnswer([town("Ash", {head_count: 9})]));
    await put("mars/ams_9403_cows.json", marsAnswer([town("Elm", {...cows, head_count: 5})]));
    await put(
      "mars/ams_9402_cut.json",
      JSON.stringify({stats: {returnedRows: 4}, results: [marsRow({slug_id: 9402, slug_name: "AMS_9402"})]}),
    );
    built = await buildOn(folder.path, "2026-09-22");
  });
  afterAll(() => folder.remove());

  function report(name: string): FileReport {
    return built.result.report.parts["MARKET"]!.find(({path}) => path.includes(name))!;
  }

  it("rejects the rows of a report with a missing page and of an answer with fewer rows than stated, and exits with 3", () => {
    expect(report("9411")).toMatchObject({rowsIn: 3, accepted: 3});
    expect(report("9412")).toMatchObject({
      rowsIn: 3,
      rejected: {partial_issue: 3},
      reason: expect.stringContaining("page 2 of 2 is missing"),
    });
    expect(report("9402")).toMatchObject({
      rejected: {partial_issue: 1},
      reason: expect.stringContaining("1 of 4 rows"),
    });
    expect([built.result.outcome, exitCode(built.result)]).toEqual(["published", 3]);
  });

  it("counts each printed line as a row or names it with its number, and reads the lines beside it", async () => {
    expect(report("9413")).toMatchObject({rowsIn: 3, accepted: 2, rejected: {unread_line: 1}});
    await opened(async (db) => {
      const [kept] = await db.rows<{detail: string}>(
        `SELECT detail FROM ${tableOf(built, "quarantine")} WHERE source_path LIKE '%9413%'`,
      );
      expect(kept!.detail).toMatch(/^line 13: 7 {2}505 {2}xyz {2}380\.00 - 380\.00 {2}380\.00$/);
    });
  });

  it("does not replace a long issue by a short one, and names the short one in the gate", async () => {
    await opened(async (db) => {
      const current = await db.rows(
        `SELECT count(*)::INTEGER AS n, any_value(source_path) AS path FROM ${tableOf(built, "price_rows/*/rows")} WHERE report_slug = 'ams-9401'`,
      );
      expect(current).toEqual([{n: 8, path: "market/mars/ams_9401_long.json"}]);
    });
    expect(built.result.gates.filter(({gate}) => gate === "issue-shrank")).toMatchObject([
      {
        status: "warn",
        figure: 0.625,
        detail: expect.stringMatching(
          /ams-9401@2026-09-14 of market\/mars\/ams_9401_short\.json did not replace/,
        ),
      },
    ]);
  });

  it("publishes reports of one number and day from two towns, or of two kinds of cattle, as separate sales", async () => {
    await opened(async (db) => {
      const latest = await db.rows(
        `SELECT venue_id, class, price_avg::DOUBLE AS price, head_count FROM ${tableOf(built, "latest_prices")}
          WHERE venue_id LIKE 'ne-%-invented-livestock' ORDER BY venue_id, class`,
      );
      expect(latest).toEqual([
        {venue_id: "ne-ash-invented-livestock", class: "steers", price: 355.89, head_count: 9},
        {venue_id: "ne-elm-invented-livestock", class: "cows", price: 151, head_count: 5},
        {venue_id: "ne-elm-invented-livestock", class: "steers", price: 355.89, head_count: 17},
      ]);
    });
  });
});
