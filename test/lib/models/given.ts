import {type Assertion, expect} from "vitest";
import {type AnyModel, columnTypes} from "../../../lib/models/model.ts";
import {inOrder} from "../../../lib/models/model-graph.ts";
import {ModelRun} from "../../../lib/models/model-run.ts";
import {openDatabase} from "../../../lib/sql/duckdb.ts";

type GivenRows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/**
 * Rows of models by name; columns that a row lacks are null. `expect` makes a model of them and asserts on its rows, in the order of
 * all columns: `(await given({cell_rows: [{…}]}).expect(sale_cells)).toMatchObject([{…}])`.
 */
export function given(rows: GivenRows) {
  return {
    async expect(target: AnyModel): Promise<Assertion<Record<string, unknown>[]>> {
      using db = await openDatabase();
      const run = new ModelRun(db);
      for (const model of inOrder([target])) {
        const values = rows[model.name];
        if (values === undefined) continue;
        await run.giveSql(model, rowsSql(model, values));
      }
      await run.make(target);
      return expect(await run.rows(target, "ORDER BY ALL"));
    },
  };
}

/** SQL: rows of a model; columns that a row lacks are null. */
export function rowsSql({columns}: AnyModel, rows: GivenRows[string] = []): string {
  const typed = columnTypes(columns);
  const tuples = rows.map((row) => {
    const values = typed.map(({name: column, type}) => {
      const value = row[column] ?? null;
      return value === null ? `NULL::${type}` : `'${String(value)}'::${type}`;
    });
    return ` UNION ALL SELECT ${values.join(", ")}`;
  });
  const empty = typed.map(({name: column, type}) => `NULL::${type} AS ${column}`);
  return `SELECT ${empty.join(", ")} WHERE false${tuples.join("")}`;
}
