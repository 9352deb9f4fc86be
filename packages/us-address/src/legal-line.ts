const quarterSection =
  /^(?:[NSEW]{1,2}|E1\/2|W1\/2|N1\/2|S1\/2)\s?\d{1,2}-\d{1,3}-\d{1,2}(?:[EW]|WPM|EPM)?[A-Z]?\b/;
const lotBlockPlan = /^[A-Z0-9]{0,6}-[A-Z0-9]{0,6}-[A-Z0-9]{1,8}(?:\b|$)/;
const township =
  /\b(?:T\s?\d{1,3}\s?[NS]\b.{0,12}\bR\s?\d{1,3}\s?[EW]|SEC(?:TION)?\s\d{1,2}\b.{0,12}\b(?:T|TWP|TOWNSHIP)\s?\d)/;
const quarterWords = /^(?:(?:[NSEW]{1,2})\s?(?:1\/4|1\/2)\s?){1,4}(?:OF\b|SEC|\d{1,2}\b)/;
const lotWords =
  /^(?:LOTS?|LT|BLK|BLOCK|PLAN|PARCEL|TRACT|SEC|SECTION)\s#?[A-Z0-9-]{1,8}\b.{0,40}\b(?:BLK|BLOCK|PLAN|SEC|SECTION|TRACT|ADDN?|SUBD?|LOT|TWP|RL)\b/;
const riverLot = /^(?:RL|OTL|PARISH LOT|WHL)\s?\d/;
/** Forms with a digit that begin with a letter. */
const letterForms = [quarterSection, riverLot, lotWords, quarterWords];
const hasDigit = /\d/;
const beginsWithDigit = /^\d/;

/** The side or corner of a street in front of a line: WS LEVIN RD is its west side. */
const sideFirst = /^(?:NS|SS|ES|WS|NES|NWS|SES|SWS)\s+\S/;
const placeFirst = /^(?:AT A POINT|(?:[NS][EW]\s)?COR(?:NER)? OF|OFF(?: OF)?|BETWEEN)\s+\S/;
/** A measure and where it leads: `135 FT N OF`, `0.25 MI N OF`. */
const measure =
  /(?:^|[\s*])\d*\.?\d+\s?(?:FT|FEET|FOOT|MI|MILES?|YDS?|YARDS?|RODS?)\.?\s(?:DUE\s)?(?:[NSEW]{1,2}|NORTH\w*|SOUTH\w*|EAST\w*|WEST\w*)\.?\s(?:OF|FROM|OFF|TO)\b/;

/**
 * True when a situs line is a legal description instead of an address: quarter-section (`SE17-19-10W`),
 * lot-block-plan (`1-2-7542`, `A--65576`), `DESC` and survey notation, or a line that says where ground lies
 * (`WS LEVIN RD 135 FT N OF MEADOW RD`, `OFF COUNTY ROAD 12`). The line must be upper case and trimmed.
 */
export function isLegalLine(line: string): boolean {
  // Most lines begin with a house number, and most of the forms with a letter.
  if (!beginsWithDigit.test(line)) {
    if (isPlaceDescribed(line)) return true;
    if (!hasDigit.test(line)) return false;
    if (letterForms.some((form) => form.test(line))) return true;
  }
  if (lotBlockPlan.test(line) && !/^\S+\s+\S*[A-Z]{3}/.test(line)) return true;
  return measure.test(line) || township.test(line);
}

function isPlaceDescribed(line: string): boolean {
  return /^DESC\b/.test(line) || line.startsWith("**") || placeFirst.test(line) || sideFirst.test(line);
}
