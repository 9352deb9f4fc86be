import {join} from "node:path";
import {FieldSynonyms} from "../../schemas/registry-tables.ts";
import {referenceDir} from "../paths.ts";
import {readRegistryFile} from "./registry-file.ts";

/** The meaning of a table's column: a column of the parcel row, or a part of an entry outside its field map. */
export type FieldRole = string;

/** A name of the table as the choices at each of its places: `{land} ZIP` begins with any word of `land`. */
type Phrase = readonly (readonly string[])[];

/** Gives the columns of a table that fit a role, the surest first. */
type RoleFinder = (role: FieldRole) => {readonly column: string; readonly rank: number}[];

const dbfNameLength = 10;
/** Roles of which a table has one column that is cut; SITUS_STRE may be the name of a street or its direction. */
const addressLines: ReadonlySet<FieldRole> = new Set(["situs_raw", "mail_line1"]);
let loaded: ReadonlyMap<FieldRole, readonly Phrase[]> | undefined;
/** The words of the table's lists, which are never the sign of an agency. */
let meaningful: ReadonlySet<string> | undefined;

/** The names of each role. Throws a `ConfigError` when the table is not valid. */
export function fieldSynonyms(): ReadonlyMap<FieldRole, readonly Phrase[]> {
  loaded ??= readTable();
  return loaded;
}

function readTable(): ReadonlyMap<FieldRole, readonly Phrase[]> {
  const {words, roles} = readRegistryFile(FieldSynonyms, join(referenceDir, "field-synonyms.json"));
  meaningful = new Set(Object.values(words).flat());
  const choices = new Map(Object.entries(words).map(([word, spellings]) => [word, [...new Set(spellings)]]));
  const phrase = (name: string): Phrase =>
    (name.match(/\{\w+\}|[^{}]+/g) ?? [])
      .map((part) => (part.startsWith("{") ? (choices.get(part.slice(1, -1)) ?? []) : [foldedName(part)]))
      .filter(([first]) => first !== "");
  return new Map(Object.entries(roles).map(([role, names]) => [role, names.map(phrase)]));
}

/** Rank behind which names stand that an agency's prefix was taken off: a plain name is surer. */
const prefixedRank = 1000;
const leastPrefixed = 5;

/**
 * Finds columns by role among the names of a table. Case, signs, a prefix up to the last dot (`GIS.PARCELS.APN`), a year and
 * words such as CURRENT do not matter, and a name may be cut to the 10 characters of a DBF. Throws a `ConfigError` when the
 * table of synonyms is not valid.
 */
export function roleFinder(columns: readonly string[]): RoleFinder {
  const found = new Map<FieldRole, {column: string; rank: number}[]>();
  const prefixes = agencyPrefixes(columns);
  for (const column of columns) {
    for (const {role, rank} of [...rolesOfName(column), ...rolesBehindPrefix(column, prefixes)]) {
      const list = found.get(role) ?? [];
      found.set(role, list);
      list.push({column, rank});
    }
  }
  return (role) => (found.get(role) ?? []).toSorted((a, b) => a.rank - b.rank);
}

/** True for a rank of a column whose role shows only without an agency's prefix. */
export function isPrefixed(rank: number): boolean {
  return rank >= prefixedRank;
}

/** First words that many names of a table share and that mean nothing in a name (`nhdra_saleprice`): the sign of who exported it. */
function agencyPrefixes(columns: readonly string[]): ReadonlySet<string> {
  fieldSynonyms();
  const firsts = columns.flatMap(
    (name) => /^([A-Za-z]{3,})[_ .](?=.)/.exec(bareName(name))?.[1]?.toUpperCase() ?? [],
  );
  const counted = Map.groupBy(firsts, (first) => first);
  return new Set(
    [...counted]
      .filter(([first, own]) => own.length >= leastPrefixed && !meaningful!.has(first))
      .map(([first]) => first),
  );
}

/** The roles of a name without its agency's prefix, and without one more short word behind it (`nhdra_vns ayb`). */
function rolesBehindPrefix(column: string, prefixes: ReadonlySet<string>): Fit[] {
  const bare = bareName(column);
  const [, first = "", rest = ""] = /^([A-Za-z]{3,})[_ .](.+)$/.exec(bare) ?? [];
  if (!prefixes.has(first.toUpperCase()) || rolesOfName(column).length > 0) return [];
  const shorter = /^[A-Za-z]{2,4}[_ ](.+)$/.exec(rest)?.[1];
  const fits = rolesOfName(rest);
  const found = fits.length > 0 || shorter === undefined ? fits : rolesOfName(shorter);
  // Words without an owner or a place (`address1`) say too little behind a prefix.
  return found
    .filter(({role}) => !role.startsWith("any_"))
    .map(({role, rank}) => ({role, rank: rank + prefixedRank}));
}

/** The year that a column's name begins or ends with (`2021_total`); null without one. */
export function yearInName(column: string): number | null {
  const [, first, last] = /^((?:19|20)\d\d)[^0-9]|[^0-9]((?:19|20)\d\d)$/.exec(bareName(column)) ?? [];
  return first === undefined && last === undefined ? null : Number(first ?? last);
}

type Fit = {readonly role: FieldRole; readonly rank: number};

/**
 * The roles of a name: those that have the whole name, else those that have it without its year and its words for "now", else
 * the one role of a name that a DBF cut, or the address line where all other names begin with that of the line (`MAIL_ADDRE`).
 * Other cut names of several roles have none (`PROPERTY_C` may be class or city).
 */
function rolesOfName(column: string): Fit[] {
  const bare = bareName(column);
  const names = [
    ...new Set([foldedName(bare), foldedName(withoutYear(bare)), withoutNow(withoutYear(bare))]),
  ];
  for (const name of names) {
    const fits = fitsOf((phrase) => fitsWhole(phrase, name));
    if (name !== "" && fits.length > 0) return fits;
  }
  const cut = names[0]!;
  if (bare.length !== dbfNameLength || cut.length < dbfNameLength - 2) return [];
  const fits = fitsOf((phrase) => endsOf(cut, phrase).length > 0);
  if (fits.length < 2) return fits;
  const ends = fits.flatMap((fit) =>
    fieldSynonyms()
      .get(fit.role)!
      .flatMap((phrase) => endsOf(cut, phrase))
      .map((end) => ({fit, end})),
  );
  // MAIL_ADDRE may be the address or its city: the address alone is what all longer names begin with.
  const shortest = ends.reduce((a, b) => (b.end.length < a.end.length ? b : a));
  const isPlain = ends.every(
    ({fit, end}) => end.startsWith(shortest.end) && (fit === shortest.fit || end !== shortest.end),
  );
  return isPlain && addressLines.has(shortest.fit.role) ? [shortest.fit] : [];
}

function fitsOf(fits: (phrase: Phrase) => boolean): Fit[] {
  return [...fieldSynonyms()].flatMap(([role, phrases]) => {
    const rank = phrases.findIndex(fits);
    return rank < 0 ? [] : [{role, rank}];
  });
}

function fitsWhole(phrase: Phrase, name: string, place = 0, from = 0): boolean {
  const words = phrase[place];
  if (words === undefined) return from === name.length;
  return words.some(
    (word) => name.startsWith(word, from) && fitsWhole(phrase, name, place + 1, from + word.length),
  );
}

/**
 * Gives what was cut off the word in which a name ends, for each longer name that it begins; a blank at its end tells that more
 * words were cut off. A DBF cuts before signs are dropped.
 */
function endsOf(name: string, phrase: Phrase, place = 0, from = 0): string[] {
  const rest = name.slice(from);
  const isLast = place + 1 === phrase.length;
  return (phrase[place] ?? []).flatMap((word) => {
    if (word.length > rest.length || (word.length === rest.length && !isLast))
      return word.startsWith(rest) ? [word.slice(rest.length) + (isLast ? "" : " ")] : [];
    return rest.startsWith(word) ? endsOf(name, phrase, place + 1, from + word.length) : [];
  });
}

function bareName(column: string): string {
  return /^[\w$]+(?:\.[\w$]+)+$/.test(column) ? column.slice(column.lastIndexOf(".") + 1) : column;
}

function withoutYear(name: string): string {
  return name.replace(/^(?:19|20)\d\d(?=[^0-9])|(?<=[^0-9])(?:19|20)\d\d$/, "");
}

/** The name in capitals without the words that say that a value is the present one. */
function withoutNow(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toUpperCase()
    .split(/[^A-Z0-9]+/);
  const kept = words.filter((word) => !/^(?:CUR|CURR|CURRENT|CURRENTLY|THE|TXT)$/.test(word)).join("");
  return kept.replace(/(?<=.{4})(?:CURRENT|CURR|CUR|BASE)$/, "");
}

function foldedName(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9]/g, "");
}
