import {Command} from "commander";
import {beforeAll, expect, test, vi} from "vitest";
import {columnTypes} from "../../../../lib/models/model.ts";
import {inOrder} from "../../../../lib/models/model-graph.ts";
import {type Database, openDatabase} from "../../../../lib/sql/duckdb.ts";
import type {DataFolder} from "../../../../lib/storage/data-folder.ts";
import {explainedModels, printModels} from "../../../../pipeline/commands/explain-models.ts";
import {sqlCommand} from "../../../../pipeline/commands/sql-command.ts";
import {marketModels} from "../../../../pipeline/market/build-market.ts";
import {keptModels, marketBuild, readModelFigures} from "../../../../pipeline/results/model-files.ts";
import {sampleBuild} from "../../../sample-build.ts";

let data: DataFolder;
let dir: string;
beforeAll(async () => {
  ({data, dir} = await sampleBuild("2026-11-21", {keepModels: true}));
});

async function openKept(): Promise<Database> {
  return openDatabase({path: keptModels(data, (await marketBuild(dir))!), readOnly: true});
}

/** What a command prints. */
async function printedBy(work: () => unknown): Promise<string> {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    await work();
    return write.mock.calls.map(([text]) => String(text)).join("");
  } finally {
    write.mockRestore();
  }
}

async function asked(sql: string): Promise<string> {
  const cattle = new Command().exitOverride().configureOutput({writeErr: () => undefined});
  sqlCommand(cattle);
  return printedBy(() => cattle.parseAsync(["sql", sql, "--models", "--out", data.root], {from: "user"}));
}

test("a build with --keep-models leaves every model of the market, and each can be read", async () => {
  using db = await openKept();
  const unreadable: string[] = [];
  for (const {name} of inOrder(marketModels))
    await db
      .rows(`FROM ${name} LIMIT 1`)
      .catch((error: Error) => unreadable.push(`${name}: ${error.message}`));
  expect(unreadable).toEqual([]);
});

test("every model has the columns that it declares, with their types", async () => {
  using db = await openKept();
  const differences: string[] = [];
  for (const {name, columns} of inOrder(marketModels)) {
    const real = await db.rows<{column_name: string; column_type: string}>(`DESCRIBE ${name}`);
    // Texts that repeat are stored as values of an ENUM; they are read as texts.
    const types = real.map(
      (each) => [each.column_name, each.column_type.replace(/^ENUM\(.*/, "VARCHAR")] as const,
    );
    const declared = columnTypes(columns).map((each) => [each.name, each.type] as const);
    const [had, said] = [types, declared].map((all) => new Set(all.map((each) => each.join(" "))));
    for (const each of said!) if (!had!.has(each)) differences.push(`${name} declares ${each}`);
    for (const each of had!) if (!said!.has(each)) differences.push(`${name} has ${each}`);
  }
  expect(differences).toEqual([]);
});

test("cattle sql --models asks the kept models, and changes none", async () => {
  expect(await asked("SELECT count(*) > 0 AS some FROM sale_cells")).toBe("some\ntrue\n1 rows\n");
  await expect(asked("DROP TABLE sale_cells")).rejects.toThrow("read-only");
});

test("--explain has rows and seconds of the published build, in lines of at most 120 characters", async () => {
  const figures = (await readModelFigures(data))!;
  const {models} = explainedModels(marketModels, "county_prices", figures.models);
  using db = await openKept();
  const [counted] = await db.rows<{n: number}>("SELECT count(*)::DOUBLE AS n FROM county_prices");
  expect(models.at(-1)).toMatchObject({name: "county_prices", rows: counted!.n});
  expect(models.filter(({seconds}) => seconds !== null).length).toBeGreaterThan(40);
  const printed = await printedBy(() =>
    printModels(explainedModels(marketModels, undefined, figures.models), figures, false),
  );
  const lines = printed.trimEnd().split("\n");
  expect(lines.filter((line) => line.length > 120)).toEqual([]);
  expect(lines[0]).toMatch(/^lvl +model +kind +rows +seconds +MB +file$/);
  expect(lines.at(-1)).toMatch(/^\d+ models; figures of build 20261121-[0-9a-f]{6}$/);
});
