import {mkdirSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {beforeEach, expect, test} from "vitest";
import {UserError} from "../../../lib/errors.ts";
import {type DataFolder, dataFolder} from "../../../lib/storage/data-folder.ts";
import {collectGarbage} from "../../../pipeline/publish/gc.ts";
import {keptModels, modelBuilds, writeModelFiles} from "../../../pipeline/results/model-files.ts";
import type {MadeModel} from "../../../schemas/model-report.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

const cost = {rows: 3, seconds: 0.5, bytes: 100};
const model: MadeModel = {name: "sales", file: "sales.ts", kind: "temp", reads: [], sql: "SELECT 1", ...cost};
const [gone, kept] = ["20260801-aaaaaa", "20260802-bbbbbb"] as const;

let data: DataFolder;
let scratch: string;
beforeEach(() => {
  const root = temporaryFolder();
  data = dataFolder(join(root, "data"));
  mkdirSync(data.root);
  scratch = join(root, "models.duckdb");
});

test("keeps costs and models by build, and takes the models from where the stage left them", async () => {
  await writeModelFiles(data, gone, {states: {}, models: [model], page: "<p>", kept: scratch});
  expect(() => keptModels(data, gone)).toThrow(UserError);
  expect(() => keptModels(data, gone)).toThrow('kept no models. Run "cattle build --keep-models".');
  writeFileSync(scratch, "models");
  await writeModelFiles(data, kept, {states: {}, models: [model], page: "<p>", kept: scratch});
  expect(keptModels(data, kept)).toBe(join(data.models, `${kept}.duckdb`));
  expect(await modelBuilds(data)).toEqual([gone, kept]);
});

test("writes nothing for a market that was linked, whose models cost nothing", async () => {
  const {seconds: _s, bytes: _b, ...linked} = model;
  await writeModelFiles(data, kept, {states: {}, models: [linked], page: "<p>", kept: scratch});
  expect(await modelBuilds(data)).toEqual([]);
});

test("gc removes the models of builds that are gone", async () => {
  mkdirSync(data.builds);
  writeFileSync(scratch, "models");
  await writeModelFiles(data, gone, {states: {}, models: [model], page: "<p>", kept: scratch});
  expect((await collectGarbage(data)).models).toEqual([gone]);
  expect(await modelBuilds(data)).toEqual([]);
});
