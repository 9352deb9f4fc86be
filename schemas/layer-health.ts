import {z} from "zod";

/** How a layer answered last: in full, in full but in a form of its own, or why not. */
export const LayerMark = z.enum([
  "good",
  "no paging",
  "stale id",
  "gone",
  "refused",
  "token",
  "certificate",
  "slow",
  "unreadable",
  "wrong county",
]);
export type LayerMark = z.infer<typeof LayerMark>;

const Instant = z.iso.datetime();

/** What is remembered of one layer. Nothing in it is of a row or of a question. */
export const LayerHealth = z.strictObject({
  mark: LayerMark,
  at: Instant.describe("When the layer was last asked"),
  good: Instant.nullable().describe("Last good answer"),
  failed: z.strictObject({at: Instant, mark: LayerMark}).nullable().describe("Last failure"),
  failures: z.int().nonnegative().describe("Failures since the last good answer"),
  noPaging: z.literal(true).optional().describe("The layer refuses to be told how many rows to send"),
  counties: z.array(z.string()).describe("Keys of the counties of which it has given a row, sorted"),
});
export type LayerHealth = z.infer<typeof LayerHealth>;

/** `run/layers-<process>.json`: what one process knows of the layers, by their id. */
export const LayerHealthFile = z.strictObject({layers: z.record(z.string(), LayerHealth)});
export type LayerHealthFile = z.infer<typeof LayerHealthFile>;
