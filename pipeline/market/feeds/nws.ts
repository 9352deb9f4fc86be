import {instantFrom, instantOf} from "@open-cattle/usda-reports";
import {isObject, type Json, numberOf, objectsOf, textOf} from "@open-cattle/usda-reports/values";
import {UserError} from "../../../lib/errors.ts";
import {asOfSql, build_facts} from "../../../lib/models/build-facts.ts";
import {model} from "../../../lib/models/model.ts";
import {roundHalfAway} from "../../../lib/rounding.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {barns} from "../answers/barn-records.ts";
import {plainSql, utcSql} from "../signals/context.ts";
import {alertColumns, countyOfUgc, lastPart} from "../signals/nws-alerts.ts";
import {reject, type SignalInput, type SignalReading} from "../signals/reading.ts";
import {tableReader} from "../signals/signal-reader.ts";
import {gathered, gatheredColumns} from "../signals/signal-tables.ts";
import type {SignalFeed} from "./feed.ts";

const severities = "['unknown', 'minor', 'moderate', 'severe', 'extreme']";

/** Events that affect livestock or hauling anywhere in a state (`docs/design/market.md` section 13). */
const livestockEvents =
  "heat|cold|freez|frost|wind|winter|blizzard|snow|ice storm|sleet|flood|fire|red flag|drought|air quality|air stagnation|tornado";

const ofAlerts = {
  table: "alerts",
  carries: "in_force",
  limitation:
    "Alerts in force at the build's date; compare valid_to with the clock. Not a statement that any route or load is safe.",
} as const;

/** A forecast applies to a venue (table `barns`) if its point is the nearest and at most this far away. */
const maxMiles = 5;
const milesPerDegree = 69.09;
const venuesOfGrid = `SELECT list(venue_id ORDER BY venue_id) FROM (SELECT venue_id, arg_min(grid, (miles, grid)) AS nearest
    FROM (SELECT venue_id, grid,
        ${milesPerDegree} * sqrt((town.lat - barns.lat) ^ 2 + ((town.lon - barns.lon) * cos(radians(barns.lat))) ^ 2) AS miles
      FROM barns JOIN gathered_forecast_points AS town ON abs(town.lat - barns.lat) <= ${maxMiles / milesPerDegree})
    WHERE miles <= ${maxMiles} GROUP BY venue_id) WHERE nearest = area`;

/**
 * Answers of api.weather.gov: alerts (one or a collection), forecasts, raw grids and points. No answer carries hourly forecasts
 * or raw grids.
 */
export const nws: SignalFeed = {
  kind: "signals",
  source: "nws",
  tables: ["alerts", "forecasts", "forecast_points"],
  read: readWeather,
  completes: () => ({alerts: signal_alerts}),
  contextReads: [barns, gathered.forecast_points],
  context: [
    // A county lists each of its alerts; a state counts those that affect livestock or hauling, by event.
    {
      ...ofAlerts,
      places: {county: "county_fips"},
      group: "key",
      values: ["event", "severity", "certainty", "valid_from AS onset", "valid_to AS ends"],
    },
    {
      ...ofAlerts,
      places: {state: `if(regexp_matches(event, '${livestockEvents}', 'i'), states, [])`},
      group: "event",
      values: [
        "event",
        "count(*) AS alerts",
        "len(list_distinct(flatten(list(county_fips)))) AS counties_named",
        `(${severities})[greatest(1, max(list_position(${severities}, severity)))] AS worst_severity`,
      ],
    },
    {
      table: "forecasts",
      signal: "weather_forecast",
      // Periods of the as-of date and the two days after it; earlier periods are over.
      carries: "signal = 'forecast' AND is_current AND age >= -2",
      days: "0",
      places: {venue: `(${venuesOfGrid})`},
      values: [
        `list({'name': name, 'starts': ${utcSql("valid_from")}, 'ends': ${utcSql("valid_to")}, 'temperature': ${plainSql("value")}, 'temperature_unit': unit,
          'wind_low_mph': ${plainSql("wind_low_mph")}, 'wind_high_mph': ${plainSql("wind_high_mph")}, 'wind_direction': wind_direction,
          'precipitation_pct': ${plainSql("precipitation_pct")}, 'summary': summary} ORDER BY valid_from) AS periods`,
      ],
      limitation:
        "Forecast of the grid that holds the venue's town, as issued on its date. Not a statement that any route or load is safe.",
    },
  ],
  sample: ["sample-alerts.json", "sample-point.json", "forecast_FWD_70,90.json"],
};

/**
 * The alerts. One is in force on the as-of date if no later message replaces or cancels it, the latest fetch of its list still has
 * it, it is not a cancellation, and it does not end before that day. Update chains need no ordering: each message names all earlier
 * ones.
 */
const signal_alerts = model({
  name: "signal_alerts",
  reads: [gathered.alerts, build_facts],
  columns: gatheredColumns("alerts"),
  materialise: "table",
  sql: () => `SELECT a.* REPLACE (later.key IS NULL AND is_current AND valid_to >= ${asOfSql} AND message_type IS DISTINCT FROM 'cancel' AS in_force,
        coalesce(later.key, superseded_by) AS superseded_by)
      FROM gathered_alerts AS a LEFT JOIN (
        SELECT id, arg_max(key, (sent, key)) AS key FROM (SELECT unnest(refers_to) AS id, sent, key FROM gathered_alerts) GROUP BY id) AS later
      ON later.id = a.key AND later.key <> later.id`,
});

/**
 * Chooses the reader by the members of the answer. The reader of alerts takes all others, and throws a UserError with the message of
 * the service for one without alerts.
 */
function readWeather(input: SignalInput): SignalReading {
  const properties = propertiesOf(input.content.body);
  if ("periods" in properties) return readForecast(input);
  if ("forecastHourly" in properties) return readPoint(input);
  return "gridId" in properties ? readGrid(input) : readAlerts(input);
}

/** The properties of a GeoJSON feature, or the members of any other object. */
function propertiesOf(body: unknown): Json {
  const members = isObject(body) ? body : {};
  return isObject(members["properties"]) ? members["properties"] : members;
}

const readAlerts = tableReader("alerts", {
  needs: [["event"]],
  expected: "the events of alerts, or a forecast, a grid or a point",
  records(body) {
    if (!isObject(body)) return undefined;
    const features = body["features"] ?? body["@graph"];
    const alerts = Array.isArray(features) ? objectsOf(features) : [body];
    const records = alerts.map((alert) => ({id: alert["id"], ...propertiesOf(alert)}));
    return Array.isArray(features) || "event" in records[0]! ? records : undefined;
  },
  columns: alertColumns,
});

/** The periods of a forecast, of half a day or an hour. */
const readForecast = tableReader("forecasts", {
  needs: [["starttime"]],
  expected: "startTime of each period",
  records: (body) => objectsOf(propertiesOf(body)["periods"]),
  columns(row, input) {
    const [valid_from, valid_to] = [row.instant("starttime"), row.instant("endtime")];
    if (valid_from === null || valid_to === null) reject("not_iso_time", "a period without its start or end");
    const isHour = Date.parse(valid_to) - Date.parse(valid_from) <= 3_600_000;
    const {windspeed, temperature, probabilityofprecipitation} = row.cells;
    const [wind_low_mph, wind_high_mph] = windOf(windspeed);
    const letter = row.text("temperatureunit");
    return {
      signal: isHour ? "forecast_hourly" : "forecast",
      valid_from,
      valid_to,
      ...ofGrid(gridOfFile(input.file), input),
      name: row.text("name"),
      value: measured(temperature),
      unit: isObject(temperature) ? unitOf(temperature["unitCode"]) : letter && `deg${letter}`,
      wind_low_mph,
      wind_high_mph,
      wind_direction: row.text("winddirection"),
      precipitation_pct: measured(probabilityofprecipitation),
      summary: row.text("shortforecast"),
    };
  },
});

/** The values of all layers of a raw grid. */
const readGrid = tableReader("forecasts", {
  needs: [["validtime"]],
  expected: "validTime of each value",
  records: (body) =>
    Object.entries(propertiesOf(body)).flatMap(([layer, held]) =>
      isObject(held)
        ? objectsOf(held["values"]).map((value) => ({layer, unit: unitOf(held["uom"]), ...value}))
        : [],
    ),
  columns(row, input) {
    const {layer, value, unit, validtime} = row.cells;
    const [valid_from, valid_to] = intervalOf(textOf(validtime) ?? "");
    const number = numberOf(value);
    return {
      signal: `grid_${layer}`,
      valid_from,
      valid_to,
      ...ofGrid(gridOf(propertiesOf(input.content.body)), input),
      name: layer,
      value: number,
      unit,
      summary: number === null && value !== null ? JSON.stringify(value) : null,
    };
  },
});

/** The county and zone of a point, which connect forecasts to places. */
const readPoint = tableReader("forecast_points", {
  needs: [["gridid"]],
  expected: "gridId of the point",
  records: (body) => (isObject(body) ? [{geometry: body["geometry"], ...propertiesOf(body)}] : undefined),
  columns(row, {file}) {
    const {geometry, county, forecastzone} = row.cells;
    const coordinates = isObject(geometry) ? geometry["coordinates"] : null;
    const [lon, lat] = Array.isArray(coordinates) ? coordinates : [];
    if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 180))
      reject("bad_point", "expected a point with longitude and latitude");
    const fips = countyOfUgc(lastPart(county) ?? "");
    return {
      signal: "forecast_point",
      key: `${lat},${lon}`,
      valid_from: file.retrievedAt.slice(0, 10),
      area_type: fips === null ? null : "county",
      area: fips,
      source_date: null,
      lat,
      lon,
      grid: gridOf(row.record),
      forecast_zone: lastPart(forecastzone),
    };
  },
});

/** The columns that all rows of a forecast or of a raw grid share: its grid, and the day on which it was issued. */
function ofGrid(grid: string, {file, content}: SignalInput) {
  const {generatedAt, updateTime} = propertiesOf(content.body);
  const updated = instantFrom(generatedAt) ?? instantFrom(updateTime) ?? file.retrievedAt;
  return {key: grid, area_type: "grid", area: grid, source_date: updated.slice(0, 10)};
}

function gridOf({gridId, gridX, gridY}: Json): string {
  const office = textOf(gridId) ?? reject("no_identity", "a grid without its office");
  return `${office}/${gridX},${gridY}`;
}

/** The grid in the URL or name of a forecast's file, because no field names it. Throws a UserError without one. */
function gridOfFile({path, meta}: RawFile): string {
  for (const text of [meta?.url ?? "", path]) {
    const match = /\b([A-Z]{3})[/_](\d{1,3}),(\d{1,3})\b/.exec(text.replaceAll("_", "/"));
    if (match !== null) return `${match[1]}/${match[2]},${match[3]}`;
  }
  throw new UserError(
    `${path}: a forecast without its grid; expected OFFICE/X,Y in the meta file's url, or OFFICE_X,Y in the file's name.`,
  );
}

const kilometresPerMile = 1.609344;

/**
 * Lowest and highest speed in miles per hour, from text (`15 to 20 mph`, `5 km/h`) or from a quantity with unit and either a
 * value or a minimum and maximum.
 */
function windOf(speed: unknown): (number | null)[] {
  const {value, minValue = value, maxValue = value, unitCode} = isObject(speed) ? speed : {};
  const [, low, high = low, unit = unitOf(unitCode)] =
    /^(\d+)(?:\s*to\s*(\d+))?\s*(mph|km\/h)$/i.exec(textOf(speed) ?? "") ?? [];
  return [low ?? minValue, high ?? maxValue].map((end) => {
    const number = numberOf(end);
    if (number === null || /^(mph|mi_h-1)$/i.test(unit ?? "")) return number;
    return /^km(\/h|_h-1)$/i.test(unit ?? "") ? roundHalfAway(number / kilometresPerMile, 1) : null;
  });
}

/** A number, or the value of an object with value and unit code. */
function measured(value: unknown): number | null {
  return numberOf(isObject(value) ? value["value"] : value);
}

/** The unit in `wmoUnit:degC` or `unit:degC`: `degC`. */
function unitOf(code: unknown): string | null {
  return textOf(code)?.split(":").at(-1) ?? null;
}

/** First and last instant of `<instant>/<ISO duration>`, in days and smaller units (`P1DT6H`); rejects the row otherwise. */
function intervalOf(text: string): [from: string, to: string] {
  const [from = "", duration = ""] = text.split("/").map((part) => part.trim());
  const parts = /^P(?!$)(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(duration)?.slice(1);
  const [days, hours, minutes, seconds] = (parts ?? [Number.NaN]).map((part) => Number(part ?? 0));
  const length = ((days! * 24 + hours!) * 60 + minutes!) * 60 + seconds!;
  const start = instantFrom(from);
  const end = start && instantOf(Date.parse(start) + 1000 * length);
  return start !== null && end !== null
    ? [start, end]
    : reject("not_iso_time", `expected an ISO time and duration, got validTime "${text}"`);
}
