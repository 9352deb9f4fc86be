import {z} from "zod";

/** Counts of a dealer record that a licence type may add to. */
export const DealerCount = z.enum([
  "licensed_dealers",
  "licensed_market_agencies",
  "licensed_markets",
  "other",
]);
export type DealerCount = z.infer<typeof DealerCount>;

const names = z
  .array(z.string().min(1))
  .describe("Header names, any case and punctuation; the first found counts");

/** A state licence list, `data/sources/dealers/<id>.json`: its authority, and the meaning of its columns. */
export const DealerList = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  match: z
    .array(z.string().min(1))
    .describe(
      "Beginnings of file or folder names below `dealers/` that belong to the list; empty = any other file",
    ),
  state: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullable()
    .describe("Null: the state stands in the file's name or in a column"),
  list_authority: z.string().nullable(),
  list_scope: z.string().nullable().describe("What the list is of; null: the file's name says it"),
  url: z.url().nullable(),
  terms: z.string(),
  columns: z.strictObject({
    name: names,
    licence_type: names,
    state: names,
    bond: names,
    status: names,
    list_as_of: names,
  }),
  licence_types: z
    .array(z.strictObject({words: z.string().min(1), counts_as: DealerCount}))
    .describe("Regular expressions over the licence type, the first that fits counts"),
  note: z.string().describe("What the map rests on"),
});
export type DealerList = z.infer<typeof DealerList>;
