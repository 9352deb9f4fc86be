import {z} from "zod";
import {parcelColumns} from "./parcel-columns.ts";

/** Transforms of a field map. Arguments follow after colons (`before:.`, `split:-:2`). */
const transformNames = [
  "trim",
  "upper",
  "nullText",
  "text",
  "number",
  "money",
  "areaText",
  "scale",
  "zip5",
  "epochMs",
  "ymd",
  "mdy",
  "longDate",
  "date",
  "join",
  "first",
  "split",
  "after",
  "before",
  "replace",
  "codes",
  "constant",
  "concat",
  "ownerLines",
  "lookup",
  "member",
  "distinct",
  "sum",
] as const;

/** Names of the transforms. */
export const knownTransforms: ReadonlySet<string> = new Set(transformNames);

const Transform = z
  .string()
  .refine((step) => knownTransforms.has(step.split(":")[0] ?? ""), {
    error: (issue) => `unknown transform "${String(issue.input)}"; known are ${transformNames.join(", ")}`,
  })
  .describe("Name, with arguments after colons");

/** The name of a field of a source. */
export const Name = z
  .string()
  .min(1)
  .describe("Name of a source field; `<prefix>.<field>` of a joined table");

/** Where a value comes from: one or more source fields, and the transforms applied to them. */
export const FieldSpec = z.strictObject({
  from: z.union([Name, z.array(Name).min(1)]).optional(),
  transform: z.array(Transform).optional(),
  join: z.string().optional().describe("Prefix of the joined table in which the names are looked up"),
});
export type FieldSpec = z.infer<typeof FieldSpec>;

const MapField = FieldSpec.refine(
  ({from, transform}) => from !== undefined || transform?.some((step) => step.startsWith("constant:")),
  {error: 'needs "from", or a transform "constant:<text>"'},
);

/** A field by name alone, or with its transforms. */
export const FieldOrSpec = z.union([Name, FieldSpec]);
export type FieldOrSpec = z.infer<typeof FieldOrSpec>;

/** Columns that a field map may fill: those of a parcel row except its provenance, and the outline. */
const mappable: ReadonlySet<string> = new Set([
  ...parcelColumns.map(({name}) => name).filter((name) => !name.startsWith("prov_")),
  "geometry",
]);

/** For each column of a parcel row that a source fills, where its value comes from. */
export const FieldMap = z.record(
  z.string().refine((column) => mappable.has(column), {
    error: (issue) => `"${String(issue.input)}" is not a column of the parcel row`,
  }),
  MapField,
);
