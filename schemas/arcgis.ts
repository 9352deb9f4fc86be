import {z} from "zod";

/** A page of a pull: its file beside `pull.json`, and what it contains. */
const PullPage = z.strictObject({
  file: z.string(),
  rows: z.int().nonnegative(),
  sha256: z.string(),
  bytes: z.int().nonnegative().optional().describe("Size of the file"),
  first_id: z.number().nullable().describe("Smallest object id of the page"),
  last_id: z.number().nullable().describe("Largest object id of the page"),
});
export type PullPage = z.infer<typeof PullPage>;

/** A range of object ids that has not been requested yet, with its number of rows if known. */
const PullRange = z.tuple([z.int(), z.int(), z.int().nullable()]);
export type PullRange = z.infer<typeof PullRange>;

/** `pull.json`: the pages of a layer that were pulled and, while the pull runs, where to resume it. */
export const ArcgisPull = z.strictObject({
  format: z.literal(1),
  source_id: z.string(),
  url: z.string(),
  where: z.string(),
  started_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
  verified_at: z.iso.datetime().nullable().describe("Last check that found the layer unchanged"),
  complete: z.boolean().describe("True: the pull finished and has as many rows as the service counted"),
  reason: z.string().nullable().describe("Why it is not complete"),
  edited: z.boolean().describe("True: the layer was edited while it was pulled"),
  counted: z
    .int()
    .nonnegative()
    .nullable()
    .describe(
      "Row count of the service, taken at the end if it changed; null if the service refuses to count",
    ),
  id_bounds: z.tuple([z.number(), z.number()]).nullable().describe("Smallest and largest object id"),
  rows: z.int().nonnegative().describe("Rows received"),
  layer: z.strictObject({
    name: z.string().nullable(),
    object_id_field: z.string().nullable(),
    last_edit: z.iso.datetime().nullable(),
    query_format: z.enum(["geojson", "json"]),
    page_size: z.int().positive(),
    fields: z.array(z.strictObject({name: z.string(), type: z.string().nullable()})),
  }),
  columns: z
    .array(z.string())
    .nullable()
    .default(null)
    .describe("Columns that are asked for; null for all that the layer has"),
  lacks: z
    .array(z.strictObject({fact: z.string(), column: z.string()}))
    .default([])
    .describe("Facts of the entry for which the layer has no column"),
  method: z
    .enum(["keyset", "offset", "ranges"])
    .describe("Pages of ids above the last one, pages by resultOffset, or ranges of ids"),
  next: z
    .strictObject({
      after: z
        .number()
        .nullable()
        .default(null)
        .describe("Largest object id received; null before the first page"),
      offset: z.int().nonnegative(),
      size: z.int().positive().describe("Rows to request, fewer after a page that failed"),
      good: z.int().nonnegative().describe("Pages since the last one that failed"),
      shrunk: z
        .int()
        .nonnegative()
        .optional()
        .describe("How often a page failed and fewer rows were asked for"),
      ranges: z.array(PullRange),
    })
    .nullable()
    .describe("Where to resume the pull; null once it is finished"),
  pages: z.array(PullPage),
});
export type ArcgisPull = z.infer<typeof ArcgisPull>;

// Shapes of the ArcGIS REST API as servers from 9.3 to 11 send them. They are loose, because every version adds members. Source:
// developers.arcgis.com/rest/services-reference (Layer/Table; Query; Common Data Types: Geometry objects).

export const EsriSpatialReference = z.looseObject({
  wkid: z.int().nullish(),
  latestWkid: z.int().nullish(),
  wkt: z.string().nullish(),
});
export type EsriSpatialReference = z.infer<typeof EsriSpatialReference>;

export const EsriField = z.looseObject({
  name: z.string(),
  type: z.string().nullish(),
  alias: z.string().nullish(),
  length: z.number().nullish(),
  domain: z
    .looseObject({
      codedValues: z
        .array(z.looseObject({code: z.union([z.string(), z.number()]), name: z.string()}))
        .nullish(),
    })
    .nullish()
    .catch(null),
});
export type EsriField = z.infer<typeof EsriField>;

export const EsriError = z.looseObject({
  error: z.looseObject({
    code: z.number().nullish(),
    message: z.string().nullish(),
    details: z.array(z.string()).nullish(),
  }),
});

export const EsriLayer = z.looseObject({
  name: z.string().nullish(),
  type: z.string().nullish(),
  geometryType: z.string().nullish(),
  maxRecordCount: z.number().nullish(),
  currentVersion: z.number().nullish(),
  objectIdField: z.string().nullish(),
  fields: z.array(EsriField).nullish(),
  extent: z.looseObject({spatialReference: EsriSpatialReference.nullish()}).nullish(),
  supportedQueryFormats: z.string().nullish(),
  capabilities: z.string().nullish(),
  advancedQueryCapabilities: z.looseObject({supportsPagination: z.boolean().nullish()}).nullish(),
  editingInfo: z.looseObject({lastEditDate: z.number().nullish()}).nullish(),
  editFieldsInfo: z.looseObject({editDateField: z.string().nullish()}).nullish(),
});

const EsriLayerName = z.looseObject({
  id: z.int(),
  name: z.string(),
  type: z.string().nullish(),
  geometryType: z.string().nullish(),
});
export type EsriLayerName = z.infer<typeof EsriLayerName>;

/** A service: its layers and tables. */
export const EsriService = z.looseObject({
  layers: z.array(EsriLayerName),
  tables: z.array(EsriLayerName).nullish(),
});

export const EsriFeatureSet = z.looseObject({
  objectIdFieldName: z.string().nullish(),
  geometryType: z.string().nullish(),
  spatialReference: EsriSpatialReference.nullish(),
  fields: z.array(EsriField).nullish(),
  exceededTransferLimit: z.boolean().nullish(),
  features: z.array(
    z.looseObject({
      attributes: z.record(z.string(), z.unknown()).nullish(),
      geometry: z.record(z.string(), z.unknown()).nullish(),
    }),
  ),
});

export const EsriGeoJson = z.looseObject({
  type: z.literal("FeatureCollection"),
  crs: z.looseObject({properties: z.looseObject({name: z.string().nullish()}).nullish()}).nullish(),
  exceededTransferLimit: z.boolean().nullish(),
  properties: z.looseObject({exceededTransferLimit: z.boolean().nullish()}).nullish(),
  features: z.array(
    z.looseObject({
      properties: z.record(z.string(), z.unknown()).nullish(),
      geometry: z.looseObject({type: z.string()}).nullish(),
    }),
  ),
});

export const EsriCount = z.looseObject({count: z.int().nonnegative()});

export const EsriIds = z.looseObject({
  objectIdFieldName: z.string(),
  objectIds: z.array(z.number()).nullable(),
});
