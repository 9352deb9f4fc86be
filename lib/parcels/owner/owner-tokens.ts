import {upperPlain} from "@open-cattle/us-address";
import {plainItems} from "./owner-names.ts";
import {
  companyWords,
  laterCompanyWords,
  type OwnerPhrase,
  ownerPhrases,
  spellings,
} from "./owner-vocabulary.ts";

/** A parsed owner line: its tokens, with `&` between names and `,` after a last name, and its marks. */
type OwnerLine = {
  /** Tokens, `&` and `,`. */
  readonly items: readonly string[];
  readonly marks: readonly string[];
  readonly careOf: string | null;
};

const careOfWord = /\b(?:C\/O|ATTN|ATTENTION)(?=[\s:]|$)[\s:]*/i;
/** A fraction, or a percentage with decimals or a fraction: `1/2`, `33.33 %`, `33 1/3%`. */
const shareForm = String.raw`\d{1,3} \d\/\d ?%|\d{1,4}\/\d{1,5}(?: ?%)?|\d{1,3}(?:\.\d{1,6})? ?%`;
const share = new RegExp(`^(?:${shareForm})$`);
const wordPattern = new RegExp(`${shareForm}|[A-Z0-9]+(?:-[A-Z0-9]+)*|[&/;,+]`, "g");
/** A slash right after a lone last name stands for a comma: `DELMARO/TOMAS & ANITA`. */
const lastSlash = /^([A-Z-]{2,})\/(?=[A-Z]{2,})/;
/** Most words and signs of a line that are looked at around letters that may be a mark. */
const longestName = 12;
const interestWords: ReadonlySet<string> = new Set(["INT", "INTEREST", "UND", "UNDIVIDED"]);

const phrasesByFirst = new Map<string, OwnerPhrase[]>();
for (const phrase of ownerPhrases) {
  const first = phrase.words[0]!;
  phrasesByFirst.set(first, [...(phrasesByFirst.get(first) ?? []), phrase]);
}

/** Parses the lines of one owner; never throws. */
export function readOwnerLines(lines: readonly string[]): OwnerLine[] {
  let before = 0;
  return lines.map((line) => {
    const read = readOwnerLine(line, before);
    before += wordCount(read.items);
    return read;
  });
}

/** Parses one line of owner text, with the number of words of the same owner before it; never throws. */
export function readOwnerLine(line: string, before = 0): OwnerLine {
  const plain = plainItems(line);
  if (plain !== null) return {items: plain, marks: [], careOf: null};
  const upper = upperPlain(line).replaceAll("'", "").trim();
  const {text, careOf} = splitCareOf(
    upper.replace(lastSlash, (start, last: string) => (phrasesByFirst.has(last) ? start : `${last},`)),
  );
  const printed = text.replaceAll(/\.(?!\d{1,6} ?%)/g, "").match(wordPattern) ?? [];
  const words = printed.flatMap((word) => (phrasesByFirst.has(word) ? [word] : word.split("-")));
  const items: string[] = [];
  const marks: string[] = [];
  for (let at = 0; at < words.length; ) {
    const phrase = phraseAt(words, at);
    if (
      phrase !== null &&
      isMeant(phrase, {after: words.slice(at + phrase.words.length, at + longestName), items, before})
    ) {
      items.push(...phrase.tokens);
      if (phrase.mark !== null) marks.push(phrase.mark);
      at += phrase.words.length;
    } else {
      readWord(words, at, {items, marks});
      at++;
    }
  }
  return {items: withoutLooseEnds(items), marks: [...new Set(marks)], careOf};
}

/**
 * Where the care-of part of a line starts, and where its text starts (after C/O, ATTN, or a `%` that is not a
 * share); null without such a part.
 */
export function careOfAt(line: string): {from: number; to: number} | null {
  const word = careOfWord.exec(line);
  if (word !== null) return {from: word.index, to: word.index + word[0].length};
  const from = line.indexOf("%");
  if (from < 0 || /\d$/.test(line.slice(0, from).trimEnd())) return null;
  return {from, to: from + 1};
}

function splitCareOf(upper: string): {text: string; careOf: string | null} {
  const start = careOfAt(upper);
  if (start === null) return {text: upper, careOf: null};
  const careOf = upper.slice(start.to).trim();
  return {text: upper.slice(0, start.from), careOf: careOf === "" ? null : careOf};
}

function phraseAt(words: readonly string[], at: number): OwnerPhrase | null {
  const phrases = phrasesByFirst.get(words[at]!);
  if (phrases === undefined) return null;
  return phrases.find((phrase) => phrase.words.every((word, offset) => words[at + offset] === word)) ?? null;
}

type Beside = {
  readonly after: readonly string[];
  readonly items: readonly string[];
  readonly before: number;
};

/**
 * False for letters of a name: fewer words are before them than before a mark, or, where the mark leaves no token, a company word comes
 * after them, up to the next sign.
 */
function isMeant({behind, tokens}: OwnerPhrase, {after, items, before}: Beside): boolean {
  if (behind > before && wordCount(items.slice(0, longestName)) < behind - before) return false;
  if (behind === 0 || tokens.length > 0) return true;
  const sign = after.findIndex((word) => /^[&/;,+]$/.test(word));
  return !after
    .slice(0, sign < 0 ? after.length : sign)
    .map((word) => spellings.get(word) ?? word)
    .some((word) => companyWords.has(word) || laterCompanyWords.has(word));
}

function isSeparator(item: string): boolean {
  return item === "&" || item === ",";
}

function wordCount(items: readonly string[]): number {
  return items.filter((item) => !isSeparator(item)).length;
}

function readWord(words: readonly string[], at: number, line: {items: string[]; marks: string[]}): void {
  const word = words[at]!;
  if (share.test(word)) {
    line.marks.push("share");
  } else if (interestWords.has(word) && isOfShare(words, at)) {
    return;
  } else if (word === "&" || word === "/" || word === ";" || word === "+" || word === "AND") {
    line.items.push("&");
  } else if (word === ",") {
    line.items.push(",");
  } else {
    line.items.push(spellings.get(word) ?? word);
  }
}

/** True for interest words before or after a share: `UND 1/2 INT`, `1/2 UND INTEREST`. */
function isOfShare(words: readonly string[], at: number): boolean {
  let [from, to] = [at - 1, at + 1];
  while (from >= 0 && interestWords.has(words[from]!)) from--;
  while (to < words.length && interestWords.has(words[to]!)) to++;
  return share.test(words[from] ?? "") || share.test(words[to] ?? "");
}

/** Drops separators that separate nothing: at the ends, and after another one. */
function withoutLooseEnds(items: readonly string[]): string[] {
  const kept: string[] = [];
  for (const item of items) {
    if (isSeparator(item) && (kept.length === 0 || kept.at(-1) === "&")) continue;
    if (item === "&" && kept.at(-1) === ",") kept.pop();
    kept.push(item);
  }
  while (kept.at(-1) === "&" || kept.at(-1) === ",") kept.pop();
  return kept;
}

/** Prefixes of last names that are also printed as separate words. */
const splitPrefixes: ReadonlySet<string> = new Set(["MC", "O"]);

/**
 * The index tokens of items, without separators; `MCX` is added to `MC X`, `OX` to `O X`, and `GH` to the initials `G & H`
 * (`docs/design/parcels.md` section 5.3).
 */
export function indexTokens(items: readonly string[]): string[] {
  const tokens: string[] = [];
  for (const [at, item] of items.entries()) {
    if (isSeparator(item)) continue;
    tokens.push(item);
    if (isInitial(item)) {
      const initials = initialsUpTo(items, at);
      if (initials !== null) tokens.push(initials);
      continue;
    }
    const before = at > 0 ? items[at - 1] : undefined;
    if (before !== undefined && splitPrefixes.has(before) && item.length > 1) tokens.push(before + item);
  }
  return tokens;
}

function isInitial(item: string | undefined): boolean {
  return item !== undefined && item.length === 1 && item >= "A" && item <= "Z";
}

/** The joined initials of a run of two or more that ends at `at`, with `&` between any of them; null elsewhere. */
function initialsUpTo(items: readonly string[], at: number): string | null {
  const next = items[at + 1] === "&" ? at + 2 : at + 1;
  if (isInitial(items[next])) return null;
  let initials = items[at]!;
  for (let before = at - 1; before >= 0; before--) {
    if (items[before] === "&" && isInitial(items[before - 1])) continue;
    if (!isInitial(items[before])) break;
    initials = items[before]! + initials;
  }
  return initials.length > 1 ? initials : null;
}

/** The tokens of an owner text in order, without its care-of part and marks. */
export function ownerTokens(text: string): string[] {
  const plain = plainItems(text);
  if (plain !== null) return indexTokens(plain);
  return readOwnerLines(text.split(/[\r\n]+|;/)).flatMap(({items}) => indexTokens(items));
}

/**
 * Replaces MC ALDER and O BRIEN by the joined word that the index has beside them, because a query may use
 * either spelling.
 */
export function withJoinedPrefixes(tokens: readonly string[]): readonly string[] {
  if (!tokens.some((token) => splitPrefixes.has(token))) return tokens;
  const isSplit = (at: number) =>
    splitPrefixes.has(tokens[at] ?? "") && `${tokens[at]}${tokens[at + 1]}` === tokens[at + 2];
  return tokens.filter((_, at) => !isSplit(at) && !isSplit(at - 1));
}

/** Tokens with each run of initials as its one word: J T JT is JT. */
export function withJoinedInitials(tokens: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const token of tokens) {
    const {length} = token;
    if (length > 1 && joined.length >= length && joined.slice(-length).join("") === token)
      joined.splice(-length);
    joined.push(token);
  }
  return joined;
}

/** Words before a name that records and queries print or omit at will. */
const titles: ReadonlySet<string> = new Set(["THE", "MR", "MRS", "MS", "MISS"]);

/** The tokens of a query, or of a text that is compared with one: without titles, and without the OF of ESTATE OF. */
export function searchTokens(text: string): readonly string[] {
  const tokens = withJoinedPrefixes(ownerTokens(text));
  const first = tokens.findIndex((token) => !titles.has(token));
  const named = first > 0 ? tokens.slice(first) : tokens;
  return named[0] === "EST" && named[1] === "OF" ? ["EST", ...named.slice(2)] : named;
}
