import {UserError} from "../../../../lib/errors.ts";
import {isObject, type Json, membersOf, objectsOf, textOf} from "../../json-values.ts";
import {readRows, type SignalInput, type SignalReading} from "../reading.ts";
import {alertRow} from "./alert-row.ts";
import {isForecast, isPoint, isRawGrid, readForecast, readPoint, readRawGrid} from "./forecasts.ts";

/**
 * Reads an answer of api.weather.gov: alerts (a collection or one), a forecast, an hourly forecast, a raw grid or a point.
 * Forecasts are for the files of analysts; answers carry alerts only.
 */
export function readWeather(input: SignalInput): SignalReading {
  const {file, content} = input;
  if (content.kind !== "json") {
    throw new UserError(`${file.path}: ${content.kind} came; GeoJSON of api.weather.gov was expected.`);
  }
  const {body} = content;
  if (!isObject(body)) throw new UserError(`${file.path}: ${membersOf(body)} came; GeoJSON was expected.`);
  const alerts = alertsOf(body);
  if (alerts !== null) return readRows(alerts, alertRow);
  const properties = isObject(body["properties"]) ? body["properties"] : body;
  if (isForecast(properties)) return readForecast(input, properties);
  if (isPoint(properties)) return readPoint(input, properties);
  if (isRawGrid(properties)) return readRawGrid(input, properties);
  const problem = textOf(body["detail"]) ?? textOf(body["title"]);
  throw new UserError(
    problem !== null && body["status"] !== undefined
      ? `${file.path}: an error came: ${problem} (${String(body["status"])}).`
      : `${file.path}: ${membersOf(body)} came; expected alerts, a forecast, a grid or a point.`,
  );
}

function alertsOf(body: Json): Json[] | null {
  if (Array.isArray(body["features"])) return objectsOf(body["features"]);
  if (Array.isArray(body["@graph"])) return objectsOf(body["@graph"]);
  const properties = isObject(body["properties"]) ? body["properties"] : body;
  return "messageType" in properties && "event" in properties ? [body] : null;
}
