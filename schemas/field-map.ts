import {z} from "zod";
import {parcelColumns} from "./parcel-columns.ts";

/** Transforms of a field map; arguments follow after colons (`before:.`, `split:-:2`). */
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
  "join",
  "first",
  "split",
  "after",
  "before",
  "replace",
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

/** The origin of a value: one or more source fields, with the transforms that make the value. */
export const FieldSpec = z.strictObject({
  from: z.union([Name, z.array(Name).min(1)]).optional(),
  transform: z.array(Transform).optional(),
  join: z.string().optional().describe("Prefix of the joined table that the names are looked up in"),
});
export type FieldSpec = z.infer<typeof FieldSpec>;

const MapField = FieldSpec.refine(
  ({from, transform}) => from !== undefined || transform?.some((step) => step.startsWith("constant:")),
  {error: 'needs "from", or a transform "constant:<text>"'},
);

/** A field by its name alone, or with the steps that make the value. */
export const FieldOrSpec = z.union([Name, FieldSpec]);
export type FieldOrSpec = z.infer<typeof FieldOrSpec>;

/**
 * Columns that a field map may fill, beside those of the row: county name of areas outside the county table, point and
 * outline.
 */
const mappable: ReadonlySet<string> = new Set([
  ...parcelColumns.map(({name}) => name).filter((name) => !name.startsWith("prov_")),
  "geometry",
]);

/** The origins of the columns of a parcel row that a source fills. */
export const FieldMap = z.record(
  z.string().refine((column) => mappable.has(column), {
    error: (issue) => `"${String(issue.input)}" is not a column of the parcel row`,
  }),
  MapField,
);
