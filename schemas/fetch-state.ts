import {z} from "zod";

export const fetchStatuses = [
  "new",
  "unchanged",
  "partial",
  "failed",
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
  last_asked: z.iso.datetime().describe("When it was last asked"),
  last_good: z.iso.datetime().nullable().describe("When it last answered in full"),
  last_new: z.iso.datetime().nullable().describe("When it last had something new"),
  status: z.enum(fetchStatuses),
  reason: z.string().nullable().describe("Why the last run was partial or failed"),
  failures: z.int().nonnegative().default(0).describe("Runs in a row that were partial or failed"),
  bytes: z.int().nonnegative().default(0).describe("Bytes that came in the last run, unpacked"),
});
export type FetchState = z.infer<typeof FetchState>;
