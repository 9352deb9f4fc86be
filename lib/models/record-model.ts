import {column, type DescribedColumn, workingType} from "../../schemas/vocabulary/described-file.ts";
import {sqlName} from "../sql/duckdb.ts";
import {appendTypes} from "./append-types.ts";
import {type AnyModel, type Model, model, type Rows, type Run} from "./model.ts";

type RecordDefinition<Name extends string> = {
  name: Name;
  reads?: readonly AnyModel[];
  columns: readonly DescribedColumn[];
  /** SQL of further text columns, computed from the others. */
  more?: Readonly<Record<string, string>>;
  rows: (run: Run) => Rows | Promise<Rows>;
  computedIn?: readonly string[];
};

/**
 * Declares a table of a file whose rows TypeScript computes: `<name>_values` has them as they are appended, nested values as JSON
 * text and money as doubles, and `name` has the types of the file. Money arrives rounded, so DECIMAL columns hold it exactly.
 */
export function recordModel<const Name extends string>({
  name,
  reads = [],
  columns,
  more = {},
  rows,
  ...computed
}: RecordDefinition<Name>): Model<Record<string, unknown>, Name> {
  const structures = columns.filter(({json}) => json).map((structure) => structure.name);
  const values = model({
    name: `${name}_values`,
    reads,
    columns: columns.map((given) => column(given.name, appendedType(workingType(given)), "")),
    rows: async (run) => nestedAsJson(await rows(run), structures),
    ...computed,
  });
  const casts = columns.map(
    (given) => `${sqlName(given.name)}::${workingType(given)} AS ${sqlName(given.name)}`,
  );
  const texts = Object.entries(more).map(([text, sql]) => `${sql} AS ${text}`);
  return model({
    name,
    reads: [values],
    columns: [...columns, ...Object.keys(more).map((text) => column(text, "VARCHAR", ""))],
    materialise: "table",
    sql: () => `SELECT ${[...casts, ...texts].join(", ")} FROM ${name}_values`,
  });
}

function appendedType(type: string): string {
  return type in appendTypes ? type : "DOUBLE";
}

function nestedAsJson(rows: Rows, structures: readonly string[]): Rows {
  return structures.length === 0 ? rows : withJson(rows, structures);
}

async function* withJson(rows: Rows, structures: readonly string[]) {
  for await (const row of rows as AsyncIterable<Record<string, unknown>>) {
    const texts = structures.map((name) => [name, jsonText(row[name])]);
    yield {...row, ...Object.fromEntries(texts)};
  }
}

/** A nested value as JSON text; a text already is. */
export function jsonText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
