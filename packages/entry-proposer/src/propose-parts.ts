import type {ColumnClaims} from "./column-claims.ts";
import {looksLikeOwnerAddress, provesRole} from "./column-fits.ts";
import type {FieldSpec} from "./field-proposal.ts";
import {bareName} from "./field-synonyms.ts";

type Fields = Record<string, FieldSpec>;

/** Columns that a street's type or direction may stand away from its name or number. */
const farthest = 4;
/** Names of columns that are no part of the land's address, whatever their cells are. */
const ofOthers = /MAIL|OWN|TAX|BILL|TP|PSTL|LEGAL|RANGE|TWP|TOWNSHIP|SECTION|QUARTER|QTR/i;

/**
 * Finds, beside the street's name, the parts of an address that their names do not show: columns in which nearly all cells are
 * types of streets, directions, or fractions of a house number. A direction before the name is its prefix, one behind it its suffix.
 */
export function partsBesideName(land: Fields, claims: ColumnClaims): void {
  const [name, number] = [land.situs_name?.from, land.situs_number?.from];
  if (typeof name !== "string") return;
  const {names} = claims;
  const at = names.indexOf(name);
  const places = [at, ...(typeof number === "string" ? [names.indexOf(number)] : [])];
  const near = names.filter(
    (each, i) =>
      !claims.isTaken(each) &&
      !ofOthers.test(each) &&
      places.some((place) => Math.abs(i - place) <= farthest),
  );
  const give = (role: string, found: string | undefined) => {
    if (found === undefined || land[role] !== undefined || claims.isTaken(found)) return;
    land[role] = {from: found};
    claims.claim(found);
  };
  const find = (role: string, side?: "before" | "behind") =>
    near.find(
      (each) =>
        provesRole(role, claims.values(each), claims.state) &&
        (side === undefined || names.indexOf(each) < at === (side === "before")),
    );
  give("situs_type", find("situs_type"));
  give("situs_pre", find("situs_pre", "before"));
  give("situs_post", find("situs_post", "behind"));
  if (land.situs_pre === undefined && land.situs_post?.from !== find("situs_pre", "behind"))
    give("situs_pre", find("situs_pre", "behind"));
  give("situs_fraction", find("situs_fraction"));
}

/** The spec of a part of the land's address that has a column of its own. */
export function landSpec(role: string, from: string): FieldSpec {
  return role === "zip" ? {from, transform: ["zip5"]} : {from};
}

/** Takes the city and the ZIP of the land from second and third lines of its address that hold nothing else. */
export function placeInLines(land: Fields, claims: ColumnClaims): void {
  for (const line of [...claims.unclaimed("situs_line2"), ...claims.unclaimed("situs_line3")]) {
    const values = claims.values(line);
    for (const role of ["city", "zip"]) {
      if (land[role] !== undefined || claims.isTaken(line)) continue;
      if (!provesRole(role, values, claims.state) || looksLikeOwnerAddress(values, claims.state, 0.1))
        continue;
      land[role] = landSpec(role, line);
      claims.claim(line);
    }
  }
}

/** Takes a column whose name begins with a word for the land and whose cells are whole addresses, whatever else the name says. */
export function lineByItsCells(land: Fields, claims: ColumnClaims): void {
  if (land.situs_raw !== undefined || land.situs_name !== undefined) return;
  const partColumn = claims.names.find(
    (name) =>
      /^(?:SITUS|SITE|PROP|LOC|PHYS?|PREM)(?!.*PR(?:EV|IOR))/i.test(bareName(name)) &&
      !ofOthers.test(bareName(name)) &&
      !claims.isTaken(name) &&
      provesRole("situs_raw", claims.values(name), claims.state),
  );
  if (partColumn === undefined) return;
  land.situs_raw = landSpec("situs_raw", partColumn);
  claims.claim(partColumn);
}

/** Takes the house number from a column that is called the address and holds nothing but numbers (`SITUS_ADDR` beside `SITUS_STRE`). */
export function numberCalledAddress(land: Fields, claims: ColumnClaims): void {
  if (land.situs_number !== undefined || land.situs_name === undefined) return;
  const found = claims
    .unclaimed("situs_number_bare")
    .find((name) => provesRole("situs_number", claims.values(name), claims.state));
  if (found === undefined) return;
  land.situs_number = {from: found};
  claims.claim(found);
}

/** Takes a line without house numbers for the street's name, where these stand in a column of their own. */
export function streetWithoutNumber(land: Fields, claims: ColumnClaims): void {
  const [line, number] = [land.situs_raw?.from, land.situs_number?.from];
  if (typeof line !== "string" || typeof number !== "string" || land.situs_name !== undefined) return;
  const values = claims.values(line);
  if (values.filled.length < 5 || values.share((cell) => /^\d+[A-Z]? /i.test(cell)) > 0.1) return;
  if (claims.values(number).filled.length < values.filled.length * 0.5) return;
  land.situs_name = {from: line};
  delete land.situs_raw;
}
