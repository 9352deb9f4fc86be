import {UserError} from "../../../lib/errors.ts";
import {roundHalfAway} from "../../../lib/rounding.ts";
import {isObject, type Json, membersOf, numberOf, objectsOf, textOf} from "../json-values.ts";
import {alertColumns, countyOfUgc, lastPart, propertiesOf, rejectTime} from "../signals/nws-alerts.ts";
import {readRows, reject, type SignalInput, type SignalReading} from "../signals/reading.ts";
import {errorIn} from "../signals/table.ts";
import {instantFrom, instantOf} from "../words/published-date.ts";
import type {SignalFeed} from "./feed.ts";

const severities = "['unknown', 'minor', 'moderate', 'severe', 'extreme']";

/** Events that bear on livestock or hauling wherever they are in a state (`docs/design/market.md` section 13). */
const bearing =
  "heat|cold|freez|frost|wind|winter|blizzard|snow|ice storm|sleet|flood|fire|red flag|drought|air quality|air stagnation|tornado";

const ofAlerts = {
  table: "alerts",
  carries: "in_force",
  limitation:
    "Alerts in force at the build's date; compare valid_to with the clock. Not a statement that any route or load is safe.",
} as const;

/** A forecast is of the town of a venue (table `barns`): its nearest point, at most this far from the venue. */
const mostMiles = 5;
const milesPerDegree = 69.09;
const venuesOfGrid = `SELECT list(venue_id ORDER BY venue_id) FROM (SELECT venue_id, arg_min(grid, (miles, grid)) AS nearest
    FROM (SELECT venue_id, grid,
        ${milesPerDegree} * sqrt((town.lat - barns.lat) ^ 2 + ((town.lon - barns.lon) * cos(radians(barns.lat))) ^ 2) AS miles
      FROM barns JOIN signal_forecast_points AS town ON abs(town.lat - barns.lat) <= ${mostMiles / milesPerDegree})
    WHERE miles <= ${mostMiles} GROUP BY venue_id) WHERE nearest = area`;

/** Answers of api.weather.gov: alerts (a collection or one), forecasts, raw grids and points. Hours and raw grids stand in no answer. */
export const nws: SignalFeed = {
  kind: "signals",
  source: "nws",
  tables: ["alerts", "forecasts", "forecast_points"],
  read: readWeather,
  // An alert is in force on the as-of date where no later message replaces or cancels it, no later fetch of the same list leaves it out, it
  // is no cancellation itself, and it does not end before that day. Chains of updates need no order: each names all before it.
  finish: (db, {asOf}) =>
    db.run(`UPDATE signal_alerts SET in_force = is_current AND valid_to >= '${asOf}' AND message_type IS DISTINCT FROM 'cancel';
      UPDATE signal_alerts SET superseded_by = later.key, in_force = false
      FROM (SELECT id, arg_max(key, (sent, key)) AS key FROM (SELECT unnest(refers_to) AS id, sent, key FROM signal_alerts) GROUP BY id) AS later
      WHERE later.id = signal_alerts.key AND later.key <> later.id`),
  context: [
    // A county has each of its alerts, a state those that bear on livestock or hauling, counted by event.
    {
      ...ofAlerts,
      places: {county: "county_fips"},
      group: "key",
      values: ["event", "severity", "certainty", "valid_from AS onset", "valid_to AS ends"],
    },
    {
      ...ofAlerts,
      places: {state: `if(regexp_matches(event, '${bearing}', 'i'), states, [])`},
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
      // The periods of the as-of date and of the two days after it; those of earlier days are past.
      carries: "signal = 'forecast' AND is_current AND age >= -2",
      days: "0",
      places: {venue: `(${venuesOfGrid})`},
      values: [
        `list({'name': name, 'starts': utc(valid_from), 'ends': utc(valid_to), 'temperature': plain(value), 'temperature_unit': unit,
          'wind_low_mph': plain(wind_low_mph), 'wind_high_mph': plain(wind_high_mph), 'wind_direction': wind_direction,
          'precipitation_pct': plain(precipitation_pct), 'summary': summary} ORDER BY valid_from) AS periods`,
      ],
      limitation:
        "Forecast of the grid that holds the venue's town, as issued on its date. Not a statement that any route or load is safe.",
    },
  ],
  sample: ["sample-alerts.json", "sample-point.json", "forecast_FWD_70,90.json"],
};

/** Reads an answer by its members. Throws a UserError for another one, with the service's own words where it tells an error. */
function readWeather({file, content}: SignalInput): SignalReading {
  const body = content.kind === "json" && isObject(content.body) ? content.body : null;
  if (body === null) {
    const came = content.kind === "json" ? membersOf(content.body) : content.kind;
    throw new UserError(`${file.path}: ${came} came; GeoJSON of api.weather.gov was expected.`);
  }
  const properties = propertiesOf(body);
  const features = body["features"] ?? body["@graph"];
  const isAlert = "messageType" in properties && "event" in properties;
  const alerts = isAlert ? [body] : objectsOf(features);
  if (alerts.length > 0 && !alerts.some((alert) => "event" in propertiesOf(alert)))
    throw new UserError("features without an event came, alerts of the weather service were expected");
  if (Array.isArray(features) || isAlert) return readRows("alerts", alerts, alertColumns);
  const named = ["generatedAt", "updateTime", "updated"].map((name) => instantFrom(properties[name]));
  const updated = named.find((instant) => instant !== null) ?? file.retrievedAt;
  const ofGrid = (key: string) => ({key, area_type: "grid", area: key, source_date: updated.slice(0, 10)});
  if (Array.isArray(properties["periods"])) {
    // A forecast has its grid in no field.
    const grid = gridIn(file.meta?.url) ?? gridIn(file.path);
    if (grid === null)
      throw new UserError(
        `${file.path}: a forecast without its grid; expected OFFICE/X,Y in the meta file's url, or OFFICE_X,Y in the file's name.`,
      );
    const periods = objectsOf(properties["periods"]);
    return readRows("forecasts", periods, (period) => ({...periodColumns(period), ...ofGrid(grid)}));
  }
  const office = textOf(properties["gridId"]);
  if (office === null) {
    const error = errorIn(body);
    throw new UserError(
      error === null
        ? `${file.path}: ${membersOf(body)} came; expected alerts, a forecast, a grid or a point.`
        : `${file.path}: an error came: ${error} (${String(body["status"])}).`,
    );
  }
  const grid = `${office}/${String(properties["gridX"])},${String(properties["gridY"])}`;
  const day = file.retrievedAt.slice(0, 10);
  if ("forecastHourly" in properties)
    return readRows("forecast_points", [properties], () => ({...pointColumns(body), valid_from: day, grid}));
  // Every value of every layer of a raw grid is a row.
  const values = Object.entries(properties).flatMap(([layer, held]) =>
    isObject(held)
      ? objectsOf(held["values"]).map((entry) => ({layer, unit: unitOf(held["uom"]), entry}))
      : [],
  );
  return readRows("forecasts", values, (value) => ({...valueColumns(value), ...ofGrid(grid)}));
}

/** `OFFICE/X,Y` of an address or a file name; null for a text without a grid. */
function gridIn(text = ""): string | null {
  const match = /\b([A-Z]{3})[/_](\d{1,3}),(\d{1,3})\b/.exec(text.replaceAll("_", "/"));
  return match === null ? null : `${match[1]}/${match[2]},${match[3]}`;
}

/** A period or an hour: hours last an hour, periods are halves of a day. */
function periodColumns({startTime, endTime, temperature, temperatureUnit: letter, ...period}: Json) {
  const [valid_from, valid_to] = [instantFrom(startTime), instantFrom(endTime)];
  if (valid_from === null || valid_to === null) rejectTime("startTime", startTime);
  const isHour = Date.parse(valid_to) - Date.parse(valid_from) <= 3_600_000;
  const [wind_low_mph, wind_high_mph] = windOf(period["windSpeed"]);
  const unit = isObject(temperature) ? unitOf(temperature["unitCode"]) : null;
  return {
    signal: isHour ? "forecast_hourly" : "forecast",
    valid_from,
    valid_to,
    name: textOf(period["name"]),
    value: measured(temperature),
    unit: unit ?? (textOf(letter) === null ? null : `deg${textOf(letter)}`),
    wind_low_mph,
    wind_high_mph,
    wind_direction: textOf(period["windDirection"]),
    precipitation_pct: measured(period["probabilityOfPrecipitation"]),
    summary: textOf(period["shortForecast"]),
  };
}

const kilometresPerMile = 1.609344;

/** Lowest and highest speed in miles an hour, of words (`15 to 20 mph`, `5 km/h`) or of a quantity with value, or least and greatest, and unit. */
function windOf(speed: unknown): [low: number | null, high: number | null] {
  const inMiles = (value: number | null, unit: string | null | undefined) => {
    if (value === null || /^(mph|mi_h-1)$/i.test(unit ?? "")) return value;
    return /^km(\/h|_h-1)$/i.test(unit ?? "") ? roundHalfAway(value / kilometresPerMile, 1) : null;
  };
  if (isObject(speed)) {
    const {value, minValue = value, maxValue = value} = speed;
    const unit = unitOf(speed["unitCode"]);
    return [inMiles(numberOf(minValue), unit), inMiles(numberOf(maxValue), unit)];
  }
  const [, low, high = low, unit] =
    /^(\d+)(?:\s*to\s*(\d+))?\s*(mph|km\/h)$/i.exec(textOf(speed) ?? "") ?? [];
  return [inMiles(numberOf(low), unit), inMiles(numberOf(high), unit)];
}

/** A number, or that of an object with value and unit code. */
function measured(value: unknown): number | null {
  return numberOf(isObject(value) ? value["value"] : value);
}

/** `degC` of `wmoUnit:degC` or `unit:degC`. */
function unitOf(code: unknown): string | null {
  return textOf(code)?.split(":").at(-1) ?? null;
}

type GridValue = {readonly layer: string; readonly unit: string | null; readonly entry: Json};

/** A value of a raw grid; `validTime` is `<instant>/<ISO duration>` of days and hours and less (`P1DT6H`). */
function valueColumns({layer, unit, entry: {validTime, value}}: GridValue) {
  const text = textOf(validTime) ?? "";
  const [from = "", duration = ""] = text.split("/").map((part) => part.trim());
  const parts = /^P(?!$)(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(duration)?.slice(1);
  const [days, hours, minutes, seconds] = (parts ?? [Number.NaN]).map((part) => Number(part ?? 0));
  const length = ((days! * 24 + hours!) * 60 + minutes!) * 60 + seconds!;
  const valid_from = instantFrom(from);
  const valid_to = valid_from && instantOf(Date.parse(valid_from) + 1000 * length);
  if (valid_from === null || valid_to === null)
    rejectTime("validTime", text, "an ISO time and duration were");
  const number = numberOf(value);
  const summary = number === null && value !== null ? JSON.stringify(value) : null;
  return {signal: `grid_${layer}`, valid_from, valid_to, name: layer, value: number, unit, summary};
}

/** A point's county and zone, which join a forecast to a place. */
function pointColumns({geometry, ...body}: Json) {
  const coordinates = isObject(geometry) ? geometry["coordinates"] : null;
  const [lon, lat] = Array.isArray(coordinates) ? coordinates : [];
  if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 180))
    reject("bad_point", "a point with longitude and latitude was expected");
  const {county, forecastZone} = propertiesOf(body);
  const fips = countyOfUgc(lastPart(county) ?? "");
  return {
    signal: "forecast_point",
    key: `${lat},${lon}`,
    area_type: fips === null ? null : "county",
    area: fips,
    source_date: null,
    lat,
    lon,
    forecast_zone: lastPart(forecastZone),
  };
}
