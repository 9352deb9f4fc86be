import {z} from "zod";

/** `<raw>/.fetch/paces/<source id>.json`: what a run or a probe measured for a source; plans are estimated from it. */
export const FetchPace = z.strictObject({
  source: z.string(),
  measured_at: z.iso.datetime(),
  by: z.enum(["run", "probe"]),
  requests: z.int().nonnegative(),
  seconds_per_request: z.number().nonnegative(),
  bytes: z.int().nonnegative().nullable().describe("Bytes of a complete answer; null if unknown"),
  rows: z.int().nonnegative().nullable().describe("Rows of a layer"),
  page_rows: z.int().positive().nullable().describe("Rows that the layer returns per page"),
  bytes_per_row: z.number().positive().nullable().describe("Compressed bytes of a row of a layer"),
});
export type FetchPace = z.infer<typeof FetchPace>;

export const fetchStatuses = [
  "new",
  "unchanged",
  "under way",
  "partial",
  "failed",
  "key refused",
  "not reached",
  "not due",
  "no key",
  "no contact",
  "not allowed",
] as const;
export type FetchStatus = (typeof fetchStatuses)[number];

/** `<raw>/.fetch/<source id>.json`: the last runs of a source. */
export const FetchState = z.strictObject({
  source: z.string(),
  last_asked: z.iso.datetime().describe("When it was last requested"),
  last_good: z.iso.datetime().nullable().describe("When it last answered in full"),
  last_new: z.iso.datetime().nullable().describe("When it last had something new"),
  status: z.enum(fetchStatuses),
  reason: z.string().nullable().describe("Why the last run was partial or failed"),
  fault: z
    .string()
    .optional()
    .describe("Code of the error that ended the last run, such as `moved` or `unreached`"),
  losses: z.array(z.string()).default([]).describe("What the last answer lacks although the source answered"),
  failures: z.int().nonnegative().default(0).describe("Runs in a row that were partial or failed"),
  nights_without_progress: z
    .int()
    .nonnegative()
    .default(0)
    .describe("Days in a row on which it was asked, did not answer in full and brought nothing"),
  under_way: z
    .strictObject({
      nights: z.int().positive().describe("Nights that the pull has taken so far"),
      planned: z.int().positive().describe("Nights that it takes at the pace of its first night"),
      share: z.number().min(0).max(1).describe("Part of the rows that is here"),
    })
    .optional()
    .describe("A pull of several nights that has not ended"),
  bytes: z.int().nonnegative().default(0).describe("Bytes received in the last run, uncompressed"),
});
export type FetchState = z.infer<typeof FetchState>;
