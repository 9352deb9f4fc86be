import {Dictionary, Int16, Int32, type Utf8, type Vector, vectorFromArray} from "apache-arrow";
import {type Database, sqlName} from "../../sql/duckdb.ts";
import {textType} from "./columns.ts";

/** The distinct values of a column, sorted by bytes, and how the places among them are stored. */
export type ColumnDictionary = {
  readonly type: Dictionary<Utf8, Int16 | Int32>;
  readonly array: typeof Int16Array | typeof Int32Array;
  readonly dictionary: Vector<Utf8>;
  /** SQL that turns a value into its place, and null into null; null when the value is known. */
  readonly sql: string | null;
  /** Drops what the SQL needs. */
  drop(): Promise<void>;
};

let enums = 0;

/**
 * The dictionary of a column over all rows, or of one known value or null. The caller calls `drop` after reading the codes; `id`
 * must be unique in the file.
 */
export async function columnDictionary(
  db: Database,
  {table, name, known}: {table: string; name: string; known: string | null | undefined},
  id: number,
): Promise<ColumnDictionary> {
  const text = `${sqlName(name)}::VARCHAR`;
  const distinct = `SELECT DISTINCT ${text} AS value FROM ${table} WHERE ${text} IS NOT NULL ORDER BY value`;
  const found = known === undefined ? await db.rows<{value: string}>(distinct) : [{value: known}];
  const words = found.map(({value}) => value).filter((word) => word !== null);
  const [code, array] = words.length <= 2 ** 15 ? [new Int16(), Int16Array] : [new Int32(), Int32Array];
  const stored = {
    type: new Dictionary(textType, code, id, false),
    array,
    dictionary: vectorFromArray(words, textType),
  };
  if (words.length === 0 || known !== undefined)
    return {...stored, sql: known === undefined ? "NULL::SMALLINT" : null, drop: async () => undefined};
  const enumName = sqlName(`arrow_dictionary_${process.pid}_${++enums}`);
  await db.run(`CREATE TYPE ${enumName} AS ENUM (${distinct})`);
  return {
    ...stored,
    sql: `enum_code(${text}::${enumName})::${array === Int16Array ? "SMALLINT" : "INTEGER"}`,
    drop: () => db.run(`DROP TYPE ${enumName}`),
  };
}
