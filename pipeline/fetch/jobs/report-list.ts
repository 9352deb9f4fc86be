import {knownReports, type ReportKind} from "../../market/words/report-kind.ts";

/** A report as listed by the market-news services. */
export type ListedReport = {
  readonly slug: string;
  readonly title: string;
  /** The market types; null if the list does not have them. */
  readonly marketTypes: readonly string[] | null;
  /** Publication time in milliseconds since 1970; null if the list does not have it. */
  readonly publishedMs: number | null;
  /** True if the list says that a correction was made in recent days. */
  readonly corrected: boolean;
};

/** The reports of a list to request, and remarks on what was left out. */
export type ChosenReports = {readonly wanted: readonly ListedReport[]; readonly notes: readonly string[]};

/** The lists give Washington time or further west, without a zone; in UTC it may be up to this much later. */
const zoneMs = 7 * 3_600_000;

/**
 * Parses a list of reports: JSON, bare or in `results`, `data` or `reports`, or the fixed-width text of the keyless index (plain, or as a
 * JSON string). Returns null for anything else, so that an index in a new format is not mistaken for an empty list.
 */
export function listedReports(text: string): ListedReport[] | null {
  const body = jsonOf(text.replace(/^\uFEFF/, ""));
  if (body === undefined) return printedIndex(text);
  if (typeof body === "string") return printedIndex(body);
  const {results, data, reports} = (body ?? {}) as Record<string, unknown>;
  const list = Array.isArray(body) ? body : (results ?? data ?? reports);
  if (!Array.isArray(list)) return null;
  const read = list.map(reportOf);
  const known = read.filter((report) => report !== null);
  return known.length === 0 && list.length > 0 ? null : known;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reportOf(entry: unknown): ListedReport | null {
  const member = (entry ?? {}) as Record<string, unknown>;
  const slug = String(member["slug_id"] ?? member["slugId"] ?? "");
  if (!/^\d{1,6}$/.test(slug)) return null;
  const types = member["market_types"];
  return {
    slug,
    title: String(member["report_title"] ?? member["reportTitle"] ?? ""),
    marketTypes: types === undefined || types === null ? null : [types].flat().map(String),
    publishedMs: publishedMsOf(String(member["published_date"] ?? member["publishedDate"] ?? "")),
    corrected: member["hasCorrectionsInLastThreeDays"] === true,
  };
}

/** A line of the index: number, name, extension, publication time, report days, title. */
const indexLine =
  /^\s*(\d{1,6})\s+\S+\s.*?(\d{4}-\d{2}-\d{2}|\d{2}\/\d{2}\/\d{4})(?:[ T](\d{2}:\d{2}:\d{2}))?(.*)$/;
const laterDates = /^.*(?:\d{4}-\d{2}-\d{2}|\d{2}\/\d{2}\/\d{4})(?:[ T]\d{2}:\d{2}:\d{2}(?:\.\d+)?)?\s+/;

/** Parses the index by its numbers and dates rather than by columns, whose widths depend on the longest title of the day. */
function printedIndex(text: string): ListedReport[] | null {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const reports = lines.flatMap((line) => {
    const [, slug, day, time = "00:00:00", rest = ""] = indexLine.exec(line) ?? [];
    if (slug === undefined) return [];
    const title = rest
      .replace(laterDates, "")
      .replace(/^\.?\d*\s+/, "")
      .trim()
      .replaceAll(/\s{2,}/g, " ");
    const publishedMs = publishedMsOf(`${day} ${time}`);
    return [{slug, title, marketTypes: null, publishedMs, corrected: false}];
  });
  // The heading of an empty index names its columns, or says that there are no reports.
  const isIndex = reports.length > 0 || lines.some((line) => /slug|\bno .*reports?\b/i.test(line));
  return isIndex && !/<html/i.test(text) ? reports : null;
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
  const known = knownReports();
  const isWanted = (report: ListedReport) => {
    if (report.marketTypes !== null)
      return report.marketTypes.some((type) => marketTypes.some((wanted) => isOfType(type, wanted)));
    const kind = known.get(report.slug)?.kind;
    if (kind !== undefined) return hasCattle(kind);
    return livestock.test(report.title) && !otherStock.test(report.title);
  };
  const bySlug = [...new Map(reports.map((report) => [report.slug, report])).values()];
  const {wanted = [], others = []} = Object.groupBy(bySlug, (report) =>
    isWanted(report) ? "wanted" : "others",
  );
  const doubtful = others.filter(
    ({slug, title}) =>
      hasCattle(known.get(slug)?.kind ?? "not_cattle") ||
      (!known.has(slug) && livestock.test(title) && !otherStock.test(title)),
  );
  const named = doubtful.map(
    ({slug, title, marketTypes: types}) =>
      `${slug} ${title}${types === null ? "" : ` (${types.join(", ") || "no market type"})`}`,
  );
  const notes = [
    ...(others.length > 0
      ? [`${others.length} listed reports are not of cattle by type, number or title`]
      : []),
    ...(named.length > 0 ? [`of these ${named.length} may be: ${named.join("; ")}`] : []),
  ];
  return {wanted, notes};
}

/** `Auction Livestock` also covers `Auction Livestock (Special)`, but `Direct Livestock` not `Direct Livestock - LMR Cattle`. */
function isOfType(type: string, wanted: string): boolean {
  const [came, expected] = [type.trim().toLowerCase(), wanted.toLowerCase()];
  return came === expected || came.startsWith(`${expected} (`);
}
