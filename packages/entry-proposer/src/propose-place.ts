import type {ColumnClaims} from "./column-claims.ts";
import type {FieldSpec} from "./field-proposal.ts";

type Fields = Readonly<Record<string, FieldSpec>>;

/** Proposes the outline, when a column has it as WKT, and the point from columns called X and Y. */
export function proposedPlace(claims: ColumnClaims, fields: Fields): Fields {
  const outline = claims.names.find((name) => !claims.isTaken(name) && isOutline(claims, name));
  if (outline !== undefined) claims.claim(outline);
  return {
    ...(outline === undefined ? {} : {geometry: {from: outline}}),
    ...degreesOfPoint(claims, fields),
  };
}

/** True for a column of WKT outlines or points. */
function isOutline(claims: ColumnClaims, name: string): boolean {
  const values = claims.values(name);
  return (
    values.filled.length >= 5 &&
    values.share((cell) => /^(?:MULTI)?(?:POLYGON|POINT)(?: Z?M?)? ?\(/i.test(cell)) >= 0.9
  );
}

/** The point from columns called X and Y, when their cells are known to be degrees within the state. */
function degreesOfPoint(claims: ColumnClaims, fields: Fields): Fields {
  if (fields.lon !== undefined || fields.lat !== undefined || claims.state === undefined) return {};
  const isKnown = (name: string) => claims.values(name).filled.length >= 5;
  const [x, y] = [claims.unclaimed("any_x").find(isKnown), claims.unclaimed("any_y").find(isKnown)];
  if (x === undefined || y === undefined) return {};
  claims.claim(x, y);
  return {lon: {from: x}, lat: {from: y}};
}
