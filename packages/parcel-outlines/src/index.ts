/** Outlines and points of parcels: read from other formats, brought to WGS 84, measured, checked, repaired. */
export {distanceMiles, earthRadiusMiles, nearbyMiles, nearbyMilesError, type Point} from "./distance.ts";
export {geometryFromEsri} from "./esri-geometry.ts";
export {
  geometryFromGeoJson,
  middleOfWidestSpan,
  outlineFromWkb,
  outlineHolds,
  outlineToWkb,
  polygonHolds,
  type Ring,
  ringMoments,
} from "./outline.ts";
export {
  projectionOf,
  projectionOfEsri,
  projectionOfProjJson,
  ReferenceSystemError,
  type ToLonLat,
} from "./projection.ts";
export {repairOutline} from "./repair-outline.ts";
export {isValidOutline} from "./ring-nesting.ts";
export {type GeometrySummary, summarizeGeometry, summarizeOutline} from "./summarize.ts";
export {geometryFromText, isEmptyGeometryText, isGeometryText} from "./text-geometry.ts";
export {geometryFromWkb} from "./wkb-geometry.ts";
