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

/** `data/reference/lookups/<name>.json`: a small table by which a field map translates cells. */
export const LookupTable = z.strictObject({
  about: z.string().min(1),
  source: z.string().min(1).describe("Where the facts stand"),
  values: z.record(z.string().regex(/^[A-Z0-9]+$/, "is not a folded key"), z.string().min(1)),
});
export type LookupTable = z.infer<typeof LookupTable>;

/** `data/reference/field-synonyms.json`: the names that publishers give to the columns of parcel tables. */
export const FieldSynonyms = z.strictObject({
  about: z.string().min(1),
  source: z.string().min(1),
  words: z
    .record(z.string().regex(/^[a-z0-9]+$/), z.array(z.string().min(1)).min(1))
    .describe("Words of one meaning, for names that put words together"),
  roles: z
    .record(z.string().min(1), z.array(z.string().min(1)).min(1))
    .describe("Role to names, the surest first; `{word}` is any word of that list"),
});
export type FieldSynonyms = z.infer<typeof FieldSynonyms>;
