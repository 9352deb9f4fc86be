import type {Job, Tally} from "../jobs/job.ts";
import {fetchReportTexts} from "./ams-text.ts";
import {pullLayer} from "./arcgis-pull.ts";
import {fetchBulkLines} from "./bulk-lines.ts";
import {fetchCountyFiles} from "./county-files.ts";
import {fetchFacilities} from "./echo-pages.ts";
import {fetchHttpFile} from "./http-file.ts";
import {fetchDatamart, fetchMars} from "./mars.ts";
import {fetchSeries, fetchStatistics} from "./statistics.ts";
import {fetchDrought, fetchWeather} from "./weather.ts";

/** Fetches one source with its protocol. Rejects with a `FetchError` if the answer is unavailable or unacceptable. */
export async function askSource(job: Job): Promise<Tally> {
  const {feed, protocol} = job.source;
  switch (feed?.protocol) {
    case "mars":
      return fetchMars(job, feed);
    case "ams-text":
      return fetchReportTexts(job, feed);
    case "datamart":
      return fetchDatamart(job, feed);
    case "quickstats":
      return fetchStatistics(job, feed);
    case "drought":
      return fetchDrought(job, feed);
    case "nws":
      return fetchWeather(job, feed);
    case "eia":
      return fetchSeries(job, feed);
    case "echo":
      return fetchFacilities(job, feed);
    case "bulk-lines":
      return fetchBulkLines(job, feed);
    case "http-file":
      return fetchHttpFile(job, {complete: feed.complete === true});
    default:
      return protocol === "arcgis" ? pullLayer(job) : fetchCountyFiles(job);
  }
}
