import {addDays} from "../../lib/dates.ts";
import {shownAddress} from "./client/allowed-url.ts";
import {AskFault} from "./client/ask-fault.ts";
import type {Question} from "./client/polite-client.ts";
import {type DateWindow, halvesOf, isoOfSlashed, slashed} from "./date-window.ts";
import {fetchDocument} from "./document.ts";
import {type Gain, type Job, sumOf} from "./job.ts";

/** Days before the newest file that are asked for again: late rows and corrections come in them. */
const overlapDays = 14;

type ReportQuestion = {
  readonly slug: string;
  /** Name of the files. */
  readonly name: string;
  readonly window: DateWindow;
  /** Field of the rows whose date is asked for. */
  readonly dateField: "report_begin_date" | "report_date";
  readonly secret?: Question["secret"];
};

type Section = {results?: unknown; stats?: Record<string, unknown>};

/** Gives the days to ask for: the history at first, later those since the newest file, from a Monday to a Sunday. */
export function windowSince(newest: string | null, now: Date, historyDays: number): DateWindow {
  const today = now.toISOString().slice(0, 10);
  const first = newest === null ? addDays(today, -historyDays) : addDays(newest.slice(0, 10), -overlapDays);
  // Whole weeks keep the address the same for some nights, so that the tag of the newest file can be sent back.
  return newest === null
    ? {from: first, to: today}
    : {from: weekday(first, 1), to: addDays(weekday(today, 1), 6)};
}

function weekday(date: string, day: number): string {
  const there = new Date(`${date}T00:00:00Z`).getUTCDay();
  return addDays(date, -((there - day + 7) % 7));
}

/**
 * Fetches a report for a window of days. An answer with fewer rows than the service has is asked for again in halves of the
 * window. Rejects with an `AskFault` for an answer of another report or of other days: a misspelt parameter is ignored in silence.
 */
export async function fetchReport(job: Job, question: ReportQuestion): Promise<Gain> {
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
      return strangeRow(sections, question);
    },
  }).catch((fault: unknown) => {
    if (fault instanceof CutAnswer) return null;
    throw fault;
  });
  if (gain !== null) {
    const partial = missing === null ? null : `${shownAddress(url)}: ${missing} on one day`;
    return {...gain, partial};
  }
  const gains: Gain[] = [];
  for (const half of halvesOf(window)!) gains.push(await fetchReport(job, {...question, window: half}));
  return sumOf(gains);
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

/** Gives the first row that is of another report or outside of the window, or null. */
function strangeRow(sections: readonly Section[], {slug, window, dateField}: ReportQuestion): string | null {
  for (const row of sections.flatMap(({results}) => results as Record<string, unknown>[])) {
    const came = row["slug_id"];
    if (came !== undefined && String(came) !== slug) return `report ${String(came)} came in place of ${slug}`;
    const date = isoOfSlashed(row[dateField]);
    if (date !== null && (date < window.from || date > window.to))
      return `${dateField} ${date} came, outside of ${window.from} to ${window.to}`;
  }
  return null;
}
