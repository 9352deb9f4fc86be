import {countWithNoun} from "../../../lib/counts.ts";
import {FetchError} from "../client/fetch-error.ts";
import {askJson} from "../jobs/document.ts";
import {eachOf, type Job, sumOf, type Tally} from "../jobs/job.ts";
import {addressesOf, mirrorOf} from "../jobs/source-address.ts";
import {fetchHttpFile} from "./http-file.ts";

/** Pages of a list of files that are followed at most. */
const maxListPages = 20;

/**
 * Fetches the files of all counties, each with its own ETag; a refused one is counted and the others continue. Where the entry names a list
 * of the files that exist, a county that is not in it is absent, which is no failure; an unreadable list costs only this. After the first
 * 403 of the publisher's host the rest comes from the mirror, if the entry names one.
 */
export async function fetchCountyFiles(job: Job): Promise<Tally> {
  const {entry} = job.source;
  const {fileList, newerEdition} = entry ?? {};
  const losses = newerEdition === undefined ? [] : [newerEdition];
  const addresses = addressesOf(job.source);
  const listed = fileList === undefined ? null : await listedFiles(job, fileList, addresses);
  if (typeof listed === "string") losses.push(listed);
  const names = listed === null || typeof listed === "string" ? null : listed;
  const existing = addresses.filter((url) => names?.has(nameIn(url)) ?? true);
  const absent = addresses.length - existing.length;
  const notes = absent === 0 ? [] : [`absent: ${countWithNoun(absent, "county file")} not in the list`];
  let isRefused = false;
  const tally = await eachOf(job, existing, async (url) => {
    const mirrored = mirrorOf(job.source, url);
    if (!isRefused || mirrored === null) {
      try {
        return await fetchFrom(job, url, existing.length);
      } catch (fault) {
        if (mirrored === null || !(fault instanceof FetchError) || fault.status !== 403) throw fault;
        isRefused = true;
      }
    }
    return fetchFrom(job, mirrored, existing.length);
  });
  return sumOf([tally, {added: 0, unchanged: 0, partial: null, notes, losses}]);
}

async function fetchFrom(job: Job, url: string, sourceFiles: number): Promise<Tally> {
  const ofCounty = {...job, source: {...job.source, url}};
  try {
    return await fetchHttpFile(ofCounty, {complete: true, sourceFiles});
  } finally {
    job.requests = ofCounty.requests;
  }
}

/** Names of the files that a publisher's list has on all its pages; or, where it cannot be read, what that costs. */
async function listedFiles(
  job: Job,
  list: string,
  addresses: readonly string[],
): Promise<ReadonlySet<string> | string> {
  const names = new Set<string>();
  try {
    let page: string | null = list;
    for (let n = 0; page !== null && n < maxListPages; n++) {
      const text: string = (await askJson(job, {url: page})) ?? "{}";
      const {results, next} = JSON.parse(text) as {results?: unknown; next?: unknown};
      if (!Array.isArray(results)) throw new FetchError("refused", "the list of files has no results");
      for (const file of results as ({resource?: unknown} | null)[])
        names.add(nameIn(String(file?.resource)));
      page = typeof next === "string" ? next.replace(/^http:(?!\/\/(127\.|localhost))/, "https:") : null;
    }
    if (!addresses.some((url) => names.has(nameIn(url))))
      throw new FetchError("refused", "the list of files has none of them");
    return names;
  } catch (fault) {
    if (!(fault instanceof FetchError) || fault.kind === "limit" || fault.kind === "wait") throw fault;
    return `which county files exist is unknown, so each is asked for: ${fault.message}`;
  }
}

function nameIn(url: string): string {
  return url.split("/").at(-1)!.toLowerCase();
}
