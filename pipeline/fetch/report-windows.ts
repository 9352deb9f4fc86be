import {messageOf} from "../../lib/errors.ts";
import {AskedWindows} from "./asked-windows.ts";
import {shownAddress} from "./client/allowed-url.ts";
import {AskFault} from "./client/ask-fault.ts";
import type {Question} from "./client/polite-client.ts";
import {type DateWindow, halvesOf, isoOfSlashed, slashed} from "./date-window.ts";
import {fetchDocument, withoutKey} from "./document.ts";
import {type Gain, type Job, noGain, sumOf} from "./job.ts";

/** Days before today that are asked for again each time: late rows and corrections come in them. */
const overlapDays = 14;

type ReportQuestion = {
  readonly slug: string;
  /** Name of the files. */
  readonly name: string;
  readonly historyDays: number;
  /** Field of the rows whose date is asked for. */
  readonly dateField: "report_begin_date" | "report_date";
  /** True for a report whose rows are in a section of their own, of which an answer without it has no word. */
  readonly sectioned?: boolean;
  readonly secret?: Question["secret"];
};
type WindowQuestion = ReportQuestion & {readonly window: DateWindow};

type Section = {reportSection?: unknown; results?: unknown; stats?: Record<string, unknown>};

/** True where days of a report were asked without a whole answer, or never. */
export async function hasGaps(job: Job, {name, historyDays}: {name: string; historyDays: number}) {
  const windows = await AskedWindows.open(job.folder.dir, name);
  return windows.hasGaps(job.now(), {historyDays, overlapDays});
}

/**
 * Fetches a report for the days that are due, the latest last. What came of each window is remembered: one that failed is due again,
 * and stops no other. An answer with fewer rows than the service has is asked for again in halves of its window. Rejects with an
 * `AskFault` for a server that cannot be reached and a key that is refused.
 */
export async function fetchReport(job: Job, question: ReportQuestion): Promise<Gain> {
  const windows = await AskedWindows.open(job.folder.dir, question.name);
  const gains: Gain[] = [];
  const due = windows.due(job.now(), {historyDays: question.historyDays, overlapDays});
  const waiting = job.isProbe === true ? due.slice(-1) : due;
  await windows.begin(waiting, job.now());
  for (let window = waiting.shift(); window !== undefined; window = waiting.shift()) {
    try {
      const gain = await fetchWindow(job, {...question, window});
      await windows.note(window, {at: job.now(), failed: gain.partial, waiting});
      gains.push(gain);
    } catch (fault) {
      if (fault instanceof CutAnswer) {
        waiting.unshift(...halvesOf(window)!);
        continue;
      }
      const failed = withoutKey(messageOf(fault), job.key);
      await windows.note(window, {at: job.now(), failed, waiting});
      if (!(fault instanceof AskFault) || !fault.isRefusal || fault.status === 401 || fault.status === 403)
        throw fault;
      gains.push({...noGain, partial: messageOf(fault)});
    }
  }
  return sumOf(gains);
}

/** Fetches a window of a report. Rejects with an `AskFault` for an answer of another report or of other days. */
async function fetchWindow(job: Job, question: WindowQuestion): Promise<Gain> {
  const {slug, name, window, dateField, secret} = question;
  const url = new URL(`${job.source.url}/reports/${slug}`);
  url.searchParams.set("q", `${dateField}=${slashed(window)}`);
  url.searchParams.set("allSections", "true");
  let missing: string | null = null;
  const gain = await fetchDocument(job, {
    ...{name, extension: "json", url: url.href},
    ...(secret === undefined ? {} : {secret}),
    fault: (text) => {
      const sections = sectionsOf(text);
      if (sections === null) return "no sections with results came";
      missing = missingRows(sections);
      // A cut answer is not kept: its halves are.
      if (missing !== null && halvesOf(window) !== null) throw new CutAnswer();
      return strangeRow(sections, question) ?? withoutDetails(sections, question);
    },
  });
  return {...gain, partial: missing === null ? null : `${shownAddress(url)}: ${missing} on one day`};
}

/** The sign that an answer has fewer rows than the service. */
class CutAnswer extends AskFault {
  constructor() {
    super("refused", "fewer rows came than the service has");
  }
}

function sectionsOf(text: string): Section[] | null {
  const body = JSON.parse(text.replace(/^\uFEFF/, "")) as Section | Section[];
  const sections = [body].flat();
  return sections.length > 0 && sections.every((section) => Array.isArray(section?.results))
    ? sections
    : null;
}

/** Gives what the counts of the sections say is missing, or null. The Datamart's names of them end in a colon. */
function missingRows(sections: readonly Section[]): string | null {
  const count = ({stats}: Section, name: string) => Number(stats?.[name] ?? stats?.[`${name}:`] ?? 0);
  const cut = sections.find((section) => count(section, "returnedRows") < count(section, "totalRows"));
  return cut === undefined ? null : `${count(cut, "returnedRows")} rows of ${count(cut, "totalRows")}`;
}

/** A video or direct report without its section of rows would be kept as a report without sales. */
function withoutDetails(sections: readonly Section[], {sectioned}: ReportQuestion): string | null {
  const names = sections.map(({reportSection}) => String(reportSection ?? ""));
  if (sectioned !== true || names.some((name) => /detail/i.test(name))) return null;
  return `no section of details came, only ${names.map((name) => JSON.stringify(name)).join(", ")}`;
}

/** Gives the first row that is of another report or outside of the window, or null. */
function strangeRow(sections: readonly Section[], {slug, window, dateField}: WindowQuestion): string | null {
  for (const row of sections.flatMap(({results}) => results as Record<string, unknown>[])) {
    const came = row["slug_id"];
    if (came !== undefined && String(came) !== slug) return `report ${String(came)} came in place of ${slug}`;
    const date = isoOfSlashed(row[dateField]);
    if (date !== null && (date < window.from || date > window.to))
      return `${dateField} ${date} came, outside of ${window.from} to ${window.to}`;
  }
  return null;
}
