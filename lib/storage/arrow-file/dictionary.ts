import {Dictionary, Int16, Int32, type Utf8, Vector} from "apache-arrow";
import {type Database, sqlName} from "../../sql/duckdb.ts";
import {textData} from "./column-data.ts";
import {textType} from "./columns.ts";
import {noNulls} from "./nulls.ts";

/** The distinct values of a column, sorted by bytes, with the SQL that turns a value into its place among them. */
export type ColumnDictionary = {
  readonly type: Dictionary<Utf8, Int16 | Int32>;
  readonly values: Vector<Utf8>;
  /** SQL of the code as INTEGER; null gives null. */
  readonly codeSql: string;
  readonly codes: Int16ArrayConstructor | Int32ArrayConstructor;
  drop(): Promise<void>;
};

let enums = 0;

/**
 * The dictionary of a column over all rows. The caller calls `drop` after reading the codes; `id` must be unique in the
 * file.
 */
export async function columnDictionary(
  db: Database,
  from: string,
  name: string,
  id: number,
): Promise<ColumnDictionary> {
  const text = `${sqlName(name)}::VARCHAR`;
  const distinct = `SELECT DISTINCT ${text} AS value FROM ${from} WHERE ${text} IS NOT NULL ORDER BY value`;
  const enumName = sqlName(`arrow_dictionary_${process.pid}_${++enums}`);
  const words = (await db.rows<{value: string}>(distinct)).map(({value}) => value);
  if (words.length === 0) return knownDictionary(null, id);
  await db.run(`CREATE TYPE ${enumName} AS ENUM (${distinct})`);
  return {
    ...dictionaryOf(words, id),
    codeSql: `enum_code(${text}::${enumName})::INTEGER`,
    drop: () => db.run(`DROP TYPE ${enumName}`),
  };
}

/** The dictionary of a column whose value in every row is `text`, or null. */
export function knownDictionary(text: string | null, id: number): ColumnDictionary {
  const code = text === null ? "NULL" : "0";
  return {...dictionaryOf(text === null ? [] : [text], id), codeSql: `${code}::INTEGER`, async drop() {}};
}

/** The dictionary of words that are already sorted by bytes. */
export function dictionaryOf(
  words: readonly string[],
  id: number,
): Pick<ColumnDictionary, "type" | "values" | "codes"> {
  const small = words.length <= 2 ** 15;
  return {
    type: new Dictionary(textType, small ? new Int16() : new Int32(), id, false),
    values: textVector(words),
    codes: small ? Int16Array : Int32Array,
  };
}

function textVector(words: readonly string[]): Vector<Utf8> {
  const encoded = words.map((word) => Buffer.from(word, "utf8"));
  const offsets = new Int32Array(words.length + 1);
  encoded.forEach((bytes, i) => {
    offsets[i + 1] = (offsets[i] ?? 0) + bytes.length;
  });
  return new Vector([textData(offsets, new Uint8Array(Buffer.concat(encoded)), noNulls(words.length))]);
}
