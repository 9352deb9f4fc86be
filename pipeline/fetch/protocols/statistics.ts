import {countWords} from "../../../lib/counts.ts";
import type {FeedOf} from "../../../schemas/fetch-source.ts";
import {FetchError} from "../client/fetch-error.ts";
import {askJson, fetchDocument} from "../jobs/document.ts";
import {eachOf, type Job, nothingNew, refuseNothing, sumOf, type Tally} from "../jobs/job.ts";

type Body = {response?: {total?: unknown; data?: unknown}; error?: unknown};

/** Maximum rows per call; more is a 413. */
const maxRows = 50_000;

/** Fetches the statistics of recent years query by query, split by year if a query has more rows than one call returns. */
export async function fetchStatistics(job: Job, feed: FeedOf<"quickstats">): Promise<Tally> {
  const year = job.now().getUTCFullYear();
  const first = year - feed.years + 1;
  const tally = await eachOf(job, Object.entries(feed.queries), async ([name, query]) => {
    const whole = {...query, year__GE: String(first)};
    const newest = await job.folder.newest(name);
    if (newest !== null || (await countOf(job, whole)) <= maxRows) {
      const tally = await fetchRows(job, name, whole);
      if (tally !== null) return tally;
    }
    const tallies: Tally[] = [];
    for (let each = first; each <= year; each++) {
      const tally = await fetchRows(job, `${name}-${each}`, {...query, year: String(each)});
      tallies.push(tally ?? {...nothingNew, partial: `${name} ${each}: more than ${maxRows} rows`});
    }
    return sumOf(tallies);
  });
  return refuseNothing(job, tally, "each query was answered with status 400");
}

async function countOf(job: Job, query: Record<string, string>): Promise<number> {
  const text = await askJson(job, {url: addressOf(job, "get_counts", query), secret: secretOf(job)});
  return Number((JSON.parse(text ?? "{}") as {count?: unknown}).count ?? 0);
}

/** Returns null if the query has too many rows. A query without rows is a 400, just like an invalid one: nothing new. */
async function fetchRows(job: Job, name: string, query: Record<string, string>): Promise<Tally | null> {
  const url = addressOf(job, "api_GET", {...query, format: "JSON"});
  const fault = (text: string) => {
    const {data, error} = JSON.parse(text) as {data?: unknown; error?: unknown};
    return Array.isArray(data)
      ? null
      : `the answer has no rows: ${JSON.stringify(error ?? null).slice(0, 200)}`;
  };
  try {
    return await fetchDocument(job, {name, extension: "json", url, secret: secretOf(job), fault});
  } catch (thrown) {
    if (thrown instanceof FetchError && thrown.status === 413) return null;
    if (thrown instanceof FetchError && thrown.status === 400) return nothingNew;
    throw thrown;
  }
}

function addressOf({source}: Job, call: string, query: Record<string, string>): string {
  return `${source.url}/${call}/?${new URLSearchParams(query)}`;
}

function secretOf({key}: Job) {
  return {parameter: "key", value: key ?? ""};
}

/**
 * Fetches an EIA series, newest rows first: the first page each time, and the pages of earlier years until they are here. The pages are as
 * large as the first one that came, because the service may give fewer rows than it was asked for.
 */
export async function fetchSeries(job: Job, feed: FeedOf<"eia">): Promise<Tally> {
  const first = await fetchSeriesPage(job, feed, {name: "series", offset: 0, length: feed.pageSize});
  const newest = first.text ?? (await job.folder.text((await job.folder.newest("series"))!));
  const {total, rows: length} = rowsOf(newest)!;
  if (length === 0 && total > 0)
    throw new FetchError("refused", `received none of ${countWords(total)} rows`);
  const tallies: Tally[] = [first];
  for (let offset = length; offset < total; offset += length) {
    const name = `series-${offset}`;
    if ((await job.folder.newest(name)) !== null) continue;
    const page = await fetchSeriesPage(job, feed, {name, offset, length});
    const {rows} = rowsOf(page.text ?? "{}") ?? {rows: 0};
    const lacks = offset + rows < total && rows < length;
    tallies.push(
      lacks ? {...page, partial: `received ${countWords(offset + rows)} of ${countWords(total)} rows`} : page,
    );
  }
  return sumOf(tallies);
}

function fetchSeriesPage(
  job: Job,
  {url, parameters}: FeedOf<"eia">,
  {name, offset, length}: {name: string; offset: number; length: number},
): Promise<Tally & {readonly text: string | null}> {
  const page = new URLSearchParams({...parameters, offset: String(offset), length: String(length)});
  return fetchDocument(job, {
    ...{name, extension: "json", url: `${url}?${page}`},
    secret: {parameter: "api_key", value: job.key ?? ""},
    fault: (text) => (rowsOf(text) === null ? `the answer has no rows: ${errorOf(text)}` : null),
  });
}

function rowsOf(text: string): {total: number; rows: number} | null {
  const {response} = JSON.parse(text) as Body;
  if (!Array.isArray(response?.data)) return null;
  return {total: Number(response.total ?? response.data.length), rows: response.data.length};
}

function errorOf(text: string): string {
  return JSON.stringify((JSON.parse(text) as Body).error ?? null).slice(0, 200);
}
