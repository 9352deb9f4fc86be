import {BIGINT, BOOLEAN, INTEGER, LIST, VARCHAR} from "@duckdb/node-api";
import type {Database} from "../../../lib/sql/duckdb.ts";
import {wordColumns} from "../staging.ts";
import {noUnitColumn} from "../words/price-unit.ts";
import {fillMap, refuseSharedKeys} from "./map-table.ts";
import {type KnownWords, knownWords, type RowWords} from "./row-words.ts";

type WordGroup = RowWords & {word_key: bigint};

/**
 * Makes `known_words`, the vocabulary of each distinct kind of row by `words_no`, and `word_map`, which gives the
 * `words_no` of each combination of words in the staging rows. Equal meanings have one number, however they are worded.
 */
export async function makeWordMap(db: Database): Promise<void> {
  const groups = await db.rows<WordGroup>(`SELECT * FROM raw_words ORDER BY ${wordColumns.join(", ")}`);
  refuseSharedKeys(groups.map((group) => group.word_key));
  const known = new Map<string, KnownWords & {words_no: number; unit_assumed: boolean}>();
  const keys = groups.map(({word_key, ...words}) => {
    const meaning = {...knownWords(words), unit_assumed: words.price_unit === noUnitColumn};
    const key = JSON.stringify(meaning);
    const entry = known.get(key) ?? {...meaning, words_no: known.size + 1};
    known.set(key, entry);
    return {word_key, words_no: entry.words_no};
  });
  await fillMap(db, "word_map", {word_key: BIGINT, words_no: INTEGER}, keys);
  await fillMap(db, "known_words", knownWordColumns, known.values());
}

const knownWordColumns = {
  words_no: INTEGER,
  commodity: VARCHAR,
  class: VARCHAR,
  frame: VARCHAR,
  muscle_grade: VARCHAR,
  quality_grade: VARCHAR,
  dressing: VARCHAR,
  age_class: VARCHAR,
  pregnancy_stage: VARCHAR,
  offspring_weight: VARCHAR,
  lot_descriptors: LIST(VARCHAR),
  lot_description: VARCHAR,
  price_unit: VARCHAR,
  weight_basis: VARCHAR,
  freight: VARCHAR,
  delivery: VARCHAR,
  region: VARCHAR,
  unit_assumed: BOOLEAN,
  word_reject: VARCHAR,
  word_detail: VARCHAR,
} as const;
