import list from "../data/market-reports.json" with {type: "json"};

/** What a report is of. */
export const reportKinds = [
  "auction",
  "special",
  "board_sale",
  "imported",
  "video",
  "direct",
  "state_summary",
  "regional_summary",
  "not_cattle",
  "unknown",
] as const;
export type ReportKind = (typeof reportKinds)[number];

/** A report number of market news, from public lists. */
type KnownReport = {
  readonly slug: string;
  readonly kind: ReportKind;
  /** Title in the list; absent where only the number was seen. */
  readonly title?: string;
  /** Two letters. */
  readonly state?: string;
  /** The public lists that name it. */
  readonly source: string;
};

/** The known reports by number. */
export const knownReports: ReadonlyMap<string, KnownReport> = new Map(
  (list as readonly KnownReport[]).map((report) => [report.slug, report]),
);

/** Market types of reports whose titles read like those of a yard or a state. */
const marketTypes: Partial<Record<ReportKind, string>> = {
  video: "Video",
  direct: "Direct",
  regional_summary: "Regional Summary",
};

/** The listed market type of a report code (`ams-2934`) if it is a video, direct or regional report; else null. */
export function marketTypeOf(slug: string | null): string | null {
  return marketTypes[listed(slug)?.kind ?? "unknown"] ?? null;
}

/** The listed state of a report code; null if the list does not say it. */
export function stateOfReport(slug: string | null): string | null {
  return listed(slug)?.state ?? null;
}

function listed(slug: string | null): KnownReport | undefined {
  return knownReports.get(slug?.replace(/^ams-/, "") ?? "");
}
