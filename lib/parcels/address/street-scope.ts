import {boxAt} from "./box-part.ts";
import type {LineWords} from "./line-words.ts";
import {streetTypes} from "./street-types.ts";
import {unitAt} from "./unit-part.ts";

/** The street of a line: its parts, the index after it, and whether a type, directional or road class named it. */
export type StreetPart = {
  readonly pre: string | null;
  readonly name: string | null;
  readonly type: string | null;
  readonly post: string | null;
  readonly next: number;
  readonly isRoad: boolean;
};

/** Where a street may stand: its first word, the end of the line's rest, and what is known around it. */
export type StreetScope = {
  readonly at: number;
  readonly end: number;
  readonly afterNumber: boolean;
  /** Without a comma a town may stand behind the street, since a state or a ZIP was at the end. */
  readonly townFollows: boolean;
};

/** The index of the first break after the first word of the street: the street part ends there at the latest. */
export function zoneEnd({breaks}: LineWords, {at, end}: StreetScope): number {
  for (let next = at + 1; next < end; next++) if (breaks[next]) return next;
  return end;
}

/** The index where the zone is cut by a unit, a box, or the `&` of a second street; else its end. */
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

/** PEACE & PLENTY LANE has a house number and its type still to come; MAIN ST & ELM, or 6TH AND MAIN ST, are two streets. */
function isSecondStreet(
  words: readonly string[],
  at: number,
  {from, zone, typed, afterNumber}: {from: number; zone: number; typed: boolean; afterNumber: boolean},
): boolean {
  const word = words[at]!;
  if (word === "AT") return typed && at + 1 < zone && words[from] !== "THE";
  if (word !== "&" && word !== "AND") return false;
  if (typed || !afterNumber) return true;
  for (let next = at + 2; next < zone; next++) if (streetTypes.has(words[next]!)) return false;
  return true;
}
