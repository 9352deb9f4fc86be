import {z} from "zod";

/** `first-seen.json` in a data folder: when a build first saw raw files that have no meta file. */
export const FirstSeenFile = z.strictObject({
  format: z.literal(1),
  files: z.array(
    z.strictObject({
      path: z.string().describe("Below the raw folder, with forward slashes"),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      first_seen_at: z.iso.datetime(),
    }),
  ),
});
export type FirstSeenFile = z.infer<typeof FirstSeenFile>;

/** `<file>.meta.json` beside a raw file: address and time of its download. */
export const RawMeta = z.strictObject({
  source_id: z.string().optional(),
  url: z.string().optional(),
  retrieved_at: z.iso.datetime({offset: true}).describe("When these bytes were fetched"),
  http_status: z.int().optional(),
  etag: z.string().nullish(),
  last_modified: z.string().nullish(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  verified_at: z.iso.datetime({offset: true}).optional().describe("Last re-read that found the same bytes"),
  complete: z
    .boolean()
    .optional()
    .describe(
      "True: together with the other files of its folder it is the whole source, otherwise an extract",
    ),
  source_files: z
    .int()
    .positive()
    .optional()
    .describe("Files of the source, where its publisher has one per county: with fewer it is not whole"),
  replaces: z
    .literal(true)
    .optional()
    .describe(
      "True: it replaces the older files of its entry in the counties that it has (`cattle add --replace`)",
    ),
  assumed: z
    .literal(true)
    .optional()
    .describe(
      "True: the time of the fetch is unknown, and `retrieved_at` is when a build first saw these bytes, or when a run of `cattle fetch` found them dated in the future",
    ),
  sample: z.boolean().optional().describe("True: generated sample data"),
});
export type RawMeta = z.infer<typeof RawMeta>;
