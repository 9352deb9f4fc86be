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

/** The kind of each report in `data/reference/market-reports.json`, by number. */
export function reportKinds(): ReadonlyMap<string, ReportKind> {
  const text = readFileSync(join(referenceDir, "market-reports.json"), "utf8");
  return new Map(MarketReports.parse(JSON.parse(text)).map(({slug, kind}) => [slug, kind]));
}

/** Market types of reports whose titles read like those of a yard or a state. */
const marketTypes: Partial<Record<ReportKind, string>> = {
  video: "Video",
  direct: "Direct",
  regional_summary: "Regional Summary",
};

/**
 * The market type of a report code (`ams-2934`) listed in `data/reference/market-reports.json` as a video, direct or regional
 * report; else null. A video's title reads like that of the yard that holds it (`Bassett Livestock - Bassett, NE`).
 */
export function marketTypeOf(slug: string | null): string | null {
  kinds ??= reportKinds();
  return marketTypes[kinds.get(slug?.replace(/^ams-/, "") ?? "") ?? "unknown"] ?? null;
}
let kinds: ReadonlyMap<string, ReportKind> | undefined;
