import {
  leadingParticles,
  nameParticles,
  nameSuffixes,
  ownerPhrases,
  particlePairs,
  spellings,
} from "./owner-vocabulary.ts";

/** Special words and phrases by their first word. */
type SpecialWords = ReadonlyMap<string, readonly (readonly string[])[]>;

const longestLine = 300;
/** Words, with `&` between names and `,` after a last name. */
const plainLine = /^[A-Z0-9]+(?:(?:,? | & )[A-Z0-9]+)*$/;

/** Words and phrases that `readOwnerLine` does not take literally. */
const readWords = specialWords([
  ...ownerPhrases.map(({words}) => words),
  ...[...spellings.keys(), "AND", "ATTN", "ATTENTION"].map((word) => [word]),
]);

/** The order in which a source prints the words of a personal name (registry entry, `owners.order`). */
export type OwnerOrder = "last_first" | "last_comma_first" | "first_last" | "unknown";

/** A recorded name, with roles only when the order of the words is known. */
export type OwnerName = {
  readonly last?: string;
  readonly given?: string;
  readonly suffix?: string;
  /** Normal form, last name first where it is known: `HARLOW DALE M`. */
  readonly text: string;
};

/** Reads the personal names of a line: the parts between `&`, of which later ones may share the last name. */
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

/** Gives a name without roles, such as that of a company. */
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
  if (shares && last !== undefined) return named(last, words, suffix);
  // Two words may be a given and a middle name, or a last and a given one: they stay unsplit.
  return words.length > 2 && order !== "unknown" ? lastFirstName(part) : plainName(part);
}

function commaName(part: readonly string[]): OwnerName {
  const comma = part.indexOf(",");
  const before = withoutSuffix(part.slice(0, comma));
  const after = withoutSuffix(part.slice(comma + 1).filter((item) => item !== ","));
  return named(before.words.join(" "), after.words, before.suffix ?? after.suffix);
}

function lastFirstName(part: readonly string[]): OwnerName {
  const {words, suffix} = withoutSuffix(part);
  if (words.length < 2) return plainName(part);
  const length = lastNameLength(words);
  return named(words.slice(0, length).join(" "), words.slice(length), suffix);
}

/** Gives the number of words of the last name that begins a name; a given name is left unless particles take it. */
function lastNameLength(words: readonly string[]): number {
  if (words.length === 2) return leadingParticles.has(words[0]!) && words[1]!.length > 1 ? 2 : 1;
  if (words.length === 3 && particlePairs.has(`${words[0]} ${words[1]}`)) return 3;
  let length = 1;
  while (length < words.length - 1 && nameParticles.has(words[length - 1]!)) length++;
  return length;
}

/** Reads names in the order of `DALE & JUNE HARLOW`, where the last part has the last name of all. */
function firstLastNames(parts: readonly string[][]): OwnerName[] {
  const own = parts.map((part) => {
    const {words, suffix} = withoutSuffix(part);
    const isShort = words.length === 1 || (words.length === 2 && words[1]!.length === 1);
    if (isShort) return {words, suffix, last: undefined};
    let from = words.length - 1;
    while (from > 1 && nameParticles.has(words[from - 1]!)) from--;
    return {words: words.slice(0, from), suffix, last: words.slice(from).join(" ")};
  });
  const shared = own.findLast((name) => name.last !== undefined)?.last;
  return own.map(({words, suffix, last}) => {
    const lastName = last ?? shared;
    return lastName === undefined ? {text: words.join(" ")} : named(lastName, words, suffix);
  });
}

function withoutSuffix(part: readonly string[]): {words: string[]; suffix: string | undefined} {
  const suffix = part.findLast((word, at) => at > 0 && nameSuffixes.has(word));
  return {words: part.filter((word, at) => at === 0 || !nameSuffixes.has(word)), suffix};
}

function named(last: string, given: readonly string[], suffix: string | undefined): OwnerName {
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

/** Groups words and phrases by their first word. */
export function specialWords(phrases: Iterable<readonly string[]>): SpecialWords {
  const found = new Map<string, (readonly string[])[]>();
  for (const phrase of phrases) {
    const first = phrase[0]!;
    found.set(first, [...(found.get(first) ?? []), phrase]);
  }
  return found;
}

/**
 * Gives the items of a line without special words, as `readOwnerLine` does but in a fifth of the time; null for any other
 * line, also one with accents, dashes, points or care-of signs.
 */
export function plainItems(line: string): string[] | null {
  const upper = line.toUpperCase();
  if (upper.length > longestLine || !plainLine.test(upper)) return null;
  const items = upper.includes(",") ? upper.replaceAll(",", " ,").split(" ") : upper.split(" ");
  return hasSpecial(items, readWords) ? null : items;
}

/** True when the items hold one of the words or phrases. */
export function hasSpecial(items: readonly string[], special: SpecialWords): boolean {
  for (let at = 0; at < items.length; at++) {
    const phrases = special.get(items[at]!);
    if (phrases?.some((phrase) => phrase.every((word, offset) => items[at + offset] === word)) === true)
      return true;
  }
  return false;
}
