import {foldText} from "./fold-text.ts";
import {otherHighways} from "./numbered-road.ts";
import type {ParsedAddress} from "./parsed-address.ts";

/** One key of a row in `addresses.arrow`: form 1 number and name, 4 the folded line. */
type AddressKey = {readonly key: string; readonly form: 1 | 4};

/** The parts of an address that its keys are made of. */
export type AddressKeyParts = Pick<ParsedAddress, "number" | "numberLo" | "numberHi" | "name" | "status">;

const longestRange = 100;

/**
 * The keys under which an address is found. Form 1, `<number>|<NAME>`: one key for every number of a range (of its parity). Form 4,
 * `=<folded line>`, for lines that are not parsed. Rows that are never an answer have none.
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

/** Keys with which the candidates of a query are looked up. */
export type AddressLookupKeys = {
  /** Form 1 keys: the number and the very name. */
  readonly exact: readonly string[];
  /** Form 1 keys: the number and a highway of that road number in another class. */
  readonly otherClasses: readonly string[];
  /** House numbers as they stand in form 1 keys, with which near names are looked up. */
  readonly numbers: readonly string[];
  /** Form 4 keys: the folded line. */
  readonly folded: readonly string[];
};

/** What to look up for a query; its near names are found by `lib/parcels/address/near-names.ts`. */
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

/** The house numbers of the keys: `123A` and `123 1/2` stand under 123, a range under each number of its parity. */
function keyNumbers({number, numberLo, numberHi}: AddressKeyParts): string[] {
  if (number === null) return [];
  if (numberLo === null || number.includes("-")) return [number];
  if (numberHi === null || numberHi <= numberLo || numberHi - numberLo > longestRange)
    return [String(numberLo)];
  const count = Math.floor((numberHi - numberLo) / 2) + 1;
  return Array.from({length: count}, (_, at) => String(numberLo + 2 * at));
}
