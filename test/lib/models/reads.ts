import {type AnyModel, columnTypes, type Run} from "../../../lib/models/model.ts";
import type {ModelRun} from "../../../lib/models/model-run.ts";
import {type Database, sqlName, sqlText} from "../../../lib/sql/duckdb.ts";

/** The names of tables and of common table expressions in a parsed statement. */
function namesIn(node: unknown, tables: Set<string>, expressions: Set<string>): void {
  if (Array.isArray(node)) for (const item of node) namesIn(item, tables, expressions);
  if (typeof node !== "object" || node === null || Array.isArray(node)) return;
  const {type, table_name, cte_map} = node as Record<string, unknown>;
  if (type === "BASE_TABLE") tables.add(String(table_name));
  for (const {key} of (cte_map as {map?: {key: string}[]} | undefined)?.map ?? []) expressions.add(key);
  for (const member of Object.values(node)) namesIn(member, tables, expressions);
}

/** Compares the models that statements read with those that a model declares. */
async function differencesOf(
  db: Database,
  {name, reads, nothingWithout}: AnyModel,
  {statements, modelNames}: {statements: readonly string[]; modelNames: ReadonlySet<string>},
): Promise<string[]> {
  const differences: string[] = [];
  const real = new Set<string>();
  for (const sql of statements) {
    const [parsed] = await db.rows<{tree: string}>(
      `SELECT json_serialize_sql(${sqlText(sql)})::VARCHAR AS tree`,
    );
    const tree = JSON.parse(parsed!.tree) as {error: boolean; error_message?: string};
    if (tree.error) differences.push(`${name}: ${tree.error_message}`);
    const [tables, expressions] = [new Set<string>(), new Set<string>()];
    namesIn(tree, tables, expressions);
    for (const table of tables) if (!expressions.has(table) && modelNames.has(table)) real.add(table);
  }
  const declared = new Set(reads.map((read) => read.name));
  for (const read of real) if (!declared.has(read)) differences.push(`${name} does not declare ${read}`);
  for (const read of declared)
    if (!real.has(read) && read !== nothingWithout?.name) differences.push(`${name} never reads ${read}`);
  return differences;
}

/** A handle of the same object that notes each statement which its methods get. */
function noting<Handle extends object>(handle: Handle, statements: string[]): Handle {
  return new Proxy(handle, {
    get(target, key) {
      const member = Reflect.get(target, key) as unknown;
      if (key === "connection") return noting(member as object, statements);
      if (typeof member !== "function") return member;
      return (...values: unknown[]) => {
        if (typeof values[0] === "string") statements.push(values[0]);
        const result: unknown = member.apply(target, values);
        return key === "beside"
          ? (result as Promise<object>).then((other) => noting(other, statements))
          : result;
      };
    },
  });
}

/** A run whose queries are noted, also those of values that it computes. */
function notingRun(run: ModelRun, statements: string[]): Run {
  const noted: Run = {
    db: noting(run.db, statements),
    value: async (value) => (value.compute === undefined ? run.value(value) : value.compute(noted)),
    rows: (model, more = "") => noted.db.rows(`FROM ${sqlName(model.name)} ${more}`),
  };
  return noted;
}

/** How the models in SQL differ in what they read from what they declare, and how many were compared. */
export async function sqlDifferences(run: ModelRun, models: readonly AnyModel[]) {
  const modelNames = new Set(models.map(({name}) => name));
  const differences: string[] = [];
  const ofSql = models.filter(({sql}) => sql !== undefined);
  for (const model of ofSql) {
    const text = await model.sql!(Object.fromEntries(model.reads.map(({name}) => [name, name])), run);
    differences.push(...(await differencesOf(run.db, model, {statements: [text], modelNames})));
  }
  return {differences, compared: ofSql.length};
}

/** The same of the models whose rows TypeScript gives, with empty tables to query. */
export async function rowDifferences(run: ModelRun, models: readonly AnyModel[]) {
  const modelNames = new Set(models.map(({name}) => name));
  for (const {name, columns} of models) {
    const typed = columnTypes(columns).map((column) => `${sqlName(column.name)} ${column.type}`);
    await run.db.run(`CREATE TABLE ${sqlName(name)} (${typed.join(", ")})`);
  }
  const differences: string[] = [];
  const ofRows = models.filter(({rows}) => rows !== undefined);
  for (const model of ofRows) {
    const statements: string[] = [];
    for await (const _row of await model.rows!(notingRun(run, statements)));
    differences.push(...(await differencesOf(run.db, model, {statements, modelNames})));
  }
  return {differences, compared: ofRows.length};
}
