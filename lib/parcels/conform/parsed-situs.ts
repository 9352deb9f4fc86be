import {
  type AddressContext,
  addressesIn,
  type ParsedAddress,
  parseAddress,
  stateOfZip,
  streetColumns,
  wordsOfNoTown,
} from "@open-cattle/us-address";
import {sqlText} from "../../sql/duckdb.ts";
import {nullText} from "../../text/null-text.ts";
import {isPlaceOf} from "../place/postal-places.ts";
import {memberSeparator, pack, packSql, partSeparator, unpack} from "./packed-text.ts";
import {givenColumn} from "./transforms.ts";

/**
 * Builds the questions for `parsedSitus` in SQL. A plain house number at the beginning of a line is replaced
 * by a mark, so that a street is parsed once and not for each of its houses.
 */

/**
 * Maximum length of a line with a mark. Longer lines are truncated, and where would depend on the length of
 * the number.
 */
const longestLine = 280;
const plainNumber = "[1-9][0-9]{0,5}";

const placeColumns = ["city", "zip", "zip_plus_four"] as const;

/** Parts of a packed question for `parsedSitus`: columns that a source may fill, then the county key. */
export const situsQuestion = ["situs_raw", ...streetColumns, ...placeColumns, "county"] as const;

/**
 * Parts of a packed answer of `parsedSitus`; `state` is that of the line, else that of the ZIP, `unread` is 1
 * for a line of which words are left over, and `alt_situs` are the other addresses in the line.
 */
export const situsParts = [
  ...streetColumns,
  ...placeColumns,
  "situs_number_lo",
  "situs_number_hi",
  "situs_status",
  "state",
  "unread",
  "alt_situs",
] as const;

/** Stands for a plain house number, in a question and in its answer. */
export const houseMark = "\u001d";
const mark = sqlText(houseMark);

/**
 * House numbers substituted for the mark: if an address parses alike with all of them, it does so with any
 * number.
 */
const sampleHouses = ["7", "48", "48211"];

type SitusCells = Record<(typeof situsQuestion)[number], string | null>;

/**
 * Parses the address of a question, which may contain `houseMark` instead of its house number. Null when the
 * answer depends on the number: ask again with the number.
 */
export function parsedSitus(packed: string, context: AddressContext): string | null {
  if (!packed.includes(houseMark)) return situsAddress(packed, context);
  const answers = sampleHouses.map((house) =>
    marked(situsAddress(packed.replaceAll(houseMark, house), context), house),
  );
  const [first = null] = answers;
  return answers.every((answer) => answer === first) ? first : null;
}

/**
 * Puts the mark in place of the house number in an answer; null when the number was not read exactly as
 * given.
 */
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
 * Parses a row's address from its line and its parts: from packed `situsQuestion` to packed `situsParts`.
 * Parts, city and ZIP of the source take precedence over those of the line (`docs/design/parcels.md` section
 * 5.2).
 */
function situsAddress(packed: string, context: AddressContext): string {
  const values = unpack(packed);
  const given = Object.fromEntries(situsQuestion.map((name, i) => [name, values[i] ?? null])) as SitusCells;
  const cells = {...given, zip: wholeZip(given.zip, context.state)};
  const inCounty = {...context, county: cells.county};
  const [first = "", ...others] = addressesIn(cells.situs_raw ?? "");
  const line = parseAddress(first, inCounty);
  const street = nullText(cells.situs_name) === null ? line : streetOf(cells, line, inCounty);
  const numberLo = street.numberLo;
  const zip = cells.zip ?? line.zip;
  // As in a question, the row's state or ZIP behind the words shows that they are its town, unless it has another.
  const isPlaced = stateOfLine(line) === context.state && townOf(cells.city) === null;
  const noTown = wordsOfNoTown(
    line,
    townOf(cells.city),
    (city) => isPlaced || isPlaceOf(context.state, city),
  );
  return pack([
    street.number,
    street.fraction,
    street.pre,
    street.name,
    street.type,
    street.post,
    street.unitType,
    street.unit,
    (townOf(cells.city) ?? (noTown.length > 0 ? null : line.city))?.toUpperCase() ?? null,
    zip,
    cells.zip_plus_four ?? (cells.zip === null || cells.zip === line.zip ? nineDigits(line) : null),
    numberLo,
    street.numberHi ?? numberLo,
    street.status,
    line.state ?? (zip === null ? null : stateOfZip(zip)),
    line.status === "numbered" && line.dropped + noTown.length > 0 ? "1" : null,
    others.map((other) => printedWithTown(other, cells)).join(memberSeparator),
  ]);
}

function stateOfLine({state, zip}: ParsedAddress): string | null {
  return state ?? (zip === null ? null : stateOfZip(zip));
}

/** A further address of a line, with the town and ZIP of the row. */
function printedWithTown(line: string, {city, zip}: SitusCells): string {
  const town = city === null || line.toUpperCase().includes(city.toUpperCase()) ? null : city;
  const place = [town, zip].filter((part) => part !== null).join(" ");
  return [line.trim(), place].filter((part) => part !== "").join(", ");
}

/** A town has letters in its name; a number instead of it is a code of the county's. */
function townOf(cell: string | null): string | null {
  return cell !== null && /\p{L}/u.test(cell) ? cell : null;
}

/** A ZIP that lost its first zero in a column of numbers has it again if it is one of the state; null for other four digits. */
function wholeZip(zip: string | null, state: string | null | undefined): string | null {
  if (zip?.length !== 4) return zip;
  return stateOfZip(`0${zip}`) === state ? `0${zip}` : null;
}

/** The ZIP with its four extra digits; null when they are missing or zeros. */
function nineDigits({zip, zipPlusFour}: ParsedAddress): string | null {
  const four = zipPlusFour?.slice(-4);
  return zip === null || four === undefined || four === "0000" ? null : `${zip}-${four}`;
}

/**
 * Parses the parts as if they were one line, so that the row is normalised like a query; the row's line
 * contributes missing parts if it is on the same street.
 */
function streetOf(cells: SitusCells, line: ParsedAddress, context: AddressContext): ParsedAddress {
  const unitType = nullText(cells.situs_unit) === null ? null : (nullText(cells.situs_unit_type) ?? "#");
  const partOf = (name: (typeof streetColumns)[number]) => {
    if (name === "situs_unit_type") return unitType;
    // A number stored as a float is printed 105.0.
    return name === "situs_number"
      ? (nullText(cells[name])?.replace(/^(\d+)\.0+$/, "$1") ?? null)
      : nullText(cells[name]);
  };
  const text = streetColumns
    .map(partOf)
    .filter((part) => part !== null)
    .join(" ");
  const parsed = parseAddress(`${text},`, {...context, isKnownPlace: () => false});
  const {number, numberLo, status} = line;
  // Without a number of its own the street has that of the line.
  const isOfLine = parsed.number === null && (cells.situs_number ?? "").trim() === "" && number !== null;
  const sameStreet = (parsed.number === number || isOfLine) && parsed.name === line.name;
  if (!sameStreet) return parsed;
  return {
    ...parsed,
    ...(isOfLine ? {number, numberLo, status} : {}),
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
 * SQL columns over the source text: the plain house number at the beginning of a row's line, and whether its
 * number column holds one.
 */
export function houseCells(mapped: ReadonlySet<string>): string[] {
  const [line, number] = ["situs_raw", "situs_number"].map(givenColumn) as [string, string];
  const fromLine = `CASE WHEN strlen(${line}) < ${longestLine} THEN regexp_extract(${line}, '^(${plainNumber}) [A-Za-z]', 1) END`;
  const fromNumber = `regexp_full_match(${number}, '${plainNumber}')`;
  return [
    `${mapped.has("situs_raw") ? fromLine : "NULL::VARCHAR"} AS "~line_house"`,
    `${mapped.has("situs_number") ? fromNumber : "NULL::BOOLEAN"} AS "~number_is_house"`,
  ];
}

/**
 * The SQL column of a row's house number over those: it begins the line, and the number column does not
 * contradict it.
 */
export function houseColumn(mapped: ReadonlySet<string>): string {
  const line = mapped.has("situs_raw") ? '"situs_raw"' : "NULL";
  const number = mapped.has("situs_number") ? '"situs_number"' : "NULL::VARCHAR";
  return `nullif(nullif(CASE WHEN ${line} IS NULL THEN CASE WHEN "~number_is_house" THEN ${number} END
    WHEN ${number} IS NULL OR ${number} = "~line_house" THEN "~line_house" END, ''), '99999') AS "~house"`;
}

/** SQL for the question of `parsedSitus` over those columns; null for a row without any part. */
export function situsSql(mapped: ReadonlySet<string>): string {
  const part = (name: string) => {
    if (name === "county") return `"~county_cell"`;
    if (!mapped.has(name)) return "NULL::VARCHAR";
    if (name === "city") return `upper("city")`;
    if (name === "zip") return `zip5_text("zip")`;
    if (name === "zip_plus_four") return `zip9_text("zip_plus_four")`;
    if (name === "situs_number")
      return `CASE WHEN "situs_number" = "~house" THEN ${mark} ELSE "situs_number" END`;
    return name === "situs_raw"
      ? `CASE WHEN "~house" IS NULL THEN "situs_raw" ELSE ${mark} || substr("situs_raw", strlen("~house") + 1) END`
      : `"${name}"`;
  };
  const given = situsQuestion
    .filter((name) => name !== "county" && mapped.has(name))
    .map((name) => `"${name}"`);
  if (given.length === 0) return "NULL::VARCHAR";
  return `CASE WHEN coalesce(${given.join(", ")}) IS NOT NULL THEN ${packSql(situsQuestion.map(part))} END`;
}

/** SQL for a question in which the mark is replaced by the row's house number. */
export function questionWithNumber(row: string): string {
  return `replace(${row}."~situs", ${mark}, coalesce(${row}."~house", ''))`;
}

/** SQL for a part of the answer, with a mark replaced by the house number. */
export function situsAnswer(part: (typeof situsParts)[number], asked: string): string {
  const hasNumber = part === "situs_number" || part === "situs_number_lo" || part === "situs_number_hi";
  return hasNumber ? `CASE WHEN ${asked} = ${mark} THEN "~house" ELSE ${asked} END` : asked;
}
