import {z} from "zod";

/** `data/reference/field-synonyms.json`: the names that publishers give to the columns of parcel tables. */
export const FieldSynonyms = z.strictObject({
  about: z.string().min(1),
  source: z.string().min(1),
  roles: z
    .record(z.string().min(1), z.array(z.string().min(1)).min(1))
    .describe("Role to names, the surest first"),
});
export type FieldSynonyms = z.infer<typeof FieldSynonyms>;
