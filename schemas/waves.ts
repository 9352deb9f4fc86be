import {z} from "zod";

/** `data/sources/waves.json`: the sources that make each state live, and the order in which states are taken in. */
export const Waves = z
  .array(
    z.strictObject({
      country: z.enum(["US", "CA"]),
      state: z.string().regex(/^[A-Z]{2}$/),
      wave: z.int().min(1).max(4),
      required: z
        .array(z.string())
        .describe(
          "Entries whose complete pulls make the state live; none: not settled yet, the state cannot be live",
        ),
    }),
  )
  .refine((waves) => new Set(waves.map(({state}) => state)).size === waves.length, {
    error: "a state stands twice",
  });
export type Waves = z.infer<typeof Waves>;
