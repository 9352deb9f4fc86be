import {z} from "zod";

/** `<raw>/.fetch/paces/<source id>.json`: what a run or a probe measured of a source, from which plans are made. */
export const FetchPace = z.strictObject({
  source: z.string(),
  measured_at: z.iso.datetime(),
  by: z.enum(["run", "probe"]),
  requests: z.int().nonnegative(),
  seconds_per_request: z.number().nonnegative(),
  bytes: z.int().nonnegative().nullable().describe("Bytes of a whole answer; null where they are not known"),
  rows: z.int().nonnegative().nullable().describe("Rows of a layer"),
  page_rows: z.int().positive().nullable().describe("Rows that the layer gives in one page"),
  bytes_per_row: z.number().positive().nullable().describe("Packed bytes of a row of a layer"),
});
export type FetchPace = z.infer<typeof FetchPace>;
