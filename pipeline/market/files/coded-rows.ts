import type {Database} from "../../../lib/sql/duckdb.ts";
import type {YearTable} from "../../../lib/storage/build-layout.ts";
import {instantType} from "../../../schemas/described-file.ts";
import {priceRowColumns, priceValueColumns} from "../../../schemas/price-row.ts";
import {priceRowsSql} from "../normalise/market-rows.ts";

/** Texts that readers filter by: as plain text they keep narrow bounds in each row group, so that others are skipped. */
const filteredBy = ["issue_id", "report_slug", "venue_id"];

const wordTexts = textsOf(priceValueColumns);
const issueTexts = textsOf(priceRowColumns).filter(
  (name) => !wordTexts.includes(name) && !filteredBy.includes(name),
);

/** SQL of instants with the zone that the file has: to make one takes a call of ICU, which is for issues and not for rows. */
const instants = priceRowColumns
  .filter(({type}) => type === instantType)
  .map(({name}) => `${name}::${instantType} AS ${name}`)
  .join(", ");

function textsOf(columns: typeof priceRowColumns): string[] {
  return columns.filter(({type}) => type === "VARCHAR").map(({name}) => name);
}

/**
 * Makes `coded_words` and `coded_issues`: the vocabulary and the issues with their texts as ENUM values. Rows that take
 * their texts from there sort and are written as Parquet in a third of the time; the file has the same columns and values.
 */
export async function makeCodedTexts(db: Database): Promise<void> {
  await codeTexts(db, {from: "known_words", to: "coded_words", texts: wordTexts});
  const issues = `(SELECT * REPLACE (${instants}), row_number() OVER (ORDER BY issue_id, issue_version) AS place FROM issue_versions)`;
  await codeTexts(db, {from: issues, to: "coded_issues", texts: issueTexts});
}

/**
 * SQL of the rows of a price table in one year, with coded texts; wants `makeCodedTexts` before. `place` is that of the row's issue version in
 * the order of the file: a million wide rows sort by a whole number in half the time that the two texts and the number take.
 */
export function codedRowsSql(table: YearTable, year: number): string {
  const where = `year(v.report_end_date) = ${year}`;
  return priceRowsSql(table, {words: "coded_words", issues: "coded_issues", more: ["place"], where});
}

type Coding = {from: string; to: string; texts: readonly string[]};

/** Makes the table `to` of the rows of `from`, with some texts as ENUM values, which order as the texts do. */
export async function codeTexts(db: Database, {from, to, texts}: Coding): Promise<void> {
  const typeOf = (text: string) => `${to}_${text}`;
  for (const text of texts) {
    // Sorted, so that the dictionaries in the file are the same in each run.
    await db.run(`CREATE OR REPLACE TYPE ${typeOf(text)} AS ENUM (
      SELECT DISTINCT ${text} FROM ${from} WHERE ${text} IS NOT NULL ORDER BY ${text})`);
  }
  const coded = texts.map((text) => `${text}::${typeOf(text)} AS ${text}`);
  const replaced = coded.length === 0 ? "" : `REPLACE (${coded.join(", ")})`;
  await db.run(`CREATE OR REPLACE TEMP TABLE ${to} AS SELECT * ${replaced} FROM ${from}`);
}
