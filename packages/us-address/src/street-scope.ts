import {boxAt} from "./box-part.ts";
import type {LineWords} from "./line-words.ts";
import {streetTypes} from "./street-types.ts";
import {unitAt} from "./unit-part.ts";

/** The parts of a line's street, the index after it, and whether it is a numbered road. */
export type StreetPart = {
  readonly pre: string | null;
  readonly name: string | null;
  readonly type: string | null;
  readonly post: string | null;
  readonly next: number;
  readonly isRoad: boolean;
};

/**
 * Where to look for a street: from `at` to the end of the line's rest, with what is known about both sides.
 */
export type StreetScope = {
  readonly at: number;
  readonly end: number;
  readonly afterNumber: boolean;
  /** True when a town may follow the street without a comma, because the line ends with a state or ZIP. */
  readonly townFollows: boolean;
};

/** Index of the first break after the first word of the street; the street ends there at the latest. */
export function zoneEnd({breaks}: LineWords, {at, end}: StreetScope): number {
  for (let next = at + 1; next < end; next++) if (breaks[next]) return next;
  return end;
}

/** Index of the unit, box or `&` of a second street that ends the zone early; else the end of the zone. */
export function cutAtOthers(line: LineWords, {at, end, afterNumber}: StreetScope, zone: number): number {
  const {words, breaks} = line;
  let typed = false;
  for (let next = at + 1; next < zone; next++) {
    const word = words[next]!;
    if (isUnit(line, next, {end, typed}) || boxAt(words, next, {end: zone, afterStreet: true}) !== null)
      return next;
    if (isSecondStreet(words, next, {from: at, zone, typed, afterNumber})) return next;
    const strength = streetTypes.get(word)?.strength;
    if (strength !== undefined && strength !== "weak") typed = true;
  }
  return breaks[at + 1] === true ? at + 1 : zone;
}

function isUnit(
  {words, breaks}: LineWords,
  at: number,
  {end, typed}: {end: number; typed: boolean},
): boolean {
  if (words[at] !== "#" && unitAt(words, at, {end, breaks}) === null) return false;
  return typed || !streetTypes.has(words[at + 1] ?? "");
}

/**
 * True for the `&` between two streets (MAIN ST & ELM, 6TH AND MAIN ST, MAIN ST TO ELM), but not within a
 * name (`514 PEACE & PLENTY LN`), which has a house number before it and a type after it.
 */
function isSecondStreet(
  words: readonly string[],
  at: number,
  {from, zone, typed, afterNumber}: {from: number; zone: number; typed: boolean; afterNumber: boolean},
): boolean {
  const word = words[at]!;
  if (word === "AT") return typed && at + 1 < zone && words[from] !== "THE";
  if (word === "TO") return typed && at + 1 < zone && words[at + 1] !== "THE";
  if (word !== "&" && word !== "AND") return false;
  if (typed || !afterNumber) return true;
  for (let next = at + 2; next < zone; next++) if (streetTypes.has(words[next]!)) return false;
  return true;
}
