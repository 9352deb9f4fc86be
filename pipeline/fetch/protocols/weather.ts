import {dateFrom} from "@open-cattle/usda-reports";
import {addDays} from "../../../lib/dates.ts";
import type {FeedOf} from "../../../schemas/fetch-source.ts";
import {fetchDocument} from "../jobs/document.ts";
import {eachOf, type Job, nothingNew, sumOf, type Tally} from "../jobs/job.ts";
import {surveyedStates, type VenueTown, venueStates, venueTowns} from "../jobs/known-sources.ts";

const geoJson = () => ({accept: "application/geo+json"});
/** The weather service's grids change once in years. */
const pointMs = 180 * 24 * 3_600_000;

const tuesday = 2;
/** A drought map is valid for Tuesday and released on Thursday afternoon. */
const releaseMs = (2 * 24 + 14) * 3_600_000;

/**
 * Fetches the county shares of the latest maps, state by state. Where no state has the newest map, its release is late (a holiday): the answer
 * is partial, so that the next night asks again.
 */
export async function fetchDrought(job: Job, {maps}: FeedOf<"drought">): Promise<Tally> {
  const last = lastMap(job.now());
  const first = addDays(last, -7 * (maps - 1));
  let isOut = false;
  const tally = await eachOf(job, surveyedStates, async ({state}) => {
    const query = new URLSearchParams({
      ...{aoi: state, startdate: americanDay(first), enddate: americanDay(last), statisticsType: "1"},
    });
    const name = `usdm_${state}`;
    const document = await fetchDocument(job, {
      ...{name, extension: "json", url: `${job.source.url}?${query}`},
      headers: () => ({accept: "text/json"}),
      fault: (text) => faultOf(text, first, last),
    });
    if (!isOut) {
      const text = document.text ?? (await job.folder.text((await job.folder.newest(name))!));
      isOut = mapDates(JSON.parse(text)).some((date) => dateFrom(date) === last);
    }
    return document;
  });
  return isOut ? tally : {...tally, partial: tally.partial ?? `the map of ${last} is not out yet`};
}

function lastMap(now: Date): string {
  const releaseTime = new Date(now.getTime() - releaseMs);
  const date = releaseTime.toISOString().slice(0, 10);
  return addDays(date, -((releaseTime.getUTCDay() - tuesday + 7) % 7));
}

function americanDay(date: string): string {
  const [year, month, day] = date.split("-").map(Number);
  return `${month}/${day}/${year}`;
}

/** Returns what is wrong with an answer, or null. A start date of 1 January also returns the previous week's map. */
function faultOf(text: string, first: string, last: string): string | null {
  const rows = JSON.parse(text) as unknown;
  if (!Array.isArray(rows) || rows.length === 0) return "expected a list of counties";
  const earliest = addDays(first, -7);
  for (const value of mapDates(rows)) {
    const date = dateFrom(value);
    if (date === null || date < earliest || date > last)
      return `a map of ${String(value)} is outside ${first} to ${last}`;
  }
  return null;
}

/** The dates of an answer's maps, as printed, row by row; clients get the name of the column in different case. */
function mapDates(rows: readonly Record<string, unknown>[]): unknown[] {
  return rows.map((row) => Object.entries(row).find(([name]) => name.toLowerCase() === "mapdate")?.[1]);
}

/** Fetches the active alerts of states with venues, or the forecasts for the venues' towns. */
export async function fetchWeather(job: Job, {ask}: FeedOf<"nws">): Promise<Tally> {
  if (ask === "alerts") return eachOf(job, venueStates(), (state) => fetchAlerts(job, state));
  const requested = new Set<string>();
  return eachOf(job, venueTowns(), (town) => fetchForecast(job, town, requested));
}

function fetchAlerts(job: Job, state: string): Promise<Tally> {
  return fetchDocument(job, {
    ...{name: `alerts_${state}`, extension: "json", headers: geoJson, complete: true},
    url: `${job.source.url}/alerts/active?area=${state}`,
    fault: (text) =>
      Array.isArray((JSON.parse(text) as {features?: unknown}).features) ? null : "expected a list of alerts",
  });
}

/** Fetches a town's grid unless it is known, then the grid's forecast unless another town has already requested it. */
async function fetchForecast(job: Job, {lat, lon}: VenueTown, requested: Set<string>): Promise<Tally> {
  const name = `points_${lat},${lon}`;
  const newestForecast = await job.folder.newest(name);
  const isFresh =
    newestForecast !== null && job.now().getTime() - Date.parse(newestForecast.meta.retrieved_at) < pointMs;
  const point = isFresh ? {...nothingNew, text: null} : await fetchPoint(job, name, `${lat},${lon}`);
  const newest = await job.folder.newest(name);
  const text = point.text ?? (newest === null ? "{}" : await job.folder.text(newest));
  const {gridId, gridX, gridY, forecast} = propertiesOf(text);
  if (typeof forecast !== "string" || requested.has(forecast)) return point;
  requested.add(forecast);
  const tally = await fetchDocument(job, {
    ...{name: `forecast_${gridId}_${gridX},${gridY}`, extension: "json", headers: geoJson, complete: true},
    url: forecast,
    fault: (body) => (Array.isArray(propertiesOf(body)["periods"]) ? null : "expected a forecast"),
  });
  return sumOf([point, tally]);
}

function fetchPoint(job: Job, name: string, place: string): Promise<Tally & {text: string | null}> {
  return fetchDocument(job, {
    ...{name, extension: "json", headers: geoJson, url: `${job.source.url}/points/${place}`},
    fault: (body) => (typeof propertiesOf(body)["forecast"] === "string" ? null : "expected a grid point"),
  });
}

function propertiesOf(text: string): Record<string, unknown> {
  return (JSON.parse(text) as {properties?: Record<string, unknown>}).properties ?? {};
}
