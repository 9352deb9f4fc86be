import {z} from "zod";

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
