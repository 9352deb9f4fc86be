import {z} from "zod";

/** A page of a pull: its file beside `pull.json`, and what it contains. */
const PullPage = z.strictObject({
  file: z.string(),
  rows: z.int().nonnegative(),
  sha256: z.string(),
  bytes: z.int().nonnegative().optional().describe("Size of the file"),
  first_id: z.number().nullable().describe("Smallest object id of the page"),
  last_id: z.number().nullable().describe("Largest object id of the page"),
});
export type PullPage = z.infer<typeof PullPage>;

/** A range of object ids that has not been requested yet, with its number of rows if known. */
const PullRange = z.tuple([z.int(), z.int(), z.int().nullable()]);
export type PullRange = z.infer<typeof PullRange>;

/** `pull.json`: the pages of a layer that were pulled and, while the pull runs, where to resume it. */
export const ArcgisPull = z.strictObject({
  format: z.literal(1),
  source_id: z.string(),
  url: z.string(),
  where: z.string(),
  started_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
  verified_at: z.iso.datetime().nullable().describe("Last check that found the layer unchanged"),
  assumed: z
    .literal(true)
    .optional()
    .describe(
      "True: a wrong clock dated the pull in the future, and `finished_at` is when a later run found it so",
    ),
  complete: z.boolean().describe("True: the pull finished and has as many rows as the service counted"),
  reason: z.string().nullable().describe("Why it is not complete"),
  edited: z.boolean().describe("True: the layer was edited while it was pulled"),
  counted: z
    .int()
    .nonnegative()
    .nullable()
    .describe(
      "Row count of the service, taken at the end if it changed; null if the service refuses to count",
    ),
  id_bounds: z.tuple([z.number(), z.number()]).nullable().describe("Smallest and largest object id"),
  rows: z.int().nonnegative().describe("Rows received"),
  layer: z.strictObject({
    name: z.string().nullable(),
    object_id_field: z.string().nullable(),
    last_edit: z.iso.datetime().nullable(),
    query_format: z.enum(["geojson", "json"]),
    page_size: z.int().positive(),
    fields: z.array(z.strictObject({name: z.string(), type: z.string().nullable()})),
  }),
  columns: z
    .array(z.string())
    .nullable()
    .default(null)
    .describe("Columns that are asked for; null for all that the layer has"),
  lacks: z
    .array(z.strictObject({fact: z.string(), column: z.string()}))
    .default([])
    .describe("Facts of the entry for which the layer has no column"),
  method: z
    .enum(["keyset", "offset", "ranges"])
    .describe("Pages of ids above the last one, pages by resultOffset, or ranges of ids"),
  next: z
    .strictObject({
      after: z
        .number()
        .nullable()
        .default(null)
        .describe("Largest object id received; null before the first page"),
      offset: z.int().nonnegative(),
      size: z.int().positive().describe("Rows to request, fewer after a page that failed"),
      good: z.int().nonnegative().describe("Pages since the last one that failed"),
      shrunk: z
        .int()
        .nonnegative()
        .optional()
        .describe("How often a page failed and fewer rows were asked for"),
      ranges: z.array(PullRange),
    })
    .nullable()
    .describe("Where to resume the pull; null once it is finished"),
  pages: z.array(PullPage),
});
export type ArcgisPull = z.infer<typeof ArcgisPull>;
