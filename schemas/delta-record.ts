import {z} from "zod";
import {Authority} from "./parcel-source.ts";
import {VintageBasis} from "./vocabulary/parcel-provenance.ts";

/** Format version of delta segments. A reader refuses a segment of a later version. */
export const DELTA_FORMAT = 2;

/** The process that wrote a segment or holds a lock, with facts by which a reader can tell that it is dead. */
export const ProcessIdentity = z.strictObject({
  host: z.string(),
  bootId: z.string(),
  pidNamespace: z.string(),
  pid: z.int().positive(),
  startTicks: z.string().describe("Start time of the process in clock ticks since boot, from the kernel"),
});
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

/** The first record of a segment. */
export const DeltaHeader = z.strictObject({
  kind: z.literal("header"),
  format: z.int().positive(),
  writer: ProcessIdentity,
  baseBuildId: z.string(),
  startedAt: z.iso.datetime(),
});
export type DeltaHeader = z.infer<typeof DeltaHeader>;

/** A reply of a layer has no file whose newest date could be taken, and is always retrieved. */
const ReplyVintage = VintageBasis.exclude(["newest_in_file", "unknown"]);

const Provenance = z.strictObject({
  sourceId: z.string(),
  vintage: z.string().nullable(),
  vintageBasis: ReplyVintage,
  retrievedAt: z.iso.datetime(),
  authority: Authority,
});

/** The published facts that determine a land use, kept so that a later code table can classify it again. */
const LandUseInput = z.strictObject({
  systems: z.array(z.string()).describe("Code systems of the source, in the order of its entry"),
  facts: z.looseObject({
    codes: z.record(z.string(), z.string().nullable()).describe("Codes as printed, by their field"),
    description: z.string().optional(),
    improvementValue: z.number().optional().describe("0, or 1 for any positive value"),
    totalValue: z.number().optional().describe("1 for any positive value"),
    buildingArea: z.number().optional().describe("1 for any building"),
    acres: z.number().optional().describe("Acres rounded up, if a system needs them"),
    agAcresShare: z.number().optional().describe("Agricultural share of the acres, in tenths"),
    taxStatus: z.string().optional(),
  }),
});

/** A parcel that a county returned on a miss (`docs/design/parcels.md` section 9, `docs/design/reliability.md` section 3.1). */
export const DeltaUpsert = z.strictObject({
  kind: z.literal("upsert"),
  v: z.literal(1),
  key: z.strictObject({state: z.string(), county: z.string(), parcelId: z.string()}),
  seq: z.int().positive(),
  observedAt: z.iso.datetime(),
  country: z.enum(["US", "CA"]),
  parcelUid: z.string(),
  row: z
    .record(z.string(), z.unknown())
    .describe("Columns of the normalised parcel row; unknown ones are left out"),
  provenance: Provenance.describe("Provenance of all facts except those of `groups`"),
  groups: z
    .record(z.string(), z.strictObject({vintage: z.string().nullable(), vintageBasis: VintageBasis}))
    .optional()
    .describe("Provenance groups with a different vintage, such as values of a roll year"),
  landUse: LandUseInput.optional().describe(
    "What the land use is classified by; absent for a source without codes and descriptions",
  ),
  proposedMap: z
    .boolean()
    .describe("The field map was proposed from the layer's metadata and not reviewed by a person"),
  raw: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Only the attributes that the field map uses, as the county sent them"),
  rawDropped: z.literal(true).optional().describe("The raw attributes were too long for a line"),
  sourceId: z.string(),
  vintage: z.string().nullable(),
  query: z.enum(["address", "parcel_id", "location", "owner"]),
});
export type DeltaUpsert = z.infer<typeof DeltaUpsert>;

/** A county layer that was added to the dataset when it was first discovered. */
export const DeltaSource = z.strictObject({
  kind: z.literal("source"),
  v: z.literal(1),
  key: z.strictObject({sourceId: z.string()}),
  seq: z.int().positive(),
  observedAt: z.iso.datetime(),
  sourceId: z.string(),
  entryDigest: z.string(),
  countyKey: z.string(),
});
export type DeltaSource = z.infer<typeof DeltaSource>;

/** The last record of a segment that was closed cleanly. */
const DeltaEnd = z.strictObject({
  kind: z.literal("end"),
  count: z.int().nonnegative().describe("Data records in the segment"),
  crc: z
    .string()
    .regex(/^[0-9a-f]{8}$/)
    .describe("CRC-32 over the CRC texts of all lines before"),
});

export type DeltaRecord = DeltaUpsert | DeltaSource;

/** A record before the writer adds `seq` and `observedAt`. */
export type NewDeltaRecord =
  | Omit<DeltaUpsert, "seq" | "observedAt">
  | Omit<DeltaSource, "seq" | "observedAt">;

export const DeltaLine = z.discriminatedUnion("kind", [DeltaHeader, DeltaUpsert, DeltaSource, DeltaEnd]);
export type DeltaLine = z.infer<typeof DeltaLine>;
