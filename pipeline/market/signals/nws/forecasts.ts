import {UserError} from "../../../../lib/errors.ts";
import type {RawFile} from "../../../raw/raw-files.ts";
import {isObject, type Json, numberOf, objectsOf, textOf} from "../../json-values.ts";
import {instantFrom, instantOf} from "../../words/published-date.ts";
import {readRows, reject, type SignalReading, type SignalValues} from "../reading.ts";
import {countyOfUgc, lastPart} from "./alerts.ts";

/** Reads the answer of a forecast, a point or a raw grid; null for another. Throws as each of them does. */
export function readForecasts(file: RawFile, body: Json, properties: Json): SignalReading | null {
  const named = ["generatedAt", "updateTime", "updated"].map((name) => instantFrom(properties[name]));
  const updated = (named.find((instant) => instant !== null) ?? file.retrievedAt).slice(0, 10);
  if (Array.isArray(properties["periods"]))
    return readForecast(file, objectsOf(properties["periods"]), updated);
  if (textOf(properties["gridId"]) === null) return null;
  const grid = `${textOf(properties["gridId"])}/${String(properties["gridX"])},${String(properties["gridY"])}`;
  return "forecastHourly" in properties
    ? readRows("forecast_points", [properties], () => pointColumns(file, body, properties, grid))
    : readGrid(properties, grid, updated);
}

/**
 * Reads the periods of a forecast. Its grid is in no field: it is taken from the address in the meta file, else from the file's name.
 * Throws a UserError for a file with neither.
 */
function readForecast({path, meta}: RawFile, periods: readonly Json[], updated: string): SignalReading {
  const grid = gridIn(meta?.url) ?? gridIn(path);
  if (grid === null)
    throw new UserError(
      `${path}: a forecast without its grid; expected OFFICE/X,Y in the meta file's url, or OFFICE_X,Y in the file's name.`,
    );
  return readRows("forecasts", periods, (period) => periodColumns(period, grid, updated));
}

/** `OFFICE/X,Y` of an address or a file name; null for a text without a grid. */
function gridIn(text = ""): string | null {
  const match = /\b([A-Z]{3})[/_](\d{1,3}),(\d{1,3})\b/.exec(text.replaceAll("_", "/"));
  return match === null ? null : `${match[1]}/${match[2]},${match[3]}`;
}

/** A period or an hour: hours last an hour, periods are halves of a day. Wind speed is text in the source (`15 to 20 mph`). */
function periodColumns(period: Json, grid: string, updated: string): SignalValues {
  const [valid_from, valid_to] = [instantFrom(period["startTime"]), instantFrom(period["endTime"])];
  if (valid_from === null || valid_to === null)
    reject(
      "not_iso_time",
      `startTime ${JSON.stringify(period["startTime"])}; an ISO time with its offset was expected`,
    );
  const isHour = Date.parse(valid_to) - Date.parse(valid_from) <= 3_600_000;
  const temperature = measured(period["temperature"]);
  const letter = textOf(period["temperatureUnit"]);
  const wind = /^(\d+)(?:\s*to\s*(\d+))?\s*mph$/i.exec(textOf(period["windSpeed"]) ?? "");
  return {
    ...placed(isHour ? "forecast_hourly" : "forecast", grid, updated),
    valid_from,
    valid_to,
    name: textOf(period["name"]),
    value: temperature.value,
    unit: temperature.unit ?? (letter === null ? null : `deg${letter}`),
    wind_low_mph: numberOf(wind?.[1]),
    wind_high_mph: numberOf(wind?.[2] ?? wind?.[1]),
    wind_direction: textOf(period["windDirection"]),
    precipitation_pct: measured(period["probabilityOfPrecipitation"]).value,
    summary: textOf(period["shortForecast"]),
  };
}

function placed(signal: string, grid: string, source_date: string) {
  return {signal, key: grid, area_type: "grid", area: grid, source_date};
}

/** A number, or an object with value and unit code (`wmoUnit:degC`). */
function measured(value: unknown): {value: number | null; unit: string | null} {
  if (!isObject(value)) return {value: numberOf(value), unit: null};
  return {value: numberOf(value["value"]), unit: unitOf(value["unitCode"])};
}

/** `degC` of `wmoUnit:degC` or `unit:degC`. */
function unitOf(code: unknown): string | null {
  return textOf(code)?.split(":").at(-1) ?? null;
}

/** Reads a raw grid: every value of every layer is a row; `validTime` is `<instant>/<ISO duration>`. */
function readGrid(properties: Json, grid: string, updated: string): SignalReading {
  const entries = Object.entries(properties).flatMap(([layer, content]) =>
    isObject(content)
      ? objectsOf(content["values"]).map((entry) => ({layer, unit: unitOf(content["uom"]), entry}))
      : [],
  );
  return readRows("forecasts", entries, ({layer, unit, entry: {validTime, value}}) => {
    const text = textOf(validTime) ?? "";
    const [from = "", duration = ""] = text.split("/").map((part) => part.trim());
    const valid_from = instantFrom(from);
    const length = durationMs(duration);
    const valid_to =
      valid_from === null || length === null ? null : instantOf(Date.parse(valid_from) + length);
    if (valid_from === null || valid_to === null)
      reject("not_iso_time", `validTime ${JSON.stringify(text)}; an ISO time and duration were expected`);
    const number = numberOf(value);
    const summary = number === null && value !== null ? JSON.stringify(value) : null;
    return {
      ...placed(`grid_${layer}`, grid, updated),
      valid_from,
      valid_to,
      name: layer,
      value: number,
      unit,
      summary,
    };
  });
}

/** Length of an ISO 8601 duration of days and hours and less (`P1DT6H`, `PT1H`); null for anything else. */
function durationMs(text: string): number | null {
  const match = /^P(?!$)(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text);
  if (match === null) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}

/** A point's forecast grid, county and zone, which join a forecast to a place. */
function pointColumns({retrievedAt}: RawFile, body: Json, properties: Json, grid: string): SignalValues {
  const geometry = isObject(body["geometry"]) ? body["geometry"] : {};
  const [lon, lat] = Array.isArray(geometry["coordinates"]) ? geometry["coordinates"] : [];
  const isPoint = typeof lat === "number" && typeof lon === "number";
  if (!isPoint || Math.abs(lat) > 90 || Math.abs(lon) > 180)
    reject("bad_point", "a point with longitude and latitude was expected");
  const county = countyOfUgc(lastPart(properties["county"]) ?? "");
  return {
    signal: "forecast_point",
    key: `${lat},${lon}`,
    valid_from: retrievedAt.slice(0, 10),
    area_type: county === null ? null : "county",
    area: county,
    source_date: null,
    lat,
    lon,
    grid,
    forecast_zone: lastPart(properties["forecastZone"]),
  };
}
