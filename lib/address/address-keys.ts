import {foldText} from "./fold-text.ts";
import {highwayNumber} from "./numbered-road.ts";
import type {ParsedAddress} from "./parsed-address.ts";

/** One key of `addresses.arrow`: form 1 number and name, 2 number and sound, 4 the folded line. */
export type AddressKey = {readonly key: string; readonly form: 1 | 2 | 4};

/** The parts of an address that its keys are made of. */
export type AddressKeyParts = Pick<ParsedAddress, "number" | "numberLo" | "numberHi" | "name" | "status">;

const longestRange = 100;
const tailLength = 3;

/**
 * The keys under which an address is found.
 * Form 1, `<number>|<NAME>`: exact name, one key for every number of a range (of its parity). Form 2, `<number>~<SOUND>`,
 * see `nameSound`. Form 4, `=<folded line>`, for lines that are not parsed. Rows that are never an answer have none.
 */
export function addressKeys(parts: AddressKeyParts, situsRaw: string | null = null): AddressKey[] {
  const {status, name} = parts;
  if (status === "legal_only" || status === "name_only") {
    const folded = foldText(situsRaw ?? "");
    return folded === "" ? [] : [{key: `=${folded}`, form: 4}];
  }
  if (status !== "numbered" || name === null) return [];
  const sound = nameSound(name);
  return keyNumbers(parts).flatMap((number): AddressKey[] => [
    {key: `${number}|${name}`, form: 1},
    {key: `${number}~${sound}`, form: 2},
  ]);
}

/** Keys and key beginnings with which the candidates of a query are looked up, and the sentence of each. */
export type AddressLookupKeys = {
  /** Form 1 keys: the number and the very name. */
  readonly exact: readonly string[];
  /** Beginnings of form 1 keys: the number and the first two letters of the name. */
  readonly prefixes: readonly string[];
  /** Form 2 keys: the number and the sound. */
  readonly sounds: readonly string[];
  /** Form 4 keys: the folded line. */
  readonly folded: readonly string[];
};

/**
 * What to look up for a query: a typing error leaves either the first two letters of a name or its last three alone, so
 * that prefixes and sounds together find it.
 */
export function addressLookupKeys(parts: AddressKeyParts, line: string): AddressLookupKeys {
  const folded = foldText(line);
  const lineKeys = folded === "" ? [] : [`=${folded}`];
  if (parts.number === null || parts.name === null)
    return {exact: [], prefixes: [], sounds: [], folded: lineKeys};
  const numbers = keyNumbers(parts);
  const name = parts.name;
  const start = /\d/.test(name) ? null : name.slice(0, 2);
  return {
    exact: numbers.map((number) => `${number}|${name}`),
    prefixes: start === null ? [] : numbers.map((number) => `${number}|${start}`),
    sounds: numbers.map((number) => `${number}~${nameSound(name)}`),
    folded: lineKeys,
  };
}

/**
 * A form of a name that survives an error in its first letters: its last three letters and digits. A highway is its
 * number alone, so that HIGHWAY 16 and STATE HIGHWAY 16 meet; any other name with digits is itself.
 */
export function nameSound(name: string): string {
  const highway = highwayNumber(name);
  if (highway !== null) return `#${highway}`;
  if (/\d/.test(name)) return name;
  return name.replaceAll(" ", "").slice(-tailLength);
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
