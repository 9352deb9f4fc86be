import {isObject, type Json, numberOf, textOf} from "../../json-values.ts";
import {instantFrom, instantOf} from "../../words/published-date.ts";
import type {RowOutcome} from "../reading.ts";

export type ForecastKind = "forecast" | "forecast_hourly";

/** One period of a forecast. Wind speed is text in the source (`15 to 20 mph`), temperature a number with its letter. */
export function periodRow(period: Json, grid: string, kind: ForecastKind, updated: string): RowOutcome {
  const [start, end] = [instantFrom(period["startTime"]), instantFrom(period["endTime"])];
  if (start === null || end === null) {
    return {
      reject: "not_iso_time",
      detail: `startTime ${JSON.stringify(period["startTime"])}; an ISO time with its offset was expected`,
    };
  }
  const wind = windOf(textOf(period["windSpeed"]));
  const temperature = measured(period["temperature"]);
  const letter = textOf(period["temperatureUnit"]);
  return {
    accept: {
      table: "forecasts",
      values: {
        signal: kind,
        key: grid,
        valid_from: start,
        valid_to: end,
        area_type: "grid",
        area: grid,
        source_date: updated.slice(0, 10),
        name: textOf(period["name"]),
        value: temperature.value,
        unit: temperature.unit ?? (letter === null ? null : `deg${letter}`),
        wind_low_mph: wind?.low ?? null,
        wind_high_mph: wind?.high ?? null,
        wind_direction: textOf(period["windDirection"]),
        precipitation_pct: measured(period["probabilityOfPrecipitation"]).value,
        summary: textOf(period["shortForecast"]),
      },
    },
  };
}

/** One value of a layer of the raw grid: `validTime` is `<instant>/<ISO duration>`. */
export function gridRow(
  entry: Json,
  {grid, layer, unit, updated}: {grid: string; layer: string; unit: string | null; updated: string},
): RowOutcome {
  const text = textOf(entry["validTime"]) ?? "";
  const [from = "", duration = ""] = text.split("/");
  const start = instantFrom(from.trim());
  const length = durationMs(duration.trim());
  const end = start === null || length === null ? null : instantOf(Date.parse(start) + length);
  if (start === null || end === null) {
    return {
      reject: "not_iso_time",
      detail: `validTime ${JSON.stringify(text)}; an ISO time and duration were expected`,
    };
  }
  const {value} = entry;
  return {
    accept: {
      table: "forecasts",
      values: {
        signal: `grid_${layer}`,
        key: grid,
        valid_from: start,
        valid_to: end,
        area_type: "grid",
        area: grid,
        source_date: updated.slice(0, 10),
        name: layer,
        value: numberOf(value),
        unit,
        summary: numberOf(value) === null && value !== null ? JSON.stringify(value) : null,
      },
    },
  };
}

/** A number, or an object with value and unit code (`wmoUnit:degC`). */
function measured(value: unknown): {value: number | null; unit: string | null} {
  if (!isObject(value)) return {value: numberOf(value), unit: null};
  return {value: numberOf(value["value"]), unit: unitOf(value["unitCode"])};
}

/** `degC` of `wmoUnit:degC` or `unit:degC`. */
export function unitOf(code: unknown): string | null {
  return textOf(code)?.split(":").at(-1) ?? null;
}

function windOf(text: string | null): {low: number; high: number} | null {
  const match = /^(\d+)(?:\s*to\s*(\d+))?\s*mph$/i.exec(text ?? "");
  return match === null ? null : {low: Number(match[1]), high: Number(match[2] ?? match[1])};
}

/** Length of an ISO 8601 duration of days and hours and less (`P1DT6H`, `PT1H`); null for anything else. */
function durationMs(text: string): number | null {
  const match = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text);
  if (match === null || text === "P") return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}
