import {expect, test} from "vitest";
import {nws} from "../../../../pipeline/market/feeds/nws.ts";
import {gathered, readText, valuesOf} from "./read-text.ts";

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
