import type {FeedOf} from "../../../schemas/fetch-source.ts";
import {AskFault} from "../client/ask-fault.ts";
import {fetchDocument, fetchPdf} from "../document.ts";
import {eachOf, type Gain, type Job, sumOf} from "../job.ts";
import {chooseReports, isNewer, type ListedReport, listedReports} from "../report-list.ts";

/**
 * Fetches the printed reports, which need no key: the lists of published and of corrected reports, then each PDF that is newer than
 * its newest file. The publisher keeps the newest edition alone, so each one is kept. Rejects with an `AskFault` for lists that
 * cannot be read.
 */
export async function fetchReportTexts(job: Job, feed: FeedOf<"ams-text">): Promise<Gain> {
  const published = await fetchList(
    job,
    ".published",
    `${job.source.url}/listPublishedReports/${feed.listDays}`,
  ).catch((fault: unknown) => publishedAsJson(job, feed, fault));
  const corrected = await fetchList(
    job,
    ".corrected",
    `${job.source.url}/listCorrectedReports/${feed.listDays}`,
  );
  const {wanted, notes} = chooseReports([...published, ...corrected]);
  const due: ListedReport[] = [];
  for (const report of wanted) {
    const meta = (await job.folder.newest(`ams_${report.slug}`))?.meta;
    if (isNewer(report, meta?.verified_at ?? meta?.retrieved_at ?? null)) due.push(report);
  }
  const printed = await eachOf(job, due, ({slug}) =>
    fetchPdf(job, {name: `ams_${slug}`, url: feed.files.replace("{slug}", slug)}),
  );
  return sumOf([printed, {added: 0, unchanged: 0, partial: null, notes}]);
}

/** The index for people has no fixed form. Where it cannot be read, the JSON that public clients use is asked. */
async function publishedAsJson(job: Job, feed: FeedOf<"ams-text">, fault: unknown): Promise<ListedReport[]> {
  if (!(fault instanceof AskFault) || !fault.isRefusal || feed.jsonList === undefined) throw fault;
  job.say(`${fault.message}; asking for the list as JSON`);
  return fetchList(job, ".published-json", feed.jsonList);
}

/** The lists are hidden files: they are no reports, and the builds of this feed read reports. */
async function fetchList(job: Job, name: string, url: string): Promise<ListedReport[]> {
  const fault = (text: string) => (listedReports(text) === null ? "no list of reports came" : null);
  const {text} = await fetchDocument(job, {name, extension: "txt", url, fault});
  const newest = await job.folder.newest(name);
  return listedReports(text ?? (newest === null ? "[]" : await job.folder.text(newest))) ?? [];
}
