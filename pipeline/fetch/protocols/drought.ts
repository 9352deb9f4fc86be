import {addDays} from "../../../lib/dates.ts";
import type {FeedOf} from "../../../schemas/fetch-source.ts";
import {dateFrom} from "../../market/words/published-date.ts";
import {fetchDocument} from "../document.ts";
import {eachOf, type Gain, type Job} from "../job.ts";
import {surveyedStates} from "../known-sources.ts";

const tuesday = 2;
/** A map is valid on Tuesday and released on Thursday afternoon. */
const releaseMs = (2 * 24 + 14) * 3_600_000;

/** Fetches the county shares of the last maps, state by state. */
export function fetchDrought(job: Job, {maps}: FeedOf<"drought">): Promise<Gain> {
  const last = lastMap(job.now());
  const first = addDays(last, -7 * (maps - 1));
  return eachOf(job, surveyedStates, ({state}) => {
    const query = new URLSearchParams({
      ...{aoi: state, startdate: americanDay(first), enddate: americanDay(last), statisticsType: "1"},
    });
    return fetchDocument(job, {
      ...{name: `usdm_${state}`, extension: "json", url: `${job.source.url}?${query}`},
      headers: () => ({accept: "text/json"}),
      fault: (text) => faultOf(text, first, last),
    });
  });
}

function lastMap(now: Date): string {
  const released = new Date(now.getTime() - releaseMs);
  const date = released.toISOString().slice(0, 10);
  return addDays(date, -((released.getUTCDay() - tuesday + 7) % 7));
}

function americanDay(date: string): string {
  const [year, month, day] = date.split("-").map(Number);
  return `${month}/${day}/${year}`;
}

/** Gives what is wrong with an answer, or null. A start on 1 January also gives the map of the week before. */
function faultOf(text: string, first: string, last: string): string | null {
  const rows = JSON.parse(text) as unknown;
  if (!Array.isArray(rows) || rows.length === 0) return "no list of counties came";
  const earliest = addDays(first, -7);
  for (const row of rows as Record<string, unknown>[]) {
    const [, value] = Object.entries(row).find(([name]) => name.toLowerCase() === "mapdate") ?? [];
    const date = dateFrom(value);
    if (date === null || date < earliest || date > last)
      return `a map of ${String(value)} came, outside of ${first} to ${last}`;
  }
  return null;
}
