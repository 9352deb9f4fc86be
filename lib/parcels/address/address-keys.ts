import {foldText} from "./fold-text.ts";
import {otherFarmRoad, otherHighways} from "./numbered-road.ts";
import type {ParsedAddress} from "./parsed-address.ts";

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
  if (status === "legal_only" || status === "name_only") {
    const folded = foldText(situsRaw ?? "");
    return folded === "" ? [] : [{key: `=${folded}`, form: 4}];
  }
  if (status !== "numbered" || name === null) return [];
  return keyNumbers(parts).map((number) => ({key: `${number}|${name}`, form: 1}));
}

/** The keys that a query looks up to find candidates. */
export type AddressLookupKeys = {
  /** Form 1 keys with the number and exactly this name. */
  readonly exact: readonly string[];
  /** Form 1 keys with the number and the same road number in another highway class. */
  readonly otherClasses: readonly string[];
  /** House numbers as spelled in form 1 keys, for looking up similar names. */
  readonly numbers: readonly string[];
  /** Form 4 keys with the folded line. */
  readonly folded: readonly string[];
};

/** The keys to look up for a query; `lib/text/edit-distance.ts` finds similar names. */
export function addressLookupKeys(parts: AddressKeyParts, line: string): AddressLookupKeys {
  const folded = foldText(line);
  const lineKeys = folded === "" ? [] : [`=${folded}`];
  const {name} = parts;
  if (parts.number === null || name === null)
    return {exact: [], otherClasses: [], numbers: [], folded: lineKeys};
  const numbers = keyNumbers(parts);
  const names = [...new Set([name, ...spacedForms(name)])];
  return {
    exact: names.flatMap((each) => numbers.map((number) => `${number}|${each}`)),
    otherClasses: otherHighways(name).flatMap((other) => numbers.map((number) => `${number}|${other}`)),
    numbers,
    folded: lineKeys,
  };
}

/** Other forms of a name that are equal to it: without hyphens, and the other farm road of Texas. */
function spacedForms(name: string): string[] {
  const farm = otherFarmRoad(name);
  const blank = name.replace(/(?<=[A-Z])-(?=[A-Z])/g, " ");
  const words = blank.split(" ");
  // A row may print one of the hyphens; names of many words rarely have one.
  const hyphened = words
    .slice(1)
    .map((_, at) => `${words.slice(0, at + 1).join(" ")}-${words.slice(at + 1).join(" ")}`);
  const isPlain = !/\d/.test(name) && words.length < 5;
  return [...(farm === null ? [] : [farm]), ...(isPlain ? [blank, ...hyphened] : [])];
}

/**
 * The house numbers used in keys: 123 for `123A` and `123 1/2`, and each number of its parity for a range.
 */
function keyNumbers({number, numberLo, numberHi}: AddressKeyParts): string[] {
  if (number === null) return [];
  if (numberLo === null || number.includes("-")) return [number];
  if (numberHi === null || numberHi <= numberLo || numberHi - numberLo > longestRange)
    return [String(numberLo)];
  const count = Math.floor((numberHi - numberLo) / 2) + 1;
  return Array.from({length: count}, (_, at) => String(numberLo + 2 * at));
}
