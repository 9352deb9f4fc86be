import {UserError} from "../../../../lib/errors.ts";
import {isObject, type Json, objectsOf, textOf} from "../../json-values.ts";
import {instantFrom} from "../../words/published-date.ts";
import {type RowOutcome, readRows, type SignalInput, type SignalReading} from "../reading.ts";
import {countyOfUgc} from "./alert-areas.ts";
import {type ForecastKind, gridRow, periodRow, unitOf} from "./forecast-rows.ts";

/** True for the answer of `/gridpoints/…/forecast` and `/forecast/hourly`. */
export function isForecast(properties: Json): boolean {
  return Array.isArray(properties["periods"]);
}

/**
 * Reads the periods of a forecast. Its grid is in no field: it is taken from the address in the meta file, else from the
 * file's name. Throws a UserError for a file with neither.
 */
export function readForecast({file}: SignalInput, properties: Json): SignalReading {
  const periods = objectsOf(properties["periods"]);
  const grid = gridIn(file.meta?.url) ?? gridIn(file.path);
  if (grid === null) {
    throw new UserError(
      `${file.path}: a forecast without its grid; expected OFFICE/X,Y in the meta file's url, or OFFICE_X,Y in the file's name.`,
    );
  }
  const updated = updatedOf(properties, file.retrievedAt);
  return readRows(periods, (period) => periodRow(period, grid, kindOf(period), updated));
}

/** Hours have no name and last an hour; periods are halves of a day. */
function kindOf(period: Json): ForecastKind {
  const [start, end] = [instantFrom(period["startTime"]), instantFrom(period["endTime"])];
  const hour = start !== null && end !== null && Date.parse(end) - Date.parse(start) <= 3_600_000;
  return hour ? "forecast_hourly" : "forecast";
}

/** `OFFICE/X,Y` of an address or a file name; null for a text without a grid. */
function gridIn(text: string | undefined): string | null {
  const match = /\b([A-Z]{3})[/_](\d{1,3}),(\d{1,3})\b/.exec((text ?? "").replaceAll("_", "/"));
  return match === null ? null : `${match[1]}/${match[2]},${match[3]}`;
}

/** True for the answer of `/gridpoints/OFFICE/X,Y`: layers of values. */
export function isRawGrid(properties: Json): boolean {
  return textOf(properties["gridId"]) !== null && !("forecastHourly" in properties);
}

/** Reads a raw grid: every value of every layer is a row. */
export function readRawGrid({file}: SignalInput, properties: Json): SignalReading {
  const grid = `${textOf(properties["gridId"])}/${String(properties["gridX"])},${String(properties["gridY"])}`;
  const updated = updatedOf(properties, file.retrievedAt);
  const entries = Object.entries(properties).flatMap(([layer, content]) =>
    isObject(content) && Array.isArray(content["values"])
      ? objectsOf(content["values"]).map((entry) => ({layer, unit: unitOf(content["uom"]), entry}))
      : [],
  );
  return readRows(entries, ({layer, unit, entry}) => gridRow(entry, {grid, layer, unit, updated}));
}

function updatedOf(properties: Json, retrievedAt: string): string {
  const named = ["generatedAt", "updateTime", "updated"].map((name) => instantFrom(properties[name]));
  return named.find((instant) => instant !== null) ?? retrievedAt;
}

/** True for the answer of `/points/LAT,LON`. */
export function isPoint(properties: Json): boolean {
  return textOf(properties["gridId"]) !== null && "forecastHourly" in properties;
}

/** Reads a point's forecast grid, county and zone, which join a forecast to a place. */
export function readPoint({file, content}: SignalInput, properties: Json): SignalReading {
  return readRows([properties], (): RowOutcome => {
    const point = pointOf(content.kind === "json" ? content.body : null);
    if (point === null)
      return {reject: "bad_point", detail: "a point with longitude and latitude was expected"};
    const county = countyOfUgc(lastPart(properties["county"]) ?? "");
    return {
      accept: {
        table: "forecast_points",
        values: {
          signal: "forecast_point",
          key: `${point.lat},${point.lon}`,
          valid_from: file.retrievedAt.slice(0, 10),
          area_type: county === null ? null : "county",
          area: county,
          source_date: null,
          ...point,
          grid: `${textOf(properties["gridId"])}/${String(properties["gridX"])},${String(properties["gridY"])}`,
          forecast_zone: lastPart(properties["forecastZone"]),
        },
      },
    };
  });
}

function pointOf(body: unknown): {lat: number; lon: number} | null {
  const geometry = isObject(body) && isObject(body["geometry"]) ? body["geometry"] : {};
  const [lon, lat] = Array.isArray(geometry["coordinates"]) ? geometry["coordinates"] : [];
  return typeof lat === "number" && typeof lon === "number" && Math.abs(lat) <= 90 && Math.abs(lon) <= 180
    ? {lat, lon}
    : null;
}

function lastPart(url: unknown): string | null {
  return textOf(url)?.split("/").at(-1) ?? null;
}
