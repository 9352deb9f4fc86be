import {knownReports, type ReportKind} from "@open-cattle/usda-reports";

/** A report as listed by the market-news services. */
export type ListedReport = {
  readonly slug: string;
  readonly title: string;
  /** The market types; null if the list does not have them. */
  readonly marketTypes: readonly string[] | null;
  /** Publication time in milliseconds since 1970; null if the list does not have it. */
  readonly publishedMs: number | null;
  /** URL or file name of the printed report; null if the list does not have it. */
  readonly document: string | null;
  /** True if the list says that a correction was made in recent days. */
  readonly corrected: boolean;
};

/** A list of reports, as far as it could be read. */
export type ReportList = {
  readonly reports: readonly ListedReport[];
  /** Entries that could not be read. */
  readonly unread: number;
  /** True for a printed list without its last line, the total: it may have been cut. */
  readonly isCut: boolean;
};

/** The reports of a list to request, and remarks on what was left out. */
export type ChosenReports = {readonly chosen: readonly ListedReport[]; readonly notes: readonly string[]};

/** The lists give Washington time or further west, without a zone; in UTC it may be up to this much later. */
const zoneMs = 7 * 3_600_000;

/**
 * Parses a list of reports: JSON, bare or in `results`, `data` or `reports`, or the fixed-width text of the keyless index (plain, or as a
 * JSON string). Returns null for anything else, so that an index in a new format is not mistaken for an empty list.
 */
export function listedReports(text: string): ReportList | null {
  const body = jsonOf(text.replace(/^\uFEFF/, ""));
  if (body === undefined) return printedIndex(text);
  if (typeof body === "string") return printedIndex(body);
  const {results, data, reports: bare} = (body ?? {}) as Record<string, unknown>;
  const list = Array.isArray(body) ? body : (results ?? data ?? bare);
  if (!Array.isArray(list)) return null;
  const reports = list.map(reportOf).filter((report) => report !== null);
  if (reports.length === 0 && list.length > 0) return null;
  return {reports, unread: list.length - reports.length, isCut: false};
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The services name the members in three ways; `id` is the report's number where nothing else is. */
function reportOf(entry: unknown): ListedReport | null {
  const member = (entry ?? {}) as Record<string, unknown>;
  const text = (...names: readonly string[]) =>
    String(names.map((name) => member[name]).find((value) => value != null) ?? "");
  const slug = text("slug_id", "slugId", "id");
  if (!/^\d{1,6}$/.test(slug)) return null;
  const types = member["market_types"];
  const instant = Number(text("publishedDateMilliseconds") || Number.NaN);
  return {
    slug,
    title: text("report_title", "reportTitle"),
    marketTypes: types === undefined || types === null ? null : [types].flat().map(String),
    publishedMs: Number.isFinite(instant) ? instant : publishedMsOf(text("published_date", "publishedDate")),
    document: fileNameOf(text("fileName"), text("fileExtension")),
    corrected:
      member["hasCorrectionsInLastThreeDays"] === true || /^(true|y|yes|x)$/i.test(text("correction")),
  };
}

/** The name of a document, of which some lists give the extension apart. */
function fileNameOf(name: string, extension: string): string | null {
  if (name === "" || /\.[a-z]{2,5}$/i.test(name)) return name || null;
  return extension === "" ? null : `${name}.${extension.replace(/^\./, "").toLowerCase()}`;
}

const dayForm = String.raw`(?:\d{4}-\d{2}-\d{2}|\d{2}\/\d{2}\/\d{4})`;
const momentForm = String.raw`(${dayForm})(?:[ T](\d{2}:\d{2}:\d{2}))?`;

/** A line of the index: number, in the older form name and extension, then the publication time, then all else. */
const indexLine = new RegExp(
  String.raw`^\s*(\d{1,6})\s+(?:(\S+)\s+(?:(\.?[A-Za-z]{2,5})\s+)?)?${momentForm}(.*)$`,
);
/** What stands between the publication time and the title: zone, instant, days of the report, mark of a final one, document. */
const beforeTitle = new RegExp(
  String.raw`^(?:\.\d+(?=\s)|\s+|[A-Z]{2,4}T(?=\s)|UTC(?=\s)|\d{13}(?=\s)|${momentForm}(?:\.\d+)?(?=\s)|[xX](?=\s)|https?:\/\/\S+)`,
);
/** The last line of an index says how many reports it has. */
const totalLine = /^\s*total:\s*(\d+)\s+reports?\s*$/i;

/**
 * Parses the index by its numbers and dates rather than by columns, whose widths depend on the longest title of the day. A number of 13
 * digits is the instant of publication; without one, the first date of the line is.
 */
function printedIndex(text: string): ReportList | null {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const reports = lines.map(indexedReport).filter((report) => report !== null);
  const total = lines.map((line) => totalLine.exec(line)?.[1]).find((count) => count !== undefined);
  // The heading of an empty index names its columns; a sentence that has one of their words is an error or a refusal.
  const isIndex =
    reports.length > 0 || total !== undefined || lines.some((line) => /^\s*slug id\b/i.test(line));
  if (!isIndex || /<html/i.test(text)) return null;
  return {reports, unread: Math.max(0, Number(total ?? 0) - reports.length), isCut: total === undefined};
}

function indexedReport(line: string): ListedReport | null {
  const [, slug, name = "", extension = "", day, time = "00:00:00", rest = ""] = indexLine.exec(line) ?? [];
  if (slug === undefined) return null;
  const instant = /(?<!\d)\d{13}(?!\d)/.exec(rest)?.[0];
  let title = rest;
  for (let part = beforeTitle.exec(title); part !== null; part = beforeTitle.exec(title))
    title = title.slice(part[0].length);
  return {
    slug,
    title: title.trim().replaceAll(/\s{2,}/g, " "),
    marketTypes: null,
    publishedMs: instant === undefined ? publishedMsOf(`${day} ${time}`) : Number(instant),
    document: /https?:\/\/\S+/.exec(rest)?.[0] ?? fileNameOf(name, extension),
    corrected: false,
  };
}

function publishedMsOf(text: string): number | null {
  const [, american, iso, time = "00:00:00"] =
    /^(?:(\d{2}\/\d{2}\/\d{4})|(\d{4}-\d{2}-\d{2}))(?:[ T](\d{2}:\d{2}:\d{2}))?/.exec(text) ?? [];
  const [month, day, year] = american?.split("/") ?? [];
  const ms = Date.parse(`${iso ?? `${year}-${month}-${day}`}T${time}Z`);
  return Number.isNaN(ms) ? null : ms;
}

/** True if a report may have been published after an instant, whatever the time zone of its list. */
export function isNewer({publishedMs}: ListedReport, since: string | null): boolean {
  return since === null || publishedMs === null || publishedMs + zoneMs > Date.parse(since);
}

/** True for a kind of report that has, or may have, rows of cattle. */
function hasCattle(kind: ReportKind): boolean {
  return kind !== "not_cattle";
}

/** Numbers of the known reports that have, or may have, rows of cattle. */
export const cattleReports: readonly string[] = [...knownReports.values()]
  .filter(({kind}) => hasCattle(kind))
  .map(({slug}) => slug);

/** Titles of livestock reports, whose rows decide what is cattle. */
const livestock = /cattle|calf|calves|cows?\b|feeder|livestock|stockyard|auction|sale barn/i;
const otherStock = /sheep|goat|hogs?\b|pigs?\b|swine|lamb|hay\b|grain|egg|poultry|beef|pork|cotton|tobacco/i;

/**
 * Selects the reports of a list. If the list has market types, they alone decide, whatever the titles say (a third of the barns in the
 * south-east have no word for cattle in theirs). Otherwise the table of report numbers decides and, for unknown numbers, the title. `notes`
 * names what was left out although its title or number suggests cattle, and counts the rest.
 */
export function chooseReports(
  reports: readonly ListedReport[],
  marketTypes: readonly string[] = [],
): ChosenReports {
  const kinds = knownReports;
  const isWanted = (report: ListedReport) => {
    if (report.marketTypes !== null)
      return report.marketTypes.some((type) => marketTypes.some((wanted) => isOfType(type, wanted)));
    const kind = kinds.get(report.slug)?.kind;
    if (kind !== undefined) return hasCattle(kind);
    return livestock.test(report.title) && !otherStock.test(report.title);
  };
  const {wanted: chosen = [], others = []} = Object.groupBy(newestLines(reports), (report) =>
    isWanted(report) ? "wanted" : "others",
  );
  const doubtful = others.filter(
    ({slug, title}) =>
      hasCattle(kinds.get(slug)?.kind ?? "not_cattle") ||
      (!kinds.has(slug) && livestock.test(title) && !otherStock.test(title)),
  );
  const examples = doubtful.map(
    ({slug, title, marketTypes: types}) =>
      `${slug} ${title}${types === null ? "" : ` (${types.join(", ") || "no market type"})`}`,
  );
  const notes = [
    ...(others.length > 0
      ? [`${others.length} listed reports are not of cattle by type, number or title`]
      : []),
    ...(examples.length > 0 ? [`of these ${examples.length} may be: ${examples.join("; ")}`] : []),
  ];
  return {chosen, notes};
}

/**
 * Returns one line per report, that of its newest edition: a list of many days may also name the edition before, and a correction stays listed
 * after the next edition came out. A line without an instant counts as newest; of equal ones the first is taken.
 */
function newestLines(reports: readonly ListedReport[]): ListedReport[] {
  const instantOf = ({publishedMs}: ListedReport) => publishedMs ?? Number.POSITIVE_INFINITY;
  return [...Map.groupBy(reports, ({slug}) => slug).values()].map((lines) => ({
    ...lines.reduce((newest, line) => (instantOf(line) > instantOf(newest) ? line : newest)),
    corrected: lines.some(({corrected}) => corrected),
  }));
}

/** `Auction Livestock` also covers `Auction Livestock (Special)`, but `Direct Livestock` not `Direct Livestock - LMR Cattle`. */
function isOfType(type: string, marketType: string): boolean {
  const [came, expected] = [type.trim().toLowerCase(), marketType.toLowerCase()];
  return came === expected || came.startsWith(`${expected} (`);
}
