import type {FeedOf} from "../../../schemas/fetch-source.ts";
import {AskFault} from "../client/ask-fault.ts";
import {fetchDocument} from "../document.ts";
import {type Gain, type Job, sumOf} from "../job.ts";

type Body = {response?: {total?: unknown; data?: unknown}; error?: unknown};

/** Fetches a series of the EIA, newest rows first: all pages at first, later the first page alone. */
export async function fetchSeries(job: Job, feed: FeedOf<"eia">): Promise<Gain> {
  const hasHistory = (await job.folder.newest("series")) !== null;
  const gains: Gain[] = [];
  for (let offset = 0; ; offset += feed.pageSize) {
    const page = {...feed.parameters, offset: String(offset), length: String(feed.pageSize)};
    const gain = await fetchDocument(job, {
      ...{name: offset === 0 ? "series" : `series-${offset}`, extension: "json", complete: true},
      url: `${feed.url}?${new URLSearchParams(page)}`,
      secret: {parameter: "api_key", value: job.key ?? ""},
      fault: (text) => (rowsOf(text) === null ? `no rows came: ${errorOf(text)}` : null),
    });
    gains.push(gain);
    if (hasHistory || gain.text === null) break;
    const {total, rows} = rowsOf(gain.text)!;
    if (rows === 0 && offset < total) throw new AskFault("refused", `${offset} rows came of ${total}`);
    if (offset + rows >= total) break;
  }
  return sumOf(gains);
}

function rowsOf(text: string): {total: number; rows: number} | null {
  const {response} = JSON.parse(text) as Body;
  if (!Array.isArray(response?.data)) return null;
  return {total: Number(response.total ?? response.data.length), rows: response.data.length};
}

function errorOf(text: string): string {
  return JSON.stringify((JSON.parse(text) as Body).error ?? null).slice(0, 200);
}
