import {UserError} from "../../../lib/errors.ts";
import {countyOf} from "../../../lib/geography/counties.ts";
import {isObject, type Json, membersOf, objectsOf} from "../json-values.ts";
import {firstSql, objectSql} from "../signals/context.ts";
import {alertColumns, markInForce} from "../signals/nws/alerts.ts";
import {readForecasts} from "../signals/nws/forecasts.ts";
import {readRows, type SignalInput, type SignalReading} from "../signals/reading.ts";
import {errorIn} from "../signals/table.ts";
import type {SignalFeed} from "./feed.ts";

const severities = "['unknown', 'minor', 'moderate', 'severe', 'extreme']";

/** Events that bear on livestock or hauling wherever they are in a state (`docs/design/market.md` section 13). */
const bearing =
  "heat|cold|freez|frost|wind|winter|blizzard|snow|ice storm|sleet|flood|fire|red flag|drought|air quality|air stagnation|tornado";

const [onset, ends] = Object.values(firstSql("valid_from", "valid_to")).map(
  (time) => `strftime(${time}, '%Y-%m-%dT%H:%M:%SZ')`,
);
const alertValues = objectSql({
  ...firstSql("event", "severity", "certainty"),
  onset: onset!,
  ends: ends!,
});
const eventValues = objectSql({
  ...firstSql("event"),
  alerts: "count(*)",
  counties_named: "len(list_distinct(flatten(list(county_fips))))",
  worst_severity: `(${severities})[greatest(1, max(list_position(${severities}, severity)))]`,
});

/** Answers of api.weather.gov: alerts (a collection or one), forecasts, raw grids and points. Hours and raw grids stand in no answer. */
export const nws: SignalFeed = {
  kind: "signals",
  source: "nws",
  tables: ["alerts", "forecasts", "forecast_points"],
  read: readWeather,
  finish: markInForce,
  context: {
    table: "alerts",
    carries: "in_force",
    // A county has each of its alerts, a state those that bear on livestock or hauling, counted by event.
    places: {county: "county_fips", state: `if(regexp_matches(event, '${bearing}', 'i'), states, [])`},
    group: "if(key_type = 'county', key, event)",
    values: `CASE key_type WHEN 'county' THEN ${alertValues} ELSE ${eventValues} END`,
    limitation:
      "Alerts in force at the build's date; compare valid_to with the clock. Not a statement that any route or load is safe.",
  },
  sample: (asOf) => {
    const properties = {
      id: "urn:oid:sample",
      event: "Winter Storm Warning",
      sent: `${asOf}T00:00:00Z`,
      ends: `${asOf}T23:00:00Z`,
      severity: "Severe",
      certainty: "Likely",
      urgency: "Expected",
      messageType: "Alert",
      areaDesc: "Erath, TX",
      geocode: {SAME: ["048143"], UGC: ["TXC143"]},
    };
    const body = {type: "FeatureCollection", features: [{type: "Feature", properties}]};
    return [
      {name: "sample-alerts.json", text: `${JSON.stringify(body)}\n`},
      {name: "sample-point.json", text: `${JSON.stringify(samplePoint)}\n`},
      {name: "forecast_FWD_70,90.json", text: `${JSON.stringify(sampleForecast(asOf))}\n`},
    ];
  },
};

/** The grid of the sample's barn in Erath County, which stands at the county's internal point. */
const {lat, lon} = countyOf("48143")!.point;
const samplePoint = {
  type: "Feature",
  geometry: {type: "Point", coordinates: [lon, lat].map((degrees) => Number(degrees.toFixed(4)))},
  properties: {gridId: "FWD", gridX: 70, gridY: 90, forecast: "", forecastHourly: ""},
};

/** Four days by their halves. */
function sampleForecast(asOf: string) {
  const noon = Date.parse(`${asOf}T12:00:00Z`);
  const start = (half: number) => new Date(noon + half * 12 * 3_600_000).toISOString();
  const periods = Array.from({length: 8}, (_, half) => ({
    name: half % 2 === 0 ? `Day ${half / 2 + 1}` : `Night ${(half + 1) / 2}`,
    startTime: start(half),
    endTime: start(half + 1),
    temperature: half % 2 === 0 ? 52 + half : 31 + half,
    temperatureUnit: "F",
    windSpeed: half === 0 ? "15 to 25 mph" : "10 mph",
    windDirection: "NW",
    probabilityOfPrecipitation: {unitCode: "wmoUnit:percent", value: half === 0 ? 60 : null},
    shortForecast: half === 0 ? "Wintry Mix Likely" : "Mostly Clear",
  }));
  return {type: "Feature", properties: {generatedAt: `${asOf}T06:00:00Z`, periods}};
}

function readWeather({file, content}: SignalInput): SignalReading {
  const body = content.kind === "json" && isObject(content.body) ? content.body : null;
  if (body === null) {
    const came = content.kind === "json" ? membersOf(content.body) : content.kind;
    throw new UserError(`${file.path}: ${came} came; GeoJSON of api.weather.gov was expected.`);
  }
  const properties = isObject(body["properties"]) ? body["properties"] : body;
  const features = body["features"] ?? body["@graph"];
  const isAlert = "messageType" in properties && "event" in properties;
  const alerts = objectsOf(features);
  const hasEvent = ({event, properties: own}: Json) =>
    event !== undefined || (isObject(own) && "event" in own);
  if (alerts.length > 0 && !alerts.some(hasEvent))
    throw new UserError("features without an event came, alerts of the weather service were expected");
  if (Array.isArray(features) || isAlert)
    return readRows("alerts", isAlert ? [body] : objectsOf(features), alertColumns);
  const read = readForecasts(file, body, properties);
  if (read !== null) return read;
  const error = errorIn(body);
  throw new UserError(
    error === null
      ? `${file.path}: ${membersOf(body)} came; expected alerts, a forecast, a grid or a point.`
      : `${file.path}: an error came: ${error} (${String(body["status"])}).`,
  );
}
