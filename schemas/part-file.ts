import {z} from "zod";
import {FileReport} from "./build-report.ts";
import {ArcgisPull} from "./layer-pull.ts";
import {Acceptance, BuildId, DeltaMark, ManifestCounty, ManifestFile} from "./manifest.ts";
import {MadeModel, StateModel} from "./model-report.ts";
import {RawMeta} from "./raw-meta.ts";

/** Version of `part.json`; `cattle assemble` refuses any other. */
export const partFormat = 7;

/** What the parcel stage records about a state. */
export const StateStageResult = z.strictObject({
  files: z.array(FileReport),
  rows: z.int().nonnegative(),
  pointCount: z.int().nonnegative(),
  counties: z.array(ManifestCounty),
  sources: z.array(z.strictObject({id: z.string(), vintage: z.string().nullable(), complete: z.boolean()})),
  fill: z.record(z.string(), z.number()),
  models: z.array(StateModel).optional().describe("Models of the parcels, each after those that it reads"),
});
export type StateStageResult = z.infer<typeof StateStageResult>;

/** What the market stage records about the market. */
export const MarketStageResult = z.strictObject({
  files: z.array(FileReport),
  shrunk: z
    .array(z.strictObject({issue: z.string(), path: z.string(), loss: z.number(), replaced: z.boolean()}))
    .optional()
    .describe(
      "Versions of issues that are shorter than the previous one; `replaced` marks those that replaced it",
    ),
  rows: z.record(z.string(), z.int().nonnegative()),
  sources: z.array(
    z.strictObject({id: z.string(), sourceDate: z.string().nullable(), retrievedAt: z.string().nullable()}),
  ),
  models: z.array(MadeModel).optional().describe("Models of the market, each after those that it reads"),
});
export type MarketStageResult = z.infer<typeof MarketStageResult>;

/** A raw file of a part: `RawFile` without its path on the machine that made the part. */
const PartInput = z.strictObject({
  path: z.string(),
  kind: z.enum(["market", "parcels"]),
  feedOrEntryId: z.string(),
  sizeBytes: z.int().nonnegative(),
  sha256: z.string(),
  meta: RawMeta.nullable(),
  retrievedAt: z.string(),
  retrievedAtFrom: z.enum(["meta", "assumed", "mtime"]),
  pull: z.strictObject({folder: z.string(), layer: ArcgisPull.shape.layer}).optional(),
  fault: z.string().optional().describe("Why the file could not be read"),
});
export type PartInput = z.infer<typeof PartInput>;

const common = {
  format: z.literal(partFormat),
  as_of_date: z.iso.date(),
  sample: z.boolean(),
  code_version: z.string().describe("Version of the program that made the part"),
  code_sha256: z.string().describe("Digest of the code of its stage"),
  inputs_sha256: z.string(),
  inputs: z.array(PartInput),
  left_out: z.array(FileReport).describe("Raw files that belong to no part, as seen on this machine"),
  acceptances: z.array(Acceptance).describe("Gates of the stage that a person accepted"),
  files: z.array(ManifestFile),
};

/** `part.json`: a part that `cattle build --part` made, possibly on another machine, for `cattle assemble` to check and publish. */
export const PartFile = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("state"),
    state: z.string().regex(/^[A-Z]{2}$/),
    ...common,
    base_build_id: BuildId.nullable().describe("Published build whose found parcels the part carries over"),
    delta: z.array(DeltaMark).describe("How far each segment of the delta was merged"),
    delta_sha256: z.string().nullable().describe("Digest of the found parcels; null if there are none"),
    made: StateStageResult,
  }),
  z.strictObject({
    kind: z.literal("market"),
    ...common,
    earlier_build_id: BuildId.nullable().describe("Build against which change statuses are computed"),
    made: MarketStageResult,
  }),
]);
export type PartFile = z.infer<typeof PartFile>;
