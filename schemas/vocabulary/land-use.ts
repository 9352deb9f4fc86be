import {z} from "zod";

/** The seven values of `landUseCategory` in the contract. */
export const LandUseCategory = z.enum([
  "agriculture",
  "residential",
  "commercial",
  "industrial",
  "vacant",
  "mineral",
  "utility_exempt",
]);
export type LandUseCategory = z.infer<typeof LandUseCategory>;

/** The method that determined a category; `none` if there is no category. */
export const LandUseMethod = z.enum([
  "state_table",
  "local_table",
  "national_code",
  "keyword",
  "improvement_test",
  "none",
]);
export type LandUseMethod = z.infer<typeof LandUseMethod>;

const When = z.strictObject({
  description: z.string().optional().describe("Case-insensitive pattern on the printed description"),
  improvementValue: z.enum(["zero", "positive"]).optional().describe("An unknown value satisfies neither"),
  agAcresShare: z.number().optional().describe("Minimum share of agricultural acres"),
  acresMax: z.number().optional().describe("Largest acreage"),
  acresAbove: z.number().optional().describe("A whole number of acres that the parcel exceeds"),
  taxStatus: z.string().optional().describe("Exact word"),
});

const Rule = z.strictObject({
  codes: z.array(z.string()).optional(),
  range: z.tuple([z.int(), z.int()]).optional().describe("Inclusive, on the integer value of the code"),
  pattern: z.string().optional().describe("Regular expression on the normalised code"),
  when: When.optional(),
  label: z.string(),
  category: LandUseCategory.nullable().describe("null: deliberately no category; later rules are not tried"),
  method: LandUseMethod,
  confidence: z.number().min(0).max(1).optional(),
  flag: z.string().optional().describe("Cleaning code of a parcel whose code is implausible"),
  evidence: z.enum(["official", "reproduced", "unverified"]),
  source: z.string(),
});
export type LandUseRule = z.infer<typeof Rule>;

const System = z.strictObject({
  region: z.string(),
  title: z.string(),
  normalise: z.array(z.string()),
  hasVacantCode: z.boolean(),
  strength: z.enum(["strong", "medium", "weak"]),
  fields: z.array(z.string()).optional().describe("Names that publishers use for the code's field"),
  notes: z.string().optional(),
  exclude: z.array(z.strictObject({description: z.string()})).optional(),
  rules: z.array(Rule),
});
export type LandUseSystem = z.infer<typeof System>;

/** `data/reference/land-use-map.json`: code systems with their ordered rules, each rule with its source and evidence. */
export const LandUseMap = z.strictObject({
  version: z.int(),
  categories: z.array(LandUseCategory),
  methods: z.array(LandUseMethod),
  multiClass: z.strictObject({
    order: z.array(LandUseCategory),
    by: z.string(),
    confidenceFactor: z.number(),
  }),
  improvementTest: z.strictObject({needs: z.string(), confidence: z.number(), conflictFactor: z.number()}),
  keywordConfidence: z.number(),
  sources: z.record(z.string(), z.string()),
  evidence: z.record(z.string(), z.string()),
  systems: z.record(z.string(), System),
  denied: z
    .string()
    .describe("What words say a parcel is not (NON-FARM): taken out before keywords are tried"),
  keywords: z.array(
    z.strictObject({category: LandUseCategory, pattern: z.string(), unless: z.string().optional()}),
  ),
  unmapped: z.record(z.string(), z.string()),
});
export type LandUseMap = z.infer<typeof LandUseMap>;
