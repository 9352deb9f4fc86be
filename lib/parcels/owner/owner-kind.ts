import {
  companyPhrases,
  companyWords,
  countyParts,
  estateWords,
  governmentBodies,
  governmentEnds,
  governmentHeads,
  governmentPhrases,
  laterCompanyWords,
  laterNonprofitWords,
  nameParticles,
  nameSuffixes,
  nonprofitPhrases,
  nonprofitWords,
  weakCompanyWords,
} from "./owner-vocabulary.ts";

/**
 * The kind of an owner, decided from its name; docs/design/parcels.md section 5.3 has the order of the rules.
 */
export type OwnerKind =
  | "person"
  | "persons"
  | "trust"
  | "estate"
  | "company"
  | "government"
  | "nonprofit"
  | "unknown";

/**
 * The kind of an owner from the items of its lines (`&` between names) and their marks; the first matching
 * rule wins.
 */
export function ownerKind(lines: readonly (readonly string[])[], marks: readonly string[]): OwnerKind {
  const words = lines.flatMap((items) => items.filter((item) => item !== "&" && item !== ","));
  if (words.length === 0) return "unknown";
  const isStrong = lines.some((items) => items.some((_, at) => isStrongCompany(items, at)));
  if (lines.some(isPublicBody) || (!isStrong && lines.some(isGovernment))) return "government";
  const isNonprofit = lines.some((items) =>
    isNamed(items, {anywhere: nonprofitWords, later: laterNonprofitWords, phrases: nonprofitPhrases}),
  );
  // TEMPLE and the like are surnames in a person's trust; BAPTIST CHURCH is not.
  const isTrustOfPerson =
    words.includes("TRUST") &&
    !words.some((word) => nonprofitWords.has(word)) &&
    words.filter((word) => laterNonprofitWords.has(word)).length < 2 &&
    !words.includes("OF");
  const isCompany = lines.some((items) =>
    isNamed(items, {anywhere: companyWords, later: laterCompanyWords, phrases: companyPhrases}),
  );
  if (lines.some((items) => hasPhrase(items, corporationsSole))) return "nonprofit";
  if (isNonprofit && !isStrong && !isTrustOfPerson) return "nonprofit";
  if (!isStrong && lines.some((items) => weakTrust.test(items.join(" ")))) return "trust";
  if (isCompany) return "company";
  if (isNonprofit && !isTrustOfPerson) return "nonprofit";
  if (lines.some(isEstate)) return "estate";
  if (words.includes("TRUST")) return "trust";
  const together = marks.includes("et ux") || marks.includes("et vir") || marks.includes("husband and wife");
  if (together || lines.length > 1 || lines.some((items) => items.includes("&"))) return "persons";
  return isOnePerson(words) ? "person" : "unknown";
}

/** Church officers who legally are corporations. */
const corporationsSole = [
  ["PRESIDING", "BISHOP"],
  ["PRES", "BISHOP"],
];

/** A trust, with or without a number, whatever it invests in. */
const weakTrust = /\bTRUST(?: (?:[IVX]+|\d+))?$/;

/**
 * True for a word that alone proves a company. CO before a county office means county, and a fire company is
 * a public body.
 */
function isStrongCompany(items: readonly string[], at: number): boolean {
  const word = items[at]!;
  if (!companyWords.has(word) || weakCompanyWords.has(word)) return false;
  if (word === "CO" && fireCompanies.has(items[at - 1] ?? "")) return false;
  return word !== "CO" || at === items.length - 1 || !countyBodies.test(items.slice(at + 1).join(" "));
}

const fireCompanies: ReadonlySet<string> = new Set(["FIRE", "HOSE", "ENGINE"]);

/** What follows CO when it means county. */
const countyBodies =
  /^(?:(?:BOARD|BD|SCHOOL|HIGHWAY|ROAD|PARK|SOIL|LIBRARY|FAIR|IDA)\b|INDUSTRIAL DEVELOPMENT)/;

type Naming = {
  readonly anywhere: ReadonlySet<string>;
  readonly later: ReadonlySet<string>;
  readonly phrases: readonly (readonly string[])[];
};

/** True for a line with one of the words, a later-only word after another word, or one of the phrases. */
function isNamed(items: readonly string[], {anywhere, later, phrases}: Naming): boolean {
  return (
    items.some((item, at) => anywhere.has(item) || (at > 0 && later.has(item) && items[at - 1] !== "&")) ||
    hasPhrase(items, phrases)
  );
}

function hasPhrase(items: readonly string[], phrases: readonly (readonly string[])[]): boolean {
  return items.some((_, at) =>
    phrases.some((phrase) => phrase.every((word, offset) => items[at + offset] === word)),
  );
}

/** True for two to four words, not counting suffixes and surname particles. */
export function isOnePerson(words: readonly string[]): boolean {
  const count = words.filter((word) => !nameSuffixes.has(word)).length;
  const ofNames = words.filter((word) => !nameSuffixes.has(word) && !nameParticles.has(word)).length;
  return count >= 2 && ofNames <= 4;
}

/** True for an authority or a district, unless company words follow. */
function isPublicBody(items: readonly string[]): boolean {
  const at = items.findLastIndex((item) => governmentBodies.has(item));
  return at > 0 && !items.slice(at + 1).some((item) => companyWords.has(item));
}

/**
 * True for CITY OF X, X CITY OF, X COUNTY, X COUNTY PARKS, and for phrases that name federal and other public
 * owners.
 */
function isGovernment(items: readonly string[]): boolean {
  const isPlain =
    !items.some((item) => nonprofitWords.has(item) || laterNonprofitWords.has(item)) &&
    !hasPhrase(items, nonprofitPhrases);
  if (
    isPlain &&
    items.length > 1 &&
    governmentEnds.has(items.at(-1)!) &&
    !items.some((item) => companyWords.has(item))
  )
    return true;
  for (const [at, item] of items.entries()) {
    const before = items[at - 1];
    if (item === "OF" && before !== undefined && governmentHeads.has(before)) {
      if (isPlain || (before !== "BOARD" && before !== "BD")) return true;
    }
    if (at > 0 && before === "COUNTY" && at > 1 && countyParts.has(item)) return true;
  }
  return hasPhrase(items, governmentPhrases);
}

/** Turns `X CITY OF` into `CITY OF X`; other items are unchanged. */
export function governmentHeadFirst(items: readonly string[]): readonly string[] {
  const head = items.at(-2);
  if (items.length < 3 || items.at(-1) !== "OF" || head === undefined || !governmentHeads.has(head))
    return items;
  return [head, "OF", ...items.slice(0, -2).filter((item) => item !== ",")];
}

/**
 * True for ESTATE OF X, X EST, X ESTATE with a given name after a comma, HEIRS OF X, X DECD and for personal
 * representatives.
 */
function isEstate(items: readonly string[]): boolean {
  const last = items.at(-1);
  const isLast =
    last === "EST" || items.some((item, at) => at > 0 && estateWords.has(item) && !/^EST/.test(item));
  if (isLast && items.at(-2) !== "REAL" && items.length > 1) return true;
  if (items.some((item, at) => at > 0 && item === "EST" && items[at + 1] === "," && items[at - 1] !== "REAL"))
    return true;
  if (
    items[0] === "HEIRS" ||
    hasPhrase(items, [
      ["PERSONAL", "REPRESENTATIVE"],
      ["PERS", "REP"],
    ])
  )
    return true;
  return items.some((item, at) => item === "EST" && items[at + 1] === "OF" && items[at - 1] !== "REAL");
}
