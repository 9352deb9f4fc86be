import {parseAddress} from "../address/parse-address.ts";
import type {AddressContext, ParsedAddress} from "../address/parsed-address.ts";
import {stateOfZip} from "../address/state-names.ts";
import {nullText} from "../null-text.ts";
import {pack, partSeparator, unpack} from "./packed-text.ts";

/** Parts of a packed answer of `mailForms`. */
export const mailParts = ["mail_line1", "mail_city", "mail_state", "mail_zip"] as const;

/** Columns of the parts of a street, which a source may fill and a line is read into. */
const streetColumns = [
  "situs_number",
  "situs_fraction",
  "situs_pre",
  "situs_name",
  "situs_type",
  "situs_post",
  "situs_unit_type",
  "situs_unit",
] as const;
const placeColumns = ["city", "zip", "zip_plus_four"] as const;

/** Parts of a packed question of `situsForms`: columns that a source may fill, then the county key. */
export const situsQuestion = ["situs_raw", ...streetColumns, ...placeColumns, "county"] as const;

/** Parts of a packed answer of `situsForms`; `state` is the state of the line, else that of the ZIP. */
export const situsParts = [
  ...streetColumns,
  ...placeColumns,
  "situs_number_lo",
  "situs_number_hi",
  "situs_status",
  "state",
] as const;

/** Mark in a question, and in its answer, for the plain house number of many rows. */
export const houseMark = "\u001d";

/** House numbers that are tried for the mark: an address that reads alike with all of them does so with any. */
const sampleHouses = ["7", "48", "48211"];

type SitusCells = Record<(typeof situsQuestion)[number], string | null>;

/**
 * Reads the address of a question, which may have `houseMark` in the place of its house number. Null when the answer
 * depends on the number: the question has to be repeated with the number.
 */
export function situsForms(packed: string, context: AddressContext): string | null {
  if (!packed.includes(houseMark)) return situsAddress(packed, context);
  const answers = sampleHouses.map((house) =>
    marked(situsAddress(packed.replaceAll(houseMark, house), context), house),
  );
  const [first = null] = answers;
  return answers.every((answer) => answer === first) ? first : null;
}

/** Puts the mark in the place of the house number in an answer; null when the number that was read is not just that one. */
function marked(answer: string, house: string): string | null {
  const parts = answer.split(partSeparator);
  for (const name of houseParts) {
    const at = situsParts.indexOf(name);
    if (parts[at] !== house) return null;
    parts[at] = houseMark;
  }
  return parts.join(partSeparator);
}

const houseParts = ["situs_number", "situs_number_lo", "situs_number_hi"] as const;

/**
 * Reads the address of a row from its line and its parts: from a packed text of `situsQuestion` it gives one of
 * `situsParts`. Parts, city and ZIP of the source count before those of the line (`docs/design/parcels.md` section 5.2).
 */
function situsAddress(packed: string, context: AddressContext): string {
  const values = unpack(packed);
  const cells = Object.fromEntries(situsQuestion.map((name, i) => [name, values[i] ?? null])) as SitusCells;
  const inCounty = {...context, county: cells.county};
  const line = parseAddress(cells.situs_raw ?? "", inCounty);
  const street = nullText(cells.situs_name) === null ? line : streetOf(cells, line, inCounty);
  const numberLo = street.numberLo;
  const zip = cells.zip ?? line.zip;
  return pack([
    street.number,
    street.fraction,
    street.pre,
    street.name,
    street.type,
    street.post,
    street.unitType,
    street.unit,
    (cells.city ?? line.city)?.toUpperCase() ?? null,
    zip,
    cells.zip_plus_four ?? (cells.zip === null || cells.zip === line.zip ? nineDigits(line) : null),
    numberLo,
    street.numberHi ?? numberLo,
    street.status,
    line.state ?? (zip === null ? null : stateOfZip(zip)),
  ]);
}

/** Gives the ZIP and the four digits after it; null when there are no such digits, or zeros. */
function nineDigits({zip, zipPlusFour}: ParsedAddress): string | null {
  const four = zipPlusFour?.slice(-4);
  return zip === null || four === undefined || four === "0000" ? null : `${zip}-${four}`;
}

/**
 * Reads the parts as one line like any other, so that the row's key form is that of a query; the line adds parts that are
 * missing if it is on the same street.
 */
function streetOf(cells: SitusCells, line: ParsedAddress, context: AddressContext): ParsedAddress {
  const unitType = nullText(cells.situs_unit) === null ? null : (nullText(cells.situs_unit_type) ?? "#");
  const text = streetColumns
    .map((name) => (name === "situs_unit_type" ? unitType : nullText(cells[name])))
    .filter((part) => part !== null)
    .join(" ");
  const parsed = parseAddress(`${text},`, {...context, isKnownPlace: () => false});
  const sameStreet = parsed.number === line.number && parsed.name === line.name;
  if (!sameStreet) return parsed;
  return {
    ...parsed,
    numberHi: parsed.numberHi ?? line.numberHi,
    fraction: parsed.fraction ?? line.fraction,
    pre: parsed.pre ?? line.pre,
    type: parsed.type ?? line.type,
    post: parsed.post ?? line.post,
    unitType: parsed.unitType ?? line.unitType,
    unit: parsed.unit ?? line.unit,
  };
}

/**
 * Reads a mailing address from its published lines, which are separated by line feeds: a last line that ends in a state or
 * ZIP becomes city, state and ZIP, the others are joined. Gives a packed text of `mailParts`.
 */
export function mailForms(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const last = lines.at(-1) ?? "";
  const place = parseAddress(`, ${last}`);
  const isPlace = lines.length > 1 && place.city !== null && (place.state !== null || place.zip !== null);
  if (!isPlace) return pack([lines.join(", "), null, null, null]);
  return pack([lines.slice(0, -1).join(", "), place.city, place.state, place.zip]);
}
