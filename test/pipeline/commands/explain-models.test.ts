import {Command} from "commander";
import {expect, test} from "vitest";
import {UsageError} from "../../../lib/errors.ts";
import {buildCommands} from "../../../pipeline/commands/build-commands.ts";
import {explainedModels} from "../../../pipeline/commands/explain-models.ts";
import {marketModels} from "../../../pipeline/market/build-market.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

test("lists each model of the market once, on a higher level than all that it reads and after them", () => {
  const {models} = explainedModels(marketModels);
  expect(models.length).toBeGreaterThan(120);
  const levels = new Map<string, number>();
  for (const {name, level, reads} of models) {
    expect(levels.has(name), name).toBe(false);
    for (const read of reads) expect(levels.get(read), `${name} reads ${read}`).toBeLessThan(level);
    levels.set(name, level);
  }
});

test("explains one model by its ancestors alone, itself last", () => {
  const all = new Map(explainedModels(marketModels).models.map((model) => [model.name, model]));
  const {models} = explainedModels(marketModels, "county_prices");
  const ancestors = new Set(["county_prices"]);
  for (const name of ancestors) for (const read of all.get(name)!.reads) ancestors.add(read);
  expect(new Set(models.map(({name}) => name))).toEqual(ancestors);
  expect(models.at(-1)).toEqual(all.get("county_prices"));
  expect(models.at(-1)!.file).toBe("pipeline/market/answers/county-prices.ts");
});

test("refuses a name that no model has, with the near one", () => {
  expect(() => explainedModels(marketModels, "county_price")).toThrow(
    new UsageError('--explain: no model or column "county_price". Did you mean county_prices?'),
  );
});

test("explains a column by the models that have it, for a table from the one where it begins", () => {
  const {models, subjects} = explainedModels(marketModels, "cell_rows.usable");
  expect(models.map(({name}) => name)).toEqual(["weighed_rows", "cell_rows"]);
  expect([...subjects]).toEqual(["weighed_rows", "cell_rows"]);
  const all = explainedModels(marketModels, "usable").models.map(({name}) => name);
  expect(all).toEqual(expect.arrayContaining(["weighed_rows", "cell_rows"]));
  expect(() => explainedModels(marketModels, "cell_rows.outliers")).toThrow(
    'no model or column "cell_rows.outliers"',
  );
});

test("leaves out models that have a column of that name by another way, and takes a file of signals for its table", () => {
  const names = (name: string) => explainedModels(marketModels, name).models.map((model) => model.name);
  expect(names("price_rows_superseded.delivery")).toEqual([
    "raw_words",
    "known_words",
    "price_rows_superseded",
  ]);
  expect(names("signals/drought.d4_only_pct")).toEqual(names("signal_drought.d4_only_pct"));
});

test.each([
  ["county_prices.price_avg", /^county_prices.price_avg: where it comes from is read in a published build/],
  ["county_prices.price_agv", /no model or column "county_prices.price_agv"/],
  ["TX", /^TX: no published build has it \(.+ has no state\): run "cattle build --state TX --no-reuse"\.$/],
])("without a published build %s is refused with the cure", async (name, message) => {
  const cattle = new Command().exitOverride();
  buildCommands(cattle);
  const words = ["build", "--explain", name, "--out", temporaryFolder()];
  await expect(cattle.parseAsync(words, {from: "user"})).rejects.toThrow(message);
});
