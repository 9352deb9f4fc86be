import {z} from "zod";

/** `data/sources/waves.json`: the sources that make each state live, and the order in which states are added. */
export const Waves = z
  .array(
    z.strictObject({
      country: z.enum(["US", "CA"]),
      state: z.string().regex(/^[A-Z]{2}$/),
      wave: z.int().min(1).max(4),
      required: z
        .array(z.string())
        .describe(
          "Entries whose complete pulls make the state live; empty: not decided yet, the state cannot be live",
        ),
    }),
  )
  .refine((waves) => new Set(waves.map(({state}) => state)).size === waves.length, {
    error: "a state occurs twice",
  });
export type Waves = z.infer<typeof Waves>;

/** `data/reference/lookups/<name>.json`: a small table with which a field map translates cells. */
export const LookupTable = z.strictObject({
  about: z.string().min(1),
  source: z.string().min(1).describe("Where the facts are published"),
  values: z.record(z.string().regex(/^[A-Z0-9]+$/, "is not a folded key"), z.string().min(1)),
});
export type LookupTable = z.infer<typeof LookupTable>;
