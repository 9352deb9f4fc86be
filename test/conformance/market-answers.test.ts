import {cp, mkdir, mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {type Database, openDatabase, sqlText} from "../../lib/sql/duckdb.ts";
import {tablePath} from "../../lib/storage/build-layout.ts";
import {buildMarket, type MarketResult} from "../../pipeline/market/build-market.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import {addsUp} from "../../schemas/build-report.ts";
import {marketSourceIds} from "../../schemas/market-source.ts";
import {corpus} from "./corpus.ts";

describe.skipIf(corpus === null)("market answers from the real corpus, as of 2026-08-23", () => {
  let dir: string;
  let db: Database;
  let result: MarketResult;
  const table = (name: string) => `read_parquet(${sqlText(join(dir, "out", tablePath(name)))})`;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "market-corpus-"));
    await mkdir(join(dir, "raw/market"), {recursive: true});
    for (const feed of ["ams-text", "mars", "geo"]) {
      await cp(join(corpus!, "market", feed), join(dir, "raw/market", feed), {
        recursive: true,
        preserveTimestamps: true,
      });
    }
    const files = await listRawFiles(join(dir, "raw"));
    const asOf = "2026-08-23";
    const outDir = join(dir, "out");
    result = await buildMarket({
      files,
      outDir,
      asOf,
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

  it("accounts for every row of every file", () => {
    expect(result.files.filter((report) => !addsUp(report))).toEqual([]);
  });

  it("publishes the Kansas summary of the week to 2026-08-22 as the state's price", async () => {
    const [record] = await db.rows(
      `SELECT price_basis, price_avg::DOUBLE AS price_avg, head_count, receipts, receipts_prior, receipts_year_ago,
        week_end_date::VARCHAR AS week_end
       FROM ${table("state_prices")} WHERE state = 'KS' AND cell_id = 'feeder-steers-ml1-0750-0799-cwt'`,
    );
    expect(record).toEqual({
      price_basis: "official_state_summary",
      price_avg: 350.14,
      head_count: 271,
      receipts: 5798,
      receipts_prior: 4181,
      receipts_year_ago: 6752,
      week_end: "2026-08-22",
    });
  });

  it("observes prices in the counties of the two Kansas markets and estimates between them", async () => {
    const observed = await db.rows<{county_fips: string}>(
      `SELECT DISTINCT county_fips FROM ${table("county_prices")} WHERE price_basis = 'observed_in_county' ORDER BY 1`,
    );
    expect(observed.map((row) => row.county_fips)).toEqual(["20057", "20151"]);
    const [between] = await db.rows<{price_basis: string; venues: number}>(
      `SELECT price_basis, venues_reporting AS venues FROM ${table("county_prices")}
       WHERE county_fips = '20097' AND cell_id = 'feeder-heifers-ml1-0750-0799-cwt'`,
    );
    expect(between).toEqual({price_basis: "nearest_market_estimate", venues: 2});
  });

  it("has a head count and dates for every price, and no key twice", async () => {
    const [bare] = await db.rows<{n: number}>(
      `SELECT count(*)::INTEGER AS n FROM ${table("county_prices")}
       WHERE price_avg IS NOT NULL AND (coalesce(head_count, contributing_head) IS NULL OR last_sale_date IS NULL)`,
    );
    expect(bare!.n).toBe(0);
    const keys = {
      county_prices: "county_fips, cell_id",
      state_prices: "state, cell_id",
      evidence: "evidence_id",
      barns: "venue_id",
      latest_prices: "venue_id, cell_id, row_ordinal",
    };
    for (const [name, key] of Object.entries(keys)) {
      const [row] = await db.rows<{n: number}>(
        `SELECT (count(*) - count(DISTINCT (${key})))::INTEGER AS n FROM ${table(name)}`,
      );
      expect([name, row!.n]).toEqual([name, 0]);
    }
  });

  it("names only registered sources, and evidence that exists", async () => {
    const sources = await db.rows<{id: string}>(
      `SELECT DISTINCT unnest(sources) AS id FROM ${table("evidence")}`,
    );
    expect(sources.every(({id}) => (marketSourceIds as readonly string[]).includes(id))).toBe(true);
    for (const name of ["county_prices", "state_prices", "latest_prices", "barns"]) {
      const lost = await db.rows(
        `SELECT evidence_id FROM ${table(name)} AS r ANTI JOIN ${table("evidence")} AS e USING (evidence_id)`,
      );
      expect([name, lost.length]).toEqual([name, 0]);
    }
  });

  it("classes the two reporting markets active", async () => {
    const active = await db.rows(
      `SELECT venue_id FROM ${table("barns")} WHERE status = 'active' ORDER BY venue_id`,
    );
    expect(active.map((row) => row["venue_id"])).toEqual(["ks-dodge-city", "ks-pratt"]);
  });
});
