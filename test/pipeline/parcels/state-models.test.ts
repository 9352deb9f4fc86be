import {expect, test} from "vitest";
import {columnTypes, model} from "../../../lib/models/model.ts";
import {inOrder} from "../../../lib/models/model-graph.ts";
import {ModelRun} from "../../../lib/models/model-run.ts";
import {ensureMacros} from "../../../lib/parcels/conform/functions.ts";
import {aliasModel} from "../../../lib/parcels/dedupe/aliases.ts";
import {mergeModels, rowColumns} from "../../../lib/parcels/dedupe/merge-models.ts";
import {meetingModels} from "../../../lib/parcels/dedupe/same-parcel-sql.ts";
import {openDatabase, sqlName} from "../../../lib/sql/duckdb.ts";
import {stateModels} from "../../../pipeline/parcels/state-models.ts";
import {rowsSql} from "../../lib/models/given.ts";
import {rowDifferences, sqlDifferences} from "../../lib/models/reads.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {invented} from "./raw-folder.ts";

const entry = (id: string) => ({...invented({id}), authority: "county" as const});
const entries = [
  {entry: entry("us-tx-map"), table: "map_rows"},
  {entry: entry("us-tx-roll"), table: "roll_rows"},
  {entry: entry("us-tx-layer"), table: "found_rows", isFound: true},
];
const inputs = entries.map(({table}) => model({name: table, columns: rowColumns}));
const nothing = {complete: true, joined: [], refused: []};
const files = [
  {number: 0, file: {path: "a.csv", retrievedAt: "2026-11-01T00:00:00Z"}, role: "main" as const},
];
const accepted = entries.map((each) => ({
  ...each,
  ...nothing,
  files: files.map((file) => ({...file, rows: 1, malformed: 0})),
}));

/** All models from the conformed rows of three sources, one of them of finds, to the tables of the state. */
function modelsOf(outDir: string) {
  const sources = entries.map(({entry: {id}, table, isFound = false}) => ({
    source: id,
    rows: [`(SELECT * FROM ${table} WHERE _reject IS NULL)`],
    isFound,
  }));
  const compared = meetingModels(sources, {reads: inputs});
  const merge = mergeModels(entries, {
    ...{into: "merged", served: "(SELECT '' AS parcel_uid, '' AS parcel_id)", inputs},
    ...{aliases: aliasModel(sources, compared), unclear: compared.unclear},
  });
  const stamp = {part: "TX", inputsSha256: null, asOf: "2026-11-21", sample: false, licence: "of the test"};
  const tables = {outDir, state: "TX", stamp};
  const state = stateModels(accepted, {...merge, inputs}, {tables, asOf: "2026-11-21", entries: []});
  const {boundaries, serving, listed, facts} = state;
  return {models: inOrder([merge.groups, merge.superseded, ...listed, boundaries, ...serving.reads]), facts};
}

test("the models of a state read exactly the models that they declare", async () => {
  using db = await openDatabase();
  const {models, facts} = modelsOf(temporaryFolder());
  const run = new ModelRun(db).give(facts, {
    ...{rows: 0, points: 0, extent: null, fill: {all: {}, counties: new Map()}},
    ...{completeness: new Map(), constants: new Map(), repeated: new Map()},
  });
  const rows = await rowDifferences(run, models);
  // What has no row is not joined.
  for (const [name, column] of [
    ["replaced_records", "parcel_uid"],
    ["shared_outlines", "parcel_uid"],
    ["other_addresses", "zip"],
  ])
    await db.run(`INSERT INTO ${name} BY NAME SELECT NULL AS ${column}`);
  const sql = await sqlDifferences(run, models);
  expect([...rows.differences, ...sql.differences]).toEqual([]);
  expect([rows.compared, sql.compared]).toEqual([3, 42]);
});

test("the models of a state have the columns that they declare, with their types", async () => {
  using db = await openDatabase();
  const run = new ModelRun(db, {keep: true});
  const {models} = modelsOf(temporaryFolder());
  await ensureMacros(db);
  const row = {country: "US", state: "TX", county_key: "48453", county_name: "TRAVIS", flags: "[]"};
  const found = {...row, situs_status: "blank", owner_withheld: "false", _retrieved: "2026-11-01"};
  for (const [file, input] of inputs.entries()) {
    const own = {_key: "1-2", parcel_id: "1-2", parcel_uid: "48453-1-2", _file: String(file), _row: "0"};
    await run.giveSql(input, rowsSql(input, [{...found, ...own, _vintage_default: "row_date 2026"}]));
  }
  await run.make(...models);
  const differences: string[] = [];
  for (const {name, columns} of models) {
    const real = await db.rows<{column_name: string; column_type: string}>(`DESCRIBE ${sqlName(name)}`);
    // Whoever reads a file finds its row numbers as well, and instants with their zone.
    const had = real
      .filter((each) => each.column_name !== "rowid" || name === "addressed_parcels")
      .map((each) => `${each.column_name} ${each.column_type.replace(" WITH TIME ZONE", "")}`);
    const said = columnTypes(columns).map((each) => `${each.name} ${each.type}`);
    const lacking = said.filter((each) => !had.includes(each)).map((each) => `${name} lacks ${each}`);
    const untold = had.filter((each) => !said.includes(each));
    differences.push(...lacking, ...untold.map((each) => `${name} does not declare ${each}`));
  }
  expect(differences).toEqual([]);
});
