import {directionals} from "./directionals.ts";
import {countedWords, ordinal} from "./number-words.ts";
import {isRoadWord} from "./numbered-road.ts";
import {streetTypes} from "./street-types.ts";

const largestStep = 100;
/** Finds the signs by which a house number may stand in several words (`12 - 14`, `218 1/2`); a line without them has nothing to join. */
const mayBeApart = /[-&#([]| AND |\d \d|\d (?:ST|ND|RD|TH) |^\d+ ?(?:,|TO |THR)/;

/** The high end of the range `low`-`high`, of which `high` may lack leading digits; null where it is no range. */
export function rangeEnd(low: string, high: string): number | null {
  const hi = nearNumber(low, high);
  return hi !== null && (hi - Number(low)) % 2 === 0 ? hi : null;
}

/** The number `high`, completed by the leading digits of `low`; null where it is not a little higher. */
function nearNumber(low: string, high: string): number | null {
  const whole = high.length < low.length ? low.slice(0, low.length - high.length) + high : high;
  const [lo, hi] = [Number(low), Number(whole)];
  return hi > lo && hi - lo <= largestStep ? hi : null;
}

/** A line whose house number stands in one word, with what stood around it. */
type NumberFirst = {readonly line: string; readonly unit: string | null; readonly secondLeftOut: boolean};

/**
 * Writes the house number of a line as one word: ranges printed with blanks, `&` or at the end, and ordinals in
 * two words. A unit that a separator or brackets set apart from the number is taken out.
 */
export function numberFirst(printed: string, isHyphenated: boolean): NumberFirst {
  if (!mayBeApart.test(printed)) return {line: printed, unit: null, secondLeftOut: false};
  const front = isHyphenated ? {line: printed, unit: null} : withoutUnit(printed);
  const listed = isHyphenated ? front.line : joinedNumbers(front.line);
  const ranged = pairedRange(endRange(spacedRange(listed)));
  const single = withoutSecondNumber(ranged);
  return {line: spacedOrdinal(single), unit: front.unit, secondLeftOut: single !== ranged};
}

/**
 * Takes out a unit before the number (`#207-1104 OAK ST`, `207 - 1104 OAK ST`) or in brackets behind it
 * (`1010 (TOWER) N OAK ST`).
 */
function withoutUnit(line: string): {line: string; unit: string | null} {
  const hash = /^#\s?([A-Z]?\d{1,5}[A-Z]?)\s?-\s?(\d{1,7}[A-Z]? .*)$/.exec(line);
  if (hash !== null) return {line: hash[2]!, unit: hash[1]!};
  const apart = /^(\d{1,5}[A-Z]?) - (\d{1,7})( [A-Z0-9].*)$/.exec(line);
  if (apart !== null && rangeEnd(apart[1]!, apart[2]!) === null)
    return {line: apart[2]! + apart[3]!, unit: apart[1]!};
  const bracket = /^(\d{1,7}[A-Z]?) ?[([] ?([A-Z0-9#][A-Z0-9 #-]{0,11}?) ?[)\]] (.*)$/.exec(line);
  return bracket === null ? {line, unit: null} : {line: `${bracket[1]} ${bracket[3]}`, unit: bracket[2]!};
}

/**
 * Writes `&` between the numbers of `101,103 MAIN ST` and `100 TO 104 MAIN ST`; in `101, 103 ST`, `12,450 MAIN ST` and
 * `2410, 16 MILE RD` they are not two houses of one street. Only `8143,45`, without a blank, leaves out digits.
 */
function joinedNumbers(line: string): string {
  const [list = "", word = "", next] =
    /^\d{1,7}(?:(?: ?, ?| (?:&|AND|TO|THRU|THROUGH) )\d{1,7})+(?= ([A-Z]+|\d+(?:ST|ND|RD|TH)\b)\.?(?: ([A-Z0-9]+))?)/.exec(
      line,
    ) ?? [];
  const numbers = list.split(/\D+/);
  const isName =
    streetTypes.get(word)?.strength !== "hard" ||
    (word === "ST" && !directionals.has(next ?? "")) ||
    (isRoadWord(word) && /^\d/.test(next ?? ""));
  const isStreet = isName && (next !== undefined || (!streetTypes.has(word) && !directionals.has(word)));
  const areNear = numbers.slice(1).every((number) => nearNumber(numbers[0]!, number) !== null);
  const isShort = list.includes(", ") && numbers.some((number) => number.length < numbers[0]!.length);
  const isOfName = isShort || (list.includes(",") && countedWords.has(word));
  return isStreet && areNear && !isOfName ? numbers.join(" & ") + line.slice(list.length) : line;
}

/** Joins a range with a spaced separator (`123 - 125 MAIN ST`, `10 & 12 MAIN ST`). */
function spacedRange(line: string): string {
  return line.replace(
    /^(\d{1,7}) (-|&|AND) (\d{1,7}) (?=\D|\d+(?:ST|ND|RD|TH)\b)/,
    (text, low: string, mark: string, high: string) =>
      mark === "-" || rangeEnd(low, high) !== null ? `${low}-${high} ` : text,
  );
}

/** Joins a range whose second number ends the street: `114 MAIN ST & 116`. */
function endRange(line: string): string {
  return line.replace(
    /^(\d{1,7}) ([^,;&]*[A-Z]) (?:&|AND) (\d{1,7})(?=,|$)/,
    (text, low: string, street: string, high: string) =>
      rangeEnd(low, high) === null ? text : `${low}-${high} ${street}`,
  );
}

/** Joins a range printed as two numbers: `118 120 MAIN ST`, but not `118 120 EAST` and `118 120 AVE`. */
function pairedRange(line: string): string {
  return line.replace(
    /^(\d{2,7}) (\d{2,7}) (?=([A-Z]+)\.?(?: ([A-Z0-9]+))?)/,
    (text, low: string, high: string, word: string, next: string | undefined) => {
      const isName = !directionals.has(word) && !streetTypes.has(word);
      const isStreet = isName || (directionals.has(word) && next !== undefined && !streetTypes.has(next));
      const isRange = low.length <= high.length && rangeEnd(low, high) !== null;
      return isRange && isStreet && next !== undefined ? `${low}-${high} ` : text;
    },
  );
}

/** Drops further numbers after the first one or a range (`10 & 13 MAIN ST`, `10 & 12 & 14 MAIN ST`). */
function withoutSecondNumber(line: string): string {
  return line.replace(/^(\d{1,7}(?:-\d{1,7})?)(?: (?:&|AND) \d{1,7})+ (?=(?:[NESW] )?[A-Z]{2})/, "$1 ");
}

/** Joins an ordinal printed as two words before a type: `12 E 42 ND ST`. */
function spacedOrdinal(line: string): string {
  return line.replace(
    /(?<= )(\d{1,3}) (ST|ND|RD|TH) (?=([A-Z]+))/g,
    (text, number: string, end: string, next: string) => {
      const strength = streetTypes.get(next)?.strength;
      const isOrdinal = ordinal(Number(number)) === number + end;
      return isOrdinal && (strength === "hard" || strength === "strong") ? `${number}${end} ` : text;
    },
  );
}
