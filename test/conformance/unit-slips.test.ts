import {join} from "node:path";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {ModelRun} from "../../lib/models/model-run.ts";
import {type Database, openDatabase} from "../../lib/sql/duckdb.ts";
import {found_issues} from "../../pipeline/market/normalise/issue-map.ts";
import {measured_rows} from "../../pipeline/market/normalise/measured-rows.ts";
import {unit_slips} from "../../pipeline/market/normalise/unit-slips.ts";
import {known_words} from "../../pipeline/market/normalise/word-map.ts";
import {readMarket} from "../../pipeline/market/read-market.ts";
import {loadVenues} from "../../pipeline/market/reference/venues.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import {temporaryFolder} from "../server/server-fixture.ts";
import {corpus} from "./corpus.ts";

const seed = Number(process.env["SEED"] ?? 20260823);
const slips = 1000;
/** Slips are rare: so many are made at a time, and the corpus is judged anew. */
const atOnce = 100;

/** Words with the other unit get numbers from here. */
const otherUnit = 1_000_000;
const isSwapped = "words_no >= 1000000";
const heading = "commodity, class, frame, muscle_grade, quality_grade, price_unit, weight_basis, region";

/** SQL: the headings that can slip: of rows of 220 lb and more, priced per cwt or per head. */
const headings = `SELECT DISTINCT issue_no, ${heading} FROM measured_rows JOIN known_words USING (words_no)
  WHERE reject_reason IS NULL AND price_unit IN ('per_cwt', 'per_head') AND coalesce(avg_weight_lb, weight_break_low_lb) >= 220 AND price_avg > 0`;

describe.skipIf(corpus === null)(`slips of unit made on the corpus (seed ${seed})`, () => {
  const folder = temporaryFolder();
  let read: Database;

  beforeAll(async () => {
    read = await openDatabase();
    const files = (await listRawFiles(corpus ?? "")).filter(({kind}) => kind === "market");
    await readMarket({run: new ModelRun(read), files, asOf: "2026-11-21", venues: loadVenues()});
    for (const table of ["measured_rows", "known_words", "found_issues"])
      await read.run(`COPY ${table} TO '${join(folder.path, `${table}.parquet`)}'`);
  }, 120_000);
  afterAll(() => {
    read.close();
    folder.remove();
  });

  /** The refused rows after the unit of so many headings is swapped. */
  async function refusedAfter(first: number, count: number) {
    using db = await openDatabase();
    const of = (name: string) => `read_parquet('${join(folder.path, `${name}.parquet`)}')`;
    await db.run(`CREATE TABLE known_words AS FROM ${of("known_words")}`);
    await db.run(`CREATE TABLE measured_rows AS FROM ${of("measured_rows")}`);
    await db.run(
      `CREATE TABLE chosen AS FROM (${headings}) ORDER BY hash(concat_ws('|', ${seed}, issue_no, ${heading})) LIMIT ${count} OFFSET ${first}`,
    );
    const same = heading
      .split(", ")
      .map((name) => `c.${name} IS NOT DISTINCT FROM w.${name}`)
      .join(" AND ");
    await db.run(`CREATE TABLE swapped AS SELECT row_no FROM measured_rows AS m JOIN known_words AS w USING (words_no)
      JOIN chosen AS c ON c.issue_no = m.issue_no AND ${same}`);
    await db.run(`CREATE OR REPLACE TABLE measured_rows AS SELECT * REPLACE (
      CASE WHEN row_no IN (FROM swapped) THEN words_no + ${otherUnit} ELSE words_no END::INTEGER AS words_no) FROM measured_rows`);
    await db.run(`INSERT INTO known_words SELECT * REPLACE (words_no + ${otherUnit} AS words_no,
      CASE price_unit WHEN 'per_cwt' THEN 'per_head' WHEN 'per_head' THEN 'per_cwt' ELSE price_unit END AS price_unit) FROM known_words`);
    const run = new ModelRun(db);
    await run.giveSql(known_words, "FROM main.known_words");
    await run.giveSql(measured_rows, "FROM main.measured_rows");
    await run.giveSql(found_issues, `FROM ${of("found_issues")}`);
    await run.make(unit_slips);
    const [counts] = await db.rows<Record<"slips" | "found" | "rows" | "doubted", number>>(`
      WITH judged AS (
        SELECT issue_no, ${heading}, ${isSwapped} AS is_slip, row_no IN (SELECT row_no FROM unit_slips) AS refused
        FROM measured_rows JOIN known_words USING (words_no)
        WHERE reject_reason IS NULL AND price_unit IN ('per_cwt', 'per_head') AND coalesce(avg_weight_lb, weight_break_low_lb) >= 220 AND price_avg > 0
      ), told AS (
        SELECT is_slip, bool_and(refused) AS all_refused FROM judged GROUP BY is_slip, issue_no, ${heading}
      )
      SELECT (SELECT count(*) FROM told WHERE is_slip)::INTEGER AS slips, (SELECT count(*) FROM told WHERE is_slip AND all_refused)::INTEGER AS found,
        (SELECT count(*) FROM judged WHERE NOT is_slip)::INTEGER AS rows, (SELECT count(*) FROM judged WHERE NOT is_slip AND refused)::INTEGER AS doubted`);
    return counts!;
  }

  it("finds 95 % of 1,000 headings whose unit is swapped, and doubts at most 0.5 % of the true rows", async () => {
    const untouched = await refusedAfter(0, 0);
    const after = {slips: 0, found: 0, rows: 0, doubted: 0};
    for (let first = 0; first < slips; first += atOnce) {
      const counts = await refusedAfter(first, atOnce);
      for (const name of ["slips", "found", "rows", "doubted"] as const) after[name] += counts[name];
    }
    const share = (a: number, b: number) => `${a} of ${b} (${((100 * a) / b).toFixed(2)} %)`;
    process.stderr.write(
      `slips of unit, seed ${seed}: found ${share(after.found, after.slips)}; true rows doubted ${share(after.doubted, after.rows)}, without slips ${share(untouched.doubted, untouched.rows)}\n`,
    );
    expect(after.slips).toBe(slips);
    expect(after.found / after.slips).toBeGreaterThanOrEqual(0.95);
    expect(after.doubted / after.rows).toBeLessThanOrEqual(0.005);
    expect(untouched.doubted / untouched.rows).toBeLessThanOrEqual(0.005);
  }, 120_000);
});
