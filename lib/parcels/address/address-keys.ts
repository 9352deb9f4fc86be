import {foldText} from "./fold-text.ts";
import {otherHighways} from "./numbered-road.ts";
import type {ParsedAddress} from "./parsed-address.ts";

/** A key of a row in `addresses.arrow`: form 1 holds number and name, form 4 the folded line. */
type AddressKey = {readonly key: string; readonly form: 1 | 4};

/** The parts of an address from which its keys are made. */
export type AddressKeyParts = Pick<ParsedAddress, "number" | "numberLo" | "numberHi" | "name" | "status">;

const longestRange = 100;

/**
 * Gives the keys under which an address is found: in form 1 `<number>|<NAME>` for every number of a range (of its parity),
 * in form 4 `=<folded line>` for a line that could not be parsed. Rows that are never an answer have no keys.
 */
export function addressKeys(parts: AddressKeyParts, situsRaw: string | null = null): AddressKey[] {
  const {status, name} = parts;
  if (status === "legal_only" || status === "name_only") {
    const folded = foldText(situsRaw ?? "");
    return folded === "" ? [] : [{key: `=${folded}`, form: 4}];
  }
  if (status !== "numbered" || name === null) return [];
  return keyNumbers(parts).map((number) => ({key: `${number}|${name}`, form: 1}));
}

/** The keys that a query looks up to find its candidates. */
export type AddressLookupKeys = {
  /** Form 1 keys of the number and exactly this name. */
  readonly exact: readonly string[];
  /** Form 1 keys of the number and the same road number in another class of highway. */
  readonly otherClasses: readonly string[];
  /** House numbers in the spelling of form 1 keys: near names are looked up with them. */
  readonly numbers: readonly string[];
  /** Form 4 keys of the folded line. */
  readonly folded: readonly string[];
};

/** Gives the keys to look up for a query; `lib/parcels/address/edit-distance.ts` finds its near names. */
export function addressLookupKeys(parts: AddressKeyParts, line: string): AddressLookupKeys {
  const folded = foldText(line);
  const lineKeys = folded === "" ? [] : [`=${folded}`];
  const {name} = parts;
  if (parts.number === null || name === null)
    return {exact: [], otherClasses: [], numbers: [], folded: lineKeys};
  const numbers = keyNumbers(parts);
  return {
    exact: numbers.map((number) => `${number}|${name}`),
    otherClasses: otherHighways(name).flatMap((other) => numbers.map((number) => `${number}|${other}`)),
    numbers,
    folded: lineKeys,
  };
}

/** Gives the house numbers of the keys: 123 for `123A` and `123 1/2`, and each number of its parity for a range. */
function keyNumbers({number, numberLo, numberHi}: AddressKeyParts): string[] {
  if (number === null) return [];
  if (numberLo === null || number.includes("-")) return [number];
  if (numberHi === null || numberHi <= numberLo || numberHi - numberLo > longestRange)
    return [String(numberLo)];
  const count = Math.floor((numberHi - numberLo) / 2) + 1;
  return Array.from({length: count}, (_, at) => String(numberLo + 2 * at));
}
