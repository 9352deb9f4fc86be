import {editDistance, editsAllowed} from "./edit-distance.ts";
import {foldText} from "./fold-text.ts";
import {recipientNote, type ScoredAddress} from "./parsed-address.ts";
import {isSameClass, isSameHighway} from "./road-names.ts";
import {compareUnits, type Unit} from "./unit-parts.ts";

/**
 * Weight and score (0 to 1) of a compared component; the note for the answer is null when both sides are
 * equal.
 */
export type PartScore = {readonly weight: number; readonly score: number; readonly note: string | null};

/** A score; "reject" when the two exclude each other; null when neither address has the component. */
type Compared = PartScore | "reject" | null;

const oneSided = "letter or fraction of the number on one side only";
const minNameScore = 0.75;
/** Note of a street name that differs by a few letters. */
export const correctedName = "street name corrected";

/**
 * Compares house numbers. Equal numbers match, as do a number within a range and a number with an extra
 * letter or fraction.
 */
export function numberScore(query: ScoredAddress, row: ScoredAddress): Compared {
  const weight = 0.3;
  const equal = {weight, score: 1, note: null};
  if (isRange(query) || isRange(row)) return rangeScore(query, row, weight);
  const asked = `${query.number} ${query.fraction ?? ""}`;
  const found = `${row.number} ${row.fraction ?? ""}`;
  if (asked === found) return equal;
  const [a, b] = [plainDigits(query), plainDigits(row)];
  const oneIsPlain =
    (a !== null && query.number === a && query.fraction === null) ||
    (row.number === b && row.fraction === null);
  if (a === null || a !== b || !oneIsPlain) return "reject";
  return {weight, score: 0.85, note: oneSided};
}

/** True for a real range; a row stores a single number as a range of one. */
function isRange({numberLo, numberHi}: ScoredAddress): boolean {
  return numberHi !== null && numberHi !== numberLo;
}

function plainDigits({number, numberLo}: ScoredAddress): string | null {
  return number === null || numberLo === null || number.includes("-") ? null : String(numberLo);
}

function rangeScore(query: ScoredAddress, row: ScoredAddress, weight: number): Compared {
  if (query.numberLo === null || row.numberLo === null) return "reject";
  const [askedHi, rowHi] = [query.numberHi ?? query.numberLo, row.numberHi ?? row.numberLo];
  if (query.numberLo === row.numberLo && askedHi === rowHi) {
    const isEqual = query.number === row.number && query.fraction === row.fraction;
    return isEqual ? {weight, score: 1, note: null} : {weight, score: 0.85, note: oneSided};
  }
  if ((query.numberLo - row.numberLo) % 2 !== 0) return "reject";
  const inside = query.numberLo >= row.numberLo && askedHi <= rowHi;
  const around = query.numberLo <= row.numberLo && askedHi >= rowHi;
  return inside || around ? {weight, score: 0.9, note: "number inside a range"} : "reject";
}

/**
 * Compares street names. Equal names match, as do other classes of the same highway number and names a few
 * edits apart.
 */
function nameScore(query: ScoredAddress, row: ScoredAddress, state: string | null): Compared {
  const weight = 0.35;
  const isEqual = query.name === row.name && query.name !== null;
  if (isEqual && query.isNameChanged !== true) return {weight, score: 1, note: null};
  const [a, b] = [comparedName(query.name), comparedName(row.name)];
  if (a === null || b === null) return a === b ? null : "reject";
  if (query.isNameChanged === true && a === b) return {weight, score: 0.95, note: "name_joined"};
  if (a === b || isSameClass(a, b, state)) return {weight, score: 1, note: null};
  if (unspaced(a) === unspaced(b)) return {weight, score: 0.95, note: "name_joined"};
  if (isSameHighway(a, b)) return {weight, score: 0.85, note: "highway class differs"};
  const longer = a.length >= b.length ? a : b;
  const allowed = editsAllowed(longer);
  const distance = editDistance(a, b, allowed);
  const score = 1 - distance / longer.length;
  if (distance > allowed || score < minNameScore || !isCorrectable(a, b)) return "reject";
  return {weight, score, note: correctedName};
}

/** A hyphen in a name says no more than a blank; in a road's number it divides two. */
function comparedName(name: string | null): string | null {
  return name?.replace(/(?<=[A-Z])-(?=[A-Z])/g, " ") ?? null;
}

function unspaced(name: string): string {
  return /\d/.test(name) ? name : name.replaceAll(" ", "");
}

/** False for names with digits, and when words of one or two letters differ: AVENUE A is not AVENUE B. */
function isCorrectable(a: string, b: string): boolean {
  if (/\d/.test(a + b)) return false;
  const [own, other] = [shortWords(a), shortWords(b)];
  return own === "" || other === "" || own === other;
}

function shortWords(name: string): string {
  return name
    .split(" ")
    .filter((word) => word.length < 3)
    .join(" ");
}

/**
 * Compares the directionals before and after the name as one set: extra ones lower the score, different ones
 * reject.
 */
function directionalScore(query: ScoredAddress, row: ScoredAddress): Compared {
  const weight = 0.09;
  const asked = directionalSet(query);
  const found = directionalSet(row);
  if (asked.length === 0 && found.length === 0) return null;
  if (asked.join() === found.join()) return {weight, score: 1, note: null};
  const missing = asked.length < found.length;
  const [fewer, more] = missing ? [asked, found] : [found, asked];
  if (!fewer.every((dir) => more.includes(dir))) return "reject";
  return {weight, score: 0.6, note: missing ? "directional added" : "directional not in the record"};
}

function directionalSet({pre, post}: ScoredAddress): string[] {
  return [pre, post].filter((dir) => dir !== null).sort();
}

/**
 * Compares street types by abbreviation; a missing or different type lowers the score. Where streets are
 * numbered, a different type means a different street: 34TH AVE is not 34TH ST.
 */
function typeScore(query: ScoredAddress, row: ScoredAddress): Compared {
  const weight = 0.08;
  const [a, b] = [query.type, row.type];
  if (a === null && b === null) return null;
  if (a === b) return {weight, score: 1, note: null};
  if (a === null) return {weight, score: 0.7, note: "street type added"};
  if (b === null) return {weight, score: 0.7, note: "street type not in the record"};
  const isNumbered = /^\d+(?:ST|ND|RD|TH)$/.test(query.name ?? "");
  return isNumbered ? "reject" : {weight, score: 0.3, note: "street type differs"};
}

const unaskedUnit = "unit not in the query";

/** Compares units part by part, so that `APT 2B` equals `# 2-B`; a part that differs rejects. */
export function unitScore(query: Unit, row: Unit): Compared {
  if (isWithoutUnit(query) && isWithoutUnit(row)) return null;
  const weight = 0.08;
  const compared = compareUnits(query, row);
  if (compared === "other") return "reject";
  if (compared === "equal") return {weight, score: 1, note: null};
  return compared === "row"
    ? {weight, score: 0.5, note: unaskedUnit}
    : {weight, score: 0.3, note: "unit not in the record"};
}

function isWithoutUnit({unitType, unit}: Unit): boolean {
  return unitType === null && unit === null;
}

/** How a row's address matches a query. */
export type AddressMatch = {
  readonly type: "exact" | "normalized" | "fuzzy";
  /** 0 to 1, two decimals. */
  readonly score: number;
  readonly notes: string[];
};

const minScore = 0.8;
/**
 * Notes of a town or ZIP that nothing known about the row confirms, and the maximum score of such a match.
 */
const uncheckedNotes: ReadonlySet<string> = new Set(["locality_unchecked", "city_unknown"]);
const maxUnchecked = 0.95;

/** True for the notes of a match whose town or ZIP could not be verified. */
export function isUnchecked(notes: readonly string[]): boolean {
  return notes.some((note) => uncheckedNotes.has(note));
}

/** Notes that say nothing about the street: those of the place, and of words that every row lacks. */
const otherNotes: ReadonlySet<string> = new Set([
  ...uncheckedNotes,
  "city_corrected",
  "city differs",
  "ZIP differs",
  "words_dropped",
  "row_words_unread",
]);

/**
 * True for a match that the best one outranks: the best has the whole street of the query, and this one has
 * the same faults of place and further faults of the street. A unit that the query lacks is no such fault,
 * because the words that were read as a town may name the unit.
 */
export function isOutranked({notes}: AddressMatch, best: AddressMatch): boolean {
  const isWholeStreet = best.notes.every((note) => otherNotes.has(note) && notes.includes(note));
  return isWholeStreet && notes.length > best.notes.length && !notes.includes(unaskedUnit);
}

/** Penalty for each unused word of the query. */
const perDroppedWord = 0.1;
/** Penalty for each word of the row's line that found no part, and the most that they cost. */
const perUnreadWord = 0.05;
const maxUnread = 0.15;

/**
 * Scores a row against a query by the component table of docs/design/parcels.md section 7; null when they do
 * not match. `place` holds the scores of city and ZIP. A row without a house number never matches, except
 * that `legal_only` and `name_only` rows match an equal folded text.
 */
export function scoreAddress(
  query: ScoredAddress,
  row: ScoredAddress,
  place: readonly PartScore[],
  state: string | null = null,
): AddressMatch | null {
  if (row.status === "legal_only" || row.status === "name_only") return foldedMatch(query, row);
  if (row.status !== "numbered" || query.number === null || query.name === null) return null;
  const street = streetScores(query, row, state);
  if (street === null) return null;
  const parts = [...street, ...place];
  const isSame = sameText(query.raw, row.raw);
  const dropped = isSame || isSameRemainder(query, row) ? 0 : (query.dropped ?? 0);
  const unread = Math.min((row.dropped ?? 0) * perUnreadWord, maxUnread);
  const weight = parts.reduce((sum, part) => sum + part.weight, 0);
  const exactSum = parts.reduce((sum, part) => sum + part.weight * part.score, 0);
  const notes = parts.map(({note}) => note).filter((note) => note !== null);
  const share = roundedShare(exactSum - (dropped * perDroppedWord + unread) * weight, weight);
  const score = isUnchecked(notes) ? Math.min(share, maxUnchecked) : share;
  if (dropped > 0) notes.push("words_dropped");
  if (unread > 0) notes.push("row_words_unread");
  if (dropped === 0 && unread === 0 && parts.every((part) => part.score === 1)) {
    const isPlain = isSame && query.notes?.includes(recipientNote) !== true;
    return {type: isPlain ? "exact" : "normalized", score: 1, notes};
  }
  return score >= minScore ? {type: "fuzzy", score, notes: [...new Set(notes)]} : null;
}

/** True where both lines leave over the same words, which then tell the addresses apart no more than they are read. */
function isSameRemainder(query: ScoredAddress, row: ScoredAddress): boolean {
  const words = query.leftOver ?? [];
  return words.length > 0 && words.join(" ") === row.leftOver?.join(" ");
}

/** The scored components of the street, or null when one of them rejects the row. */
function streetScores(query: ScoredAddress, row: ScoredAddress, state: string | null): PartScore[] | null {
  const parts: PartScore[] = [];
  for (const compare of [numberScore, nameScore, directionalScore, typeScore, unitScore]) {
    const part = compare(query, row, state);
    if (part === "reject") return null;
    if (part !== null) parts.push(part);
  }
  return parts;
}

/**
 * Rounds a share half up to two decimals, after rounding to nine, so that 0.835 does not count as 0.83499.
 */
function roundedShare(sum: number, weight: number): number {
  return Math.floor(Math.round((sum / weight) * 1e9) / 1e7 + 0.5) / 100;
}

function foldedMatch(query: ScoredAddress, row: ScoredAddress): AddressMatch | null {
  const asked = foldText(query.raw ?? "");
  if (asked === "" || asked !== foldText(row.raw ?? "")) return null;
  return {type: sameText(query.raw, row.raw) ? "exact" : "normalized", score: 1, notes: []};
}

function sameText(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && a.trim().toUpperCase() === b.trim().toUpperCase();
}

const ranks = {exact: 0, normalized: 1, fuzzy: 2} as const;

/** Sorts better matches first: by type, then by score. */
export function compareMatches(
  a: Pick<AddressMatch, "type" | "score">,
  b: Pick<AddressMatch, "type" | "score">,
): number {
  return ranks[a.type] - ranks[b.type] || b.score - a.score;
}
