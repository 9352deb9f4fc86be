import type {Database} from "../../../lib/sql/duckdb.ts";
import type {YearTable} from "../../../lib/storage/build-layout.ts";
import {instantType} from "../../../schemas/vocabulary/described-file.ts";
import {priceRowColumns, priceValueColumns} from "../../../schemas/vocabulary/price-row.ts";
import {priceRowsSql} from "../normalise/market-rows.ts";

/**
 * Columns that readers filter by. They stay plain text, because plain texts keep narrow min-max bounds, by which readers skip
 * row groups.
 */
const filterColumns = ["issue_id", "report_slug", "venue_id"];

const wordTexts = textsOf(priceValueColumns);
const issueTexts = textsOf(priceRowColumns).filter(
  (name) => !wordTexts.includes(name) && !filterColumns.includes(name),
);

/** SQL: casts instants to the zoned type of the file. The cast calls ICU, so it is done per issue rather than per row. */
const instants = priceRowColumns
  .filter(({type}) => type === instantType)
  .map(({name}) => `${name}::${instantType} AS ${name}`)
  .join(", ");

function textsOf(columns: typeof priceRowColumns): string[] {
  return columns.filter(({type}) => type === "VARCHAR").map(({name}) => name);
}

/**
 * Makes `coded_words` and `coded_issues`: words and issues with texts as ENUM values, with which rows sort and are written as
 * Parquet in a third of the time; columns and values of the file stay the same.
 */
export async function makeCodedTexts(db: Database): Promise<void> {
  await codeTexts(db, {from: "known_words", to: "coded_words", texts: wordTexts});
  const issues = `(SELECT * REPLACE (${instants}), row_number() OVER (ORDER BY issue_id, issue_version) AS place FROM issue_versions)`;
  await codeTexts(db, {from: issues, to: "coded_issues", texts: issueTexts});
}

/**
 * SQL: the rows of a price table in one year, with coded texts; call `makeCodedTexts` first. `place` is the position of the
 * issue version in file order: sorting a million wide rows by one integer takes half as long as by two texts and a number.
 */
export function codedRowsSql(table: YearTable, year: number): string {
  const where = `year(v.report_end_date) = ${year}`;
  return priceRowsSql(table, {words: "coded_words", issues: "coded_issues", more: ["place"], where});
}

type Coding = {from: string; to: string; texts: readonly string[]};

/** Copies the rows of `from` into the table `to`, with some texts as ENUM values, which sort like the texts. */
export async function codeTexts(db: Database, {from, to, texts}: Coding): Promise<void> {
  const typeOf = (text: string) => `${to}_${text}`;
  for (const text of texts) {
    // Sorted, so that the file's dictionaries are reproducible.
    await db.run(`CREATE OR REPLACE TYPE ${typeOf(text)} AS ENUM (
      SELECT DISTINCT ${text} FROM ${from} WHERE ${text} IS NOT NULL ORDER BY ${text})`);
  }
  const coded = texts.map((text) => `${text}::${typeOf(text)} AS ${text}`);
  const replaced = coded.length === 0 ? "" : `REPLACE (${coded.join(", ")})`;
  await db.run(`CREATE OR REPLACE TEMP TABLE ${to} AS SELECT * ${replaced} FROM ${from}`);
}
