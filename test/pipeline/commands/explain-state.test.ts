import {beforeAll, expect, test} from "vitest";
import {explainedState} from "../../../pipeline/commands/explain-state.ts";
import type {StateModel} from "../../../schemas/model-report.ts";
import {built, csv, geojson, invented, rawFiles, row, square} from "../parcels/raw-folder.ts";

const made = (name: string, reads: string[], columns: string, sql: string | null): StateModel => ({
  ...{name, file: `lib/parcels/${name}.ts`, kind: sql === null ? "input" : "table", reads, sql},
  ...{columns: columns.split(" "), rows: 8, seconds: 1, bytes: null},
});
const given = [
  made("us_tx_staged", [], "SITUS_NO STREET", null),
  made(
    "us_tx_cells",
    ["us_tx_staged"],
    "no street",
    "SELECT trim(SITUS_NO) AS no, STREET AS street FROM us_tx_staged",
  ),
  made("us_tx_county", ["us_tx_cells"], "key", "SELECT 'x' AS key FROM us_tx_cells"),
  made(
    "us_tx",
    ["us_tx_cells", "us_tx_county"],
    "address zoning",
    "WITH whole AS (SELECT no || ' ' || street AS line FROM us_tx_cells) SELECT upper(line) AS address, NULL AS zoning FROM whole",
  ),
  made("parcels", ["us_tx"], "address zoning", "SELECT address, 'A' AS zoning FROM us_tx"),
];

async function stepsOf(name: string, models: readonly StateModel[] = given) {
  const explained = await explainedState({models}, name);
  return "steps" in explained ? explained.steps : [];
}

async function modelsOf(name?: string) {
  const explained = await explainedState({models: given}, name);
  return "models" in explained ? explained.models : [];
}

test("explains the models of a state as its build made them, and one by those that it needs", async () => {
  expect((await modelsOf()).map(({name, level, read_by}) => [name, level, read_by])).toEqual([
    ["us_tx_staged", 0, ["us_tx_cells"]],
    ["us_tx_cells", 1, ["us_tx_county", "us_tx"]],
    ["us_tx_county", 2, ["us_tx"]],
    ["us_tx", 3, ["parcels"]],
    ["parcels", 4, []],
  ]);
  expect((await modelsOf("us_tx_county")).map(({name, rows}) => `${name} ${rows}`)).toEqual([
    "us_tx_staged 8",
    "us_tx_cells 8",
    "us_tx_county 8",
  ]);
});

test("explains a column of the parcels down to the source's own, with the formula of each model on the way", async () => {
  const steps = await stepsOf("address");
  expect(steps.map(({model, column, how}) => `${model}.${column} ${how}`)).toEqual([
    "parcels.address passed",
    "us_tx.address computed",
    "us_tx_cells.no computed",
    "us_tx_staged.SITUS_NO given",
    "us_tx_cells.street passed",
    "us_tx_staged.STREET given",
  ]);
  expect(steps[1]).toMatchObject({
    formula: "upper(line) AS address",
    where: ["((\"no\" || ' ') || street) AS line"],
    from: ["us_tx_cells.no", "us_tx_cells.street"],
  });
  expect(await stepsOf("us_tx.address")).toEqual(steps.slice(1));
});

test("goes on behind a constant that stands for a column whose values are all alike", async () => {
  const steps = await stepsOf("zoning");
  expect(steps.map(({model, from, formula}) => [model, from, formula])).toEqual([
    ["parcels", ["us_tx.zoning"], "'A' AS zoning"],
    ["us_tx", [], "NULL"],
  ]);
});

test("refuses a name that there is not, with the near one and those that there are", async () => {
  await expect(stepsOf("adress")).rejects.toThrow(
    '--explain: no model or column "adress". Did you mean address? parcels has address, zoning. Its state alone prints the models.',
  );
  await expect(stepsOf("us_tx_countys")).rejects.toThrow("Did you mean us_tx_county?");
  await expect(stepsOf("us_tx_cells.strete")).rejects.toThrow("us_tx_cells has no, street.");
  await expect(stepsOf("us_ty.street")).rejects.toThrow(
    'no model or column "us_ty.street". Did you mean us_tx?',
  );
});

let models: readonly StateModel[];
beforeAll(async () => {
  const roll = invented({id: "us-tx-roll"});
  const files = await rawFiles({
    "us-tx-roll/roll.csv": csv([row("1-2"), row("1-2", {VALUE: "500"}), row("3-4")]),
    "map.geojson": geojson([{properties: row("12"), geometry: square(0, 0)}]),
  });
  models = (await built(files, [roll, invented()])).models!;
}, 60_000);

test("a column of a built state's parcels begins at cells of files, rows of TypeScript, or a constant", async () => {
  const unexplained: string[] = [];
  for (const name of ["parcel_uid", "situs_name", "owner_name", "acres", "market_value", "lon", "prov_situs"])
    for (const {model, column, how, from, formula} of await stepsOf(name, models))
      if (how === "passed" ? from.length === 0 : how === "computed" && formula === null)
        unexplained.push(`${name}: ${model}.${column}`);
  expect(unexplained).toEqual([]);
  const beginnings = async (name: string) =>
    (await stepsOf(name, models)).filter(({how}) => how === "given").map(({column}) => column);
  expect(new Set(await beginnings("market_value"))).toEqual(new Set(["VALUE"]));
  expect(await beginnings("situs_name")).toContain("SITUS");
  expect(await beginnings("parcel_id")).toContain("PIN");
});
