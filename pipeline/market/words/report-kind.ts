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

/** `data/reference/market-reports.json`: numbers of market-news reports with what they are of, as public lists show them. */
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

/** Gives the kinds of the reports that `data/reference/market-reports.json` knows, by number. */
export function reportKinds(): ReadonlyMap<string, ReportKind> {
  const text = readFileSync(join(referenceDir, "market-reports.json"), "utf8");
  return new Map(MarketReports.parse(JSON.parse(text)).map(({slug, kind}) => [slug, kind]));
}

/** Market types of the numbers whose titles read like those of a yard, or of a state. */
const types: Partial<Record<ReportKind, string>> = {
  video: "Video",
  direct: "Direct",
  regional_summary: "Regional Summary",
};

/**
 * The market type of a report code (`ams-2934`) that `data/reference/market-reports.json` knows as a video, a direct or a regional report;
 * null for every other. Videos are titled like the yards that hold them (`Bassett Livestock - Bassett, NE`).
 */
export function marketTypeOf(slug: string | null): string | null {
  kinds ??= reportKinds();
  return types[kinds.get(slug?.replace(/^ams-/, "") ?? "") ?? "unknown"] ?? null;
}
let kinds: ReadonlyMap<string, ReportKind> | undefined;
