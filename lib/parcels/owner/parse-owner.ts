import {nullSpellings} from "@open-cattle/us-address";
import {isNullText} from "../../text/null-text.ts";
import {governmentHeadFirst, isOnePerson, type OwnerKind, ownerKind} from "./owner-kind.ts";
import {
  hasSpecial,
  type OwnerName,
  type OwnerOrder,
  personNames,
  plainItems,
  plainName,
  specialWords,
} from "./owner-names.ts";
import {careOfAt, indexTokens, readOwnerLines} from "./owner-tokens.ts";
import {companyWords, estateWords, kindPhrases, withheldWords} from "./owner-vocabulary.ts";

/** The parts of an owner field. */
type ParsedOwner = {
  /** Null when the name is withheld or absent. */
  readonly kind: OwnerKind | null;
  /** The recorded names as published, with blanks collapsed, joined by `; `; null when withheld or absent. */
  readonly ownerName: string | null;
  readonly names: readonly OwnerName[];
  /** Index words, in order and without repetition. */
  readonly tokens: readonly string[];
  /** `et al`, `et ux`, `et vir`, `joint tenancy`, `husband and wife`, `life estate`, `share`, `trustee`. */
  readonly marks: readonly string[];
  readonly careOf: string | null;
  readonly withheld: boolean;
};

/** Lines in place of an owner, of which only letters and blanks are left. */
const withheldText =
  /\b(?:CONFIDENTIAL|WITHHELD|REDACTED|SUPPRESSED)\b|^(?:UNKNOWN OWNERS?|OWNERS?(?: NAME)? UNKNOWN)\b|^(?:NAME|OWNER|OWNERSHIP|INFORMATION)\b.* (?:UNAVAILABLE|NOT AVAILABLE)\b/;
const nothing: ParsedOwner = {
  kind: null,
  ownerName: null,
  names: [],
  tokens: [],
  marks: [],
  careOf: null,
  withheld: false,
};

/**
 * Parses an owner field of one or more lines (line feeds, or a list). `confidential` is the source's flag.
 * Never throws; a withheld name yields no owner fields (docs/design/parcels.md section 5.3).
 */
export function parseOwner(
  raw: string | readonly string[] | null,
  order: OwnerOrder,
  {confidential = false}: {confidential?: boolean} = {},
): ParsedOwner {
  const lines = (typeof raw === "string" ? raw.split(/[\r\n]+/) : (raw ?? []))
    .map(tidied)
    .filter((line) => !isNullText(line));
  const read = readOwnerLines(lines);
  if (confidential || lines.some((line, at) => isWithheld(line, read[at]!.items)))
    return {...nothing, withheld: true};
  const careOf = read.find((line) => line.careOf !== null)?.careOf ?? null;
  const namedLines = read.flatMap((line, at) =>
    line.items.length === 0 ? [] : [{...line, text: publishedName(lines[at]!)}],
  );
  if (namedLines.length === 0) return {...nothing, careOf};
  const marks = [...new Set(read.flatMap((line) => line.marks))];
  const items = namedLines.map((line) => line.items);
  const kind = ownerKind(items, marks);
  const ordered = kind === "government" ? items.map(governmentHeadFirst) : items;
  return {
    kind,
    ownerName: namedLines.map((line) => line.text).join("; "),
    names: ordered.flatMap((line) => namesOf(line, {kind, order, trustee: marks.includes("trustee")})),
    tokens: [...new Set(ordered.flatMap((line) => indexTokens(line)))],
    marks,
    careOf,
    withheld: false,
  };
}

/** True for a line in place of an owner, whatever its signs; a company (CONFIDENTIAL SHREDDING LLC) is none. */
function isWithheld(line: string, items: readonly string[]): boolean {
  const text = line
    .toUpperCase()
    .replace(/[^A-Z]+/g, " ")
    .trim();
  return withheldText.test(text) && !companyWords.has(items.at(-1) ?? "");
}

function tidied(line: string): string {
  return line.replace(/\s+/g, " ").trim();
}

/** Words that mark an owner who is not a person, is withheld, or is missing. */
const unpersonal = specialWords([
  ...[...companyWords].map((word) => [word]),
  ...kindPhrases,
  ...["0", "OF", "OWNER", ...withheldWords].map((word) => [word]),
  ...[...nullSpellings].map((spelling) => spelling.split(" ")),
]);

/** The names that `parseOwner` finds in lines, ten times as fast for plain persons. */
export function ownerNames(lines: readonly string[], order: OwnerOrder): readonly OwnerName[] {
  const read = lines.map(plainItems);
  if (!read.every((items) => items !== null && !hasSpecial(items, unpersonal)))
    return parseOwner(lines, order).names;
  return (read as string[][]).flatMap((items) =>
    read.length > 1 || isPersonal(items) ? personNames(items, order) : [plainName(items)],
  );
}

/** True for one person's name, or for several persons. */
function isPersonal(items: readonly string[]): boolean {
  return items.includes("&") || isOnePerson(items.filter((item) => item !== ","));
}

/** The published line without its care-of part. */
function publishedName(line: string): string {
  const start = careOfAt(line);
  return start === null ? line : line.slice(0, start.from).trim();
}

function namesOf(
  items: readonly string[],
  {kind, order, trustee}: {kind: OwnerKind; order: OwnerOrder; trustee: boolean},
): OwnerName[] {
  if (kind === "person" || kind === "persons") return personNames(items, order);
  if (kind === "estate")
    return personNames(withoutEstate(items), estateWords.has(items[0]!) ? "unknown" : order);
  const people = items.filter((item) => item !== "TRUST");
  if (kind === "trust" && trustee && (people.includes(",") || people.includes("&")))
    return personNames(people, order);
  return [plainName(items)];
}

function withoutEstate(items: readonly string[]): string[] {
  const others = ["PERSONAL", "PERS", "REPRESENTATIVE", "REP"];
  const isEnd = (at: number) => at >= items.length - 2;
  return items.filter(
    (item, at) =>
      !estateWords.has(item) &&
      !(item === "OF" && (at < 2 || isEnd(at))) &&
      !(isEnd(at) && others.includes(item)),
  );
}
