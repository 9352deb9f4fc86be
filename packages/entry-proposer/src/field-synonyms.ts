import table from "../data/field-synonyms.json" with {type: "json"};
import {beginsSet, fitsSet, type WordSet, wordSet} from "./word-sets.ts";

/** What a column means: a column of the parcel row, or a part of an entry outside its field map. */
export type FieldRole = string;

/** A name as the alternatives at each position: `{land} ZIP` begins with any word of `land`. */
type Phrase = readonly (readonly string[])[];

/** Finds the columns of a table for a role, best match first. */
type RoleFinder = (role: FieldRole) => {readonly column: string; readonly rank: number}[];

const dbfNameLength = 10;
/**
 * Roles that may claim a truncated name; SITUS_STRE, in contrast, may be the name of a street or its
 * direction.
 */
const plainRoles: ReadonlySet<FieldRole> = new Set([
  ...["situs_raw", "mail_line1", "area_any", "market_value", "assessed_value"],
]);
/** The role of a number that is called an address; a name that says so is first of all the address. */
const bareNumber: FieldRole = "situs_number_bare";

/** How a field reads a cell. */
type Kind = "text" | "number" | "money" | "date";

/** Fields that one column fills by its name, if its cells fit, in the order in which they choose. */
export const plainColumns = new Map(Object.entries(table.columns)) as ReadonlyMap<FieldRole, Kind>;

let loaded: ReturnType<typeof compiledTable> | undefined;

/** The phrases and word sets of each role, and the words that are never taken for an agency's prefix. */
export function synonymTable() {
  loaded ??= compiledTable();
  return loaded;
}

function compiledTable() {
  const {words, roles, sets} = table;
  const choices = new Map(Object.entries(words).map(([word, spellings]) => [word, [...new Set(spellings)]]));
  const phrase = (name: string): Phrase =>
    (name.match(/\{\w+\}|[^{}]+/g) ?? [])
      .map((part) => (part.startsWith("{") ? (choices.get(part.slice(1, -1)) ?? []) : [foldedName(part)]))
      .filter(([first]) => first !== "");
  return {
    phrases: new Map<FieldRole, Phrase[]>(
      Object.entries(roles).map(([role, names]) => [role, names.map(phrase)]),
    ),
    sets: new Map<FieldRole, WordSet[]>(
      Object.entries(sets).map(([role, texts]) => [role, texts.map((text) => wordSet(text, choices))]),
    ),
    meaningful: new Set<string>(Object.values(words).flat()),
  };
}

/** Added to the rank of a name made of a role's words in any order, so that listed names come first. */
const setRank = 200;
/**
 * Added to the rank of a name that only matches without an agency's prefix, so that plain names come first.
 */
const prefixedRank = 1000;
const minPrefixed = 5;
/** Added to the rank of a name that says too little, so that the cells decide: truncated with several roles, or with a foreign word. */
const cutRank = 3000;
const strangeRank = 4000;

/**
 * Finds columns by role from their names. Case, punctuation, a prefix up to the last dot (`GIS.PARCELS.APN`),
 * a year and words such as CURRENT are ignored, and a name may be truncated to the 10 characters of a DBF. The alias of a column counts
 * where its name tells no role.
 */
export function roleFinder(
  columns: readonly {readonly name: string; readonly alias?: string | undefined}[],
): RoleFinder {
  const columnsByRole = new Map<FieldRole, {column: string; rank: number}[]>();
  const prefixes = agencyPrefixes(columns.map(({name}) => name));
  for (const {name: column, alias = ""} of columns) {
    const named = [...rolesOfName(column), ...rolesBehindPrefix(column, prefixes)];
    const roleRanks = named.length > 0 ? named : rolesOfName(alias);
    for (const {role, rank} of roleRanks.length > 0 ? roleRanks : rolesBesideStranger(column)) {
      const list = columnsByRole.get(role) ?? [];
      columnsByRole.set(role, list);
      list.push({column, rank});
    }
  }
  return (role) => (columnsByRole.get(role) ?? []).toSorted((a, b) => a.rank - b.rank);
}

/** True for a rank of a column that matched only without an agency's prefix. */
export function isPrefixed(rank: number): boolean {
  return rank >= prefixedRank;
}

/** True for the rank of a column whose name says too little, so that its cells have to show the role. */
export function needsProof(rank: number): boolean {
  return rank >= cutRank;
}

/**
 * First words that many names share and that have no meaning of their own (`nhdra_saleprice`): the prefix of
 * the exporting agency.
 */
function agencyPrefixes(columns: readonly string[]): ReadonlySet<string> {
  const firsts = columns.flatMap(
    (name) => /^([A-Za-z]{3,})[_ .](?=.)/.exec(bareName(name))?.[1]?.toUpperCase() ?? [],
  );
  const counted = Map.groupBy(firsts, (first) => first);
  return new Set(
    [...counted]
      .filter(([first, own]) => own.length >= minPrefixed && !synonymTable().meaningful.has(first))
      .map(([first]) => first),
  );
}

/**
 * The roles of a name without its agency's prefix, and if need be without one more short word (`nhdra_vns
 * ayb`).
 */
function rolesBehindPrefix(column: string, prefixes: ReadonlySet<string>): Fit[] {
  const bare = bareName(column);
  const [, first = "", rest = ""] = /^([A-Za-z]{3,})[_ .](.+)$/.exec(bare) ?? [];
  if (!prefixes.has(first.toUpperCase()) || rolesOfName(column).length > 0) return [];
  const shorter = /^[A-Za-z]{2,4}[_ ](.+)$/.exec(rest)?.[1];
  const fits = rolesOfName(rest);
  const found = fits.length > 0 || shorter === undefined ? fits : rolesOfName(shorter);
  // Names without an owner or a place (`address1`) are too vague after a prefix.
  return found
    .filter(({role}) => !role.startsWith("any_"))
    .map(({role, rank}) => ({role, rank: rank + prefixedRank}));
}

/** Roles of which the cells show that a column has them. */
const provable: ReadonlySet<FieldRole> = new Set([
  ...["situs_number", "situs_pre", "situs_name", "situs_type", "situs_post", "zip", "any_zip"],
  ...["city", "any_city", "area_acres", "mail_state", "mail_zip", "year_built"],
]);
const sharedEndings: ReadonlySet<FieldRole> = new Set(["city", "any_city", "zip", "any_zip", "area_acres"]);
/** Words that give the rest of a name another meaning. */
const otherMeaning =
  /^(?:PREV|PREVIOUS|PRIOR|OLD|ORIG|ORIGINAL|FORMER|EXEMPT|EXM|TAX|SCHOOL|SCH|FIRE|WATER|SEWER|BILL|MAIL|OWN|OWNER|AG|FARM|TIMBER|FOREST|CROP|IMPS?|BLDG|PLUS4?|EXT|ID|CODE|CD|NUM|NO|LIMITS?|WARD|COUNCIL|DIST|DISTRICT)$/;

/** The roles of a name of several words without its first or its last word (`KCA_ACRES`, `CITY_OL`). */
function rolesBesideStranger(column: string): Fit[] {
  const words = bareName(column).split(/[_ .]+/);
  if (words.length < 2) return [];
  return [words.slice(1), words.slice(0, -1)].flatMap((kept, i) => {
    const stranger = words.at(i === 0 ? 0 : -1)!.toUpperCase();
    if (!/^[A-Z]{2,5}$/.test(stranger) || otherMeaning.test(stranger)) return [];
    return rolesOfName(kept.join("_"))
      .filter(({role}) => sharedEndings.has(role))
      .map(({role, rank}) => ({role, rank: rank + strangeRank}));
  });
}

/** The year at the beginning or end of a column's name (`2021_total`); null when there is none. */
export function yearInName(column: string): number | null {
  const [, first, last] = /^((?:19|20)\d\d)[^0-9]|[^0-9]((?:19|20)\d\d)$/.exec(bareName(column)) ?? [];
  return first === undefined && last === undefined ? null : Number(first ?? last);
}

type Fit = {readonly role: FieldRole; readonly rank: number};

/**
 * The roles of a name: those that match the whole name, else those that match without its year and words for
 * "current", else those whose words make up the name in any order, else the single role of a name truncated by
 * a DBF, or the address line when every other candidate extends that line's name (`MAIL_ADDRE`). For other
 * ambiguous truncated names the cells decide (`SITUS_STRE` may be name or direction), or nothing does
 * (`PROPERTY_C` may be class or city).
 */
function rolesOfName(column: string): Fit[] {
  const bare = bareName(column);
  // The dots of a name stand for blanks (`Owner.Name`) unless only what is behind the last one means something.
  const spelt = [...new Set([column, bare])];
  const names = [
    ...new Set(
      spelt.flatMap((each) => [
        foldedName(each),
        foldedName(withoutYear(each)),
        withoutCurrent(withoutYear(each)),
      ]),
    ),
  ];
  for (const name of names) {
    const fits = fitsOf((phrase) => fitsWhole(phrase, name));
    if (name !== "" && fits.length > 0) return fits;
  }
  for (const name of names) {
    const fits = setsOf((set) => fitsSet(set, name));
    if (name !== "" && fits.length > 0) return fits;
  }
  const cut = foldedName(bare);
  if (bare.length !== dbfNameLength || cut.length < dbfNameLength - 2) return [];
  const fits = fitsOf((phrase) => missingEndings(cut, phrase).length > 0).filter(
    ({role}) => role !== bareNumber,
  );
  if (fits.length === 1) return fits;
  const ended = setsOf((set) => beginsSet(set, cut, "end"));
  const begun = setsOf((set) => beginsSet(set, cut, "words"));
  if (fits.length === 0) return ended.length === 1 ? ended : openFits(begun);
  const ends = fits.flatMap((fit) =>
    synonymTable()
      .phrases.get(fit.role)!
      .flatMap((phrase) => missingEndings(cut, phrase))
      .map((end) => ({fit, end})),
  );
  // MAIL_ADDRE may be the address or its city. The address wins because all longer candidates begin with its
  // name.
  const {fit} = ends.reduce((a, b) => (b.end.length < a.end.length ? b : a));
  const own = ends.filter((each) => each.fit === fit).map(({end}) => end);
  const isPlain = ends.every(
    (each) => each.fit === fit || own.some((end) => each.end !== end && each.end.startsWith(end)),
  );
  return isPlain && plainRoles.has(fit.role) ? [fit] : openFits([...fits, ...begun]);
}

/** The roles of a name of several meanings between which the cells decide. */
function openFits(fits: readonly Fit[]): Fit[] {
  return fits
    .filter(({role}) => provable.has(role) && !sharedEndings.has(role))
    .map(({role, rank}) => ({role, rank: rank + cutRank}));
}

function setsOf(fits: (set: WordSet) => boolean): Fit[] {
  return [...synonymTable().sets].flatMap(([role, sets]) => {
    const rank = sets.findIndex(fits);
    return rank < 0 ? [] : [{role, rank: rank + setRank}];
  });
}

function fitsOf(fits: (phrase: Phrase) => boolean): Fit[] {
  return [...synonymTable().phrases].flatMap(([role, phrases]) => {
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
 * The endings that truncation may have removed from a name, one for each synonym that the name begins; a
 * trailing blank means that whole words are missing too. A DBF truncates before punctuation is dropped.
 */
function missingEndings(name: string, phrase: Phrase, place = 0, from = 0): string[] {
  const rest = name.slice(from);
  const isLast = place + 1 === phrase.length;
  return (phrase[place] ?? []).flatMap((word) => {
    if (word.length > rest.length || (word.length === rest.length && !isLast))
      return word.startsWith(rest) ? [word.slice(rest.length) + (isLast ? "" : " ")] : [];
    return rest.startsWith(word) ? missingEndings(name, phrase, place + 1, from + word.length) : [];
  });
}

/** A column's name without the table of a database before its last dot. */
export function bareName(column: string): string {
  return /^[\w$]+(?:\.[\w$]+)+$/.test(column) ? column.slice(column.lastIndexOf(".") + 1) : column;
}

function withoutYear(name: string): string {
  return name.replace(/^(?:19|20)\d\d(?=[^0-9])|(?<=[^0-9])(?:19|20)\d\d$/, "");
}

/** Upper-cases a name and drops the words that mark a value as current. */
function withoutCurrent(name: string): string {
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
