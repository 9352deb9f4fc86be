import {expect, test} from "vitest";
import {openDatabase} from "../../../../lib/sql/duckdb.ts";
import {derived_measures} from "../../../../pipeline/market/answers/derived-measures.ts";
import {answerModels} from "../../../../pipeline/market/answers/make-answers.ts";
import {previousDir} from "../../../../pipeline/market/answers/previous-build.ts";
import {price_history} from "../../../../pipeline/market/answers/price-history.ts";
import {context, signals} from "../../../../pipeline/market/context/signal-context.ts";
import {asOfDate} from "../../../../pipeline/market/models/build-facts.ts";
import {inOrder} from "../../../../pipeline/market/models/model-graph.ts";
import {ModelRun} from "../../../../pipeline/market/models/model-run.ts";
import {acceptShrunk} from "../../../../pipeline/market/normalise/issue-versions.ts";
import {futuresLicensed} from "../../../../pipeline/market/signals/signal-futures.ts";
import {signal_rejects} from "../../../../pipeline/market/signals/signal-tables.ts";

const models = inOrder([
  ...answerModels,
  ...[price_history, context, derived_measures, signal_rejects],
  ...Object.values(signals),
]);

/** The names of tables and of common table expressions in a parsed statement. */
function namesIn(node: unknown, tables: Set<string>, expressions: Set<string>): void {
  if (Array.isArray(node)) for (const item of node) namesIn(item, tables, expressions);
  if (typeof node !== "object" || node === null || Array.isArray(node)) return;
  const {type, table_name, cte_map} = node as Record<string, unknown>;
  if (type === "BASE_TABLE") tables.add(String(table_name));
  for (const {key} of (cte_map as {map?: {key: string}[]} | undefined)?.map ?? []) expressions.add(key);
  for (const member of Object.values(node)) namesIn(member, tables, expressions);
}

test("every model reads exactly the models that it declares", async () => {
  using db = await openDatabase();
  const run = new ModelRun(db)
    .give(asOfDate, "2026-11-21")
    .give(previousDir, null)
    .give(futuresLicensed, true)
    .give(acceptShrunk, false);
  const modelNames = new Set(models.map(({name}) => name));
  const differences: string[] = [];
  let compared = 0;
  for (const {name, reads, sql} of models) {
    if (sql === undefined) continue;
    const text = await sql(Object.fromEntries(reads.map((read) => [read.name, read.name])), run);
    const [parsed] = await db.rows<{tree: string}>(
      `SELECT json_serialize_sql('${text.replaceAll("'", "''")}')::VARCHAR AS tree`,
    );
    const tree = JSON.parse(parsed!.tree) as {error: boolean; error_message?: string};
    if (tree.error) differences.push(`${name}: ${tree.error_message}`);
    const [tables, expressions] = [new Set<string>(), new Set<string>()];
    namesIn(tree, tables, expressions);
    const real = new Set([...tables].filter((table) => !expressions.has(table) && modelNames.has(table)));
    const declared = new Set(reads.map((read) => read.name));
    for (const read of real) if (!declared.has(read)) differences.push(`${name} does not declare ${read}`);
    for (const read of declared) if (!real.has(read)) differences.push(`${name} never reads ${read}`);
    compared += 1;
  }
  expect(differences).toEqual([]);
  expect(compared).toBeGreaterThan(90);
});
