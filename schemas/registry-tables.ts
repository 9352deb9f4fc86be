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

/** `data/reference/field-synonyms.json`: the names that publishers use for the columns of parcel tables. */
export const FieldSynonyms = z.strictObject({
  about: z.string().min(1),
  source: z.string().min(1),
  words: z
    .record(z.string().regex(/^[a-z0-9]+$/), z.array(z.string().min(1)).min(1))
    .describe("Words with the same meaning, for names that combine words"),
  roles: z
    .record(z.string().min(1), z.array(z.string().min(1)).min(1))
    .describe("Role to names, the most certain first; `{word}` stands for any word of that list"),
  sets: z
    .record(z.string().min(1), z.array(z.string().regex(/^[a-z0-9]+\??(?: [a-z0-9]+\??)*$/)).min(1))
    .describe("Role to lists of words that may occur in any order in a name; one with `?` is optional"),
});
export type FieldSynonyms = z.infer<typeof FieldSynonyms>;
