import {editDistance} from "@open-cattle/us-address";
import type {OwnerName} from "./owner-names.ts";
import {ownerTokens, searchTokens, withJoinedInitials} from "./owner-tokens.ts";
import {nameSuffixes, ownerPhrases, spellings, stopWords} from "./owner-vocabulary.ts";

/** How an owner matches a query, with the scores and types of docs/design/parcels.md section 7 ("Owner"). */
export type OwnerMatch = {readonly type: "exact" | "normalized" | "fuzzy"; readonly score: number};

/** The names of a query by role. */
export type RoleQuery = {readonly lastName?: string; readonly firstName?: string};

const exact: OwnerMatch = {type: "exact", score: 1};
const contiguous: OwnerMatch = {type: "normalized", score: 0.9};
const allTokens: OwnerMatch = {type: "normalized", score: 0.8};
const prefix: OwnerMatch = {type: "fuzzy", score: 0.7};
const misspelt: OwnerMatch = {type: "fuzzy", score: 0.6};
/** Letters of the shortest token that is taken as the beginning of a word. */
export const shortestPrefix = 3;
/** Letters of the shortest token that may have one wrong. */
export const shortestMisspelt = 5;
/** Words that the index shortens, with their short token. */
const longMarks: readonly (readonly [string, string])[] = [
  ...spellings,
  ...ownerPhrases.flatMap(({words, tokens}): [string, string][] =>
    words.length === 1 && tokens.length === 1 && words[0]!.length > shortestMisspelt
      ? [[words[0]!, tokens[0]!]]
      : [],
  ),
];

/**
 * The tokens of an owner query, or why it is refused (400 at the endpoint): it is empty, or only has stop
 * words, suffixes (JR) and one single letter; several are initials, which are a name.
 */
export function queryTokens(text: string): {tokens: string[]} | {reject: "empty" | "stop_words"} {
  const tokens = [...new Set(searchTokens(text))];
  if (tokens.length === 0) return {reject: "empty"};
  const says = tokens.some((token) => token.length > 1 && !stopWords.has(token) && !nameSuffixes.has(token));
  return says ? {tokens} : {reject: "stop_words"};
}

/** All tokens of a query in a row, of which the last may be a beginning, or one has a letter wrong; null otherwise. */
function looseMatch(query: readonly string[], ownerTokens: ReadonlySet<string>): OwnerMatch | null {
  const missing = query.filter((token) => !ownerTokens.has(token));
  if (missing.length === 0) return allTokens;
  if (missing.length > 1) return null;
  const token = missing[0]!;
  if (token === query.at(-1) && token.length >= shortestPrefix) {
    for (const other of ownerTokens) if (other.startsWith(token)) return prefix;
  }
  if (token.length < shortestMisspelt) return null;
  for (const other of ownerTokens) if (editDistance(token, other, 1) === 1) return misspelt;
  return misspeltMarks(token).some((mark) => ownerTokens.has(mark)) ? misspelt : null;
}

/**
 * Short company and trust tokens (`CO` of COMPANY) whose long form is one error away from a token of 5 or
 * more letters.
 */
export function misspeltMarks(token: string): string[] {
  // A single error leaves the first or the last letter unchanged.
  const mayBe = (word: string) => word[0] === token[0] || word.at(-1) === token.at(-1);
  return longMarks.flatMap(([word, mark]) =>
    mayBe(word) && editDistance(token, word, 1) === 1 ? [mark] : [],
  );
}

/**
 * Returns a function that scores a row's names by role: the last name must be equal, and the given names
 * equal, where the last of them may be a prefix. Names without roles are compared by their tokens and never
 * score above "all tokens".
 */
export function ownerRolesScorer(asked: RoleQuery): (names: readonly OwnerName[]) => OwnerMatch | null {
  const last = searchTokens(asked.lastName ?? "").join(" ");
  const given = searchTokens(asked.firstName ?? "");
  return (names) => {
    let best: OwnerMatch | null = null;
    for (const name of names) {
      const match =
        name.last === undefined ? unknownRoles(last, given, name.text) : knownRoles(last, given, name);
      if (match !== null && match.score > (best?.score ?? 0)) best = match;
    }
    return best;
  };
}

function knownRoles(last: string, given: readonly string[], name: OwnerName): OwnerMatch | null {
  const has = givenAfter(last, name);
  if (has === null) return null;
  return givenMatch(last, given, has) ?? givenMatch(last, given, withJoinedInitials(has));
}

function givenMatch(last: string, given: readonly string[], has: readonly string[]): OwnerMatch | null {
  if (given.length > has.length) return null;
  const equal = given.filter((token, at) => has[at] === token).length;
  if (equal === given.length) return last !== "" && equal === has.length ? exact : contiguous;
  const isPrefix = equal === given.length - 1 && has[equal]!.startsWith(given[equal]!);
  return isPrefix ? prefix : null;
}

/**
 * The given names of a name with this last name; null for another last name. HARLOW-QUISTAD ABEL was split
 * after HARLOW, so the last name asked for may reach into the given names.
 */
function givenAfter(last: string, name: OwnerName): readonly string[] | null {
  const [own, given] = [searchTokens(name.last ?? ""), searchTokens(name.given ?? "")];
  const asked = last === "" ? own : last.split(" ");
  const all = [...own, ...given];
  const isLast = asked.length >= own.length && asked.every((token, at) => token === all[at]);
  return isLast ? all.slice(asked.length) : null;
}

function unknownRoles(last: string, given: readonly string[], text: string): OwnerMatch | null {
  const query = [...(last === "" ? [] : last.split(" ")), ...given];
  const found = new Set(ownerTokens(text));
  const match = query.length === 0 ? null : looseMatch(query, found);
  return match === misspelt ? null : match;
}
