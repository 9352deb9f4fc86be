import {z} from "zod";

/** Version of the folder layout and of the manifest that builds write. */
export const manifestFormat = 5;

/** Versions that can be read; any other is refused. `docs/stable.md` names the range. */
export const readFormats = [manifestFormat] as const;

/** Id of a build: `<as_of yyyymmdd>-<6 hex of the input fingerprint>`. */
export const BuildId = z.string().regex(/^\d{8}-[0-9a-f]{6}$/);

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const Count = z.int().nonnegative();
const Instant = z.iso.datetime();

export const ManifestFile = z.strictObject({
  path: z
    .string()
    .regex(/^[A-Za-z0-9._=-]+(\/[A-Za-z0-9._=-]+)*$/)
    .describe("Below the build folder, with forward slashes"),
  size: Count.describe("Bytes"),
  sha256: Sha256,
  rows: Count.nullable().describe("Rows or items; null for a file that is not a table"),
  schema_sha256: Sha256.nullable().describe(
    "Digest of names and types of the columns; null for a file that is not a table",
  ),
  block_crc32: z
    .array(z.string().regex(/^[0-9a-f]{8}$/))
    .describe("CRC-32 of each MiB, the last one shorter"),
});
export type ManifestFile = z.infer<typeof ManifestFile>;

/** How far the lines of a delta segment have been merged into a part, with their counts. */
export const DeltaMark = z.strictObject({
  segment: z.string(),
  bytes: Count.describe("End of the last line that was merged"),
  records: Count,
  bad_lines: Count.describe("Damaged lines before it, accepted by a person"),
  crc: z.string().regex(/^[0-9a-f]{8}$/),
});
export type DeltaMark = z.infer<typeof DeltaMark>;

/** `built`: made in this build. `reused`: linked, because the inputs are the same. `held_back`: failed, so the last good one is linked. */
const PartStatus = z.enum(["built", "reused", "held_back"]);

const part = {
  status: PartStatus,
  built_in: BuildId.describe("Build that made the files"),
  inputs_sha256: Sha256.describe("Digest of everything from which the files were made"),
  attempted_inputs_sha256: Sha256.nullable().describe("`held_back`: digest of the inputs that failed"),
  held_back_because: z.string().nullable(),
  delta: z.array(DeltaMark),
  files: z.array(ManifestFile).describe("Sorted by path"),
};

export const MarketPart = z.strictObject({
  ...part,
  rows: z.record(z.string(), Count).describe("Rows by table"),
  sources: z.array(
    z.strictObject({
      id: z.string(),
      source_date: z.iso.date().nullable(),
      retrieved_at: Instant.nullable(),
    }),
  ),
  figures: z.record(z.string(), z.number()).describe("What gates compare"),
});
export type MarketPart = z.infer<typeof MarketPart>;

const Share = z.number().min(0).max(1);

/** Shares of a county's rows with the five facts that people ask for first, rounded down to two decimals. */
export const Completeness = z
  .strictObject({
    owner: Share.describe("Rows with an owner; one that is withheld is none"),
    address: Share.describe("Rows with a numbered address"),
    point: Share.describe("Rows with a point"),
    use: Share.describe("Rows with a land-use category"),
    value: Share.describe("Rows with any value"),
  })
  .meta({id: "Completeness"});
export type Completeness = z.infer<typeof Completeness>;

export const ManifestCounty = z.strictObject({
  county_key: z.string(),
  county_name: z.string(),
  rows: Count,
  complete: z
    .boolean()
    .describe(
      "True: rows are from a complete pull of the whole county (`live`), else from an extract or a place (`partial`)",
    ),
  places: z
    .array(z.string())
    .optional()
    .describe("The municipalities that its sources cover, if none covers the whole county"),
  vintage: z.string().nullable(),
  sources: z.array(z.string()),
  fill: z
    .record(z.string(), z.number())
    .optional()
    .describe("Share of rows with a value, by attribute; attributes that no row has are left out"),
  completeness: Completeness.optional(),
  owners_published: z.literal(false).optional().describe("Its sources publish no owner names"),
});
export type ManifestCounty = z.infer<typeof ManifestCounty>;

export const StatePart = z.strictObject({
  ...part,
  country: z.enum(["US", "CA"]),
  coverage: z.enum(["live", "partial"]),
  rows: Count,
  point_count: Count.describe(
    "Number of rows with a point, which come first; 0: there is no `parcels.flatbush`",
  ),
  counties: z.array(ManifestCounty),
  sources: z.array(z.strictObject({id: z.string(), vintage: z.string().nullable(), complete: z.boolean()})),
  fill: z.record(z.string(), z.number()).describe("Share of rows with a value, by attribute"),
  figures: z.record(z.string(), z.number()).describe("What gates compare"),
});
export type StatePart = z.infer<typeof StatePart>;

export const GateResult = z.strictObject({
  part: z.string().describe("`MARKET`, a state, or `BUILD`"),
  gate: z.string().describe("Name of the gate"),
  status: z
    .enum(["pass", "warn", "fail", "accepted", "skipped"])
    .describe("`accepted`: failed, and published by a person's decision; `skipped`: nothing to compare with"),
  figure: z.number().nullable().describe("What was measured; shares as fractions"),
  warn_at: z.number().nullable().describe("It warns above this value, not at it"),
  fail_at: z.number().nullable().describe("It fails above this value, not at it"),
  detail: z.string().nullable().describe("The same in words"),
});
export type GateResult = z.infer<typeof GateResult>;

/** A person's decision to publish despite a failed gate. */
export const Acceptance = z.strictObject({
  part: z.string(),
  gate: z.string(),
  reason: z.string().min(1),
});
export type Acceptance = z.infer<typeof Acceptance>;

/** A registered source that has rows in the build. */
export const ManifestSource = z.strictObject({
  id: z.string(),
  name: z.string(),
  licence: z.string().nullable(),
  attribution: z.string().nullable(),
  terms: z
    .strictObject({
      store: z.boolean().describe("It may be stored"),
      redistributeOwners: z.boolean().describe("Owner names may be passed on"),
      bulk: z.boolean().describe("It may be downloaded in bulk"),
      page: z.string().optional().describe("Page of the terms"),
      read: z.string().optional().describe("Day on which the page was read"),
    })
    .optional()
    .describe("What the publisher of a parcel source allows, and the page and day where it was read"),
  retrieved_at: Instant.nullable().describe("Newest of its raw files"),
  parts: z.array(z.string()),
});
export type ManifestSource = z.infer<typeof ManifestSource>;

/** One raw file that went into the build. */
export const ManifestInput = z.strictObject({
  path: z.string(),
  sha256: Sha256,
  retrieved_at: Instant,
  retrieved_at_from: z.enum(["meta", "assumed", "mtime"]),
});
export type ManifestInput = z.infer<typeof ManifestInput>;

/** `manifest.json` of a build: written last, and the only file that contains the wall-clock time. */
export const Manifest = z.strictObject({
  format: z.literal(readFormats),
  build_id: BuildId,
  base_build_id: BuildId.nullable().describe("Build whose parts were reused or kept"),
  earlier_build_id: BuildId.nullable().describe("Build against which change statuses are computed"),
  code_version: z.string(),
  as_of_date: z.iso.date(),
  built_at: Instant,
  sample: z.boolean(),
  inputs: z.array(ManifestInput),
  sources: z.array(ManifestSource),
  market: MarketPart.nullable(),
  states: z.record(z.string().regex(/^[A-Z]{2}$/), StatePart),
  gates: z.array(GateResult),
  acceptances: z.array(Acceptance),
  files: z
    .array(ManifestFile)
    .describe("Files of no part: the descriptors, the report, and tables of the whole build"),
});
export type Manifest = z.infer<typeof Manifest>;
