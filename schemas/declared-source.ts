import {z} from "zod";

/** A source that the project means to take in, with what is known of it: an item of `data/sources/declared.json`. */
export const DeclaredSource = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "is not a slug"),
  country: z.enum(["US", "CA"]),
  state: z.string().regex(/^[A-Z]{2}$/, "is not two capital letters"),
  wave: z.int().min(1).max(4),
  publisher: z.string().min(1),
  url: z
    .url({protocol: /^https?$/})
    .nullable()
    .describe("Address of the service or page; null where none is known, or it is set per edition"),
  counties: z
    .strictObject({known: z.int().nonnegative(), total: z.int().positive()})
    .refine(({known, total}) => known <= total, {error: "more counties are known than there are"})
    .describe("Counties with a known parcel layer, of all"),
  schema: z
    .enum(["known", "partly", "unknown"])
    .describe(
      "`known`: names of the columns from publications; `partly`: the id column only; `unknown`: none",
    ),
  verified: z
    .boolean()
    .describe(
      "True when rows of this very source were read; a publication of its columns is no verification",
    ),
  note: z.string().min(1).optional(),
});
export type DeclaredSource = z.infer<typeof DeclaredSource>;

/** `data/sources/declared.json`: one declaration for each source that `waves.json` requires. */
export const DeclaredSources = z
  .array(DeclaredSource)
  .refine((sources) => new Set(sources.map(({id}) => id)).size === sources.length, {
    error: "an id stands twice",
  });
