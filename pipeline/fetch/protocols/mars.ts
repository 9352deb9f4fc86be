import type {FeedOf} from "../../../schemas/fetch-source.ts";
import {fetchDocument} from "../jobs/document.ts";
import {eachOf, type Job, sumOf, type Tally} from "../jobs/job.ts";
import {chooseReports, isNewer, type ListedReport, listedReports} from "../jobs/report-list.ts";
import {fetchReport, hasGaps} from "../jobs/report-windows.ts";
import {lastChecked} from "../snapshots/snapshot-folder.ts";

/**
 * Fetches the reports of My Market News: the list, then each report of the requested market types that was published since its newest file,
 * that the list marks as corrected, or that has missing days (`docs/design/fetching.md` section 2). Rejects with a `FetchError` for an
 * unreadable list and a refused key.
 */
export async function fetchMars(job: Job, feed: FeedOf<"mars">): Promise<Tally> {
  const secret = {user: job.key ?? ""};
  const {tally, reports} = await fetchReports(job, secret);
  const {chosen, notes} = chooseReports(reports, feed.marketTypes);
  const due: ListedReport[] = [];
  for (const report of chosen) {
    const hasNews = report.corrected || isNewer(report, lastChecked(await job.folder.newest(nameOf(report))));
    if (hasNews || (await hasGaps(job, {name: nameOf(report), historyDays: feed.historyDays})))
      due.push(report);
  }
  const detailReports = new Set(chooseReports(due, feed.sectionedTypes).chosen.map(({slug}) => slug));
  const reportsTally = await eachOf(job, due, (report) =>
    fetchReport(job, {
      ...{slug: report.slug, name: nameOf(report), dateField: "report_begin_date", secret},
      historyDays: feed.historyDays,
      needsDetails: detailReports.has(report.slug),
    }),
  );
  return sumOf([tally, reportsTally, {added: 0, unchanged: 0, partial: null, notes}]);
}

async function fetchReports(
  job: Job,
  secret: {user: string},
): Promise<{tally: Tally; reports: readonly ListedReport[]}> {
  const url = `${job.source.url}/reports`;
  // Thousands are listed on any day: an empty list is a fault of the service.
  const fault = (text: string) =>
    (listedReports(text)?.reports ?? []).length === 0 ? "expected a list of reports" : null;
  const tally = await fetchDocument(job, {name: "reports", extension: "json", url, secret, fault});
  const newest = await job.folder.newest("reports");
  const reports = tally.text === null ? await job.folder.text(newest!) : tally.text;
  return {tally, reports: listedReports(reports)?.reports ?? []};
}

function nameOf({slug}: ListedReport): string {
  return `ams_${slug}`;
}

/** Fetches the Datamart's mandatory reports: all sections of each, for missing days of the history and for the last weeks. */
export function fetchDatamart(job: Job, {slugs, historyDays}: FeedOf<"datamart">): Promise<Tally> {
  return eachOf(job, slugs, (slug) =>
    fetchReport(job, {slug: String(slug), name: `lmr_${slug}`, dateField: "report_date", historyDays}),
  );
}
