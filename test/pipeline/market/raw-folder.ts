import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {ModelRun} from "../../../lib/models/model-run.ts";
import {type Database, openDatabase} from "../../../lib/sql/duckdb.ts";
import {marsRow} from "../../../packages/usda-reports/test/mars-row.ts";
import {readMarket} from "../../../pipeline/market/read-market.ts";
import {signalReadings} from "../../../pipeline/market/signals/signal-tables.ts";
import {listRawFiles} from "../../../pipeline/raw/raw-files.ts";
import type {FileReport} from "../../../schemas/build-report.ts";
import type {Venue} from "../../../schemas/vocabulary/venue.ts";

export {marsRow};

export type Reading = {db: Database; run: ModelRun; reports: FileReport[]; report(path: string): FileReport};

type RawInput = {
  /** Content by path below `market/`; a `.meta.json` file is its own entry. */
  files: Readonly<Record<string, string | Buffer>>;
  asOf?: string;
  venues?: readonly Venue[];
};

/** Writes raw files into a new folder, reads them as a build does, and removes the folder after `use`. */
export async function withReading(
  {files, asOf = "2026-11-21", venues = []}: RawInput,
  use: (reading: Reading) => Promise<void>,
): Promise<void> {
  const raw = mkdtempSync(join(tmpdir(), "market-read-"));
  const db = await openDatabase();
  try {
    for (const [path, content] of Object.entries(files)) {
      const target = join(raw, "market", path);
      mkdirSync(dirname(target), {recursive: true});
      writeFileSync(target, content);
    }
    const run = new ModelRun(db).give(signalReadings, []);
    const reports = await readMarket({run, files: await listRawFiles(raw), asOf, venues});
    await use({
      db,
      run,
      reports,
      report: (path) => reports.find((report) => report.path === `market/${path}`)!,
    });
  } finally {
    db.close();
    rmSync(raw, {recursive: true, force: true});
  }
}

/** A meta file as text: when the file beside it was fetched. */
export function metaFetched(retrieved_at: string, more: object = {}): string {
  return JSON.stringify({retrieved_at, ...more});
}

/** The title of an invented direct report. */
export const directTitle = "Invented Plains Direct Cattle Report (XX/YY)";

/** An invented row of the section `Report Details` of a direct or video report, in that section's own columns. */
export function directRow(change: Readonly<Record<string, unknown>> = {}): object {
  const auction = marsRow();
  const {avg_weight, avg_weight_min, avg_weight_max, avg_price, avg_price_min, avg_price_max, ...same} =
    auction;
  const {pregnancy_stage, offspring_weight_est, market_type, market_location_city, ...shared} = same;
  return {
    ...shared,
    market_location_name: null,
    market_location_state: null,
    slug_id: 9710,
    slug_name: "AMS_9710",
    report_title: directTitle,
    group: null,
    category: "Cattle",
    pregnancy: pregnancy_stage,
    offspring_weight_estimate: offspring_weight_est,
    wtd_avg_wt: avg_weight,
    weight_min: avg_weight_min,
    weight_max: avg_weight_max,
    wtd_Avg_Price: avg_price,
    price_min: avg_price_min,
    price_max: avg_price_max,
    weight_break_low: null,
    weight_break_high: null,
    current: "Yes",
    delivery_month: null,
    purchase_type: "Cash",
    basis_futures_month: null,
    geographical_location: "Invented Plains",
    ...change,
  };
}

/** A detail answer of the service. */
export function marsAnswer(rows: readonly object[]): string {
  return JSON.stringify({stats: {returnedRows: rows.length}, results: rows});
}
