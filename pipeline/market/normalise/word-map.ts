import type {Database} from "../../../lib/sql/duckdb.ts";
import {wordColumns} from "../staging.ts";
import {noUnitColumn} from "../words/price-unit.ts";
import {refuseSharedKeys, wordKey} from "./keys.ts";
import {createMapTable} from "./map-table.ts";
import {knownWords, type RowWords} from "./row-words.ts";

type WordGroup = RowWords & {word_key: string};

/**
 * Makes `known_words`, the vocabulary of each distinct kind of row by `words_no`, and `word_map`, which gives the
 * `words_no` of each combination of words in the staging rows. Equal meanings have one number, however they are worded.
 */
export async function makeWordMap(db: Database, tempDir: string): Promise<void> {
  const groups = await db.rows<WordGroup>(
    `SELECT ${wordKey}::VARCHAR AS word_key, ${wordColumns.join(", ")} FROM raw_rows GROUP BY ALL ORDER BY ALL`,
  );
  refuseSharedKeys(groups.map((group) => group.word_key));
  const numbers = new Map<string, number>();
  const keys = groups.map(({word_key, ...words}) => {
    const known = JSON.stringify({...knownWords(words), unit_assumed: words.price_unit === noUnitColumn});
    const words_no = numbers.get(known) ?? numbers.size + 1;
    numbers.set(known, words_no);
    return {word_key, words_no};
  });
  await createMapTable(db, "word_map", {
    columns: {word_key: "UBIGINT", words_no: "INTEGER"},
    values: keys,
    tempDir,
  });
  const values = [...numbers].map(([known, words_no]) => ({words_no, ...(JSON.parse(known) as object)}));
  await createMapTable(db, "known_words", {columns: knownWordColumns, values, tempDir});
}

const knownWordColumns = {
  words_no: "INTEGER",
  commodity: "VARCHAR",
  class: "VARCHAR",
  frame: "VARCHAR",
  muscle_grade: "VARCHAR",
  quality_grade: "VARCHAR",
  dressing: "VARCHAR",
  age_class: "VARCHAR",
  pregnancy_stage: "VARCHAR",
  offspring_weight: "VARCHAR",
  lot_descriptors: "VARCHAR[]",
  lot_description: "VARCHAR",
  price_unit: "VARCHAR",
  weight_basis: "VARCHAR",
  freight: "VARCHAR",
  unit_assumed: "BOOLEAN",
  word_reject: "VARCHAR",
  word_detail: "VARCHAR",
} as const;
