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
    .describe("True: with the others of its folder the whole of its source, else an extract"),
  assumed: z
    .literal(true)
    .optional()
    .describe(
      "True: nobody stated when it was fetched, and `retrieved_at` is when a build first saw these bytes",
    ),
  sample: z.boolean().optional().describe("True: generated sample data"),
});
export type RawMeta = z.infer<typeof RawMeta>;
