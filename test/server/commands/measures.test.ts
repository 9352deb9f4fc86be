import {mkdirSync} from "node:fs";
import {join} from "node:path";
import {Command} from "commander";
import {afterAll, beforeAll, expect, test, vi} from "vitest";
import {type Database, openDatabase} from "../../../lib/sql/duckdb.ts";
import {tablePath} from "../../../lib/storage/build-layout.ts";
import {questionCommands} from "../../../server/commands/question-commands.ts";
import {marketEndpoints} from "../../../server/market/market-endpoints.ts";
import type {RecordMeasure} from "../../../server/market/record-measures.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {publish, writeBuild} from "../build-fixture.ts";

let db: Database;

/** Invented venues in three states, and measures of each at two sales of three cells; a thin slide has a reason for its value. */
const invented = `
  CREATE TABLE barns AS SELECT 'v' || n AS venue_id, 'Barn ' || n AS venue_name, 'Town' AS city,
    ['OK', 'KS', 'TX'][n % 3 + 1] AS state, ['40027', '20057', '48453'][n % 3 + 1] AS county_fips FROM range(6) t(n);
  CREATE TABLE derived_measures AS SELECT measure, venue_id, DATE '2026-11-20' - 7 * week::INTEGER AS report_end_date, cell_id,
    cell_id || '-next' AS to_cell_id, NULL::INTEGER AS month, CASE WHEN week = 0 OR measure <> 'slide' THEN random() END AS value,
    'usd_per_lb_gained' AS unit, 40 AS head_count, 50 AS to_head_count, '2026-11' AS contract_month,
    CASE WHEN week = 1 AND measure = 'slide' THEN 'thin' END AS reason
  FROM barns, range(2) w(week), unnest(['a', 'b', 'other', 'feeder-heifers-ml1-0500-0549-cwt']) c(cell_id),
    unnest(['value_of_gain', 'slide', 'seasonal_index', 'spread_to_feeder_futures']) m(measure);
  INSERT INTO barns VALUES ('ok-el-reno', 'Yard', 'Town', 'OK', '40017'), ('ok-other', 'Yard of no price', 'Town', 'OK', '40017');
  INSERT INTO derived_measures SELECT measure, y.venue_id, DATE '2026-11-18', 'feeder-steers-ml1-0500-0549-cwt', NULL, NULL, 90,
    'usd_per_lb_gained', 40, 50, '2026-11', NULL
  FROM barns y, unnest(['value_of_gain', 'seasonal_index', 'spread_to_feeder_futures']) m(measure) WHERE state = 'OK';`;

beforeAll(async () => {
  const root = temporaryFolder();
  vi.stubEnv("CATTLE_DATA", root);
  db = await openDatabase();
  await db.run(invented);
  await writeBuild(root, "20261121-bbbbbb", async (folder) => {
    mkdirSync(join(folder, "tables"), {recursive: true});
    for (const table of ["barns", "derived_measures"]) {
      await db.run(`COPY ${table} TO '${join(folder, tablePath(table))}' (FORMAT parquet)`);
    }
  });
  publish(root, "20261121-bbbbbb");
});
afterAll(() => {
  vi.unstubAllEnvs();
  db.close();
});

async function run(...words: string[]): Promise<string> {
  const printed: string[] = [];
  const program = new Command().exitOverride();
  const openState = () => {
    throw new Error("no state is in these builds");
  };
  questionCommands(program, {
    endpoints: marketEndpoints,
    openState,
    print: (text) => void printed.push(text),
  });
  await program.parseAsync(words, {from: "user"});
  return printed.join("\n");
}

const keys = (
  rows: readonly {
    measure: string;
    venue_id: string;
    report_end_date: string;
    cell_id: string;
    value: number | null;
  }[],
) =>
  rows.map(
    ({measure, venue_id, report_end_date, cell_id, value}) =>
      `${measure} ${venue_id} ${report_end_date} ${cell_id} ${value}`,
  );

test.each([
  ["price-by-state", ["--state", "OK"], "v.state = r.state"],
  ["price-by-county", ["--zip", "73101"], "v.county_fips = r.county_fips"],
])("--measures of %s are those that SQL finds for its cells in its areas", async (path, given, sameArea) => {
  const {records, measures} = JSON.parse(await run("market", path, ...given, "--measures", "--json")) as {
    records: {cell_id: string; state: string; county_fips: string | null}[];
    measures: RecordMeasure[];
  };
  const list = records.map((r) => `('${r.cell_id}', '${r.state}', '${r.county_fips}')`).join(", ");
  const wanted = await db.rows<RecordMeasure>(`
    SELECT d.* FROM derived_measures d JOIN barns v USING (venue_id) WHERE measure <> 'spread_to_feeder_futures'
      AND EXISTS (FROM (VALUES ${list}) r(cell_id, state, county_fips) WHERE r.cell_id = d.cell_id AND ${sameArea})`);
  expect(keys(measures).sort()).toEqual(keys(wanted).sort());
  expect(measures).not.toEqual([]);
  expect(new Set(keys(measures)).size).toBe(measures.length);
});

test("--measures of latest-prices are those of the barns with a price, and of no other barn in their county", async () => {
  const text = await run("market", "latest-prices", "--lat", "35.5", "--lon", "-98", "--measures", "--json");
  const {records, measures} = JSON.parse(text) as {records: {venue_id: string}[]; measures: RecordMeasure[]};
  expect(records.map(({venue_id}) => venue_id)).toContain("ok-el-reno");
  expect(measures.map(({measure, venue_id}) => [measure, venue_id])).toEqual([
    ["seasonal_index", "ok-el-reno"],
    ["value_of_gain", "ok-el-reno"],
  ]);
  const table = await run("market", "latest-prices", "--lat", "35.5", "--lon", "-98", "--measures");
  expect(table).toMatch(/Measures of single sales[\s\S]*\nvalue of gain +90/);
});

test("--measures are a table after the prices, newest sale first, and say why there is no value", async () => {
  const text = await run("market", "price-by-state", "--state", "OK", "--measures");
  expect(text).toMatch(/\nMeasures of single sales.*\nmeasure +value +unit +cattle/);
  const sales = [...text.matchAll(/^value of gain .*(2026-\d\d-\d\d)/gm)].map(([, sale]) => sale);
  expect(sales.slice(0, 4)).toEqual(["2026-11-20", "2026-11-20", "2026-11-13", "2026-11-13"]);
  expect(text).toMatch(/slide +none +thin/);
  const without = await run("market", "price-by-state", "--state", "WY", "--measures");
  expect(without).toContain("Measures     none");
});

test("--measures fit into a terminal of 80 columns, in words", async () => {
  Object.defineProperty(process.stdout, "columns", {value: 80, configurable: true});
  const text = await run("market", "price-by-county", "--zip", "73101", "--measures");
  Reflect.deleteProperty(process.stdout, "columns");
  expect(text.split("\n").filter((line) => [...line].length > 80)).toEqual([]);
  expect(text).toContain("heifers-ml1");
  expect(text.slice(text.indexOf("Measures of"))).not.toContain("feeder-heifers");
});
