import {chmod, copyFile, cp, mkdir, mkdtemp, readdir, rm, utimes} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterAll, beforeAll, describe, expect, test} from "vitest";
import {type Database, openDatabase, sqlText} from "../../lib/sql/duckdb.ts";
import {marketServing, tablePath} from "../../lib/storage/build-layout.ts";
import {buildMarket, type MarketResult} from "../../pipeline/market/build-market.ts";
import {readListFile} from "../../pipeline/market/signals/lists/list-reader.ts";
import {loadListSources} from "../../pipeline/market/signals/lists/list-sources.ts";
import {openList} from "../../pipeline/market/signals/lists/open-list.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import {addsUp} from "../../schemas/build-report.ts";
import {ContextItem} from "../../schemas/market-answer.ts";
import {signalFiles} from "../../schemas/signal-files.ts";
import {openMarketArtifacts} from "../../server/tables/market-set.ts";
import {corpus} from "./corpus.ts";

const feeds = ["lmr", "nass", "usdm", "nws", "diesel", "futures", "aphis", "echo", "directory"];

/**
 * Copies a folder of undated files with a fixed modification time, so that their fetch date does not depend on when the corpus
 * was unpacked.
 */
async function copyAsOf(from: string, to: string, day: Date): Promise<void> {
  await mkdir(to);
  for (const name of await readdir(from)) {
    await copyFile(join(from, name), join(to, name));
    await chmod(join(to, name), 0o644);
    await utimes(join(to, name), day, day);
  }
}

describe.skipIf(corpus === null)("signals of the real corpus", () => {
  let dir: string;
  let db: Database;
  let result: MarketResult;
  const signal = (name: string) => `read_parquet(${sqlText(join(dir, "out", tablePath(`signals/${name}`)))})`;
  const file = (name: string) => result.files.find(({path}) => path.includes(name))!;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "market-signals-"));
    await mkdir(join(dir, "raw/market"), {recursive: true});
    for (const feed of feeds) {
      const [from, to] = [join(corpus!, "market", feed), join(dir, "raw/market", feed)];
      await (feed === "echo"
        ? copyAsOf(from, to, new Date("2026-11-20T00:00:00Z"))
        : cp(from, to, {recursive: true, preserveTimestamps: true}));
    }
    result = await buildMarket({
      files: await listRawFiles(join(dir, "raw")),
      outDir: join(dir, "out"),
      asOf: "2026-11-21",
      previousDir: null,
      sample: false,
      tempDir: join(dir, "temp"),
    });
    db = await openDatabase();
  });

  afterAll(async () => {
    db.close();
    await rm(dir, {recursive: true, force: true});
  });

  test("every file of every feed is read, or failed with the source's own reason, and adds up", () => {
    expect(result.files.filter((report) => !addsUp(report))).toEqual([]);
    expect(new Set(result.files.map(({unit}) => unit))).toEqual(new Set(feeds));
    const failed = result.files.filter(({status}) => status !== "read");
    expect(
      failed.map(({path, status, reason}) => [
        path.split("/").at(-1),
        status,
        reason?.split(": ").slice(1).join(": "),
      ]),
    ).toEqual([
      [
        "cwa_rest_services.get_facilities-cc8093.json",
        "failed",
        "the source reported an error: Rows Returned would be 131843. Queryset Limit would be exceeded - please make search parameters more selective.",
      ],
      [
        "quickstats_error_400_body.json",
        "failed",
        "the source reported an error: bad request - invalid query",
      ],
      ["quickstats_error_413_body.json", "failed", "the source reported an error: exceeds limit=50000"],
    ]);
  });

  test("drought shares of all counties make up 100 percent, and the national series is cumulative", async () => {
    const [counties] = await db.rows(`SELECT count(*)::INTEGER AS n, count(DISTINCT key)::INTEGER AS counties,
      bool_and(abs(none_pct + d0_only_pct + d1_only_pct + d2_only_pct + d3_only_pct + d4_only_pct - 100) < 0.2) AS whole,
      bool_and(d0_pct >= d1_pct AND d1_pct >= d2_pct AND d2_pct >= d3_pct AND d3_pct >= d4_pct) AS nested
      FROM ${signal("drought")} WHERE area_type = 'county'`);
    expect(counties).toEqual({n: 12_884, counties: 3221, whole: true, nested: true});
    const [nation] = await db.rows(
      `SELECT d0_pct, d1_pct, d0_only_pct FROM ${signal("drought")} WHERE key = 'US' AND valid_from = '2024-05-14'`,
    );
    expect(nation).toEqual({d0_pct: 26.39, d1_pct: 11.71, d0_only_pct: 14.68});
  });

  test("alerts with real times are rows, tokens in place of times are rejected", async () => {
    expect(file("alerts_zone_finity").accepted).toBe(2);
    const templated = result.files.filter(({path}) => /alerts_active|forecast|gridpoint/.test(path));
    expect(templated.map(({rejected, rowsIn}) => rejected["not_iso_time"] === rowsIn)).toEqual(
      templated.map(() => true),
    );
    const [zone] = await db.rows(
      `SELECT county_fips, valid_to::VARCHAR AS ends FROM ${signal("alerts")} WHERE event = 'Excessive Heat Warning'`,
    );
    expect(zone).toEqual({county_fips: ["04013"], ends: "2024-07-21 03:00:00+00"});
  });

  test("one Quick Stats query in three formats gives the same twelve rows", async () => {
    const three = ["va_2012.json", "va_2012.csv", "va_2012.xml"].map(file);
    expect(three.map(({rowsIn}) => rowsIn)).toEqual([12, 12, 12]);
    expect(three.reduce((sum, {accepted}) => sum + accepted, 0)).toBe(12);
    expect(file("county_corn_yield").notes).toEqual({other_counties: 3});
    const [feeders] = await db.rows(
      `SELECT value FROM ${signal("inventory")} WHERE item = 'CATTLE, ON FEED - INVENTORY' AND valid_from = '2026-01-01'`,
    );
    expect(feeders).toEqual({value: 13_847_900});
  });

  test("hog reports of the old XML service are no cattle; the cutout and the Datamart section are rows", async () => {
    expect(
      [file("hg200"), file("hg201"), file("pk602")].map(({rejected, merged}) => [rejected, merged]),
    ).toEqual([
      [{not_cattle: 250}, 5],
      [{not_cattle: 145}, 5],
      [{not_cattle: 114}, 19],
    ]);
    expect(file("choice_select_cutout").accepted).toBe(5118);
    const [volume] = await db.rows<{measures: string}>(
      `SELECT measures FROM ${signal("mandatory_reports")} WHERE section = 'Current Volume'`,
    );
    expect(JSON.parse(volume!.measures)).toMatchObject({choice_volume_pounds: 2_830_336});
  });

  test("the two rosters of the market-news service are read by their own maps, whole", async () => {
    const maps = loadListSources();
    for (const [name, id, rows, rejected] of [
      ["mars_auction_roster_12_states.csv", "ams-auction-roster", 80, {}],
      ["mars_auction_slugs_southeast.txt", "ams-slug-lines", 100, {no_row: 9}],
    ] as const) {
      expect(file(name)).toMatchObject({status: "read", accepted: rows, rejected});
      // By content only, without the name that selects the map.
      const raw = (await listRawFiles(join(dir, "raw"))).find(({path}) => path.endsWith(name))!;
      const content = (await openList(raw, dir))!;
      const {list, listings} = readListFile(
        {file: {...raw, path: "market/directory/download"}, content},
        maps,
      );
      expect([list.id, listings.length]).toEqual([id, rows]);
      expect(listings.every(({slug}) => /^ams-\d{3,5}$/.test(slug!))).toBe(true);
    }
  });

  test("futures are read and leave no value; their rolls are marked", async () => {
    const [row] = await db.rows(`SELECT count(*)::INTEGER AS n, count(settlement)::INTEGER AS shown,
      count(*) FILTER (contract_roll)::INTEGER AS rolls FROM ${signal("futures")} WHERE product = 'feeder_cattle'`);
    // From the contract of August 2024 to that of January 2026: eight contracts a year, twelve rolls.
    expect(row).toEqual({n: 379, shown: 0, rolls: 12});
  });

  test("context has items in the shape of the answers, and nothing that is past its window", () => {
    const {context} = openMarketArtifacts(join(dir, "out", marketServing));
    const texts = [
      ...context("state", "TX"),
      ...context("county", "48507"),
      ...context("county", "01083"),
      ...context("county", "01089"),
    ];
    const items = texts.flatMap(({text}) => (text === null ? [] : [ContextItem.parse(JSON.parse(text))]));
    // The corpus's facilities are a power plant and an arsenal, without livestock.
    expect(new Set(items.map(({signal}) => signal))).toEqual(new Set(["animal_health"]));
    expect(items.find(({key}) => key === "TX")).toMatchObject({
      values: {notices: 45},
      source_date: "2026-08-18",
    });
  });

  test("no key stands twice in a file of signals, and every source with accepted rows is told", async () => {
    for (const name of Object.keys(signalFiles)) {
      const [row] = await db.rows(
        `SELECT (count(*) - count(DISTINCT (signal, key, valid_from)))::INTEGER AS doubled FROM ${signal(name)}`,
      );
      expect([name, row]).toEqual([name, {doubled: 0}]);
    }
    expect(result.sources.map(({id}) => id)).toEqual([
      "ams-lmr-datamart",
      "aphis",
      "diesel",
      "echo",
      "editorial-market-reference-sources",
      "futures",
      "nass-quickstats",
      "nws",
      "open-map-parcel-context",
      "us-drought-monitor",
    ]);
  });
});
