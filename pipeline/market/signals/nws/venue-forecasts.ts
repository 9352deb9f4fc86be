import type {Database} from "../../../../lib/sql/duckdb.ts";
import {addContext, type ContextRules, numberSql, objectSql} from "../context.ts";

/** A forecast is of the town of a venue: its point is at most this far from the venue. */
const mostMiles = 5;
const milesPerDegree = 69.09;

const instant = (sql: string) => `strftime(${sql}, '%Y-%m-%dT%H:%M:%SZ')`;
const period = {
  name: "name",
  starts: instant("valid_from"),
  ends: instant("valid_to"),
  temperature: numberSql("value"),
  temperature_unit: "unit",
  wind_low_mph: numberSql("wind_low_mph"),
  wind_high_mph: numberSql("wind_high_mph"),
  wind_direction: "wind_direction",
  precipitation_pct: numberSql("precipitation_pct"),
  summary: "summary",
};

const rules: ContextRules = {
  table: "forecasts",
  signal: "weather_forecast",
  // The periods of the as-of date and of the two days after it; those of earlier days are past.
  carries: "signal = 'forecast' AND is_current AND age >= -2",
  days: "0",
  places: {venue: "venues"},
  values: `to_json({'periods': list(${objectSql(period)} ORDER BY valid_from)})`,
  limitation:
    "Forecast of the grid that holds the venue's town, as issued on its date. Not a statement that any route or load is safe.",
};

/** Adds the forecasts of the towns of venues (table `barns`) to the table `context`: of each venue that of the nearest point. */
export async function addVenueForecasts(db: Database, asOf: string): Promise<void> {
  await db.run(`ALTER TABLE signal_forecasts ADD COLUMN venues VARCHAR[];
    UPDATE signal_forecasts SET venues = held.venues
    FROM (SELECT grid, list(venue_id ORDER BY venue_id) AS venues
      FROM (SELECT venue_id, arg_min(grid, (miles, grid)) AS grid
        FROM (SELECT venue_id, grid,
            ${milesPerDegree} * sqrt((town.lat - barns.lat) ^ 2 + ((town.lon - barns.lon) * cos(radians(barns.lat))) ^ 2) AS miles
          FROM barns JOIN signal_forecast_points AS town ON abs(town.lat - barns.lat) <= ${mostMiles / milesPerDegree})
        WHERE miles <= ${mostMiles} GROUP BY venue_id)
      GROUP BY grid) AS held
    WHERE signal_forecasts.area = held.grid`);
  await addContext(db, rules, {source: "nws", asOf});
}
