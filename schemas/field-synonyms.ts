import {z} from "zod";

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
