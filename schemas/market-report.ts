import {z} from "zod";

export const ReportKind = z.enum([
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
export const MarketReports = z.array(
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
