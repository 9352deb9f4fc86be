import {z} from "zod";

/** `first-seen.json` in a data folder: when a build first saw raw files that have no meta beside them. */
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
