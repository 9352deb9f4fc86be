import {sqlText} from "../../sql/duckdb.ts";
import {givenColumn} from "./field-sql.ts";
import {packSql} from "./packed-text.ts";
import {houseMark, type situsParts, situsQuestion} from "./situs-forms.ts";

/**
 * Gives SQL of the questions for `situsForms`. A plain house number at the beginning of a line is replaced by a mark, so
 * that a street is read only once and not for each of its houses.
 */

const mark = sqlText(houseMark);
/** Longest line with a mark: a longer one is cut at its end, and the cut would depend on the number. */
const longestLine = 280;
const plainNumber = "[1-9][0-9]{0,5}";

/**
 * Gives SQL columns, over the text of the source, of the plain house number at the beginning of a row's line and of the
 * one in its number column.
 */
export function housesGiven(mapped: ReadonlySet<string>): string[] {
  const [line, number] = ["situs_raw", "situs_number"].map(givenColumn) as [string, string];
  const fromLine = `CASE WHEN strlen(${line}) < ${longestLine} THEN regexp_extract(${line}, '^(${plainNumber}) [A-Za-z]', 1) END`;
  const fromNumber = `regexp_full_match(${number}, '${plainNumber}')`;
  return [
    `${mapped.has("situs_raw") ? fromLine : "NULL::VARCHAR"} AS "~line_house"`,
    `${mapped.has("situs_number") ? fromNumber : "NULL::BOOLEAN"} AS "~number_is_house"`,
  ];
}

/** Gives the SQL column of a row's house number over those: it begins the line, and the number column has no other. */
export function houseColumn(mapped: ReadonlySet<string>): string {
  const line = mapped.has("situs_raw") ? '"situs_raw"' : "NULL";
  const number = mapped.has("situs_number") ? '"situs_number"' : "NULL::VARCHAR";
  return `nullif(nullif(CASE WHEN ${line} IS NULL THEN CASE WHEN "~number_is_house" THEN ${number} END
    WHEN ${number} IS NULL OR ${number} = "~line_house" THEN "~line_house" END, ''), '99999') AS "~house"`;
}

/** Gives SQL of the question for `situsForms` over those columns, null for a row without any part. */
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

/** Gives SQL of a question with the house number of its row in the place of the mark. */
export function wholeQuestion(row: string): string {
  return `replace(${row}."~situs", ${mark}, coalesce(${row}."~house", ''))`;
}

/** Gives SQL of a part of the answer, with the house number in the place of a mark. */
export function situsAnswer(part: (typeof situsParts)[number], asked: string): string {
  const hasNumber = part === "situs_number" || part === "situs_number_lo" || part === "situs_number_hi";
  return hasNumber ? `CASE WHEN ${asked} = ${mark} THEN "~house" ELSE ${asked} END` : asked;
}
