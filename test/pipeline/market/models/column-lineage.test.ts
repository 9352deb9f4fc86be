import {existsSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {columnOrigins} from "../../../../lib/models/column-lineage.ts";
import {model} from "../../../../lib/models/model.ts";
import {inOrder} from "../../../../lib/models/model-graph.ts";
import {packageRoot} from "../../../../lib/paths.ts";
import {openDatabase} from "../../../../lib/sql/duckdb.ts";
import {decidingFiles} from "../../../../pipeline/commands/deciding-files.ts";
import {columnSteps} from "../../../../pipeline/commands/explain-column.ts";
import {marketModels} from "../../../../pipeline/market/build-market.ts";
import {casesOf} from "../../../cases-of.ts";

const columns: Readonly<Record<string, readonly string[]>> = {
  sales: ["head", "price", "place"],
  barns: ["place", "county"],
};

async function originsOf(sql: string, column: string): Promise<string[]> {
  using db = await openDatabase();
  const hasColumn = (name: string, each: string) => columns[name]?.includes(each) ?? false;
  const origins = await columnOrigins(db, sql, {column, hasColumn});
  return origins.map((origin) => {
    const from = origin.from.map((each) => `${each.model}.${each.column}`).join(" ");
    return origin.kind === "passed" ? from : `${origin.formula} < ${from}`;
  });
}

test.each(casesOf<[string, string, string, string[]]>("column-lineage.txt"))(
  "tells where a column comes from: %s",
  async (_what, sql, column, expected) => {
    expect(await originsOf(sql, column)).toEqual(expected);
  },
);

test("follows a column to the model that computes it, and leaves out what is only compared with", async () => {
  const given = model({name: "given_rows", columns: {INTEGER: "head"}});
  const previous = model({name: "previous_rows", columns: {INTEGER: "head"}});
  const doubled = model({name: "doubled", reads: [given], columns: {INTEGER: "twice"}, sql: () => ""});
  const result = model({
    name: "result",
    reads: [doubled, previous],
    columns: {INTEGER: "heads"},
    sql: () => "",
  });
  const rows = null;
  const models = new Map([
    ["doubled", {rows, sql: "SELECT head * 2 AS twice FROM given_rows"}],
    ["result", {rows, sql: "SELECT twice AS heads FROM doubled UNION ALL SELECT head FROM previous_rows"}],
  ]);
  const steps = await columnSteps([result], "result.heads", {models});
  expect(steps!.map(({how, from, formula, read_by}) => [how, from, formula, read_by])).toEqual([
    ["passed", ["doubled.twice", "previous_rows.head"], null, []],
    ["computed", ["given_rows.head"], "(head * 2) AS twice", ["result"]],
    ["given", [], null, ["doubled"]],
  ]);
  expect(steps![1]!.files).toEqual(["test/pipeline/market/models/column-lineage.test.ts"]);
  expect(await columnSteps([result], "result.nothing", {models})).toBeNull();
});

test("names the files that decide a column, by their text", () => {
  const models = new Map(inOrder(marketModels).map((each) => [each.name, each]));
  const filesOf = (
    name: string,
    column: string,
    formula: string | null = null,
    readers: readonly string[] = [],
  ) => decidingFiles(models.get(name)!, column, {formula, readers})[0];
  expect(filesOf("latest_prices", "weighting")).toBe("schemas/market-fields/price.ts");
  expect(filesOf("state_prices", "upstream")).toBe("schemas/market-fields/structures.ts");
  expect(filesOf("county_prices", "window_moved", "(differs AND x) AS window_moved")).toBe(
    "pipeline/market/answers/drafts.ts",
  );
  expect(filesOf("contributors", "report_end_date", "max(report_end_date) AS last_date")).toBe(
    "pipeline/market/answers/aggregates.ts",
  );
  expect(filesOf("known_words", "dressing")).toBe("packages/usda-reports/src/lot-words.ts");
  expect(filesOf("sources_values", "freshness_days")).toBe("data/sources/market.json");
  expect(filesOf("staged_alerts", "area", null, ["pipeline/market/feeds/nws.ts"])).toBe(
    "pipeline/market/signals/nws-alerts.ts",
  );
  // No text has the column: then the files that the model names.
  expect(filesOf("known_words", "no_such_member")).toBe(models.get("known_words")!.computedIn![0]);
  for (const {computedIn = []} of models.values())
    for (const file of computedIn) expect(existsSync(join(packageRoot, file)), file).toBe(true);
});
