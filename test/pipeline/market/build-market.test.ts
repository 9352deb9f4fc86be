import {createHash} from "node:crypto";
import {mkdir, mkdtemp, readdir, readFile, rm, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {gzipSync} from "node:zlib";
import {mapFile, openArrowTable} from "@open-cattle/mapped-index";
import {afterAll, beforeAll, expect, it} from "vitest";
import {openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";
import {marketServing, tablePath, yearPath} from "../../../lib/storage/build-layout.ts";
import {buildMarket, type MarketResult} from "../../../pipeline/market/build-market.ts";
import {listRawFiles} from "../../../pipeline/raw/raw-files.ts";
import {addsUp} from "../../../schemas/build-report.ts";
import {marketFiles} from "../../../schemas/market-files.ts";
import {venueSaid} from "./answers/answer-build.ts";

const folders: string[] = [];

/** Two builds of the same inputs, and one compared with the first. */
let first: Built;
let again: Built;
let next: Built;

beforeAll(async () => {
  const rawDir = await rawFolder();
  first = await built(rawDir);
  again = await built(rawDir);
  next = await built(rawDir, first.outDir);
});

afterAll(async () => {
  for (const folder of folders.splice(0)) await rm(folder, {recursive: true, force: true});
});

const venues = [
  venueSaid({
    venueId: "ks-testville",
    name: "Testville Livestock",
    city: "Testville",
    countyFips: "20057",
    lat: 37.73,
    lon: -100.06,
    locationBasis: "city_centroid",
    reportSlugs: ["ams-99901"],
  }),
];

/** A row as the market-news service serves it; the market and its cattle are invented. */
function row(date: string, head: number, weight: number, price: number) {
  return {
    report_date: date,
    report_begin_date: date,
    report_end_date: date,
    published_date: `${date} 16:00:00`,
    office_name: "Testville, KS",
    report_title: "Testville Livestock - Testville, KS",
    slug_id: 99901,
    slug_name: "AMS_99901",
    market_type: "Auction Livestock",
    market_location_name: "Testville Livestock",
    market_location_city: "Testville",
    market_location_state: "KS",
    final_ind: "Final",
    commodity: "Feeder Cattle",
    class: "Steers",
    frame: "Medium and Large",
    muscle_grade: "1",
    quality_grade_name: "N/A",
    lot_desc: "None",
    dressing: "N/A",
    freight: "F.O.B.",
    price_unit: "Per Cwt",
    head_count: head,
    avg_weight: weight,
    avg_weight_min: weight - 5,
    avg_weight_max: weight + 5,
    weight_break_low: Math.floor(weight / 50) * 50,
    weight_break_high: Math.floor(weight / 50) * 50 + 50,
    avg_price: price,
    avg_price_min: price - 2,
    avg_price_max: price + 2,
    receipts: 900,
    receipts_week_ago: 800,
    receipts_year_ago: 850,
  };
}

async function rawFolder() {
  const dir = await mkdtemp(join(tmpdir(), "market-raw-"));
  folders.push(dir);
  await mkdir(join(dir, "market/mars"), {recursive: true});
  await mkdir(join(dir, "market/geo"), {recursive: true});
  await mkdir(join(dir, "market/dealers"), {recursive: true});
  const results = [
    row("2026-11-16", 40, 760, 351.25),
    row("2026-11-16", 12, 520, 441.5),
    row("2026-11-09", 25, 770, 348),
    row("2026-11-16", 5, 790, 2),
  ];
  await writeFile(join(dir, "market/mars/99901.json"), JSON.stringify({results}));
  const gazetteer = "zcta,latitude,longitude\n67801,37.73,-100.06\n99999,10.0,-30.0\n12,1,1\n";
  await writeFile(join(dir, "market/geo/zcta.csv.gz"), gzipSync(gazetteer));
  await writeFile(join(dir, "market/dealers/list.txt"), "nothing");
  await writeFile(
    join(dir, "market/mars/late.json"),
    JSON.stringify({results: [row("2026-11-20", 40, 760, 1)]}),
  );
  await writeFile(join(dir, "market/mars/late.json.meta.json"), '{"retrieved_at": "2026-11-22T00:00:00Z"}');
  for (const path of ["mars/99901.json", "geo/zcta.csv.gz", "dealers/list.txt"]) {
    const meta = {retrieved_at: "2026-11-17T06:00:00Z"};
    await writeFile(join(dir, "market", `${path}.meta.json`), JSON.stringify(meta));
  }
  return dir;
}

type Built = {outDir: string; result: MarketResult};

async function built(rawDir: string, previousDir: string | null = null): Promise<Built> {
  const outDir = await mkdtemp(join(tmpdir(), "market-out-"));
  const tempDir = await mkdtemp(join(tmpdir(), "market-temp-"));
  folders.push(outDir, tempDir);
  const files = await listRawFiles(rawDir);
  const result = await buildMarket({
    files,
    outDir,
    asOf: "2026-11-21",
    previousDir,
    sample: false,
    tempDir,
    venues,
  });
  return {outDir, result};
}

async function digests(dir: string): Promise<Record<string, string>> {
  const names = (await readdir(dir, {recursive: true, withFileTypes: true})).filter((entry) =>
    entry.isFile(),
  );
  const paths = names.map((entry) => join(entry.parentPath, entry.name)).sort();
  const entries = await Promise.all(
    paths.map(async (path) => [
      path.slice(dir.length),
      createHash("sha256")
        .update(await readFile(path))
        .digest("hex"),
    ]),
  );
  return Object.fromEntries(entries);
}

it("writes the same bytes from the same inputs, every table and every serving file", async () => {
  const digest = await digests(first.outDir);
  const names = Object.keys(digest);
  for (const table of Object.keys(marketFiles)) expect(names).toContain(`/${tablePath(table)}`);
  expect(names).toContain("/tables/price_rows/year=2026/rows.parquet");
  expect(names.filter((name) => /^\/serving\/market\/[a-z_]+\.arrow$/.test(name))).toHaveLength(17);
  expect(names.filter((name) => !/^\/tables\/.*\.parquet$/.test(name))).toHaveLength(17);
  expect(await digests(again.outDir)).toEqual(digest);
});

it("accounts for every row and file, and counts the rows of each table", async () => {
  const {outDir, result} = first;
  expect(result.files.every(addsUp)).toBe(true);
  expect(result.files.map(({path, status}) => [path, status])).toEqual([
    ["market/dealers/list.txt", "failed"],
    ["market/geo/zcta.csv.gz", "read"],
    ["market/mars/99901.json", "read"],
    ["market/mars/late.json", "left_out"],
  ]);
  expect(result.files.at(-1)).toMatchObject({
    rowsIn: 0,
    reason: "fetched 2026-11-22T00:00:00Z, after the as-of date 2026-11-21",
  });
  expect(result.files[1]!.rejected).toEqual({bad_zip_or_point: 1});
  expect([result.rows["price_rows"], result.rows["quarantine"]]).toEqual([3, 1]);
  expect(result.sources).toEqual([
    {id: "mars", sourceDate: "2026-11-16", retrievedAt: "2026-11-17T06:00:00Z"},
  ]);
  const db = await openDatabase();
  for (const [table, rows] of Object.entries(result.rows)) {
    const isYearly = table === "price_rows" || table === "price_rows_superseded";
    const path = isYearly ? yearPath(table, "*") : tablePath(table);
    const [found] = await db.rows<{n: number}>(
      `SELECT count(*)::INTEGER AS n FROM read_parquet(${sqlText(join(outDir, path))})`,
    );
    expect([table, found!.n]).toEqual([table, rows]);
  }
  db.close();
});

it("serves only records whose evidence is served too", async () => {
  const {outDir} = first;
  const open = (name: string) => openArrowTable(mapFile(join(outDir, marketServing, `${name}.arrow`)).buffer);
  const evidence = open("evidence");
  const ids = Array.from({length: evidence.rows}, (_, i) => evidence.text("evidence_id").at(i)!);
  expect(ids).toEqual([...ids].sort());
  const latest = open("latest_prices");
  expect(latest.rows).toBe(2);
  const record = JSON.parse(latest.text("record").at(0)!);
  expect([record.venue_name, record.receipts, record.price_avg, record.change_week]).toEqual([
    "Testville Livestock",
    900,
    441.5,
    null,
  ]);
  expect(ids).toContain(record.evidence_id);
  const zips = open("zips");
  expect([
    zips.rows,
    zips.text("zip").at(0),
    zips.text("county_fips").at(0),
    zips.text("county_fips").at(1),
  ]).toEqual([2, "67801", "20057", null]);
  const known = open("last_known");
  const rows = Array.from({length: known.rows}, (_, i) => [
    known.text("endpoint").at(i),
    known.text("area").at(i),
    known.date("source_date").at(i),
  ]);
  expect(rows).toContainEqual(["price-by-county", "20057", "2026-11-16"]);
  expect(rows).toContainEqual(["latest-prices", "", "2026-11-16"]);
});

it("calls every record unchanged against a build of the same inputs", async () => {
  const db = await openDatabase();
  for (const table of ["county_prices", "state_prices", "latest_prices", "barns"]) {
    const statuses = await db.rows<{change_status: string}>(
      `SELECT DISTINCT change_status FROM read_parquet(${sqlText(join(next.outDir, tablePath(table)))})`,
    );
    expect([table, statuses]).toEqual([table, [{change_status: "unchanged"}]]);
  }
  db.close();
});
