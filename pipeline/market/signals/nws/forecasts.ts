import {UserError} from "../../../../lib/errors.ts";
import type {RawFile} from "../../../raw/raw-files.ts";
import {isObject, type Json, numberOf, objectsOf, textOf} from "../../json-values.ts";
import {instantFrom, instantOf} from "../../words/published-date.ts";
import {readRows, reject, type SignalReading, type SignalValues} from "../reading.ts";
import {countyOfUgc, lastPart} from "./alerts.ts";

/**
 * Reads the answer of a forecast, a point or a raw grid; null for another. The grid of a forecast is in no field: it is taken from the
 * address in the meta file, else from the file's name. Throws a UserError for a forecast with neither.
 */
export function readForecasts(file: RawFile, body: Json, properties: Json): SignalReading | null {
  const named = ["generatedAt", "updateTime", "updated"].map((name) => instantFrom(properties[name]));
  const updated = named.find((instant) => instant !== null) ?? file.retrievedAt;
  const ofGrid = (key: string) => ({key, area_type: "grid", area: key, source_date: updated.slice(0, 10)});
  if (Array.isArray(properties["periods"])) {
    const grid = gridIn(file.meta?.url) ?? gridIn(file.path);
    if (grid === null)
      throw new UserError(
        `${file.path}: a forecast without its grid; expected OFFICE/X,Y in the meta file's url, or OFFICE_X,Y in the file's name.`,
      );
    const rows = objectsOf(properties["periods"]);
    return readRows("forecasts", rows, (row) => ({...periodColumns(row), ...ofGrid(grid)}));
  }
  if (textOf(properties["gridId"]) === null) return null;
  const grid = `${textOf(properties["gridId"])}/${String(properties["gridX"])},${String(properties["gridY"])}`;
  if ("forecastHourly" in properties)
    return readRows("forecast_points", [properties], () => pointColumns(file, body, properties, grid));
  // Every value of every layer of a raw grid is a row.
  const values = Object.entries(properties).flatMap(([layer, content]) =>
    isObject(content)
      ? objectsOf(content["values"]).map((entry) => ({layer, unit: unitOf(content["uom"]), entry}))
      : [],
  );
  return readRows("forecasts", values, (value) => ({...valueColumns(value), ...ofGrid(grid)}));
}

/** `OFFICE/X,Y` of an address or a file name; null for a text without a grid. */
function gridIn(text = ""): string | null {
  const match = /\b([A-Z]{3})[/_](\d{1,3}),(\d{1,3})\b/.exec(text.replaceAll("_", "/"));
  return match === null ? null : `${match[1]}/${match[2]},${match[3]}`;
}

/** A period or an hour: hours last an hour, periods are halves of a day. Wind speed is text in the source (`15 to 20 mph`). */
function periodColumns({startTime, endTime, temperature, temperatureUnit: letter, ...period}: Json) {
  const [valid_from, valid_to] = [instantFrom(startTime), instantFrom(endTime)];
  if (valid_from === null || valid_to === null)
    reject(
      "not_iso_time",
      `startTime ${JSON.stringify(startTime)}; an ISO time with its offset was expected`,
    );
  const isHour = Date.parse(valid_to) - Date.parse(valid_from) <= 3_600_000;
  const wind = /^(\d+)(?:\s*to\s*(\d+))?\s*mph$/i.exec(textOf(period["windSpeed"]) ?? "");
  const unit = isObject(temperature) ? unitOf(temperature["unitCode"]) : null;
  return {
    signal: isHour ? "forecast_hourly" : "forecast",
    valid_from,
    valid_to,
    name: textOf(period["name"]),
    value: measured(temperature),
    unit: unit ?? (textOf(letter) === null ? null : `deg${textOf(letter)}`),
    wind_low_mph: numberOf(wind?.[1]),
    wind_high_mph: numberOf(wind?.[2] ?? wind?.[1]),
    wind_direction: textOf(period["windDirection"]),
    precipitation_pct: measured(period["probabilityOfPrecipitation"]),
    summary: textOf(period["shortForecast"]),
  };
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
    reject("not_iso_time", `validTime ${JSON.stringify(text)}; an ISO time and duration were expected`);
  const number = numberOf(value);
  const summary = number === null && value !== null ? JSON.stringify(value) : null;
  return {signal: `grid_${layer}`, valid_from, valid_to, name: layer, value: number, unit, summary};
}

/** A point's forecast grid, county and zone, which join a forecast to a place. */
function pointColumns({retrievedAt}: RawFile, body: Json, properties: Json, grid: string): SignalValues {
  const coordinates = isObject(body["geometry"]) ? body["geometry"]["coordinates"] : null;
  const [lon, lat] = Array.isArray(coordinates) ? coordinates : [];
  if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 180))
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
