import {z} from "zod";
import type {ProvenanceGroup, RecordMember} from "./parcel-fields/parcel-field.ts";
import {parcelFields} from "./parcel-fields/parcel-field-table.ts";
import {Provenance} from "./vocabulary/parcel-provenance.ts";

/** How a parcel matches the query, with a score. */
export const ParcelMatch = z
  .looseObject({
    type: z
      .enum(["exact", "normalized", "fuzzy", "contains_point", "nearest"])
      .describe("`contains_point` and `nearest` only on location searches"),
    score: z.number().min(0).max(1).optional().describe("0 to 1; absent on location searches"),
    notes: z.array(z.string()).describe("What was corrected, added or ignored"),
  })
  .meta({id: "ParcelMatch"});

/** Sections of the record, in order. */
const sections: readonly ProvenanceGroup[] = [
  "identity",
  "situs",
  "location",
  "land",
  "owner",
  "use",
  "value",
  "building",
  "transfer",
];

/** A member of the record with its provenance group; null if the row's default applies. */
export type GroupedMember = RecordMember & {readonly group: ProvenanceGroup | null};

/** The members of the record that have provenance, in record order. */
export const recordMembers: readonly GroupedMember[] = sections.flatMap((section) =>
  parcelFields.flatMap(({group, member}) =>
    member !== undefined && (member.section ?? group) === section ? [{...member, group}] : [],
  ),
);

const members = Object.fromEntries(
  recordMembers.map(({name, shape, about, always}) => [
    name,
    (always ? shape : shape.optional()).describe(about),
  ]),
);

/** A parcel as the API returns it: what is known about it, every fact with provenance, never a polygon. */
export const PropertyRecord = z
  .looseObject({
    _id: z.string().describe("Stable id: county key, hyphen, parcel number"),
    parcelUid: z.string().describe("The same value as `_id`"),
    ...members,
    provenance: Provenance,
    match: ParcelMatch.optional(),
    distanceMiles: z
      .number()
      .optional()
      .describe("Location search: great-circle miles to the served point, 3 decimals"),
    containsPoint: z
      .boolean()
      .optional()
      .describe("Location search, if boundaries are loaded: whether the outline contains the point"),
  })
  .meta({
    id: "Property",
    description:
      "A parcel: centroid and assessor attributes, each with source, vintage and confidence. An unknown field is left out, never 0 or null",
  });
export type PropertyRecord = z.infer<typeof PropertyRecord>;
