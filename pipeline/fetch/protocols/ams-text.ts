import type {FeedOf} from "../../../schemas/fetch-source.ts";
import {fetchDocument} from "../document.ts";
import {eachOf} from "../each-of.ts";
import {type Gain, type Job, sumOf} from "../job.ts";
import {isNewer, type ListedReport, listedReports} from "../report-list.ts";

/**
 * Fetches the published texts of auction reports, which need no key: the lists of published and of corrected reports, then each
 * text that is newer than its newest file. Rejects with an `AskFault` for lists that cannot be read.
 */
export async function fetchReportTexts(job: Job, feed: FeedOf<"ams-text">): Promise<Gain> {
  const published = await fetchList(job, ".published", "listPublishedReports");
  const corrected = await fetchList(job, ".corrected", `listCorrectedReports/${feed.correctionDays}`);
  const title = new RegExp(feed.title, "i");
  const wanted = [...published, ...corrected].filter((report) => title.test(report.title));
  const due: ListedReport[] = [];
  for (const report of new Map(wanted.map((each) => [each.slug, each])).values()) {
    const meta = (await job.folder.newest(`ams_${report.slug}`))?.meta;
    if (isNewer(report, meta?.verified_at ?? meta?.retrieved_at ?? null)) due.push(report);
  }
  const texts = await eachOf(job, due, ({slug}) =>
    fetchDocument(job, {name: `ams_${slug}`, extension: "txt", url: feed.files.replace("{slug}", slug)}),
  );
  return sumOf([texts]);
}

/** The lists are hidden files: they are no reports, and the builds of this feed read reports. */
async function fetchList(job: Job, name: string, path: string): Promise<ListedReport[]> {
  const url = `${job.source.url}/${path}`;
  const fault = (text: string) => (listedReports(text) === null ? "no list of reports came" : null);
  const {text} = await fetchDocument(job, {name, extension: "json", url, fault});
  const newest = await job.folder.newest(name);
  return listedReports(text ?? (newest === null ? "[]" : await job.folder.text(newest))) ?? [];
}
