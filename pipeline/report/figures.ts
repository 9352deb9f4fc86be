import {existsSync} from "node:fs";
import {join} from "node:path";
import {makeOwnFolder, sharedFolder, writeWhole} from "@open-cattle/safe-files";
import {Gauge, Registry} from "prom-client";
import {openDatabase} from "../../lib/sql/duckdb.ts";
import {parquetRelation} from "../../lib/sql/sql-path.ts";
import {tablePath} from "../../lib/storage/build-layout.ts";
import type {DataFolder} from "../../lib/storage/data-folder.ts";

/** Metrics with a common name prefix, as Prometheus text for node_exporter's textfile collector. */
export class Figures {
  readonly #registry = new Registry();
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  one(name: string, help: string, value: number): void {
    this.#gauge(name, help, []).set(value);
  }

  each(name: string, help: string, label: string, values: readonly (readonly [string, number])[]): void {
    const gauge = this.#gauge(name, help, [label]);
    for (const [key, value] of values) gauge.set({[label]: key}, value);
  }

  /**
   * Writes `metrics/<prefix>.prom` in the data folder by rename, so that readers never see a partial file. Throws if it cannot be written.
   */
  async write({metrics}: DataFolder): Promise<void> {
    makeOwnFolder(metrics, sharedFolder);
    const text = await this.#registry.metrics();
    await writeWhole(join(metrics, `${this.#prefix}.prom`), text, {mode: 0o644, replaces: true});
  }

  #gauge(name: string, help: string, labelNames: string[]): Gauge {
    return new Gauge({name: `${this.#prefix}_${name}`, help, labelNames, registers: [this.#registry]});
  }
}

/** A state's price of the headline cell in a week; USD per cwt. */
export type WeeklyPrice = {state: string; day: string; price: number; head: number | null};

/** An observed price of a county; USD per cwt. */
export type CountyPrice = {
  fips: string;
  county: string;
  state: string;
  price: number;
  head: number;
  day: string;
};

/** The prices shown in the report. */
export type PriceFigures = {
  /** The steer cell with the most head, as a slug and in words; null if no steer was priced. */
  readonly cell: {readonly id: string; readonly words: string} | null;
  readonly weekly: readonly WeeklyPrice[];
  readonly counties: readonly CountyPrice[];
};

/** Number of lines that a chart can tell apart, and number of weeks shown. */
const maxStates = 6;
const weeks = 52;

/**
 * Reads the prices of the feeder-steer cell with the most head: by week for the six states with the most head, and by county as observed.
 * Empty for a build without a market.
 */
export async function priceFigures(buildDir: string): Promise<PriceFigures> {
  const [history, counties] = ["price_history", "county_prices"].map((name) =>
    join(buildDir, tablePath(name)),
  );
  if (!existsSync(history!) || !existsSync(counties!)) return {cell: null, weekly: [], counties: []};
  using database = await openDatabase();
  await database.run(`CREATE VIEW history AS SELECT * FROM ${parquetRelation(history!)}
    WHERE class = 'steers' AND commodity = 'feeder_cattle' AND price_unit = 'per_cwt' AND price_avg IS NOT NULL
      AND price_basis IN ('derived_rollup', 'observed_in_county')`);
  const [most] = await database.rows<{
    cell: string;
    bin: string | null;
  }>(`SELECT cell_id AS cell, min(weight_bin) AS bin
    FROM history WHERE area_type = 'state' GROUP BY cell_id ORDER BY sum(head_count) DESC, cell_id LIMIT 1`);
  if (most === undefined) return {cell: null, weekly: [], counties: []};
  const weekly = await database.rows<WeeklyPrice>(
    `WITH cell AS (SELECT * FROM history WHERE cell_id = $cell AND area_type = 'state'),
      recent AS (SELECT * FROM cell WHERE week_end_date > (SELECT max(week_end_date) FROM cell) - ${weeks * 7}),
      largest AS (SELECT area FROM recent GROUP BY area ORDER BY sum(head_count) DESC, area LIMIT ${maxStates})
    SELECT area AS state, strftime(week_end_date, '%Y-%m-%d') AS day, price_avg::DOUBLE AS price, head_count::DOUBLE AS head
    FROM recent JOIN largest USING (area) ORDER BY state, day`,
    {cell: most.cell},
  );
  const byCounty = await database.rows<CountyPrice>(
    `SELECT county_fips AS fips, county_name AS county, state, price_avg::DOUBLE AS price, head_count::DOUBLE AS head,
      strftime(last_sale_date, '%Y-%m-%d') AS day
    FROM ${parquetRelation(counties!)}
    WHERE cell_id = $cell AND price_basis = 'observed_in_county' AND price_avg IS NOT NULL AND county_fips IS NOT NULL
    ORDER BY county_fips`,
    {cell: most.cell},
  );
  const weight = most.bin === null ? "" : ` of ${most.bin} lb`;
  return {
    cell: {id: most.cell, words: `feeder steers${weight} (${most.cell})`},
    weekly,
    counties: byCounty,
  };
}
