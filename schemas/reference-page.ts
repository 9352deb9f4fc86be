import {z} from "zod";
import {MarketSourceId} from "./market-source.ts";

/** A shipped pointer to a page of an agency, a department or a publisher: `data/reference/references.json`. */
export const ReferencePage = z.strictObject({
  state: z
    .string()
    .regex(/^[A-Z]{2}$/, "is not two capital letters")
    .nullable()
    .describe("State that the page is about; null for all"),
  title: z.string().min(1).describe("What the page is, in our words"),
  agency: z.string().min(1).describe("Whose page it is"),
  url: z.url({protocol: /^https$/}).describe("Address of the page"),
  source_id: MarketSourceId.describe("Registry id that the pointer is cited with"),
  seen_in: z
    .string()
    .min(1)
    .describe("What confirms the address: a stored copy of the page, or a public text that names it"),
  checked_on: z.iso.date().describe("Day on which the address was last confirmed"),
});
export type ReferencePage = z.infer<typeof ReferencePage>;
