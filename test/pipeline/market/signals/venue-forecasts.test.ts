import {expect, test} from "vitest";
import {model} from "../../../../lib/models/model.ts";
import {ModelRun} from "../../../../lib/models/model-run.ts";
import {recordModel} from "../../../../lib/models/record-model.ts";
import {openDatabase} from "../../../../lib/sql/duckdb.ts";
import {nws} from "../../../../pipeline/market/feeds/nws.ts";
import {contextSql} from "../../../../pipeline/market/signals/context.ts";
import {signalFiles} from "../../../../schemas/signal-files.ts";
import {column} from "../../../../schemas/vocabulary/described-file.ts";

const asOf = "2026-11-21";
/** Near 36 degrees north a hundredth of a degree of latitude is 0.69 miles. */
const venue = (venue_id: string, lat: number | null) => ({venue_id, lat, lon: -98});
const point = (grid: string, lat: number) => ({
  ...{signal: "forecast_point", key: `${lat},-98`, valid_from: asOf, grid, lat, lon: -98, is_current: true},
});
const period = (grid: string, day: string, is_current = true) => ({
  ...{
    signal: "forecast",
    key: grid,
    area: grid,
    area_type: "grid",
    name: day,
    value: 28.5,
    unit: "degF",
    is_current,
  },
  ...{valid_from: `${day}T12:00:00Z`, valid_to: `${day}T23:00:00Z`, source_date: "2026-11-19"},
});

async function linesOf(venues: object[], points: object[], periods: object[]) {
  const db = await openDatabase();
  try {
    const more = [column("seq", "INTEGER", ""), column("is_current", "BOOLEAN", "")];
    const numbered = (rows: object[]) => rows.map((row, seq) => ({...row, seq}));
    await new ModelRun(db).make(
      model({name: "barns", columns: {VARCHAR: "venue_id", DOUBLE: "lat lon"}, rows: () => venues}),
      recordModel({
        name: "gathered_forecast_points",
        columns: [...signalFiles.forecast_points.columns, ...more],
        rows: () => numbered(points),
      }),
      recordModel({
        name: "signal_forecasts",
        columns: [...signalFiles.forecasts.columns, ...more],
        rows: () => numbered(periods),
      }),
    );
    const rules = nws.context!.filter(({table}) => table === "forecasts");
    const lines = await db.rows<{key_type: string; key: string; item: string | null; age_days: number}>(
      `FROM (${contextSql(rules, asOf)}) ORDER BY key`,
    );
    return lines.map(({key_type, key, item, age_days}) => {
      const periodsOf = (text: string) =>
        (JSON.parse(text) as {values: {periods: {name: string; temperature: number}[]}}).values.periods;
      return [key_type, key, age_days, item === null ? null : periodsOf(item).map(({name}) => name)];
    });
  } finally {
    db.close();
  }
}

test("gives a venue the forecast of the nearest point within five miles, for three days from the as-of date", async () => {
  const venues = [venue("near", 36), venue("same-town", 36.01), venue("far", 36.2), venue("nowhere", null)];
  const points = [point("OUN/1,1", 36.005), point("OUN/2,2", 36.06)];
  const days = ["2026-11-20", "2026-11-21", "2026-11-22", "2026-11-23", "2026-11-24"];
  const periods = points.flatMap(({grid}) => days.map((day) => period(grid, day)));
  const shown = days.slice(1, 4);
  expect(await linesOf(venues, points, periods)).toEqual([
    ["venue", "near", 2, shown],
    ["venue", "same-town", 2, shown],
  ]);
});

test("reports the age of a forecast whose periods are past, and drops one that a newer fetch replaced", async () => {
  const past = [period("OUN/1,1", "2026-11-17"), period("OUN/1,1", "2026-11-18")];
  const [venues, points] = [[venue("near", 36)], [point("OUN/1,1", 36)]];
  expect(await linesOf(venues, points, past)).toEqual([["venue", "near", 3, null]]);
  expect(await linesOf(venues, points, [period("OUN/1,1", asOf, false)])).toEqual([]);
});
