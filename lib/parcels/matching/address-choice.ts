import {compareMatches, isOutranked} from "@open-cattle/us-address";
import {parcelIdSpellings} from "../parcel-id/parcel-id-spellings.ts";
import type {AddressHit} from "./address-match.ts";

/** The result of a lookup for one parcel: one hit, several equally good ones (best first), or none. */
export type Choice<Hit> =
  | {readonly kind: "one"; readonly hit: Hit; readonly stack: boolean}
  | {readonly kind: "several"; readonly hits: readonly Hit[]}
  | {readonly kind: "none"};

/** Scores within this distance of the best make a lookup ambiguous. */
const nearHundredths = 5;

/**
 * Chooses the parcel that an address means (`docs/design/parcels.md` section 7). Another parcel of the same
 * type within 0.05 of the best makes it ambiguous, unless the best outranks it, or they are a stack whose
 * parent has the address and the query names no unit.
 */
export function chooseAddress(
  hits: readonly AddressHit[],
  {withUnit}: {withUnit: boolean},
): Choice<AddressHit> {
  const sorted = [...hits].sort((a, b) => compareMatches(a.match, b.match));
  const [best] = sorted;
  if (best === undefined) return {kind: "none"};
  const alike = sorted.filter(
    ({match}) =>
      match.type === best.match.type &&
      isNear(match.score, best.match.score) &&
      !isOutranked(match, best.match),
  );
  if (alike.length === 1) return {kind: "one", hit: best, stack: !withUnit && hasChildren(best, hits)};
  const parent = withUnit ? undefined : stackParent(alike);
  return parent === undefined ? {kind: "several", hits: alike} : {kind: "one", hit: parent, stack: true};
}

function isNear(score: number, best: number): boolean {
  return Math.round(best * 100) - Math.round(score * 100) <= nearHundredths;
}

function hasChildren(parent: AddressHit, hits: readonly AddressHit[]): boolean {
  return hits.some((hit) => hit !== parent && isChildOf(hit, parent));
}

/** The hit that is the parent of all others, if any. */
function stackParent(hits: readonly AddressHit[]): AddressHit | undefined {
  return hits.find((parent) => hits.every((hit) => hit === parent || isChildOf(hit, parent)));
}

function isChildOf(child: AddressHit, parent: AddressHit): boolean {
  const named = child.set.parcels.text("parent_id").at(child.row);
  const county = (hit: AddressHit) => hit.set.parcels.string("county_key").at(hit.row);
  if (named === null || county(child) !== county(parent)) return false;
  const {tok} = parcelIdSpellings(named);
  const ids = [
    parent.set.parcels.text("parcel_id").at(parent.row),
    ...(parent.set.parcels.list("alt_ids").at(parent.row) ?? []),
  ];
  return ids.some((id) => id !== null && parcelIdSpellings(id).tok === tok);
}
