import {
  leadingParticles,
  nameParticles,
  nameSuffixes,
  ownerPhrases,
  particlePairs,
  spellings,
} from "./owner-vocabulary.ts";

/** Words and phrases with a special meaning, by their first word. */
type SpecialWords = ReadonlyMap<string, readonly (readonly string[])[]>;

const longestLine = 300;
/** Words, with `&` between names and `,` after a last name. */
const plainLine = /^[A-Z0-9]+(?:(?:,? | & )[A-Z0-9]+)*$/;

/** Words and phrases that `readOwnerLine` does not take literally. */
const readWords = specialWords([
  ...ownerPhrases.map(({words}) => words),
  ...[...spellings.keys(), "AND", "ATTN", "ATTENTION"].map((word) => [word]),
]);

/** The order in which a source prints a personal name (registry entry, `owners.order`). */
export type OwnerOrder = "last_first" | "last_comma_first" | "first_last" | "unknown";

/** A recorded name; it has roles only when the word order is known. */
export type OwnerName = {
  readonly last?: string;
  readonly given?: string;
  readonly suffix?: string;
  /** Normalised, last name first if known: `HARLOW DALE M`. */
  readonly text: string;
};

/** Parses the personal names of a line, which are separated by `&`; later ones may share the last name. */
export function personNames(items: readonly string[], order: OwnerOrder): OwnerName[] {
  const parts = splitParts(items);
  if (order === "first_last" && !items.includes(",")) return firstLastNames(parts);
  const names: OwnerName[] = [];
  let last: string | undefined;
  for (const [at, part] of parts.entries()) {
    const name = at === 0 ? firstName(part, order) : laterName(part, {order, last});
    last = name.last ?? last;
    names.push(name);
  }
  return names;
}

/** A name without roles, such as that of a company. */
export function plainName(items: readonly string[]): OwnerName {
  return {text: items.filter((item) => item !== "&" && item !== ",").join(" ")};
}

function splitParts(items: readonly string[]): string[][] {
  const parts: string[][] = [[]];
  for (const item of items) {
    if (item === "&") parts.push([]);
    else parts.at(-1)!.push(item);
  }
  return parts.filter((part) => part.length > 0);
}

function firstName(part: readonly string[], order: OwnerOrder): OwnerName {
  if (part.includes(",")) return commaName(part);
  return order === "last_first" || order === "last_comma_first" ? lastFirstName(part) : plainName(part);
}

function laterName(
  part: readonly string[],
  {order, last}: {order: OwnerOrder; last: string | undefined},
): OwnerName {
  if (part.includes(",")) return commaName(part);
  const {words, suffix} = withoutSuffix(part);
  const shares = words.length === 1 || (words.length === 2 && words[1]!.length === 1);
  if (shares && last !== undefined) return personName(last, words, suffix);
  // Two words may be a given and a middle name, or a last and a given one, so they stay unsplit.
  return words.length > 2 && order !== "unknown" ? lastFirstName(part) : plainName(part);
}

function commaName(part: readonly string[]): OwnerName {
  const comma = part.indexOf(",");
  const before = withoutSuffix(part.slice(0, comma));
  const after = withoutSuffix(part.slice(comma + 1).filter((item) => item !== ","));
  return personName(before.words.join(" "), after.words, before.suffix ?? after.suffix);
}

function lastFirstName(part: readonly string[]): OwnerName {
  const {words, suffix} = withoutSuffix(part);
  if (words.length < 2) return plainName(part);
  const length = lastNameLength(words);
  return personName(words.slice(0, length).join(" "), words.slice(length), suffix);
}

/**
 * Number of words in the last name at the start of a name; at least one given name is left, unless particles
 * take it.
 */
function lastNameLength(words: readonly string[]): number {
  if (words.length === 2) return leadingParticles.has(words[0]!) && words[1]!.length > 1 ? 2 : 1;
  if (words.length === 3 && particlePairs.has(`${words[0]} ${words[1]}`)) return 3;
  let length = 1;
  while (length < words.length - 1 && nameParticles.has(words[length - 1]!)) length++;
  return length;
}

/** Parses names like `DALE & JUNE HARLOW`, where the last part has the last name of all. */
function firstLastNames(parts: readonly string[][]): OwnerName[] {
  const partNames = parts.map((part) => {
    const {words, suffix} = withoutSuffix(part);
    const isShort = words.length === 1 || (words.length === 2 && words[1]!.length === 1);
    if (isShort) return {words, suffix, last: undefined};
    let from = words.length - 1;
    while (from > 1 && nameParticles.has(words[from - 1]!)) from--;
    return {words: words.slice(0, from), suffix, last: words.slice(from).join(" ")};
  });
  const shared = partNames.findLast((name) => name.last !== undefined)?.last;
  return partNames.map(({words, suffix, last}) => {
    const lastName = last ?? shared;
    return lastName === undefined ? {text: words.join(" ")} : personName(lastName, words, suffix);
  });
}

function withoutSuffix(part: readonly string[]): {words: string[]; suffix: string | undefined} {
  const suffix = part.findLast((word, at) => at > 0 && nameSuffixes.has(word));
  return {words: part.filter((word, at) => at === 0 || !nameSuffixes.has(word)), suffix};
}

function personName(last: string, given: readonly string[], suffix: string | undefined): OwnerName {
  const text = [last, ...given, ...(suffix === undefined ? [] : [suffix])]
    .filter((word) => word !== "")
    .join(" ");
  return {
    last,
    ...(given.length > 0 ? {given: given.join(" ")} : {}),
    ...(suffix === undefined ? {} : {suffix}),
    text,
  };
}

/** Indexes words and phrases by their first word. */
export function specialWords(phrases: Iterable<readonly string[]>): SpecialWords {
  const found = new Map<string, (readonly string[])[]>();
  for (const phrase of phrases) {
    const first = phrase[0]!;
    found.set(first, [...(found.get(first) ?? []), phrase]);
  }
  return found;
}

/**
 * The items of a line without special words, as `readOwnerLine` returns them but five times as fast; null for
 * any other line, including one with accents, dashes, periods or care-of signs.
 */
export function plainItems(line: string): string[] | null {
  const upper = line.toUpperCase();
  if (upper.length > longestLine || !plainLine.test(upper)) return null;
  const items = upper.includes(",") ? upper.replaceAll(",", " ,").split(" ") : upper.split(" ");
  return hasSpecial(items, readWords) ? null : items;
}

/** True when the items contain one of the words or phrases. */
export function hasSpecial(items: readonly string[], special: SpecialWords): boolean {
  for (let at = 0; at < items.length; at++) {
    const phrases = special.get(items[at]!);
    if (phrases?.some((phrase) => phrase.every((word, offset) => items[at + offset] === word)) === true)
      return true;
  }
  return false;
}
