import {directionalAt, postDirectional} from "./directionals.ts";
import type {LineWords} from "./line-words.ts";
import {isRoadWord, type NumberedRoad, numberedRoadAt} from "./numbered-road.ts";
import {stateCodes, stateNames} from "./state-names.ts";
import type {StreetPart, StreetScope} from "./street-scope.ts";
import {streetTypes} from "./street-types.ts";

const serviceRoads: ReadonlySet<string> = new Set(["SERVICE", "FRONTAGE", "ACCESS", "FEEDER"]);
const namedClasses = /^(?:HIGHWAY|ROUTE|COUNTY|STATE) /;

/**
 * Parses a street that is a numbered road, with directionals and OLD around it; null for any other street.
 */
export function readRoad(line: LineWords, scope: StreetScope, zone: number): StreetPart | null {
  const {words} = line;
  const options = {end: zone, afterNumber: scope.afterNumber};
  const plain = numberedRoadAt(words, scope.at, options);
  if (plain !== null) return finished(line, scope, {zone, pre: null, road: plain});
  const old = words[scope.at] === "OLD" ? 1 : 0;
  const dir = directionalAt(words, scope.at + old, zone);
  const behind = dir === null ? null : numberedRoadAt(words, dir.next, options);
  if (dir !== null && behind !== null) {
    const road = old === 1 ? {...behind, name: `OLD ${behind.name}`} : behind;
    return finished(line, scope, {zone, pre: dir.dir, road});
  }
  const at = dir !== null && old === 0 ? dir.next : scope.at;
  const named = namedRoad(words, at, options);
  return named === null
    ? null
    : finished(line, scope, {zone, pre: at === scope.at ? null : dir!.dir, road: named});
}

/**
 * Parses a road whose class follows other words: `INDIANA HIGHWAY 212` is a state highway; `SCENIC HWY 98`
 * and `ANDERSON COUNTY RD 312` keep the words.
 */
function namedRoad(
  words: readonly string[],
  from: number,
  options: {end: number; afterNumber: boolean},
): NumberedRoad | null {
  for (let at = from + 1; at < Math.min(options.end, from + 4); at++) {
    const word = words[at]!;
    const road = isRoadWord(word) ? numberedRoadAt(words, at, options) : null;
    if (road !== null && isNamedClass(words, at, road)) {
      return {...road, name: roadName(words.slice(from, at), road.name)};
    }
    const strength = streetTypes.get(word)?.strength;
    if (strength === "hard" || strength === "strong" || /\d|^(?:[#&]|AND)$/.test(word)) return null;
  }
  return null;
}

/**
 * True for a class that may follow other words, with a plain number; in DIXIE HWY # 312 the number is a unit.
 */
function isNamedClass(words: readonly string[], at: number, road: NumberedRoad): boolean {
  if (!namedClasses.test(road.name) || !/^\d/.test(words[road.next - 1]!)) return false;
  return !words.slice(at, road.next).includes("#");
}

function roadName(before: readonly string[], name: string): string {
  const isState = stateNames.has(before.join(" ")) || (before.length === 1 && stateCodes.has(before[0]!));
  return isState && /^(?:HIGHWAY|ROUTE) /.test(name) ? `STATE ${name}` : [...before, name].join(" ");
}

function finished(
  line: LineWords,
  scope: StreetScope,
  {zone, pre, road}: {zone: number; pre: string | null; road: NumberedRoad},
): StreetPart {
  const {words} = line;
  const dir = directionalAt(words, road.next, zone);
  const beside = dir?.next ?? road.next;
  const type = streetTypes.get(words[beside + 1] ?? "");
  // `I 49 S SERVICE RD` runs beside the highway.
  if (beside + 1 < zone && serviceRoads.has(words[beside]!) && type !== undefined) {
    const name = [road.name, dir?.dir, words[beside]].filter((word) => word !== undefined).join(" ");
    return {pre, name, type: type.short, post: null, next: beside + 2, isRoad: true};
  }
  // `I-25 HIGHWAY 87` is one road with two numbers.
  const second = numberedRoadAt(words, road.next, {end: zone, afterNumber: false});
  if (second !== null && road.post === null) {
    return finished(
      line,
      {...scope, at: second.next},
      {zone, pre, road: {...second, name: `${road.name} ${second.name}`}},
    );
  }
  const post = road.post === null ? postDirectional(line, {at: road.next, end: scope.end}) : null;
  return {
    pre,
    name: road.name,
    type: null,
    post: road.post ?? post?.dir ?? null,
    next: post?.next ?? road.next,
    isRoad: true,
  };
}
