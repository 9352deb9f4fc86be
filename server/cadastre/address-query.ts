import {directionals} from "../../lib/parcels/address/directionals.ts";
import {ordinalWords} from "../../lib/parcels/address/number-words.ts";
import type {ScoredAddress} from "../../lib/parcels/address/parsed-address.ts";
import {streetTypes} from "../../lib/parcels/address/street-types.ts";
import type {LayerMap} from "./layer-map.ts";
import {printedPart} from "./printed-part.ts";
import type {Comparison} from "./where.ts";

/** What a county is asked for an address: its number, and where too many rows have that, also a part of the street's name. */
export type AddressComparisons = {
  readonly byNumber: readonly Comparison[];
  /** One list for each printed form; the rows of all of them together are the answer. */
  readonly narrower: readonly (readonly Comparison[])[];
};

/**
 * Gives the comparisons of an address; null where the layer cannot be asked for it. Streets are compared here, not there: a county
 * prints ordinals, saints and apostrophes in its own way (`docs/design/parcels.md` section 9).
 */
export function addressComparisons(
  {number, numberLo, name, status}: ScoredAddress,
  map: LayerMap,
): AddressComparisons | null {
  if (status !== "numbered" || number === null || name === null || map.address === null) return null;
  const byNumber = [houseNumber({number, numberLo}, map)];
  const field = map.address.name;
  const narrower = printedForms(name).map((value) => [...byNumber, {field, op: "contains", value} as const]);
  return {byNumber, narrower};
}

/** Compares the number where the layer has a column of it, else the beginning of the line. */
function houseNumber(
  {number, numberLo}: {number: string; numberLo: number | null},
  {number: field, address}: LayerMap,
): Comparison {
  if (field?.numeric === true && numberLo !== null)
    return {field: field.name, op: "equalsNumber", value: numberLo};
  const isText = field !== null && !field.numeric;
  // `12A`, `12-14` and `12 1/2` begin with the digits; a column of the number alone may lack the letters before them.
  const value = String(numberLo ?? (isText && !field.whole ? number.replace(/^\D+/, "") : number));
  // A column of numbers may have blanks or zeros before them; a line that begins with its number has none.
  if (isText) return {field: field.name, op: "contains", value};
  return {field: address!.name, op: "startsWith", value};
}

/** Words that counties print in full or short. */
const shortForms: ReadonlyMap<string, string> = new Map([
  ["SAINT", "ST"],
  ["SAINTE", "STE"],
  ["FORT", "FT"],
  ["MOUNT", "MT"],
  ["POINT", "PT"],
  ["LAKE", "LK"],
  ["GENERAL", "GEN"],
  ["DOCTOR", "DR"],
  ["MARTIN", "M"],
]);

/** Gives a part of the name that all its printed forms have, or the forms themselves where they have no part in common. */
function printedForms(name: string): string[] {
  const words = name.split(" ");
  // The number of a road is printed in digits, whatever stands before it.
  const road = words.length > 1 ? /\d+/.exec(name)?.[0] : undefined;
  if (road !== undefined) return [road];
  const plain = words.filter(
    (word) => !shortForms.has(word) && !streetTypes.has(word) && !directionals.has(word) && !/^\d/.test(word),
  );
  if (plain.length > 0) {
    const longest = plain.reduce((best, word) => (word.length > best.length ? word : best));
    return [printedPart(longest)];
  }
  const [first = name] = words;
  // `23RD` is also printed 23, and TWENTY-THIRD with a hyphen or a blank; its last word is in both.
  const digits = /^(\d+)(?:ST|ND|RD|TH)$/.exec(first)?.[1] ?? first;
  const spelt = [...ordinalWords].flatMap(([word, ordinal]) => (ordinal === first ? [word] : []));
  const short = shortForms.get(first) ?? [];
  return [...new Set([digits, ...spelt.map((word) => word.split(/[ -]/).at(-1)!), short].flat())];
}
