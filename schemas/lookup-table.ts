import {z} from "zod";

/** `data/reference/lookups/<name>.json`: a small table by which a field map translates cells. */
export const LookupTable = z.strictObject({
  about: z.string().min(1),
  source: z.string().min(1).describe("Where the facts stand"),
  values: z.record(z.string().regex(/^[A-Z0-9]+$/, "is not a folded key"), z.string().min(1)),
});
export type LookupTable = z.infer<typeof LookupTable>;
