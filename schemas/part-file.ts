import {z} from "zod";
import {FileReport} from "./build-report.ts";
import {DeltaMark, ManifestCounty, ManifestFile, manifestFormat} from "./manifest.ts";
import {RawMeta} from "./raw-meta.ts";

/** The facts of a state that the parcel stage wrote. */
export const StateMade = z.strictObject({
  files: z.array(FileReport),
  rows: z.int().nonnegative(),
  pointCount: z.int().nonnegative(),
  counties: z.array(ManifestCounty),
  sources: z.array(z.strictObject({id: z.string(), vintage: z.string().nullable(), complete: z.boolean()})),
  fill: z.record(z.string(), z.number()),
});
export type StateMade = z.infer<typeof StateMade>;

/** A raw file of a part: `RawFile` without its path on the machine that made the part. */
const PartInput = z.strictObject({
  path: z.string(),
  side: z.literal("parcels"),
  unit: z.string(),
  sizeBytes: z.int().nonnegative(),
  sha256: z.string(),
  meta: RawMeta.nullable(),
  retrievedAt: z.string(),
  retrievedAtFrom: z.enum(["meta", "assumed", "mtime"]),
});

/** `part.json`: a state that `cattle build --part` made on some machine, for `cattle assemble` to gate and publish. */
export const PartFile = z.strictObject({
  format: z.literal(manifestFormat),
  state: z.string().regex(/^[A-Z]{2}$/),
  as_of_date: z.iso.date(),
  inputs_sha256: z.string(),
  inputs: z.array(PartInput),
  delta: z.array(DeltaMark).describe("How far each segment of the delta was merged"),
  delta_sha256: z.string().nullable().describe("Digest over the found parcels; null where there are none"),
  made: StateMade,
  files: z.array(ManifestFile),
});
export type PartFile = z.infer<typeof PartFile>;
