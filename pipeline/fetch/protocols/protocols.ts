import type {Gain, Job} from "../job.ts";
import {pullLayer} from "./arcgis.ts";
import {fetchHttpFile} from "./http-file.ts";

/** Asks one source in its protocol. Rejects with an `AskFault` for an answer that cannot be had or taken. */
export function askSource(job: Job): Promise<Gain> {
  const {feed, protocol} = job.source;
  switch (feed?.protocol ?? protocol) {
    case "http-file":
      return fetchHttpFile(job, {
        complete: feed === null || (feed.protocol === "http-file" && feed.complete === true),
      });
    case "arcgis":
      return pullLayer(job);
    default:
      throw new Error(`no protocol ${protocol}`);
  }
}
