import {ownerPhrases, spellings} from "./owner-vocabulary.ts";

/** Words that a line is read by: one of these, or all words of a phrase in a row. */
type SpecialWords = ReadonlyMap<string, readonly (readonly string[])[]>;

const longestLine = 300;
/** Words, with `&` between names and `,` after a last name. */
const plainLine = /^[A-Z0-9]+(?:(?:,? | & )[A-Z0-9]+)*$/;

/** Looks words and phrases up by their first word. */
export function specialWords(phrases: Iterable<readonly string[]>): SpecialWords {
  const found = new Map<string, (readonly string[])[]>();
  for (const phrase of phrases) {
    const first = phrase[0]!;
    found.set(first, [...(found.get(first) ?? []), phrase]);
  }
  return found;
}

/** What `readOwnerLine` reads in a way of its own. */
const readWords = specialWords([
  ...ownerPhrases.map(({words}) => words),
  ...[...spellings.keys(), "AND", "ATTN", "ATTENTION"].map((word) => [word]),
]);

/**
 * The items of a line whose words are what they look like, as `readOwnerLine` reads it, at a fifth of the time; null for any other
 * line. Accents, dashes, points and care-of signs are left to that.
 */
export function plainItems(line: string): string[] | null {
  const upper = line.toUpperCase();
  if (upper.length > longestLine || !plainLine.test(upper)) return null;
  const items = upper.includes(",") ? upper.replaceAll(",", " ,").split(" ") : upper.split(" ");
  return hasSpecial(items, readWords) ? null : items;
}

/** True where one of the words or phrases stands among the items. */
export function hasSpecial(items: readonly string[], special: SpecialWords): boolean {
  for (let at = 0; at < items.length; at++) {
    const phrases = special.get(items[at]!);
    if (phrases?.some((phrase) => phrase.every((word, offset) => items[at + offset] === word)) === true)
      return true;
  }
  return false;
}
