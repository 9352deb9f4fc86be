import {
  companyWords,
  governmentBodies,
  governmentEnds,
  governmentHeads,
  governmentPhrases,
  nameParticles,
  nameSuffixes,
  nonprofitWords,
} from "./owner-vocabulary.ts";

/** The kind of an owner by its name; docs/design/parcels.md section 5.3 gives the order of the rules. */
export type OwnerKind =
  | "person"
  | "persons"
  | "trust"
  | "estate"
  | "company"
  | "government"
  | "nonprofit"
  | "unknown";

/** Gives the kind of an owner from the items of its lines (`&` between names) and their marks: the first rule that fits. */
export function ownerKind(lines: readonly (readonly string[])[], marks: readonly string[]): OwnerKind {
  const words = lines.flatMap((items) => items.filter((item) => item !== "&" && item !== ","));
  if (words.length === 0) return "unknown";
  const isCompany = words.some((word) => companyWords.has(word));
  if (lines.some(isPublicBody) || (!isCompany && lines.some(isGovernment))) return "government";
  if (isCompany) return "company";
  if (words.some((word) => nonprofitWords.has(word))) return "nonprofit";
  if (lines.some(isEstate)) return "estate";
  if (words.includes("TRUST")) return "trust";
  const together = marks.includes("et ux") || marks.includes("et vir") || marks.includes("husband and wife");
  if (together || lines.length > 1 || lines.some((items) => items.includes("&"))) return "persons";
  return isOnePerson(words) ? "person" : "unknown";
}

/** True for two to four words beside suffixes and the particles of a last name. */
export function isOnePerson(words: readonly string[]): boolean {
  const count = words.filter((word) => !nameSuffixes.has(word)).length;
  const ofNames = words.filter((word) => !nameSuffixes.has(word) && !nameParticles.has(word)).length;
  return count >= 2 && ofNames <= 4;
}

/** True for an authority or a district, unless the name of a company goes on after it. */
function isPublicBody(items: readonly string[]): boolean {
  const at = items.findLastIndex((item) => governmentBodies.has(item));
  return at > 0 && !items.slice(at + 1).some((item) => companyWords.has(item));
}

/** True for CITY OF X, X CITY OF, X COUNTY, and the phrases of federal and other public owners. */
function isGovernment(items: readonly string[]): boolean {
  const isPlain = !items.some((item) => nonprofitWords.has(item));
  if (isPlain && items.length > 1 && governmentEnds.has(items.at(-1)!)) return true;
  for (const [at, item] of items.entries()) {
    if (item === "OF" && at > 0 && governmentHeads.has(items[at - 1]!)) return true;
    if (governmentPhrases.some((phrase) => phrase.every((word, offset) => items[at + offset] === word)))
      return true;
  }
  return false;
}

/** Gives `CITY OF X` for `X CITY OF`; other items stay as they are. */
export function turnedGovernment(items: readonly string[]): readonly string[] {
  const head = items.at(-2);
  if (items.length < 3 || items.at(-1) !== "OF" || head === undefined || !governmentHeads.has(head))
    return items;
  return [head, "OF", ...items.slice(0, -2).filter((item) => item !== ",")];
}

function isEstate(items: readonly string[]): boolean {
  const last = items.at(-1);
  if ((last === "EST" || last === "ESTATE") && items.at(-2) !== "REAL" && items.length > 1) return true;
  return items.some(
    (item, at) => (item === "ESTATE" || item === "EST") && items[at + 1] === "OF" && items[at - 1] !== "REAL",
  );
}
