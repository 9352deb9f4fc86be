import type {FeedOf} from "../../../schemas/fetch-source.ts";
import {eachOf} from "../each-of.ts";
import type {Gain, Job} from "../job.ts";
import {fetchReport} from "../report-windows.ts";

/** Fetches the mandatory reports of the Datamart: all sections of each, for the days of the history that never came and the last weeks. */
export function fetchDatamart(job: Job, {slugs, historyDays}: FeedOf<"datamart">): Promise<Gain> {
  return eachOf(job, slugs, (slug) =>
    fetchReport(job, {slug: String(slug), name: `lmr_${slug}`, dateField: "report_date", historyDays}),
  );
}
