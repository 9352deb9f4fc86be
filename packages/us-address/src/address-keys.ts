import {foldText} from "./fold-text.ts";
import type {ParsedAddress} from "./parsed-address.ts";
import {otherClassName, otherHighways} from "./road-names.ts";

/** A key of a row in `addresses.arrow`: form 1 is number and name, form 4 the folded line. */
type AddressKey = {readonly key: string; readonly form: 1 | 4};

/** The parts of an address that its keys are built from. */
export type AddressKeyParts = Pick<ParsedAddress, "number" | "numberLo" | "numberHi" | "name" | "status">;

const longestRange = 100;

/**
 * The keys under which an address is indexed: in form 1 `<number>|<NAME>` for every number of a range (of its
 * parity), in form 4 `=<folded line>` for a line that could not be parsed. Rows that are never an answer have
 * no keys.
 */
export function addressKeys(parts: AddressKeyParts, situsRaw: string | null = null): AddressKey[] {
  const {status, name} = parts;
  if (status === "legal_only" || status === "name_only")
    return foldedKeys(situsRaw ?? "").map((key) => ({key, form: 4}));
  if (status !== "numbered" || name === null) return [];
  return keyNumbers(parts).map((number) => ({key: `${number}|${name}`, form: 1}));
}

/** The form 1 keys with the number of an address and its name, in all forms that are equal to it. */
export function exactKeys(parts: AddressKeyParts): string[] {
  return parts.name === null ? [] : numberedKeys(keyNumbers(parts), equalNames(parts.name));
}

/** The form 1 keys with the number of an address and its road number in another highway class. */
export function otherClassKeys(parts: AddressKeyParts): string[] {
  return parts.name === null ? [] : numberedKeys(keyNumbers(parts), otherHighways(parts.name));
}

/** The form 4 keys of a line. */
export function foldedKeys(line: string): string[] {
  const folded = foldText(line);
  return folded === "" ? [] : [`=${folded}`];
}

function numberedKeys(numbers: readonly string[], names: readonly string[]): string[] {
  const keys: string[] = [];
  for (const name of names) for (const number of numbers) keys.push(`${number}|${name}`);
  return keys;
}

/** The name and the forms that are equal to it: without hyphens or with one, and the other class of its road in some states. */
function equalNames(name: string): string[] {
  const words = name.split(/[ -]/);
  if (words.length === 1) return [name];
  if (/\d/.test(name)) {
    const other = otherClassName(name);
    return other === null ? [name] : [name, other];
  }
  // Names of many words rarely have a hyphen.
  if (words.length > 4) return [name];
  const hyphened = words.slice(1).map((_, at) => withHyphen(words, at + 1));
  return [...new Set([name, words.join(" "), ...hyphened])];
}

function withHyphen(words: readonly string[], at: number): string {
  return `${words.slice(0, at).join(" ")}-${words.slice(at).join(" ")}`;
}

/**
 * The house numbers used in keys: 123 for `123A` and `123 1/2`, and each number of its parity for a range.
 */
export function keyNumbers({number, numberLo, numberHi}: AddressKeyParts): string[] {
  if (number === null) return [];
  if (numberLo === null || number.includes("-")) return [number];
  if (numberHi === null || numberHi <= numberLo || numberHi - numberLo > longestRange)
    return [String(numberLo)];
  const count = Math.floor((numberHi - numberLo) / 2) + 1;
  return Array.from({length: count}, (_, at) => String(numberLo + 2 * at));
}
