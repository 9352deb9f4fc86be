import {z} from "zod";
import {askingShape} from "./fetch-source.ts";
import {FieldMap, FieldOrSpec, FieldSpec, Name} from "./field-map.ts";

const rowNumbers = /^(?:OBJECTID(?:_\d+)?|FID|OID)$/i;

const notRowNumber = (spec: FieldOrSpec): boolean =>
  [spec]
    .flatMap((each) => (typeof each === "string" ? each : (each.from ?? [])))
    .every((name) => !rowNumbers.test(name));

const RawId = FieldOrSpec.refine(notRowNumber, {
  error: "is a row number of the file (OBJECTID, FID, OID), not a parcel number",
});

const Ids = z.union([
  z.strictObject({
    none: z.literal(true).describe("The source publishes no parcel number"),
    key: z.array(Name).min(1).describe("Fields that, together with the outline, identify a record"),
  }),
  z.strictObject({
    raw: RawId,
    alt: z.array(FieldOrSpec).optional().describe("Other ids that also find the parcel"),
    parent: FieldOrSpec.optional().describe("Shell parcel of a stack"),
    pad: z.int().positive().optional().describe("Width to which numeric ids are padded with zeros"),
    line: z
      .array(Name)
      .min(1)
      .optional()
      .describe("Fields without a column of ours that distinguish the lines of one parcel"),
    numericSource: z.boolean().optional().describe("The source's column holds numbers"),
  }),
]);

const AreaUnit = z.enum(["acres", "sqft", "m2", "ha", "perRow", "text"]);

/** The kind of area that a field contains. */
export const AreaBasis = z.enum(["deeded", "assessed", "computed"]);
export type AreaBasis = z.infer<typeof AreaBasis>;

const Area = z
  .strictObject({
    from: z.union([Name, z.array(Name).min(1)]).describe("In order of preference"),
    unit: AreaUnit,
    unitFrom: z
      .union([Name, z.array(Name).min(1)])
      .optional()
      .describe("Field of the unit, one for each of `from`"),
    basis: z
      .union([AreaBasis, z.array(AreaBasis).min(1)])
      .optional()
      .describe("One for each of `from`; by default what the field's name says, else `assessed`"),
  })
  .refine(({unit, unitFrom}) => unit !== "perRow" || unitFrom !== undefined, {
    error: 'unit "perRow" needs "unitFrom"',
  });

const Format = z.enum(["ymd", "mdy", "longDate", "epochMs"]);
const Year = z.int().min(1900).max(2200);

export const VintageRule = z.union([
  z.strictObject({row: Name, format: Format}),
  z.strictObject({rollYear: z.union([Name, Year, FieldSpec])}),
  z.strictObject({edition: z.string().regex(/^\d{4}(-\d{2}-\d{2})?$/, "is not YYYY or YYYY-MM-DD")}),
  z.literal("layer_edit"),
  z.literal("retrieved"),
]);
export type VintageRule = z.infer<typeof VintageRule>;

const Join = z.strictObject({
  prefix: z.string().regex(/^[a-z][a-z0-9_]*$/, "is not a short lower-case name"),
  files: z.string().optional().describe("Glob of the joined files in the raw folder; else those of `format`"),
  url: z.string().optional(),
  format: z.string().optional(),
  on: z.strictObject({ours: z.union([Name, z.array(Name)]), theirs: z.union([Name, z.array(Name)])}),
  many: z.enum(["first", "list", "reject"]).describe("What to do with several rows of one key"),
  oncePer: Name.optional().describe("`list`: field (an account) whose first row represents all"),
});
export type JoinSpec = z.infer<typeof Join>;

const ValueKind = z.enum(["assessed", "market", "taxable", "use"]);

/** The kind of value in each money column, and what a published 0 means. */
const Values = z.strictObject({
  assessed_value: ValueKind.optional(),
  land_value: ValueKind.optional(),
  building_value: ValueKind.optional(),
  market_value: ValueKind.optional(),
  taxable_value: ValueKind.optional(),
  use_value: ValueKind.optional(),
  zeroMeans: z.enum(["unknown", "zero"]).optional().describe("`unknown` unless stated otherwise"),
});

/** Keys of older entries, which are taken and do nothing. */
const unread = z.string().optional().describe("Not read");

const Cadastre = z.strictObject({
  url: z.string(),
  idField: z.string().optional(),
  idForms: z.array(z.enum(["raw", "std", "tok"])).optional(),
  idTemplates: z.array(z.string()).optional().describe("Not read"),
  addressField: z.string().optional(),
  numberField: z.string().optional(),
  ownerField: z.string().optional(),
  cityField: unread,
  point: z.boolean().optional(),
});
export type CadastreSpec = z.infer<typeof Cadastre>;

const Accept = z.strictObject({
  minRows: z.int().nonnegative(),
  maxRejectShare: z.number().min(0).max(1),
  maxDropShare: z.number().min(0).max(1),
  rows: z
    .array(z.strictObject({parcelId: z.string(), expect: z.record(z.string(), z.unknown())}))
    .describe(
      "Real rows, by parcel number or, if there is none, by the part of `parcelUid` after the county key",
    ),
});

export const Authority = z.enum(["county", "state", "aggregate", "copy", "derived", "unknown"]);
export type Authority = z.infer<typeof Authority>;

const Coverage = z
  .strictObject({
    country: z.enum(["US", "CA"]),
    state: z.string().regex(/^[A-Z]{2}$/, "is not two capital letters"),
    counties: z.union([
      z.literal("all"),
      z.array(z.string().regex(/^(\d{5}|MB\d{3})$/, "is not a county key")),
    ]),
    places: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe("Municipalities of a source that does not cover whole counties"),
    countyFrom: z
      .union([z.string().min(1), FieldSpec])
      .optional()
      .describe(
        "Field with county key or name, or a county key; `@point`: the county that contains the point of the row",
      ),
  })
  .refine(({counties, places}) => counties.length > 0 || places !== undefined, {
    path: ["counties"],
    error: 'names no county; an empty list is for sources with "places"',
  });

const base = {
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "is not a slug"),
  name: z.string().min(1),
  publisher: z.string().min(1).optional(),
  authority: Authority,
  coverage: Coverage,
  licence: z
    .string()
    .min(1)
    .default("not stated by the publisher")
    .describe("Name or address of the licence; for a known address, `terms.json` has it instead"),
  attribution: z.string().optional(),
  terms: z.strictObject({
    store: z.boolean().default(false),
    redistributeOwners: z.boolean().default(false),
    bulk: z.boolean().default(false),
    page: z.string().optional().describe("Where the terms were read, from `terms.json` or the operator"),
    read: z.string().optional().describe("When they were read"),
  }),
  url: z.string().optional(),
  protocol: z.enum(["http", "arcgis"]).optional(),
  format: z.string().optional(),
  compression: unread,
  encoding: z.string().optional().describe("Only if the file is wrong or does not state it"),
  crs: z.string().optional().describe("Only if the file is wrong or does not state it"),
  header: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe("Column names of delimited text whose header does not match its rows"),
  layer: z.union([z.string(), z.int()]).optional(),
  where: z.string().optional().describe("Rows that are parcels, as an ArcGIS where clause"),
  pageSize: z.int().positive().optional(),
  orderBy: unread,
  timeoutMs: z.int().positive().optional(),
  ...askingShape,
  files: z.string().optional().describe("Glob of the main files in the raw folder"),
  joins: z.array(Join).optional(),
  values: Values.optional(),
  area: Area.optional(),
  owners: z
    .strictObject({
      published: z.boolean(),
      order: z.enum(["last_first", "last_comma_first", "first_last", "unknown"]),
      confidentialFlag: z.string().optional().describe("Field that is true if the owner is withheld"),
    })
    .optional(),
  use: z
    .strictObject({
      systems: z.array(z.string()),
      codeFrom: z.union([Name, z.array(Name).min(1)]),
      descriptionFrom: Name.optional(),
      taxStatusFrom: Name.optional(),
      agAcresFrom: z
        .union([Name, z.array(Name).min(1)])
        .optional()
        .describe("Agricultural acres; several columns are summed"),
      linesFrom: Name.optional().describe(
        "Acres or value of a land line: the largest line of a parcel gives its use",
      ),
    })
    .optional(),
};

/** A registry entry of a bulk source: `data/sources/parcels/<id>.json` (`docs/design/parcels.md` section 3). */
export const ParcelSource = z.strictObject({
  ...base,
  publisher: z.string().min(1),
  ids: Ids,
  fields: FieldMap,
  vintage: z.array(VintageRule).min(1),
  cadastre: Cadastre.optional(),
  accept: Accept,
  proposedMap: z
    .literal(true)
    .optional()
    .describe("The map was proposed from the names of a layer's fields and not reviewed by a person"),
});
export type ParcelSource = z.infer<typeof ParcelSource>;

/** A layer that is only queried on a miss: an item of `data/sources/cadastre/<country>/<state>.json`. */
export const CadastreSource = z.strictObject({
  ...base,
  ids: Ids.optional(),
  fields: FieldMap.optional(),
  vintage: z.array(VintageRule).min(1).optional(),
  cadastre: Cadastre,
  accept: Accept.optional(),
});
export type CadastreSource = z.infer<typeof CadastreSource>;

/** The layers of a state: `data/sources/cadastre/<country>/<state>.json`. */
export const CadastreSources = z
  .array(CadastreSource)
  .refine((entries) => new Set(entries.map(({id}) => id)).size === entries.length, {
    error: "an id occurs twice",
  });
