import type {Database} from "../../../lib/sql/duckdb.ts";
import {withWeeklyChange} from "./diesel/weekly-change.ts";
import {basisRows} from "./futures/basis.ts";
import {publishedFutures} from "./futures/published-rows.ts";
import type {SignalTables} from "./gather.ts";
import {markInForce} from "./nws/alerts-in-force.ts";

/** Adds alerts in force, weekly changes and the basis, and takes away futures that may not leave. */
export async function finishSignals(
  db: Database,
  tables: SignalTables,
  {asOf, futuresLicensed, current}: {asOf: string; futuresLicensed: boolean; current: ReadonlySet<string>},
): Promise<SignalTables> {
  const futures = tables.get("futures") ?? [];
  return new Map([
    ...tables,
    ["alerts", markInForce(tables.get("alerts") ?? [], asOf, current)],
    ["diesel", withWeeklyChange(tables.get("diesel") ?? [])],
    ["basis", futures.length === 0 ? [] : await basisRows(db, futures, futuresLicensed)],
    ["futures", publishedFutures(futures, futuresLicensed)],
  ]);
}
