import {mkdir} from "node:fs/promises";
import {join} from "node:path";
import {readForeignJson} from "@open-cattle/safe-files";
import {z} from "zod";
import {addDays, dayNumber} from "../../../lib/dates.ts";
import {messageOf} from "../../../lib/errors.ts";
import {FetchError, shownAddress} from "../client/fetch-error.ts";
import type {Question} from "../client/polite-client.ts";
import {replaceJson} from "../snapshots/snapshot-folder.ts";
import {type DateWindow, halvesOf, isoOfSlashed, slashedWindow} from "./cadence.ts";
import {fetchDocument, withoutKey} from "./document.ts";
import {type Job, nothingNew, sumOf, type Tally} from "./job.ts";

/** Maximum window per request; three years of a large market are about ten thousand rows. */
const longestDays = 364;

/** Status of a window that is due but not yet answered; it survives a killed run. */
const waitingReason = "not answered yet";

const Windows = z.array(
  z.strictObject({
    from: z.iso.date(),
    to: z.iso.date(),
    asked_at: z.iso.datetime(),
    /** Null for a complete answer, otherwise why there is none. */
    failed: z.string().nullable(),
  }),
);
type RequestedWindow = z.infer<typeof Windows>[number];

/**
 * The date windows requested of a report, with their outcomes: `<feed folder>/.windows/<name>.json`. A window without a complete answer is
 * due again, however new the newest file is.
 */
class RequestedWindows {
  readonly #path: string;
  readonly #dir: string;
  readonly #requests: RequestedWindow[];

  private constructor(dir: string, path: string, requests: RequestedWindow[]) {
    this.#dir = dir;
    this.#path = path;
    this.#requests = requests;
  }

  /** Opens the windows of a report; an unreadable file counts as absent, and everything is requested again. */
  static async open(feedDir: string, name: string): Promise<RequestedWindows> {
    const dir = join(feedDir, ".windows");
    const path = join(dir, `${name}.json`);
    return new RequestedWindows(dir, path, (await readForeignJson(path, Windows)) ?? []);
  }

  /**
   * Returns the windows that are due, latest last: days of the history without a complete answer, in pieces of at most a year, and the
   * weeks from `overlapDays` ago to the end of this week, for late rows and corrections. Days shortly before these are asked with them.
   */
  due(now: Date, {historyDays, overlapDays}: {historyDays: number; overlapDays: number}): DateWindow[] {
    const recent = recentWeeks(now, overlapDays);
    // A request made before late reports of its days arrived does not cover them.
    const gaps = this.#gaps(now, {recent, historyDays, lateDays: overlapDays});
    const last = gaps.at(-1);
    if (last === undefined || last.from < addDays(recent.from, -overlapDays))
      return [...gaps.flatMap(pieces), recent];
    return [...gaps.slice(0, -1).flatMap(pieces), {from: last.from, to: recent.to}];
  }

  /**
   * Returns the days of the history before the recent weeks that no complete answer covers: one covers its days until `lateDays` before it
   * was asked for. Answers dated in the future are not trusted.
   */
  #gaps(
    now: Date,
    {recent, historyDays, lateDays}: {recent: DateWindow; historyDays: number; lateDays: number},
  ): DateWindow[] {
    const first = addDays(now.toISOString().slice(0, 10), -historyDays);
    const good = this.#requests
      .filter(({failed, asked_at}) => failed === null && Date.parse(asked_at) <= now.getTime())
      .map(({from, to, asked_at}) => ({from, to: earlier(to, addDays(asked_at.slice(0, 10), -lateDays))}))
      .sort((a, b) => (a.from < b.from ? -1 : 1));
    const gaps: DateWindow[] = [];
    let from = first;
    for (const window of [...good, recent]) {
      if (window.from > from) gaps.push({from, to: addDays(window.from, -1)});
      if (window.to >= from) from = addDays(window.to, 1);
    }
    return gaps.filter(({to}) => to >= first);
  }

  /** True if a requested window lacks a complete answer, or days of the history were never answered; those answered early wait for news. */
  hasGaps(now: Date, {historyDays, overlapDays}: {historyDays: number; overlapDays: number}): boolean {
    const recent = recentWeeks(now, overlapDays);
    const isUnanswered = this.#requests.some(({failed}) => failed !== null);
    return isUnanswered || this.#gaps(now, {recent, historyDays, lateDays: 0}).length > 0;
  }

  /** Records the windows about to be requested, replacing earlier failures; a killed run leaves them due. */
  async begin(windows: readonly DateWindow[], at: Date): Promise<void> {
    const good = this.#requests.filter(({failed}) => failed === null);
    await this.#replace([...good, ...waitingOf(windows, at)]);
  }

  /** Records the outcome of a window, and the windows still to be requested. */
  async note(
    window: DateWindow,
    {at, failed, waiting}: {at: Date; failed: string | null; waiting: readonly DateWindow[]},
  ): Promise<void> {
    const inside = ({from, to}: DateWindow) => from >= window.from && to <= window.to;
    const others = this.#requests.filter((request) => request.failed !== waitingReason && !inside(request));
    const outcome = {...window, asked_at: at.toISOString(), failed};
    await this.#replace([...others, outcome, ...waitingOf(waiting, at)]);
  }

  async #replace(requests: readonly RequestedWindow[]): Promise<void> {
    this.#requests.splice(0, this.#requests.length, ...requests);
    await mkdir(this.#dir, {recursive: true});
    await replaceJson(this.#path, this.#requests);
  }
}

/** Days before today that are requested again each time, for late rows and corrections. */
const overlapDays = 14;

type ReportQuestion = {
  readonly slug: string;
  /** File name stem. */
  readonly name: string;
  readonly historyDays: number;
  /** The date field to filter on. */
  readonly dateField: "report_begin_date" | "report_date";
  /** True for a report whose rows are in a section of their own; without that section an answer has no rows. */
  readonly needsDetails?: boolean;
  readonly secret?: Question["secret"];
};
type WindowQuestion = ReportQuestion & {readonly window: DateWindow};

type Section = {reportSection?: unknown; results?: unknown; stats?: Record<string, unknown>};

/** True if days of a report were requested without a complete answer, or never. */
export async function hasGaps(job: Job, {name, historyDays}: {name: string; historyDays: number}) {
  const windows = await RequestedWindows.open(job.folder.dir, name);
  return windows.hasGaps(job.now(), {historyDays, overlapDays});
}

/**
 * Fetches a report for the days that are due, latest last. The outcome of each window is recorded; a failed one is due again and does not
 * stop the others. If an answer has fewer rows than the service, its window is split in half and requested again. Rejects with an
 * `FetchError` if no window was answered, for a refused key, and when the server asks to wait.
 */
export async function fetchReport(job: Job, question: ReportQuestion): Promise<Tally> {
  const windows = await RequestedWindows.open(job.folder.dir, question.name);
  const tallies: Tally[] = [];
  const due = windows.due(job.now(), {historyDays: question.historyDays, overlapDays});
  const waiting = job.isProbe === true ? due.slice(-1) : due;
  await windows.begin(waiting, job.now());
  let transientError: FetchError | null = null;
  for (let window = waiting.shift(); window !== undefined; window = waiting.shift()) {
    try {
      const tally = await fetchWindow(job, {...question, window});
      await windows.note(window, {at: job.now(), failed: tally.partial, waiting});
      tallies.push(tally);
    } catch (fault) {
      if (fault instanceof TruncatedAnswer) {
        waiting.unshift(...halvesOf(window)!);
        continue;
      }
      const failed = withoutKey(messageOf(fault), job.key);
      await windows.note(window, {at: job.now(), failed, waiting});
      const isOfWindow = fault instanceof FetchError && (fault.isRefusal || fault.isTransient);
      if (!isOfWindow || fault.status === 401 || fault.status === 403) throw fault;
      if (fault.isTransient) transientError = fault;
      tallies.push({...nothingNew, partial: messageOf(fault)});
    }
  }
  const hasAnswer = tallies.some(({added, unchanged}) => added + unchanged > 0);
  if (transientError !== null && !hasAnswer) throw transientError;
  return sumOf(tallies);
}

/** Fetches one window of a report. Rejects with a `FetchError` for an answer of another report or other days. */
async function fetchWindow(job: Job, question: WindowQuestion): Promise<Tally> {
  const {slug, name, window, dateField, secret} = question;
  const url = new URL(`${job.source.url}/reports/${slug}`);
  url.searchParams.set("q", `${dateField}=${slashedWindow(window)}`);
  url.searchParams.set("allSections", "true");
  let firstMissing: string | null = null;
  const tally = await fetchDocument(job, {
    ...{name, extension: "json", url: url.href},
    ...(secret === undefined ? {} : {secret}),
    fault: (text) => {
      const sections = sectionsOf(text);
      if (sections === null) return "expected sections with results";
      firstMissing = missingRows(sections);
      // A service that does not heed the days would not heed their halves either.
      const mismatch = unexpectedRow(sections, question) ?? withoutDetails(sections, question);
      // A truncated answer is discarded; its halves will be stored.
      if (mismatch === null && firstMissing !== null && halvesOf(window) !== null)
        throw new TruncatedAnswer();
      return mismatch;
    },
  });
  return {
    ...tally,
    partial: firstMissing === null ? null : `${shownAddress(url)}: ${firstMissing} on one day`,
  };
}

/** Signals that an answer has fewer rows than the service. */
class TruncatedAnswer extends FetchError {
  constructor() {
    super("refused", "received fewer rows than the service has");
  }
}

function sectionsOf(text: string): Section[] | null {
  const body = JSON.parse(text.replace(/^\uFEFF/, "")) as Section | Section[];
  const sections = [body].flat();
  return sections.length > 0 && sections.every((section) => Array.isArray(section?.results))
    ? sections
    : null;
}

/** Returns what is missing according to the sections' counts, or null. The Datamart's count names end in a colon. */
function missingRows(sections: readonly Section[]): string | null {
  const count = ({stats}: Section, name: string) => Number(stats?.[name] ?? stats?.[`${name}:`] ?? 0);
  const cut = sections.find((section) => count(section, "returnedRows") < count(section, "totalRows"));
  return cut === undefined ? null : `${count(cut, "returnedRows")} rows of ${count(cut, "totalRows")}`;
}

/** Without its section of rows, a video or direct report would be stored as a report without sales. */
function withoutDetails(sections: readonly Section[], {needsDetails}: ReportQuestion): string | null {
  const names = sections.map(({reportSection}) => String(reportSection ?? ""));
  if (needsDetails !== true || names.some((name) => /detail/i.test(name))) return null;
  return `expected a section of details, got only ${names.map((name) => JSON.stringify(name)).join(", ")}`;
}

/** Returns the first row from another report or from outside the window, or null. */
function unexpectedRow(
  sections: readonly Section[],
  {slug, window, dateField}: WindowQuestion,
): string | null {
  for (const row of sections.flatMap(({results}) => results as Record<string, unknown>[])) {
    const actual = row["slug_id"];
    if (actual !== undefined && String(actual) !== slug)
      return `expected report ${slug}, got ${String(actual)}`;
    const date = isoOfSlashed(row[dateField]);
    if (date !== null && (date < window.from || date > window.to))
      return `${dateField} ${date} is outside ${window.from} to ${window.to}`;
  }
  return null;
}

function waitingOf(windows: readonly DateWindow[], at: Date): RequestedWindow[] {
  return windows.map(({from, to}) => ({from, to, asked_at: at.toISOString(), failed: waitingReason}));
}

/** The weeks from so many days ago to the end of this one; whole weeks keep the URL stable for several nights, so that conditional requests work. */
function recentWeeks(now: Date, overlapDays: number): DateWindow {
  const today = now.toISOString().slice(0, 10);
  return {from: weekday(addDays(today, -overlapDays), 1), to: addDays(weekday(today, 1), 6)};
}

function pieces({from, to}: DateWindow): DateWindow[] {
  const count = Math.ceil((dayNumber(to) - dayNumber(from) + 1) / longestDays);
  return Array.from({length: count}, (_, index) => {
    const begin = addDays(from, index * longestDays);
    const end = addDays(begin, longestDays - 1);
    return {from: begin, to: end < to ? end : to};
  });
}

function earlier(a: string, b: string): string {
  return a < b ? a : b;
}

function weekday(date: string, day: number): string {
  const there = new Date(`${date}T00:00:00Z`).getUTCDay();
  return addDays(date, -((there - day + 7) % 7));
}
