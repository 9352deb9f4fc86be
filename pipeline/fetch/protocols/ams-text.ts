import {countWithNoun} from "../../../lib/counts.ts";
import type {FeedOf} from "../../../schemas/fetch-source.ts";
import {FetchError, shownAddress} from "../client/fetch-error.ts";
import {type DocumentQuestion, fetchDocument, fetchFile, fetchPdf} from "../jobs/document.ts";
import {eachOf, type Job, nothingNew, sumOf, type Tally} from "../jobs/job.ts";
import {editionsSince} from "../jobs/report-archive.ts";
import {ReportEditions} from "../jobs/report-editions.ts";
import {
  cattleReports,
  chooseReports,
  isNewer,
  type ListedReport,
  listedReports,
  type ReportList,
} from "../jobs/report-list.ts";
import {lastChecked} from "../snapshots/snapshot-folder.ts";

/** Documents that one run takes from the archive. */
const maxEditions = 1000;
const dayMs = 24 * 3_600_000;
/** A report may come out some days after the day that it is of. */
const lateDays = 7;
/** Share of the listed reports, and of the due documents, with which a night leaves no gap: the list names the others again. */
const nearlyAll = 0.9;
/** So many documents that were here before and are absent now, if they are most of those due, show that documents have moved. */
const fewestMoved = 3;

/**
 * Fetches the printed reports, which need no key: the list of published reports, then each document newer than its newest file. The
 * publisher only keeps the latest edition, so every edition is stored, and after a week or more without a night the archive is asked for
 * those that are gone (`docs/design/fetching.md` section 2). Rejects with a `FetchError` if no form of the list can be read.
 */
export async function fetchReportTexts(job: Job, feed: FeedOf<"ams-text">): Promise<Tally> {
  const editions = await ReportEditions.open(job);
  const list = await publishedReports(job, feed);
  const corrections = await correctedReports(job, feed);
  const {chosen, notes} = chooseReports([...list.reports, ...corrections.reports]);
  const due: ListedReport[] = [];
  const stored = new Set<ListedReport>();
  for (const report of chosen) {
    const newest = await job.folder.newest(`ams_${report.slug}`);
    if (newest !== null) stored.add(report);
    const isDue = isNewer(report, lastChecked(newest));
    if (isDue && !editions.isAbsent(report, documentOf(report, feed))) due.push(report);
  }
  const absent: ListedReport[] = [];
  const forbidden = new Set<ListedReport>();
  const prints = await eachOf(
    job,
    lastOf(due, (report) => stored.has(report)),
    (report) => fetchPrinted(job, feed, {report, absent}),
    {
      hostOf: (report) => new URL(documentOf(report, feed)).host,
      tallyOf: (report) => {
        forbidden.add(report);
        return absentPrint({report, absent}, 403);
      },
    },
  );
  // Some reports never had a document; on a first night all are missing if they have moved.
  const isFirst = stored.size === 0 && absent.length === due.length;
  const gone = isFirst ? absent : absent.filter((report) => stored.has(report));
  const haveMoved = gone.length >= fewestMoved && gone.length > due.length / 2;
  // A document that came before and is forbidden now may come tomorrow.
  const mayCome = (report: ListedReport) =>
    haveMoved ? gone.includes(report) : forbidden.has(report) && stored.has(report);
  for (const report of absent)
    if (!mayCome(report)) await editions.noteAbsent(report, documentOf(report, feed));
  const archiveTally = await missedEditions(job, feed, {chosen, editions});
  const moved = haveMoved
    ? `${gone.length} of ${countWithNoun(due.length, "due document")} answered 403, 404 or 410: documents seem to have moved; correct the entry`
    : null;
  const partial = lackOf(list) ?? moved;
  const all = sumOf([
    prints,
    archiveTally,
    {added: 0, unchanged: 0, partial, notes, losses: corrections.losses},
  ]);
  const listed = list.reports.length + list.unread;
  const isNearlyAll =
    !list.isCut &&
    list.reports.length >= listed * nearlyAll &&
    prints.added + prints.unchanged >= due.length * nearlyAll;
  if (isNearlyAll && !haveMoved && (archiveTally.losses ?? []).length === 0 && job.isProbe !== true)
    await editions.noteWhole(job.now());
  return all;
}

/** Puts a report that came before behind all others: its answer shows that what the host forbade was not everything. */
function lastOf(due: readonly ListedReport[], cameBefore: (report: ListedReport) => boolean): ListedReport[] {
  const last = due.findLast(cameBefore);
  return last === undefined ? [...due] : [...due.filter((report) => report !== last), last];
}

/**
 * Asks for the index that people read; if it cannot be had, for the JSON list that public clients use. If neither can be had, the fault is
 * that of the index: a host that forbids one (403) has no JSON list either, and its 404 would tell of a wrong address.
 */
async function publishedReports(job: Job, feed: FeedOf<"ams-text">): Promise<ReportList> {
  const url = `${job.source.url}/listPublishedReports/${feed.listDays}`;
  try {
    return await fetchList(job, {name: ".published", url});
  } catch (fault) {
    if (!isOfAnswer(fault) || feed.jsonList === undefined) throw fault;
    job.say(`${fault.message}; asking for the list as JSON`);
    return fetchList(job, {name: ".published-json", url: feed.jsonList}).catch((second: unknown) => {
      if (!isOfAnswer(second)) throw second;
      const {kind, message, status, retryAfterMs} = fault;
      throw new FetchError(kind, `${message}; as JSON: ${second.message}`, {status, retryAfterMs});
    });
  }
}

/** The list of corrections only repeats reports that are published again: without it they come a little later. */
async function correctedReports(
  job: Job,
  feed: FeedOf<"ams-text">,
): Promise<ReportList & {readonly losses: readonly string[]}> {
  const url = `${job.source.url}/listCorrectedReports/${feed.listDays}`;
  try {
    const list = await fetchList(job, {name: ".corrected", url, mayBeEmpty: true});
    const lack = lackOf(list);
    return {...list, losses: lack === null ? [] : [`corrections may be missing: ${lack}`]};
  } catch (fault) {
    if (!isOfAnswer(fault)) throw fault;
    const since = lastChecked(await job.folder.newest(".corrected"))?.slice(0, 10) ?? "the first night";
    return {
      reports: [],
      unread: 0,
      isCut: false,
      losses: [`corrections unknown since ${since}: ${fault.message}`],
    };
  }
}

/** Returns what of a list could not be read, or null. */
function lackOf({reports, unread, isCut}: ReportList): string | null {
  if (isCut)
    return `the list of reports ends without its total, after ${countWithNoun(reports.length, "report")}: it may have been cut`;
  const listed = countWithNoun(reports.length + unread, "report");
  return unread === 0 ? null : `the list of reports says ${listed}, of which ${reports.length} could be read`;
}

/** True for a fault of one answer, after which others may be asked for; false at the end of the run. */
function isOfAnswer(fault: unknown): fault is FetchError {
  return fault instanceof FetchError && fault.kind !== "limit";
}

/**
 * The lists are stored as hidden files, because builds would read them as reports. More than a thousand reports are published in any two
 * weeks: only a list of corrections may be empty.
 */
async function fetchList(
  job: Job,
  {name, url, mayBeEmpty = false}: {name: string; url: string; mayBeEmpty?: boolean},
): Promise<ReportList> {
  const read = (text: string) => {
    const list = listedReports(text);
    return mayBeEmpty || (list?.reports.length ?? 0) > 0 ? list : null;
  };
  const fault = (text: string) => (read(text) === null ? "expected a list of reports" : null);
  const {text} = await fetchDocument(job, {name, extension: "txt", url, fault});
  const list = read(text ?? (await job.folder.text((await job.folder.newest(name))!)));
  if (list !== null) return list;
  throw new FetchError("refused", `${shownAddress(new URL(url))}: 304 for a list without reports`);
}

/** The address of a report's document: the one of the list, else the one that all reports have. */
function documentOf({slug, document}: ListedReport, {files}: FeedOf<"ams-text">): string {
  const usual = new URL(files.replace("{slug}", slug));
  const listedUrl = document === null ? null : URL.parse(document, usual.href);
  if (listedUrl === null || listedUrl.pathname.toLowerCase() === usual.pathname.toLowerCase())
    return usual.href;
  // The index names its documents with http:, too.
  if (listedUrl.host === usual.host) listedUrl.protocol = usual.protocol;
  return listedUrl.href;
}

type Printed = {readonly report: ListedReport; readonly absent: ListedReport[]};

/** A document that the server does not have costs nothing but itself; the archive's list names it again when it is there. */
async function fetchPrinted(job: Job, feed: FeedOf<"ams-text">, {report, absent}: Printed): Promise<Tally> {
  const url = documentOf(report, feed);
  try {
    return await fetchByKind(job, {name: `ams_${report.slug}`, url});
  } catch (fault) {
    if (!isGone(fault)) throw fault;
    return absentPrint({report, absent}, fault.status);
  }
}

function absentPrint({report, absent}: Printed, status: number): Tally {
  absent.push(report);
  return {...nothingNew, unchanged: 1, notes: [`absent: ${report.slug} ${report.title} (status ${status})`]};
}

async function fetchByKind(job: Job, document: Omit<DocumentQuestion, "extension">): Promise<Tally> {
  const extension = /\.([a-z0-9]{2,5})$/i.exec(new URL(document.url).pathname)?.[1]?.toLowerCase() ?? "txt";
  if (extension === "pdf") return fetchPdf(job, document);
  const question = {...document, extension};
  if (extension === "txt") return fetchDocument(job, question);
  const tally = await fetchFile(job, question);
  return {
    ...tally,
    notes: [`unread kind: ${document.name}.${extension} is stored, but no reader supports it`],
  };
}

/**
 * Fetches from the archive the editions that came out while no night ran, report by report; what a run has no room for is left to the next
 * one. After a gap longer than the days of the list, reports that it does not name may have come out, too. The archive's faults are a loss of
 * these editions alone.
 */
async function missedEditions(
  job: Job,
  feed: FeedOf<"ams-text">,
  {chosen, editions}: {chosen: readonly ListedReport[]; editions: ReportEditions},
): Promise<Tally> {
  const gap = editions.gap(job.now(), feed.listDays);
  if (gap === null || feed.archive === undefined || job.isProbe === true) return nothingNew;
  const since = new Date(Date.parse(gap) - lateDays * dayMs).toISOString().slice(0, 10);
  const isLonger = job.now().getTime() - Date.parse(gap) > feed.listDays * dayMs;
  const listed = chosen.map(({slug}) => slug);
  const unlisted = (isLonger ? reportsBeside(listed, job) : []).filter((slug) => !editions.isCaughtUp(slug));
  const tallies: Tally[] = [];
  if (unlisted.length > 0)
    tallies.push({
      ...nothingNew,
      notes: [
        `the list does not go back to the last whole night, ${gap.slice(0, 10)}: the archive is asked for ${countWithNoun(unlisted.length, "more report")}`,
      ],
    });
  let editionsLeft = maxEditions;
  try {
    for (const slug of [...listed.filter((slug) => !editions.isCaughtUp(slug)), ...unlisted]) {
      const archiveEditions =
        (await unlessGone(editionsSince(job, {address: feed.archive, slug, since}))) ?? [];
      if (archiveEditions.length > editionsLeft)
        throw new FetchError(
          "limit",
          `${maxEditions} documents of the archive fetched; the others follow next night`,
        );
      const storedDigests = await job.folder.digestsOf(`ams_${slug}_`);
      for (const {url, name} of archiveEditions) {
        if ((await job.folder.newest(name)) !== null) continue;
        const tally = await unlessGone(fetchByKind(job, {name, url, storedDigests}));
        tallies.push(tally ?? {...nothingNew, notes: [`absent: ${name} (named by the archive)`]});
        editionsLeft -= 1;
      }
      await editions.noteCaughtUp(slug);
    }
    return sumOf(tallies);
  } catch (fault) {
    if (!(fault instanceof FetchError)) throw fault;
    const loss = `editions since ${gap.slice(0, 10)} are missing, other than the newest of each report: ${fault.message}`;
    return {...sumOf(tallies), losses: [loss]};
  }
}

/** Numbers of the reports that are known to have cattle, or have a file here, beside those of a list. */
function reportsBeside(listed: readonly string[], {folder}: Job): string[] {
  const stored = folder.names().flatMap((name) => /^ams_(\d+)(?:_|$)/.exec(name)?.[1] ?? []);
  return [...new Set([...stored, ...cattleReports])].filter((slug) => !listed.includes(slug));
}

/** Returns what a promise brings; null if the server does not have it (404 or 410). */
function unlessGone<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch((fault: unknown) => {
    if (isGone(fault)) return null;
    throw fault;
  });
}

function isGone(fault: unknown): fault is FetchError & {readonly status: 404 | 410} {
  return fault instanceof FetchError && (fault.status === 404 || fault.status === 410);
}
