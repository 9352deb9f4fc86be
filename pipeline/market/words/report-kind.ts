import {readFileSync} from "node:fs";
import {join} from "node:path";
import {z} from "zod";
import {referenceDir} from "../../../lib/paths.ts";

const ReportKind = z.enum([
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
]);
export type ReportKind = z.infer<typeof ReportKind>;

/** `data/reference/market-reports.json`: market-news report numbers with the kind of each report, from public lists. */
const MarketReports = z.array(
  z.strictObject({
    slug: z.string().regex(/^\d{1,6}$/),
    kind: ReportKind,
    title: z.string().optional().describe("Title in the list; absent where only the number was seen"),
    state: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .optional(),
    source: z.string().describe("The public lists that name it"),
  }),
);

type KnownReport = z.infer<typeof MarketReports>[number];

/** The reports of `data/reference/market-reports.json` by number. */
export function knownReports(): ReadonlyMap<string, KnownReport> {
  const text = readFileSync(join(referenceDir, "market-reports.json"), "utf8");
  return new Map(MarketReports.parse(JSON.parse(text)).map((report) => [report.slug, report]));
}

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
  reports ??= knownReports();
  return reports.get(slug?.replace(/^ams-/, "") ?? "");
}
let reports: ReadonlyMap<string, KnownReport> | undefined;
