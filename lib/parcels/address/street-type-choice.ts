import {directionals} from "./directionals.ts";
import {type StreetType, streetTypes} from "./street-types.ts";

/** The street type of a street part, with its index. */
export type TypeChoice = {readonly type: StreetType; readonly at: number};

// Saints whose towns are larger than most streets of their name.
const saints: ReadonlySet<string> = new Set(
  "LOUIS PAUL PETERSBURG PETE CLOUD CHARLES JOSEPH GEORGE AUGUSTINE HELENS HELENA CLAIR PETERS MARYS SIMONS ALBANS ANTHONY FRANCIS IGNACE MICHAELS MARTINVILLE ROBERT LUCIE CLAIRSVILLE JOHNSBURY STEPHEN".split(
    " ",
  ),
);

/**
 * Chooses the type word of the words `from` (first of the name) to `end`: the last sure type, so that OCEAN LANE DR is a
 * drive; else the last weak one (CANYON CREST), or the first when `townFollows` says that the words may end with a town.
 * The first word of a name is never its type. Null when no word is a type.
 */
export function chooseType(
  words: readonly string[],
  from: number,
  {end, townFollows}: {end: number; townFollows: boolean},
): TypeChoice | null {
  let sure: TypeChoice | null = null;
  let weak: TypeChoice | null = null;
  for (let at = from + 1; at < end; at++) {
    const type = streetTypes.get(words[at]!);
    if (type === undefined) continue;
    if (type.strength === "weak") {
      if (weak === null || !townFollows || weak.at === at - 1) weak = {type, at};
    } else if (
      !isSaint(words, at, {from, end, townFollows}) &&
      isBetter(words, sure, {type, at, townFollows})
    ) {
      sure = {type, at};
    }
  }
  if (sure === null) return weak;
  // In `WASHINGTON SQUARE VILLAGE` the weak type after the strong one is the type.
  const isLast = weak !== null && weak.at === end - 1 && weak.at === sure.at + 1;
  return isLast && !townFollows && sure.type.strength === "strong" ? weak : sure;
}

/** True for the ST of a saint: in a town after the street (`GRAVOIS PARK ST LOUIS`), or in a name (`OLD ST JAMES RD`). */
function isSaint(
  words: readonly string[],
  at: number,
  {from, end, townFollows}: {from: number; end: number; townFollows: boolean},
): boolean {
  if (words[at] !== "ST" || at + 1 >= end) return false;
  const next = words[at + 1]!;
  if (streetTypes.has(next) || directionals.has(next) || /\d/.test(next)) return false;
  const before = at > from + 1 ? streetTypes.get(words[at - 1]!)?.strength : undefined;
  if (before === "hard" || before === "strong") return true;
  if (saints.has(next) && townFollows) return true;
  for (let after = at + 2; after < end; after++) {
    if (streetTypes.get(words[after]!)?.strength === "hard") return true;
  }
  return false;
}

function isBetter(
  words: readonly string[],
  before: TypeChoice | null,
  {type, at, townFollows}: TypeChoice & {townFollows: boolean},
): boolean {
  if (before === null) return true;
  if (before.type.strength === "hard" && type.strength === "strong" && townFollows)
    return at === before.at + 1;
  // Words after a finished street that are neither types nor directionals are a town: TER in MAIN ST TEMPLE TER.
  for (let between = before.at + 1; between < at; between++) {
    const word = words[between]!;
    // A further house number begins a second address.
    if (/^\d{2,}$/.test(word)) return false;
    if (!streetTypes.has(word) && !directionals.has(word)) return type.strength === "hard";
  }
  return true;
}
