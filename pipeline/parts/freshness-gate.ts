import {countWords} from "../../lib/counts.ts";
import {addDays} from "../../lib/dates.ts";
import {widenedWindowDays} from "../../lib/market/pricing-rules.ts";
import type {Database} from "../../lib/sql/duckdb.ts";
import {MARKET} from "../../lib/storage/build-layout.ts";
import type {FileReport} from "../../schemas/build-report.ts";
import type {GateResult} from "../../schemas/manifest.ts";
import {rejectedRows, sumText} from "../results/report-counts.ts";
import {judge, skipped} from "./gate.ts";

/** A sale in a county: its day, and the first day on which a build could have had it. */
export type CountySale = {readonly county: string; readonly soldOn: string; readonly knownFrom: string};

/** Name of the gate. */
export const freshnessGate = "freshness";

/** Words of a verdict: how many rows were rejected, and that no price is fresh. Empty where neither is so. */
export function warningWords(reports: readonly FileReport[], gates: readonly GateResult[]): string[] {
  const rejected = reports.reduce((sum, report) => sum + rejectedRows(report), 0);
  const isOld = gates.some(({gate, status}) => gate === freshnessGate && status === "warn");
  return [
    ...(rejected === 0
      ? []
      : [`${countWords(rejected)} of ${sumText(reports, ({rowsIn}) => rowsIn)} rows rejected`]),
    ...(isOld ? ["no county has a fresh price"] : []),
  ];
}

type Relations = {readonly priceRows: string | null; readonly barns: string | null};

/**
 * Warns where the newest sale of a barn is older than the window of county prices, so that no county has an observed price, and names the
 * as-of date that would give most counties one. `fetchedOn` has the day of each raw file that states when it was fetched: a build of an
 * earlier day could not have had it.
 */
export async function freshness(
  db: Database,
  {priceRows, barns}: Relations,
  {asOf, fetchedOn}: {asOf: string; fetchedOn: ReadonlyMap<string, string>},
): Promise<GateResult> {
  if (priceRows === null || barns === null) return skipped(MARKET, freshnessGate, "no price rows");
  const rows = await db.rows<{county: string; day: string; path: string; age: number}>(
    `SELECT DISTINCT county_fips AS county, strftime(report_end_date, '%Y-%m-%d') AS day, source_path AS path,
       (CAST($asOf AS DATE) - report_end_date)::INTEGER AS age
     FROM ${priceRows} JOIN (SELECT venue_id, county_fips FROM ${barns} WHERE county_fips IS NOT NULL) USING (venue_id)
     WHERE report_scope = 'venue' AND report_program = 'voluntary' AND price_avg IS NOT NULL AND head_count IS NOT NULL`,
    {asOf},
  );
  if (rows.length === 0) return skipped(MARKET, freshnessGate, "no sale of a barn whose county is known");
  const sales = rows.map(({county, day, path}): CountySale => {
    const fetched = fetchedOn.get(path) ?? day;
    return {county, soldOn: day, knownFrom: fetched > day ? fetched : day};
  });
  const best = bestDay(sales);
  const cure =
    best === null
      ? "no earlier --as-of would give one: the files were fetched when their sales were as old"
      : `--as-of ${best.day} would give ${best.counties === 1 ? "1 county" : `${best.counties} counties`}`;
  return judge(
    MARKET,
    freshnessGate,
    rows.reduce((newest, {age}) => Math.min(newest, age), Number.POSITIVE_INFINITY),
    {warnAt: widenedWindowDays, failAt: null, detail: `as of ${asOf} nothing is fresh; ${cure}`},
  );
}

/** The day on which most counties have a sale in the window of county prices, the last such day; null if no day has one. */
export function bestDay(sales: readonly CountySale[]): {day: string; counties: number} | null {
  const changes = sales.flatMap(({county, soldOn, knownFrom}) => {
    const end = addDays(soldOn, widenedWindowDays + 1);
    return knownFrom < end
      ? [
          {day: knownFrom, county, by: 1},
          {day: end, county, by: -1},
        ]
      : [];
  });
  const open = new Map<string, number>();
  let best: {day: string; counties: number} | null = null;
  for (const [day, ofDay] of [...Map.groupBy(changes, ({day}) => day)].sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (const {county, by} of ofDay) open.set(county, (open.get(county) ?? 0) + by);
    const counties = [...open.values()].filter((count) => count > 0).length;
    // Without a new sale a later day has the same counties at most, and older prices.
    if (ofDay.some(({by}) => by > 0) && counties >= (best?.counties ?? 0)) best = {day, counties};
  }
  return best;
}
