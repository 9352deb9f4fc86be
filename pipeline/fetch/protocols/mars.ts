import type {FeedOf} from "../../../schemas/fetch-source.ts";
import {AskFault} from "../client/ask-fault.ts";
import {fetchDocument} from "../document.ts";
import {eachOf} from "../each-of.ts";
import {type Gain, type Job, sumOf} from "../job.ts";
import {isNewer, type ListedReport, listedReports} from "../report-list.ts";
import {fetchReport, windowSince} from "../report-windows.ts";

/**
 * Fetches the auction reports of My Market News: the list, then each report that was published or corrected since its newest
 * file (`docs/design/fetching.md` section 2). Rejects with an `AskFault` for a list that cannot be read and a key that is refused.
 */
export async function fetchMars(job: Job, feed: FeedOf<"mars">): Promise<Gain> {
  const secret = {user: job.key ?? ""};
  const all = await fetchList(job, {name: "reports", path: "reports", secret});
  const path = `reports?correctionsOnly=true&lastDays=${feed.correctionDays}`;
  const corrected = await fetchList(job, {name: "corrections", path, secret});
  const wanted = [...all.reports, ...corrected.reports].filter((report) => isWanted(report, feed));
  const bySlug = new Map(wanted.map((report) => [report.slug, report]));
  const due: {report: ListedReport; newest: string | null}[] = [];
  for (const report of bySlug.values()) {
    const newest = (await job.folder.newest(nameOf(report)))?.meta ?? null;
    const seen = newest?.verified_at ?? newest?.retrieved_at ?? null;
    if (isNewer(report, seen)) due.push({report, newest: newest?.retrieved_at ?? null});
  }
  const reports = await eachOf(job, due, ({report, newest}) =>
    fetchReport(job, {
      ...{slug: report.slug, name: nameOf(report), dateField: "report_begin_date", secret},
      window: windowSince(newest, job.now(), feed.historyDays),
    }),
  );
  return sumOf([all.gain, corrected.gain, reports]);
}

async function fetchList(
  job: Job,
  {name, path, secret}: {name: string; path: string; secret: {user: string}},
): Promise<{gain: Gain; reports: ListedReport[]}> {
  const url = `${job.source.url}/${path}`;
  const fault = (text: string) => (listedReports(text) === null ? "no list of reports came" : null);
  const gain = await fetchDocument(job, {name, extension: "json", url, secret, fault});
  const newest = await job.folder.newest(name);
  if (gain.text === null && newest === null)
    throw new AskFault("refused", `${name}: 304 came for a list that is not here`);
  const reports = gain.text === null ? await job.folder.text(newest!) : gain.text;
  return {gain, reports: listedReports(reports) ?? []};
}

function isWanted(
  {title, marketTypes}: ListedReport,
  {title: words, marketTypes: wanted}: FeedOf<"mars">,
): boolean {
  const isOfType = marketTypes.some((type) => wanted.some((beginning) => type.startsWith(beginning)));
  return isOfType && new RegExp(words, "i").test(title) && !/\(discontinued\)/i.test(title);
}

function nameOf({slug}: ListedReport): string {
  return `ams_${slug}`;
}
