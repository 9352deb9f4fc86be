import type {Gain, Job} from "../job.ts";
import {fetchReportTexts} from "./ams-text.ts";
import {pullLayer} from "./arcgis.ts";
import {fetchCountyFiles} from "./county-files.ts";
import {fetchDrought} from "./drought.ts";
import {fetchFacilities} from "./echo.ts";
import {fetchSeries} from "./eia.ts";
import {fetchHttpFile} from "./http-file.ts";
import {fetchDatamart, fetchMars} from "./mars.ts";
import {fetchWeather} from "./nws.ts";
import {fetchStatistics} from "./quickstats.ts";

/** Asks one source in its protocol. Rejects with an `AskFault` for an answer that cannot be had or taken. */
export async function askSource(job: Job): Promise<Gain> {
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
    case "http-file":
      return fetchHttpFile(job, {complete: feed.complete === true});
    default:
      return protocol === "arcgis" ? pullLayer(job) : fetchCountyFiles(job);
  }
}
