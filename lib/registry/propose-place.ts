import type {FieldSpec} from "../../schemas/field-map.ts";
import type {ColumnClaims} from "./column-claims.ts";

type Fields = Readonly<Record<string, FieldSpec>>;

/** Proposes the outline, where a column has it in well-known text, and the point that columns called X and Y have. */
export function proposedPlace(claims: ColumnClaims, fields: Fields): Fields {
  const outline = claims.names.find((name) => !claims.isTaken(name) && isOutline(claims, name));
  if (outline !== undefined) claims.claim(outline);
  return {
    ...(outline === undefined ? {} : {geometry: {from: outline}}),
    ...degreesOfPoint(claims, fields),
  };
}

/** True for a column of outlines or points in well-known text. */
function isOutline(claims: ColumnClaims, name: string): boolean {
  const values = claims.values(name);
  return (
    values.filled.length >= 5 &&
    values.share((cell) => /^(?:MULTI)?(?:POLYGON|POINT)(?: Z?M?)? ?\(/i.test(cell)) >= 0.9
  );
}

/** The point in columns that are called X and Y, where their cells are known to be degrees of the state. */
function degreesOfPoint(claims: ColumnClaims, fields: Fields): Fields {
  if (fields.lon !== undefined || fields.lat !== undefined || claims.state === undefined) return {};
  const isKnown = (name: string) => claims.values(name).filled.length >= 5;
  const [x, y] = [claims.free("any_x").find(isKnown), claims.free("any_y").find(isKnown)];
  if (x === undefined || y === undefined) return {};
  claims.claim(x, y);
  return {lon: {from: x}, lat: {from: y}};
}
