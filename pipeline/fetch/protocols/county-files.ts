import type {ParcelSource} from "../../../schemas/parcel-source.ts";
import type {FetchSource} from "../fetch-source.ts";
import {eachOf, type Gain, type Job} from "../job.ts";
import {fetchHttpFile} from "./http-file.ts";

/** The part of an address that stands for the key of a county, where a publisher has a file for each. */
const placeholder = "{county}";

/** Gives the addresses of a source: one for each of its counties where the address has a place for them. */
export function addressesOf({url, entry}: Pick<FetchSource, "url" | "entry">): string[] {
  const counties: ParcelSource["coverage"]["counties"] = entry?.coverage.counties ?? "all";
  if (!url.includes(placeholder) || counties === "all") return [url];
  return counties.map((county) => url.replace(placeholder, county));
}

/** Fetches the files of all counties, each with its own tags; one that is refused is counted, and the others go on. */
export function fetchCountyFiles(job: Job): Promise<Gain> {
  return eachOf(job, addressesOf(job.source), async (url) => {
    const ofCounty = {...job, source: {...job.source, url}};
    try {
      return await fetchHttpFile(ofCounty, {complete: true});
    } finally {
      job.requests = ofCounty.requests;
    }
  });
}
