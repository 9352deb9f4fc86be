import {z} from "zod";

/** How the vintage of a fact was determined. */
export const VintageBasis = z.enum([
  "row_date",
  "roll_year",
  "edition",
  "layer_edit",
  "newest_in_file",
  "retrieved",
  "unknown",
]);

/** The source of a fact and how far it can be trusted (`docs/design/parcels.md` sections 2.2 and 8). */
const members = {
  source: z.string().describe("Id of the source; `metadata.sources` has its name and licence"),
  vintage: z
    .string()
    .describe("Date as of which the fact holds, YYYY-MM-DD or YYYY; `unknown` where nothing states it"),
  vintageBasis: VintageBasis.describe(
    "Kind of the vintage: date of the row, roll year, edition, edit date of the layer, newest date in a file that states none, retrieval date, or none at all",
  ),
  confidence: z.number().min(0).max(1).describe("Data-quality score, 0 to 1; not a probability"),
  retrievedAt: z.string().describe("When it was fetched from the source, UTC"),
  sourceUrl: z.string().describe("The source's own public page of the parcel"),
};

export const ProvenanceEntry = z
  .looseObject({
    ...members,
    retrievedAt: members.retrievedAt.optional(),
    sourceUrl: members.sourceUrl.optional(),
  })
  .meta({id: "ProvenanceEntry"});

/** Provenance of a record: the entry of a field is `{...default, ...fields[name]}`. */
export const Provenance = z
  .looseObject({
    default: ProvenanceEntry.describe("The entry that most facts share"),
    fields: z
      .record(z.string(), z.looseObject(members).partial())
      .describe("By field name: the members that differ from the default"),
  })
  .meta({id: "Provenance", description: "Entry of a field = default, overridden by the field's own members"});

/** Cleaning codes that answers include, because they affect provenance or limitations (`docs/design/parcels.md` section 5). */
export const statedFlags = [
  "area_mismatch",
  "situs_is_mailing",
  "value_parts_contradict",
  "duplicate_id",
  "shared_outline",
  "open_range_possible",
  "partly_read",
  "area_scale",
  "outline_partly_read",
  "address_partly_read",
  "mail_partly_read",
] as const;
export type StatedFlag = (typeof statedFlags)[number];
