import {expect, test} from "vitest";
import {nws} from "../../../../pipeline/market/feeds/nws.ts";
import {gathered, readText, reasonsOf, valuesOf} from "./read-text.ts";

const alert = (id: string, change: object = {}) => ({
  id: `https://api.weather.gov/alerts/${id}`,
  type: "Feature",
  geometry: null,
  properties: {
    "@id": `https://api.weather.gov/alerts/${id}`,
    id,
    areaDesc: "Canadian, OK",
    geocode: {SAME: ["040017"], UGC: ["OKZ024"]},
    affectedZones: ["https://api.weather.gov/zones/forecast/OKZ024"],
    references: [],
    sent: "2026-11-20T12:00:00-06:00",
    effective: "2026-11-20T12:00:00-06:00",
    onset: "2026-11-21T00:00:00-06:00",
    expires: "2026-11-21T06:00:00-06:00",
    ends: "2026-11-22T00:00:00-06:00",
    status: "Actual",
    messageType: "Alert",
    severity: "Severe",
    certainty: "Likely",
    urgency: "Expected",
    event: "Winter Storm Warning",
    ...change,
  },
});
const collection = (...features: object[]) => ({type: "FeatureCollection", features});
const reference = (identifier: string) => [{identifier, sender: "w-nws", sent: "2026-11-20T12:00:00-06:00"}];

async function inForce(...features: object[]): Promise<[string, unknown, unknown][]> {
  const reading = await readText(nws.read, "nws/alerts.json", collection(...features));
  const file = {path: "a", feedOrEntryId: "nws", retrievedAt: "2026-11-20T20:00:00Z"} as never;
  const {rows} = await gathered(nws, "alerts", [{file, reading}]);
  return rows.map((row) => [String(row["key"]), row["superseded_by"], row["in_force"]]);
}

test("reads an alert: from onset to ends in UTC, counties by SAME codes, zones and states", async () => {
  const read = await readText(nws.read, "nws/alerts.json", collection(alert("urn:a")));
  expect(
    valuesOf(
      read,
      "key",
      "valid_from",
      "valid_to",
      "county_fips",
      "zones",
      "states",
      "severity",
      "message_type",
    ),
  ).toEqual([
    [
      "urn:a",
      "2026-11-21T06:00:00Z",
      "2026-11-22T06:00:00Z",
      ["40017"],
      ["OKZ024"],
      ["OK"],
      "severe",
      "alert",
    ],
  ]);
});

test("replaces an alert by its update, and ends it by a cancellation, which is itself not in force", async () => {
  expect(
    await inForce(
      alert("urn:a"),
      alert("urn:b", {
        messageType: "Update",
        references: reference("urn:a"),
        sent: "2026-11-20T15:00:00-06:00",
      }),
      alert("urn:c"),
      alert("urn:d", {
        messageType: "Cancel",
        references: reference("urn:c"),
        sent: "2026-11-20T16:00:00-06:00",
      }),
    ),
  ).toEqual([
    ["urn:a", "urn:b", false],
    ["urn:b", null, true],
    ["urn:c", "urn:d", false],
    ["urn:d", null, false],
  ]);
});

test("keeps an update of an unknown alert in force, but not one that ended before the day", async () => {
  const ended = {ends: "2026-11-20T12:00:00-06:00"};
  expect(
    await inForce(
      alert("urn:b", {messageType: "Update", references: reference("urn:unseen")}),
      alert("urn:old", ended),
      alert("urn:no-end", {ends: null}),
    ),
  ).toEqual([
    ["urn:b", null, true],
    ["urn:old", null, false],
    ["urn:no-end", null, true],
  ]);
});

test("ends an alert that a later fetch of the same list omits", async () => {
  const fetched = async (path: string, retrievedAt: string, ...features: object[]) => ({
    file: {
      path,
      feedOrEntryId: "nws",
      retrievedAt,
      meta: {retrieved_at: retrievedAt, url: "https://api.weather.gov/alerts/active"},
    } as never,
    reading: await readText(nws.read, "nws/alerts.json", collection(...features)),
  });
  const files = [
    await fetched("b", "2026-11-20T21:00:00Z", alert("urn:a")),
    await fetched("a", "2026-11-20T20:00:00Z", alert("urn:a"), alert("urn:gone")),
  ];
  const {rows} = await gathered(nws, "alerts", files);
  expect(rows.map((row) => [row["key"], row["in_force"]])).toEqual([
    ["urn:a", true],
    ["urn:gone", false],
  ]);
});

test("counts expired messages named in the parameters as references", async () => {
  const parameters = {expiredReferences: ["w-nws,urn:a,2026-11-20T12:00:00-06:00"]};
  expect(await inForce(alert("urn:a"), alert("urn:b", {parameters}))).toEqual([
    ["urn:a", "urn:b", false],
    ["urn:b", null, true],
  ]);
});

test("rejects tokens in place of times, times without an offset, tests, and alerts without an event", async () => {
  const read = await readText(
    nws.read,
    "nws/alerts.json",
    collection(
      alert("urn:a", {sent: "date:now -2 minutes"}),
      alert("urn:b", {ends: "2026-11-22T00:00:00"}),
      alert("urn:c", {status: "Test"}),
      alert("urn:d", {event: null}),
    ),
  );
  expect(reasonsOf(read)).toEqual(["not_iso_time", "not_iso_time", "not_actual", "no_identity"]);
});

test("reads a forecast by the grid of its address: temperature, wind as text, chance of rain", async () => {
  const period = {
    number: 1,
    name: "Tonight",
    startTime: "2026-11-20T18:00:00-06:00",
    endTime: "2026-11-21T06:00:00-06:00",
    temperature: 28,
    temperatureUnit: "F",
    probabilityOfPrecipitation: {unitCode: "wmoUnit:percent", value: 40},
    windSpeed: "15 to 20 mph",
    windDirection: "N",
    shortForecast: "Snow Likely",
  };
  const hour = {...period, endTime: "2026-11-20T19:00:00-06:00"};
  const body = {
    type: "Feature",
    properties: {generatedAt: "2026-11-20T20:00:00+00:00", periods: [period, hour]},
  };
  const read = await readText(nws.read, "nws/f.json", body, {
    url: "https://api.weather.gov/gridpoints/OUN/97,94/forecast",
  });
  expect(
    valuesOf(read, "signal", "key", "value", "unit", "wind_low_mph", "wind_high_mph", "precipitation_pct"),
  ).toEqual([
    ["forecast", "OUN/97,94", 28, "degF", 15, 20, 40],
    ["forecast_hourly", "OUN/97,94", 28, "degF", 15, 20, 40],
  ]);
  await expect(readText(nws.read, "nws/f.json", body)).rejects.toThrow(/a forecast without its grid/);
});

test("reads the raw grid's values with their intervals", async () => {
  const values = [
    {validTime: "2026-11-20T18:00:00+00:00/PT3H", value: -1.5},
    {validTime: "2026-11-20T21:00:00+00:00/P1DT1H", value: null},
    {validTime: "date:now / PT1H", value: 1},
  ];
  const properties = {
    gridId: "OUN",
    gridX: 97,
    gridY: 94,
    updateTime: "2026-11-20T17:00:00+00:00",
    temperature: {uom: "wmoUnit:degC", values},
  };
  const read = await readText(nws.read, "nws/g.json", {type: "Feature", properties});
  expect(valuesOf(read, "signal", "key", "valid_from", "valid_to", "value", "unit")).toEqual([
    ["grid_temperature", "OUN/97,94", "2026-11-20T18:00:00Z", "2026-11-20T21:00:00Z", -1.5, "degC"],
    ["grid_temperature", "OUN/97,94", "2026-11-20T21:00:00Z", "2026-11-21T22:00:00Z", null, "degC"],
  ]);
  expect(reasonsOf(read)).toEqual(["not_iso_time"]);
});

test("refuses a problem document of the service, quoting its detail", async () => {
  const body = {title: "Not Found", status: 404, detail: "'/alerts/nowhere' is not a valid resource path"};
  await expect(readText(nws.read, "nws/x.json", body)).rejects.toThrow(/not a valid resource path/);
});

test("gives wind in miles per hour, whether stated as text in either system or as a quantity", async () => {
  const period = (windSpeed: unknown) => ({
    startTime: "2026-11-20T18:00:00-06:00",
    endTime: "2026-11-21T06:00:00-06:00",
    temperature: {unitCode: "wmoUnit:degC", value: -2},
    windSpeed,
  });
  const unitCode = "wmoUnit:km_h-1";
  const winds = [
    "16 to 32 km/h",
    {unitCode, value: 16.09344},
    {unitCode, minValue: 8.04672, maxValue: 16.09344},
    "calm",
    {unitCode: "wmoUnit:m_s-1", value: 4},
  ];
  const body = {properties: {periods: winds.map(period)}};
  const read = await readText(nws.read, "nws/forecast_OUN_97,94.json", body);
  expect(valuesOf(read, "wind_low_mph", "wind_high_mph")).toEqual([
    [9.9, 19.9],
    [10, 10],
    [5, 10],
    [null, null],
    [null, null],
  ]);
});

test("assigns an alert for a whole state to the state", async () => {
  const body = {
    id: "urn:oid:1",
    event: "Extreme Cold Warning",
    messageType: "Alert",
    sent: "2026-11-20T12:00:00-06:00",
    ends: "2026-11-21T12:00:00-06:00",
    geocode: {SAME: ["040000"], UGC: ["OKZ001"]},
  };
  const read = await readText(nws.read, "nws/alert.json", body);
  expect(valuesOf(read, "area_type", "area", "county_fips", "states")).toEqual([["state", "OK", [], ["OK"]]]);
});

test.each([
  ["https://api.weather.gov/zones/county/OKC017", "county", "40017"],
  ["https://api.weather.gov/zones/forecast/OKZ024", null, null],
])("a point in %s has the area %s %s", async (county, areaType, area) => {
  const read = await readText(nws.read, "nws/point.json", {
    geometry: {type: "Point", coordinates: [-98, 35.5]},
    properties: {
      gridId: "OUN",
      gridX: 70,
      gridY: 90,
      forecastHourly: "https://api.weather.gov/hourly",
      county,
    },
  });
  expect(valuesOf(read, "key", "grid", "area_type", "area")).toEqual([
    ["35.5,-98", "OUN/70,90", areaType, area],
  ]);
});
