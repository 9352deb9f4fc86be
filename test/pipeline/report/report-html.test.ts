import {mkdir, readFile} from "node:fs/promises";
import {join} from "node:path";
import {afterAll, beforeAll, expect, test} from "vitest";
import {openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";
import type {BuildPlan, PlannedPart} from "../../../pipeline/parts/build-plan.ts";
import type {PartOutcome} from "../../../pipeline/parts/part-outcome.ts";
import {build} from "../../../pipeline/publish/build.ts";
import {priceFigures} from "../../../pipeline/report/figures.ts";
import {reportHtml} from "../../../pipeline/report/report-html.ts";
import {countyPriceSection, weeklyPriceSection} from "../../../pipeline/report/sections.ts";
import type {BuildReport} from "../../../schemas/build-report.ts";
import type {GateResult} from "../../../schemas/manifest.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {makeWorkshop, parcels, type Workshop} from "../publish/workshop.ts";

let shop: Workshop;
let page: string;

beforeAll(async () => {
  shop = await makeWorkshop();
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 60));
  await shop.put("parcels/us-ut-one/a.csv", parcels("49011", 50));
  await shop.put("market/mars/a.csv", "mars,2026-08-20,250\nmars,2026-08-21,251\nbroken <b>row</b>\n");
  await build(shop.options());
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 20));
  const {buildId} = await build(shop.options());
  page = await readFile(join(shop.data.builds, buildId, "report.html"), "utf8");
});
afterAll(() => shop.remove());

test("the verdict comes first, and names the part that is held back with its gate", () => {
  const verdict = page.slice(page.indexOf("<h1>"), page.indexOf("<nav"));
  expect(verdict).toContain("1 of 3 parts are held back");
  expect(verdict).toMatch(/AZ: .*rows: 0\.6/);
  expect(verdict).toMatch(/rows read: \d+ accepted, \d+ rejected, \d+ merged/);
});

test("a warning gate appears in the verdict and in the section of gates", async () => {
  const planned = {name: "MARKET", base: null} as unknown as PlannedPart;
  const gate: GateResult = {
    part: "MARKET",
    gate: "source-age",
    status: "warn",
    figure: 3,
    warn_at: 2,
    fail_at: null,
    detail: "mars is 3 days old",
  };
  const outcome = {planned, part: null, heldBack: null, gates: [gate]} as unknown as PartOutcome;
  const plan = {asOf: "2026-11-21", sample: false, parts: [], gates: []} as unknown as BuildPlan;
  const report = {parts: {}, left_out: []} as unknown as BuildReport;
  const html = await reportHtml(temporaryFolder(), plan, [outcome], report);
  expect(html.slice(0, html.indexOf("<nav"))).toContain("Warning: MARKET source-age: 3: mars is 3 days old");
  expect(html).toContain("No gate that can fail has a figure above zero. Warnings: MARKET source-age.");
});

test("rejected rows are never under a green verdict", async () => {
  const plan = {asOf: "2026-11-21", sample: false, parts: [], gates: []} as unknown as BuildPlan;
  const file = {
    path: "parcels/us-az-one/a.csv",
    status: "read",
    rowsIn: 60,
    accepted: 50,
    merged: 0,
    notes: {},
    reason: null,
  };
  const verdictWith = async (rejected: Record<string, number>) => {
    const report = {parts: {AZ: [{...file, rejected}]}, left_out: []} as unknown as BuildReport;
    const html = await reportHtml(temporaryFolder(), plan, [], report);
    return html.slice(html.indexOf("<div"), html.indexOf("<nav"));
  };
  expect(await verdictWith({})).toMatch(/class="verdict">.*parts are in order/s);
  const verdict = await verdictWith({no_id: 1_210});
  expect(verdict).toMatch(/class="verdict warn">.*Published with warnings: 1,?210 of 60 rows rejected/s);
  expect(verdict).not.toContain("in order");
});

test("every section of the contents is there with a heading and a caption, and every picture has a table", () => {
  const ids = [...page.matchAll(/<a href="#([a-z-]+)">/g)].map(([, id]) => id!);
  expect(ids).toEqual([
    "coverage",
    "county-prices",
    "weekly-prices",
    "rows",
    "freshness",
    "rejections",
    "gates",
    "files",
  ]);
  for (const id of ids) {
    const section = page.slice(page.indexOf(`<section id="${id}">`)).split("</section>")[0]!;
    expect(section, id).toMatch(/<h2>[^<]+<\/h2>/);
    expect(section, id).toMatch(/<figcaption>[^<]+<|<p>[^<]+</);
    if (section.includes("<svg")) expect(section, id).toContain("<table>");
  }
});

test("the page needs no script, no other file and no minimum width", () => {
  expect(page).not.toMatch(/<script|<link|<img|url\(|https?:\/\/(?!www\.w3\.org)/);
  expect(page).toContain('name="viewport"');
  expect(page).toMatch(/svg\{max-width:100%/);
});

test("the map shades the counties that have parcels, and names their rows", () => {
  const map = page.slice(page.indexOf('<section id="coverage">')).split("</section>")[0]!;
  expect(map).toContain("<title>");
  expect([...map.matchAll(/<title>[^<]*(\d+) parcels<\/title>/g)]).toHaveLength(2);
});

test("shows the prices of the cell with the most head, by state, week and county", async () => {
  const dir = temporaryFolder();
  await mkdir(join(dir, "tables"));
  const database = await openDatabase();
  const cells = "'feeder_cattle' AS commodity, 'steers' AS class, 'per_cwt' AS price_unit";
  await database.run(`COPY (SELECT 'state' AS area_type, area, 'derived_rollup' AS price_basis, cell_id, ${cells}, '550-599' AS weight_bin,
      DATE '2026-08-22' - (week * 7)::INTEGER AS week_end_date, (300 + week)::DECIMAL(9,2) AS price_avg, head AS head_count
    FROM (VALUES ('KS', 'b', 100), ('TX', 'b', 50), ('TX', 'a', 120)) AS t(area, cell_id, head), range(3) AS r(week))
    TO ${sqlText(join(dir, "tables/price_history.parquet"))}`);
  await database.run(`COPY (SELECT '20057' AS county_fips, 'Ford County' AS county_name, 'KS' AS state, cell_id, basis AS price_basis,
      305.5::DECIMAL(9,2) AS price_avg, 40 AS head_count, DATE '2026-08-19' AS last_sale_date
    FROM (VALUES ('b', 'observed_in_county'), ('a', 'observed_in_county'), ('b', 'nearest_markets_estimate')) AS t(cell_id, basis))
    TO ${sqlText(join(dir, "tables/county_prices.parquet"))}`);
  database.close();
  const figures = await priceFigures(dir);
  expect(figures.cell).toEqual({id: "b", words: "feeder steers of 550-599 lb (b)"});
  expect(figures.weekly.map(({state, day, price}) => [state, day, price]).slice(0, 3)).toEqual([
    ["KS", "2026-08-08", 302],
    ["KS", "2026-08-15", 301],
    ["KS", "2026-08-22", 300],
  ]);
  expect(figures.counties).toEqual([
    {fips: "20057", county: "Ford County", state: "KS", price: 305.5, head: 40, day: "2026-08-19"},
  ]);
  expect(weeklyPriceSection(figures).plot).toContain("<svg");
  expect(countyPriceSection(figures).plot).toContain("Ford County: 305.50 USD per cwt");
});
