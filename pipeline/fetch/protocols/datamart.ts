import type {FeedOf} from "../../../schemas/fetch-source.ts";
import {eachOf} from "../each-of.ts";
import type {Gain, Job} from "../job.ts";
import {fetchReport, windowSince} from "../report-windows.ts";

/** Fetches the mandatory reports of the Datamart: all sections of each, at first for the history, later since the newest file. */
export function fetchDatamart(job: Job, feed: FeedOf<"datamart">): Promise<Gain> {
  return eachOf(job, feed.slugs, async (slug) => {
    const name = `lmr_${slug}`;
    const newest = (await job.folder.newest(name))?.meta.retrieved_at ?? null;
    const window = windowSince(newest, job.now(), feed.historyDays);
    return fetchReport(job, {slug: String(slug), name, dateField: "report_date", window});
  });
}
