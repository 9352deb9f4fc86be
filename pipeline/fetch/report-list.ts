/** A report as the lists of the market-news services name it. */
export type ListedReport = {
  readonly slug: string;
  readonly title: string;
  readonly marketTypes: readonly string[];
  /** Time of its publication in milliseconds since 1970; null where the list does not say it. */
  readonly publishedMs: number | null;
};

/** The lists tell the time of Washington or further west, without a zone: so much later it may have been in UTC. */
const zoneMs = 7 * 3_600_000;

/** Reads a list of reports, bare or in `results` or `data`; null for any other JSON. */
export function listedReports(text: string): ListedReport[] | null {
  const body = JSON.parse(text.replace(/^\uFEFF/, "")) as {results?: unknown; data?: unknown} | unknown[];
  const list = Array.isArray(body) ? body : (body?.results ?? body?.data);
  if (!Array.isArray(list)) return null;
  return list.flatMap((entry: unknown) => reportOf(entry) ?? []);
}

/** Says whether a report may have been published after an instant, whatever the zone of its list. */
export function isNewer({publishedMs}: ListedReport, since: string | null): boolean {
  return since === null || publishedMs === null || publishedMs + zoneMs > Date.parse(since);
}

function reportOf(entry: unknown): ListedReport | null {
  const {slug_id, report_title, market_types, published_date} = (entry ?? {}) as Record<string, unknown>;
  const slug = String(slug_id ?? "");
  if (!/^\d{1,6}$/.test(slug)) return null;
  const [, month, day, year, time = "00:00:00"] =
    /^(\d{2})\/(\d{2})\/(\d{4})(?: (\d{2}:\d{2}:\d{2}))?/.exec(String(published_date ?? "")) ?? [];
  const published = year === undefined ? Number.NaN : Date.parse(`${year}-${month}-${day}T${time}Z`);
  return {
    slug,
    title: String(report_title ?? ""),
    marketTypes: [market_types ?? []].flat().map(String),
    publishedMs: Number.isNaN(published) ? null : published,
  };
}
