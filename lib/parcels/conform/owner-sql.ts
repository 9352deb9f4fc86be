import {nullSpellings} from "@open-cattle/us-address";
import {sqlText} from "../../sql/duckdb.ts";
import {nullText} from "../../text/null-text.ts";
import type {OwnerOrder} from "../owner/owner-names.ts";
import {
  companyWords,
  kindPhrases,
  nameParticles,
  nameSuffixes,
  ownerPhrases,
  spellings,
  withheldWords,
} from "../owner/owner-vocabulary.ts";
import {parseOwner} from "../owner/parse-owner.ts";
import {type ConformEntry, cellSql} from "./column-references.ts";
import {memberSeparator, pack, packSql, unpack} from "./packed-text.ts";
import {textSql} from "./transforms.ts";

/** Parts of a packed answer of `parsedOwner`. */
export const ownerParts = ["kind", "name", "last", "tokens", "careOf", "withheld"] as const;

/**
 * Reads plain owner lines in SQL with the same results as `parsedOwner`, but without a call per line; other
 * lines go to `parsedOwner`. A test compares the two.
 */

const word = "[A-Z0-9]+";

/** Words with a special meaning for `parseOwner`, besides those of the vocabulary. */
const particular = "OF AND INT INTEREST UND UNDIVIDED ATTN ATTENTION OWNER".split(" ");

const particularPhrases = [
  ...particular,
  ...withheldWords,
  ...nameSuffixes,
  ...nameParticles,
  ...spellings.keys(),
  ...kindPhrases.map((phrase) => phrase.join(" ")),
  ...ownerPhrases.map(({words}) => words.join(" ")),
  ...[...nullSpellings].filter((spelling) => spelling.includes(" ")),
];

function anyWord(phrases: Iterable<string>): string {
  const plain = [...new Set(phrases)].filter((phrase) => /^[A-Z0-9]+(?: [A-Z0-9&]+)*$/.test(phrase));
  return `\\b(?:${plain.sort().join("|")})\\b`;
}

/** Two initials in a row, which are a token of their own besides (`G & H`). */
const initials = "(?:^| )[A-Z] (?:& )?[A-Z](?: |$)";

/**
 * Patterns of upper-case owner lines that need no interpretation: kind, last name and tokens follow from word
 * positions. A line with a `particular` word or phrase is left to `parsedOwner`.
 */
const patterns = {
  particular: `${anyWord(particularPhrases)}|${initials}`,
  particularOrCompany: `${anyWord([...particularPhrases, ...companyWords])}|${initials}`,
  words: `${word}(?: (?:${word}|&))*`,
  /**
   * One person, or several who share the last name, which is the first word: `A B`, `A, B C`, `A B C & D`, `A
   * B & D E`.
   */
  people: `${word},?(?: ${word}){1,3}(?: & ${word}(?: ${word})?)?`,
} as const;

function showsOwners({owners, fields, terms}: ConformEntry): boolean {
  return owners?.published === true && terms.redistributeOwners && fields.owner_raw !== undefined;
}

/** SQL columns over an entry's cells: the owner lines and the source's confidential flag. */
export function ownerCells(entry: ConformEntry): string[] {
  if (!showsOwners(entry)) return [];
  const flag = entry.owners?.confidentialFlag;
  const lines = textSql(entry.fields.owner_raw!);
  return [
    `${lines} AS "~owner_lines"`,
    `upper(${lines}) AS "~owner_upper"`,
    `${flag === undefined ? "NULL::VARCHAR" : cellSql(flag)} AS "~owner_flag"`,
  ];
}

/**
 * SQL columns over those: the owner's kind when SQL can read the line, else null, and the words of the line.
 */
export function plainOwner(entry: ConformEntry): string[] {
  if (!showsOwners(entry)) return [];
  const upper = '"~owner_upper"';
  const {particular, particularOrCompany, words, people} = patterns;
  // With first names first, the first word is not the last name, and several persons may share one.
  const people_ =
    entry.owners?.order === "first_last"
      ? "NULL"
      : `CASE WHEN contains(${upper}, ' & ') THEN 'persons' ELSE 'person' END`;
  return [
    // One pattern over the line separates most people from all others.
    `CASE WHEN "~owner_flag" IS NOT NULL THEN NULL
       WHEN NOT regexp_matches(${upper}, ${sqlText(particularOrCompany)}) THEN CASE WHEN regexp_full_match(${upper}, ${sqlText(people)}) THEN ${people_} END
       WHEN NOT regexp_matches(${upper}, ${sqlText(particular)}) AND regexp_full_match(${upper}, ${sqlText(words)}) THEN 'company' END AS "~owner_kind"`,
    `string_split(replace(${upper}, ',', ''), ' ') AS "~owner_words"`,
  ];
}

/**
 * The SQL column with the question for `parsedOwner`; null when there is no owner or SQL has read the line.
 */
export function ownerQuestion(entry: ConformEntry): string {
  if (!showsOwners(entry)) return `NULL::VARCHAR AS "~owner"`;
  const {lines, flag} = {lines: '"~owner_lines"', flag: '"~owner_flag"'};
  return `CASE WHEN "~owner_kind" IS NULL AND coalesce(${lines}, ${flag}) IS NOT NULL THEN ${packSql([lines, flag])} END AS "~owner"`;
}

/**
 * SQL for a part of the answer over those columns; `asked` is SQL for the same part as `parsedOwner` returns
 * it.
 */
export function ownerAnswer(entry: ConformEntry, part: (typeof ownerParts)[number], asked: string): string {
  if (!showsOwners(entry)) return asked;
  const ordered = entry.owners?.order === "last_first" || entry.owners?.order === "last_comma_first";
  const named = `"~owner_kind" <> 'company'${ordered ? "" : ` AND contains(split_part("~owner_upper", ' ', 1), ',')`}`;
  const words = '"~owner_words"';
  const read = {
    kind: '"~owner_kind"',
    name: '"~owner_lines"',
    last: `CASE WHEN ${named} THEN ${words}[1] END`,
    tokens: `list_filter(${words}, lambda word, i: word <> '&' AND list_position(${words}, word) = i)`,
    careOf: "NULL",
    withheld: "NULL",
  };
  return `CASE WHEN "~owner_kind" IS NOT NULL THEN ${read[part]} ELSE ${asked} END`;
}

/**
 * Parses an owner: from packed text with the published lines (separated by line feeds) and the source's
 * confidential flag to packed text with `ownerParts` (`docs/design/parcels.md` section 5.3).
 */
export function parsedOwner(packed: string, order: OwnerOrder): string {
  const [lines = null, flag = null] = unpack(packed);
  const owner = parseOwner(lines, order, {confidential: isSet(flag)});
  const lastNames = owner.names.flatMap(({last}) => (last === undefined || last === null ? [] : [last]));
  return pack([
    owner.kind,
    owner.ownerName,
    [...new Set(lastNames)].join("; "),
    owner.tokens.join(memberSeparator),
    owner.careOf,
    owner.withheld ? "1" : "",
  ]);
}

/** True for whatever publishers print in a flag of withheld owners (1, -1, Y, ON), but nothing or a no. */
function isSet(flag: string | null): boolean {
  return !/^(?:0+(?:\.0+)?|N(?:OT?)?|NON[A-Z]*|F(?:ALSE)?|OFF|OPEN|PUBLIC|UNRESTRICTED)(?![A-Z0-9])/i.test(
    nullText(flag) ?? "N",
  );
}
