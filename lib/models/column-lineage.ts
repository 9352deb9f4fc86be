import {type Database, sqlText} from "../sql/duckdb.ts";

/** A column of a model. */
export type ModelColumn = {readonly model: string; readonly column: string};

/**
 * How a statement makes a column. `passed`: it is a column of another model as that has it, perhaps under another name or type. `computed`:
 * `formula` is its SQL, `where` that of the columns in it that queries inside the statement compute, the nearest first, and `from` the columns
 * of models that it is made of.
 */
export type ColumnOrigin =
  | {readonly kind: "passed"; readonly from: readonly [ModelColumn]}
  | {
      readonly kind: "computed";
      readonly from: readonly ModelColumn[];
      readonly formula: string;
      readonly where: readonly string[];
    };

/** A part of the tree that DuckDB makes of a statement (`json_serialize_sql`). */
// biome-ignore lint/suspicious/noExplicitAny: DuckDB does not describe its trees.
type Tree = Record<string, any>;
type Scope = ReadonlyMap<string, {readonly node: Tree; readonly scope: Scope}>;
/** A value that a column may have: the expression, the models' columns in it, and the expressions of columns in it that are not theirs. */
type Source = {
  readonly expression: Tree | null;
  readonly from: readonly ModelColumn[];
  readonly inner: readonly {readonly name: string; readonly expression: Tree}[];
};

/**
 * The origins of a column of a statement, one for each query that gives it a value, in the order of the statement; empty where the tree
 * does not tell. `hasColumn` says whether a model has a column.
 */
export async function columnOrigins(
  db: Database,
  sql: string,
  {column, hasColumn}: {column: string; hasColumn: (model: string, column: string) => boolean},
): Promise<ColumnOrigin[]> {
  const {statements} = await treeOf(db, sql);
  const [statement] = (statements ?? []) as Tree[];
  if (statement === undefined) return [];
  const sources = new Sources(hasColumn).ofNode(statement["node"], column, new Map());
  const origins = new Map<string, ColumnOrigin>();
  for (const {expression, from, inner} of sources) {
    const [first] = from;
    if (expression === null && first !== undefined)
      origins.set(`${first.model}.${first.column}`, {kind: "passed", from: [first]});
    // A null stands for the rows of another query.
    if (expression === null || isNull(expression)) continue;
    const formula = await sqlOf(db, expression);
    const where = new Set<string>();
    for (const each of inner) where.add(await sqlOf(db, {...each.expression, alias: each.name}));
    origins.set(formula, {kind: "computed", from, formula, where: [...where]});
  }
  return [...origins.values()];
}

async function treeOf(db: Database, sql: string): Promise<Tree> {
  const [row] = await db.rows<{tree: string}>(`SELECT json_serialize_sql(${sqlText(sql)})::VARCHAR AS tree`);
  // Numbers stay as they are written: 64 bits are too many for JavaScript, and 1.0 is no integer.
  return (JSON as unknown as ExactJson).parse(row!.tree, exactNumbers);
}

/** What TypeScript does not describe yet (ECMAScript 2026). */
type ExactJson = {
  parse(text: string, reviver: typeof exactNumbers): Tree;
  rawJSON(text: string): unknown;
};
const exactNumbers = (_name: string, value: unknown, {source}: {source: string}): unknown =>
  typeof value === "number" ? (JSON as unknown as ExactJson).rawJSON(source) : value;

/** The SQL of an expression, on one line. */
async function sqlOf(db: Database, expression: Tree): Promise<string> {
  const tree = await treeOf(db, "SELECT 1");
  tree["statements"][0].node.select_list = [expression];
  const [row] = await db.rows<{sql: string}>(
    `SELECT json_deserialize_sql(${sqlText(JSON.stringify(tree))}::JSON) AS sql`,
  );
  return row!.sql.replace(/^SELECT\s+/, "").replaceAll(/\s+/g, " ");
}

function isNull({class: kind, child, value}: Tree): boolean {
  return kind === "CAST" ? isNull(child) : kind === "CONSTANT" && value?.is_null === true;
}

class Sources {
  readonly #hasColumn: (model: string, column: string) => boolean;

  constructor(hasColumn: (model: string, column: string) => boolean) {
    this.#hasColumn = hasColumn;
  }

  /** What a query gives a column of its result. */
  ofNode(node: Tree, column: string, outer: Scope): Source[] {
    const scope = scopeOf(node, outer);
    if (node["type"] === "SELECT_NODE")
      return (node["select_list"] as Tree[]).flatMap((item) =>
        this.#ofItem(item, column, node["from_table"], scope),
      );
    const queries = (node["children"] ?? [node["left"], node["right"]]).filter(Boolean) as Tree[];
    const place = placeOf(queries[0], column);
    return queries.flatMap((query) => {
      const byName = this.ofNode(query, column, scope);
      // UNION ALL pairs columns by their places.
      const item = place < 0 ? undefined : (query["select_list"] as Tree[] | undefined)?.[place];
      return byName.length > 0 || item === undefined
        ? byName
        : this.#ofExpression(item, query["from_table"], scopeOf(query, scope));
    });
  }

  #ofItem(item: Tree, column: string, table: Tree, scope: Scope): Source[] {
    if (item["class"] !== "STAR")
      return nameOf(item) === column ? this.#ofExpression(item, table, scope) : [];
    const replaced = ((item["replace_list"] ?? []) as Tree[]).find(({key}) => key === column);
    if (replaced !== undefined) return this.#ofExpression(replaced["value"], table, scope);
    if ((item["exclude_list"] ?? []).includes(column)) return [];
    const relation = (item["relation_name"] ?? "") as string;
    return this.#ofTable(table, relation === "" ? [column] : [relation, column], scope);
  }

  #ofExpression(expression: Tree, table: Tree, scope: Scope): Source[] {
    const plain = expression["class"] === "CAST" ? (expression["child"] as Tree) : expression;
    if (plain["class"] === "COLUMN_REF") return this.#ofTable(table, plain["column_names"], scope);
    const from = new Map<string, ModelColumn>();
    const inner: {name: string; expression: Tree}[] = [];
    for (const names of columnsIn(expression))
      for (const source of this.#ofTable(table, names, scope)) {
        if (source.expression !== null) inner.push({name: names.at(-1)!, expression: source.expression});
        inner.push(...source.inner);
        for (const each of source.from) from.set(`${each.model}.${each.column}`, each);
      }
    return [{expression, from: [...from.values()], inner}];
  }

  /** What a table, or a join of tables, gives a column that is named with or without its table. */
  #ofTable(table: Tree | null, names: readonly string[], scope: Scope): Source[] {
    if (table == null) return [];
    const [first = "", second] = names;
    for (const each of tablesIn(table)) {
      const alias = (each["alias"] || each["table_name"] || "") as string;
      const column = second !== undefined && first === alias ? second : first;
      if (
        second !== undefined &&
        first !== alias &&
        tablesIn(table).some((other) => (other["alias"] || other["table_name"]) === first)
      )
        continue;
      const sources = this.#ofOne(each, column, scope);
      if (sources.length > 0) return sources;
    }
    return [];
  }

  #ofOne(table: Tree, column: string, scope: Scope): Source[] {
    if (table["type"] === "SUBQUERY") return this.ofNode(table["subquery"].node, column, scope);
    if (table["type"] !== "BASE_TABLE") return [];
    const named = scope.get(table["table_name"]);
    if (named !== undefined) return this.ofNode(named.node, column, named.scope);
    const model = table["table_name"] as string;
    return this.#hasColumn(model, column) ? [{expression: null, from: [{model, column}], inner: []}] : [];
  }
}

/** The named queries that a query sees; each sees those before it, and itself where it is recursive. */
function scopeOf(node: Tree, outer: Scope): Scope {
  const scope = new Map(outer);
  for (const {key, value} of (node["cte_map"]?.map ?? []) as Tree[])
    scope.set(key as string, {node: value.query.node as Tree, scope: new Map(scope)});
  return scope;
}

/** The place of a column in the list of a query; -1 where a star stands before it, or it is not there. */
function placeOf(query: Tree | undefined, column: string): number {
  const items = (query?.["select_list"] ?? []) as Tree[];
  return items.some((item) => item["class"] === "STAR")
    ? -1
    : items.findIndex((item) => nameOf(item) === column);
}

function nameOf(item: Tree): string | undefined {
  return (item["alias"] || (item["class"] === "COLUMN_REF" ? item["column_names"].at(-1) : undefined)) as
    | string
    | undefined;
}

function tablesIn(table: Tree): Tree[] {
  return table["type"] === "JOIN" ? [...tablesIn(table["left"]), ...tablesIn(table["right"])] : [table];
}

/** The names of all columns in an expression; queries inside it are left out. */
function columnsIn(part: unknown): string[][] {
  if (Array.isArray(part)) return part.flatMap(columnsIn);
  if (part === null || typeof part !== "object") return [];
  const tree = part as Tree;
  if (tree["class"] === "COLUMN_REF") return [tree["column_names"] as string[]];
  return tree["class"] === "SUBQUERY" ? columnsIn(tree["child"]) : Object.values(tree).flatMap(columnsIn);
}
