import {addressWords, bySpelling} from "./address-words.ts";
import {directionals, mayFollowNo} from "./directionals.ts";
import {ordinalWords} from "./number-words.ts";
import {streetTypes} from "./street-types.ts";

/** Unit designators of USPS Publication 28, appendix C2, by every accepted spelling; `#` is not included. */
export const unitDesignators: ReadonlyMap<string, string> = new Map(
  addressWords.unitDesignators.flatMap((line) => {
    const spellings = line.split(" ");
    return spellings.map((spelling) => [spelling, spellings[0]!] as const);
  }),
);

/** Designators that need no number. */
export const standaloneUnits = bySpelling(addressWords.standaloneUnits);

/** A parsed unit: the designator (`APT`; null for `#` or without one), the unit, and the index after it. */
export type UnitPart = {
  readonly unitType: string | null;
  readonly unit: string | null;
  readonly next: number;
};

/** Where a unit may be: the end index, and the words that follow a break. */
type Extent = {readonly end: number; readonly breaks: readonly boolean[]};

const ordinalNumber = /^\d{1,3}(?:ST|ND|RD|TH)$/;
const ordinalWord = /^(?:FIRST|SECOND|THIRD|FOURTH|FIFTH|GROUND|MAIN|TOP|LOWER|UPPER)$/;
const bareId = /^(?:\d{1,6}[A-Z]?|[A-Z]{1,2}-?\d{1,4}[A-Z]?|\d{1,4}-?[A-Z]{1,2})$/;
// Condominium units as printed at the end of a line: PA2/4, LPH1S, 318-19, PHB.
const lastId = /^(?=.{0,8}\d)[A-Z0-9]{1,5}(?:[-/][A-Z0-9]{1,5})?$|^[LU]?PH[A-Z]?$/;
const gluedUnit = /^(APT|STE|SUITE|UNIT|LOT|LT|BLDG|SPC)-?(\d[A-Z0-9-]{0,8})$/;
/** What joins a further value to a unit, and such a value: no ordinal, which begins a street. */
const unitJoints: ReadonlyMap<string, string> = new Map([
  ["&", "&"],
  ["AND", "&"],
  ["TO", "TO"],
]);
const furtherValue = /^(?!\d+(?:ST|ND|RD|TH)$)(?:[A-Z-]{0,3}\d[A-Z\d-]*|[A-Z]{1,2})$/;
const hasDigit = /\d/;
const floors: ReadonlySet<string> = new Set(["FLOOR", "FL", "FLR", "LEVEL", "LVL"]);

/**
 * Parses a unit with its designator at `at`, and the further values that `&`, AND or TO join to its own; null when there is
 * none. A name such as TOWER RD is not a unit.
 */
export function unitAt(words: readonly string[], at: number, line: Extent): UnitPart | null {
  return withFurtherValues(words, oneUnitAt(words, at, line), line);
}

function oneUnitAt(words: readonly string[], at: number, line: Extent): UnitPart | null {
  if (at >= line.end) return null;
  const word = words[at]!;
  if (word === "#") return hashUnit(words, at, line);
  if (word === "NO" || word === "NUMBER") {
    const id = words[at + 1];
    // In `OLD NUMBER 6 HIGHWAY` the NUMBER belongs to a road.
    const isRoad = at + 2 < line.end && streetTypes.get(words[at + 2]!)?.strength === "hard";
    return id !== undefined && at + 1 < line.end && mayFollowNo(id) && !isRoad
      ? {unitType: null, unit: id, next: at + 2}
      : null;
  }
  if (at + 1 < line.end && floors.has(words[at + 1]!) && isFloorNumber(word)) {
    const floor = (ordinalWords.get(word) ?? word).replace(/(?<=\d)(?:ST|ND|RD|TH)$/, "");
    return {unitType: "FL", unit: floor, next: at + 2};
  }
  const designator = unitDesignators.get(word);
  if (designator !== undefined) return designatedUnit(words, at, {...line, designator});
  const glued = hasDigit.test(word) ? gluedUnit.exec(word) : null;
  if (glued !== null) return {unitType: unitDesignators.get(glued[1]!)!, unit: glued[2]!, next: at + 1};
  return standaloneAt(words, at, line);
}

/** True for a floor number: `2ND`, SECOND, GROUND. */
export function isFloorNumber(word: string): boolean {
  return ordinalNumber.test(word) || ordinalWord.test(word);
}

/** True for a word that may be a unit without designator after a street: `302`, `PH12`, `34-C`, `B`. */
export function mayBeUnit(word: string): boolean {
  return bareId.test(word) || lastId.test(word) || (word.length === 1 && !directionals.has(word));
}

/**
 * Parses a unit without designator after a complete street (`302`, `C1S`, `B`); null for a word that cannot
 * be one.
 */
export function bareUnitAt(words: readonly string[], at: number, line: Extent): UnitPart | null {
  return withFurtherValues(words, oneBareUnitAt(words, at, line), line);
}

function oneBareUnitAt(words: readonly string[], at: number, line: Extent): UnitPart | null {
  if (at >= line.end) return null;
  const word = words[at]!;
  const last = at + 1 === line.end || line.breaks[at + 1] === true;
  if (bareId.test(word)) return withLetter(words, {unitType: null, unit: word, next: at + 1}, line);
  if (last && lastId.test(word)) return {unitType: null, unit: word, next: at + 1};
  return last && word.length === 1 && !directionals.has(word)
    ? {unitType: null, unit: word, next: at + 1}
    : null;
}

function hashUnit(words: readonly string[], at: number, line: Extent): UnitPart | null {
  const next = words[at + 1];
  if (next === undefined || at + 1 >= line.end) return {unitType: null, unit: null, next: at + 1};
  if (unitDesignators.has(next)) return unitAt(words, at + 1, line);
  return withLetter(words, valueAt(words, at + 1, {...line, unitType: null}), line);
}

function designatedUnit(
  words: readonly string[],
  at: number,
  line: Extent & {readonly designator: string},
): UnitPart | null {
  let id = at + 1;
  if (words[id] === "#" || words[id] === "NO") id++;
  const unit = id < line.end && !(line.breaks[id] && id === at + 1) ? words[id]! : "";
  if (unit === "")
    return line.designator === "FL" ? null : {unitType: line.designator, unit: null, next: at + 1};
  const isLast = id + 1 === line.end || line.breaks[id + 1] === true;
  // Without a digit, MC starts a name: MC NEAL, MC CALL.
  if (line.designator === "MC" && !hasDigit.test(unit)) return null;
  const short = unit.length === 1 || (unit.length === 2 && !directionals.has(unit) && !streetTypes.has(unit));
  if (line.designator === "FL" && /^\d{4}/.test(unit)) return null;
  // As the last part of a line, STE and a word are a town: STE ANNE.
  const isSaint = words[at] === "STE" && line.breaks[at] === true && unit.length > 2 && !hasDigit.test(unit);
  if (isSaint && id + 1 === line.end) return null;
  const isLettered = /^[A-Z]{1,4}$/.test(unit) && /^\d{1,4}[A-Z]?$/.test(words[id + 1] ?? "") && !isLast;
  if (isLettered && streetTypes.get(words[id + 2] ?? "")?.strength !== "hard")
    return valueAt(words, id, {...line, unitType: line.designator});
  if (!hasDigit.test(unit) && !short && !(isLast && unit.length <= 5 && !streetTypes.has(unit))) return null;
  return withLetter(words, valueAt(words, id, {...line, unitType: line.designator}), line);
}

/** The value of a unit: one word, or up to four letters and a word with a digit (`P 24`, `RES 1`). */
function valueAt(
  words: readonly string[],
  at: number,
  {end, breaks, unitType}: Extent & {readonly unitType: string | null},
): UnitPart {
  const next = at + 1 < end && breaks[at + 1] !== true ? words[at + 1]! : "";
  const isTwoWords = /^[A-Z]{1,4}$/.test(words[at]!) && /^\d{1,4}[A-Z]?$/.test(next);
  const unit = isTwoWords ? words[at]! + next : words[at]!.replace(/^([A-Z]{1,4})-(?=\d{1,4}[A-Z]?$)/, "$1");
  return {unitType, unit, next: at + (isTwoWords ? 2 : 1)};
}

/** The unit of a printed text: `REAR`, `# 5`, `TOWER`. */
export function unitOf(text: string): Pick<UnitPart, "unitType" | "unit"> {
  const words = text.replace(/^#/, "# ").split(" ");
  const part = unitAt(words, 0, {end: words.length, breaks: []});
  return part === null || (part.unit === null && part.unitType === null)
    ? {unitType: null, unit: text}
    : {unitType: part.unitType, unit: part.unit};
}

/** Appends the letter of `20 C` to the unit when it ends its segment. */
function withLetter(words: readonly string[], part: UnitPart, line: Extent): UnitPart {
  const letter = part.next < line.end && !line.breaks[part.next] ? words[part.next]! : "";
  const after = part.next + 1;
  const isLast = after === line.end || line.breaks[after] === true;
  if (!/^[A-Z]$/.test(letter) || !isLast || !/^\d+$/.test(part.unit ?? "")) return part;
  return {...part, unit: `${part.unit}${letter}`, next: after};
}

/**
 * Adds the values of `APT 1 & 2`, `APT 1 AND APT 2` and `UNIT 1 TO 4`, behind which the segment ends or a further unit follows; a word
 * behind them shows a street.
 */
function withFurtherValues(
  words: readonly string[],
  part: UnitPart | null,
  {end, breaks}: Extent,
): UnitPart | null {
  if (part === null || part.unit === null) return part;
  const joint = part.next < end && !breaks[part.next] ? unitJoints.get(words[part.next]!) : undefined;
  if (joint === undefined) return part;
  const first = words[part.next + 1] ?? "";
  const isRepeated =
    first === "#" || (part.unitType !== null && unitDesignators.get(first) === part.unitType);
  const at = part.next + (isRepeated ? 2 : 1);
  const after = at + 1;
  const isLast =
    after >= end || breaks[after] || unitJoints.has(words[after]!) || unitDesignators.has(words[after]!);
  if (at >= end || breaks[at] || !isLast || !furtherValue.test(words[at]!)) return part;
  const unit = `${part.unit} ${joint} ${words[at]}`;
  return withFurtherValues(words, {...part, unit, next: after}, {end, breaks});
}

function standaloneAt(words: readonly string[], at: number, line: Extent): UnitPart | null {
  const unitType = standaloneUnits.get(words[at]!);
  if (unitType === undefined) return null;
  const next = at + 1;
  if (next === line.end || line.breaks[next] || words[next] === "#") return {unitType, unit: null, next};
  const id = words[next]!;
  if (unitType === "PH" && (hasDigit.test(id) || id.length === 1))
    return {unitType, unit: id, next: next + 1};
  return null;
}
