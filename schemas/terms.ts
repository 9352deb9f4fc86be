import {z} from "zod";

const Day = z.string().regex(/^\d{4}(-\d{2}(-\d{2})?)?$/, "is not YYYY, YYYY-MM or YYYY-MM-DD");

/** Who may download a source in bulk. `undecided`: there are terms, and a person has to decide what they allow. */
const whoMay = z.enum(["anyone", "government", "nobody", "undecided"]);

/** Whether tables with a source's rows may be handed on to others; where nothing says so, they may not. */
export const HandOn = z
  .enum(["yes", "no"])
  .describe("Whether its rows may be handed on as tables; no without it");

/** The terms of a publisher, with the page where they were read. */
const TermsStatement = z.strictObject({
  layers: z
    .array(z.string().regex(/^[a-z0-9.-]+(:\d+)?\/\S*[^/\s]$/, "is not host and path in lower case"))
    .min(1)
    .describe("Host and path of each layer or file to which the terms apply"),
  words: z.string().min(1).describe("Name or address of the licence, or a sentence that sums it up"),
  page: z.string().min(1).describe("Where the terms were read"),
  read: Day.describe("When they were read"),
  who: whoMay.describe("Who may download it in bulk"),
  handOn: HandOn.optional(),
  onMiss: z
    .literal(false)
    .optional()
    .describe(
      "False: it is not queried for single parcels either, because its terms forbid automated queries",
    ),
  note: z.string().min(1).optional(),
});
export type TermsStatement = z.infer<typeof TermsStatement>;

/** `data/sources/terms.json`: what publishers state, once for each layer. */
export const TermsStatements = z.array(TermsStatement);

/** A decision of the operator: the terms under which a source is downloaded in bulk, and the page with them. */
const TermsDecision = z.strictObject({
  licence: z.string().min(1),
  evidence: z.url(),
  decided_at: z.iso.date(),
});

/** `terms.json` of a data folder: decisions by source id. */
export const TermsDecisions = z.record(z.string(), TermsDecision);
export type TermsDecisions = z.infer<typeof TermsDecisions>;
