import {cardinalWords, ordinal, ordinalWords, tensWords} from "./number-words.ts";
import {streetTypes} from "./street-types.ts";

const firstWords: ReadonlyMap<string, string> = new Map([
  ["ST", "SAINT"],
  ["STE", "SAINTE"],
  ["MT", "MOUNT"],
  ["FT", "FORT"],
]);
const bareNumber = /^\d{1,3}$/;
const zeroOrdinal = /^0+(\d+(?:ST|ND|RD|TH))$/;

/**
 * Gives the key form of the words of a street name: ordinals as digits, a leading ST as SAINT, type words inside the name
 * spelled out. `beforeType` says that a street type follows, `afterNumber` that a house number came before; with both, a
 * bare number is an ordinal (`600 22 ST`).
 */
export function streetName(
  words: readonly string[],
  {beforeType, afterNumber}: {beforeType: boolean; afterNumber: boolean},
): string {
  const last = words.length - 1;
  if (last === 0) return singleWord(words[0]!, beforeType && afterNumber);
  const [tens, one] = words.slice(-2) as [string, string];
  const joined = tensWords.has(tens) ? ordinalWords.get(`${tens} ${one}`) : undefined;
  if (joined !== undefined) return [...words.slice(0, -2).map(innerWord), joined].join(" ");
  return words.map((word, at) => (at === last ? lastWord(word) : innerWord(word, at))).join(" ");
}

function singleWord(word: string, isOrdinal: boolean): string {
  if (isOrdinal && bareNumber.test(word) && word !== "0") return ordinal(Number(word));
  if (isOrdinal && cardinalWords.has(word)) return word;
  return lastWord(word);
}

function lastWord(word: string): string {
  return ordinalWords.get(word) ?? zeroOrdinal.exec(word)?.[1] ?? word;
}

function innerWord(word: string, at: number): string {
  if (at === 0) return firstWords.get(word) ?? word;
  if (word === "ST") return "SAINT";
  const type = streetTypes.get(word);
  // DR inside a name is as often Doctor, CT as often Count: only sure types are spelled out.
  return type !== undefined && type.strength === "hard" && word !== "DR" ? type.full : word;
}
