import {expect, test} from "vitest";
import type {Stages} from "../../../pipeline/parts/stages.ts";
import type {TableFile} from "../../../pipeline/parts/table-files.ts";
import {
  dataPackageText,
  licencesOf,
  resourceName,
  titleOf,
} from "../../../pipeline/publish/dataset/datapackage.ts";
import type {Manifest} from "../../../schemas/manifest.ts";
import type {DescribedColumn, DescribedFile} from "../../../schemas/vocabulary/described-file.ts";

const state: DescribedColumn = {name: "state", type: "VARCHAR", about: "State"};
const source = (id: string, parts: string[], licence: string | null, attribution: string | null = null) => ({
  ...{id, parts, licence, attribution, name: `Roll of ${id}`, terms: null},
});
const manifest = {
  ...{build_id: "20261121-3f9c1a", as_of_date: "2026-11-21", sample: false},
  sources: [
    source("ams", ["MARKET"], "US public domain"),
    source("a", ["TX"], "CC BY 4.0", "County A"),
    source("b", ["KS", "TX"], null),
  ],
} as unknown as Manifest;
const stages = {
  entries: [
    {id: "a", url: "https://a.example/roll"},
    {id: "b", url: "ftp://b.example/roll"},
  ],
} as unknown as Stages;

function fileOf(table: string, changes: Partial<TableFile> = {}): TableFile {
  const file = {
    path: `${table}/part.parquet`,
    size: 10,
    sha256: "ab",
    rows: 3,
  } as unknown as TableFile["file"];
  return {file, table, part: null, described: undefined, columns: [], partition: null, ...changes};
}
const described = (changes: Partial<DescribedFile>): DescribedFile => ({
  ...{path: "x", about: "Rows of it", key: [], columns: []},
  ...changes,
});
const resourcesOf = (files: readonly TableFile[]) =>
  JSON.parse(dataPackageText(files, manifest, stages)).resources as Record<string, unknown>[];
const fieldsOf = (columns: DescribedColumn[], key: string[] = []) =>
  (resourcesOf([fileOf("t", {columns, described: described({key})})])[0]!["schema"] as {fields: object[]})
    .fields;

test("a dataset states its content, its day, and whether it is a sample", () => {
  const text = dataPackageText([], manifest, stages);
  expect(JSON.parse(text)).toMatchObject({id: "20261121-3f9c1a", version: "20261121-3f9c1a", resources: []});
  expect(text.endsWith("}\n")).toBe(true);
  expect([titleOf(manifest), titleOf({...manifest, sample: true})]).toEqual([
    "Cattle market and parcels, as of 2026-11-21",
    "Cattle market and parcels (generated sample), as of 2026-11-21",
  ]);
});

test("lists each licence once, by its text, and marks an unstated one", () => {
  const twice = [...manifest.sources, ...manifest.sources];
  expect(licencesOf(twice as Manifest["sources"]).map(({name, title, path}) => [name, title, path])).toEqual([
    ["CC-BY-4.0", "CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/"],
    ["other-pd", "US public domain", "https://www.usa.gov/government-copyright"],
    ["notspecified", "not stated by the publisher", undefined],
  ]);
});

test("gives a source its web address, attribution and licence, omitting empty ones", () => {
  const {sources} = JSON.parse(dataPackageText([], manifest, stages));
  expect(sources).toEqual([
    {id: "ams", title: "Roll of ams", licence: "US public domain"},
    {
      id: "a",
      title: "Roll of a",
      path: "https://a.example/roll",
      attribution: "County A",
      licence: "CC BY 4.0",
    },
    {id: "b", title: "Roll of b"},
  ]);
});

test("makes each file a resource named by table and partition value, with only its part's sources", () => {
  const about = described({traps: ["Mind this", "And that"]});
  const partition = {column: state, value: "TX"};
  const [whole, part] = resourcesOf([
    fileOf("signals/drought"),
    fileOf("parcels", {part: "TX", described: about, partition}),
  ]);
  expect(whole).toMatchObject({
    name: "signals.drought",
    table: "signals/drought",
    title: "signals/drought",
    byteSize: 10,
    hash: "sha256:ab",
    rows: 3,
  });
  expect(whole!["description"]).toBe("signals/drought.");
  expect(whole).not.toHaveProperty("partition");
  expect(part).toMatchObject({name: "parcels.tx", partition: {state: "TX"}, title: "Rows of it (state TX)"});
  expect(part!["description"]).toBe("Rows of it. Mind this. And that.");
  expect((part!["sources"] as {id: string}[]).map(({id}) => id)).toEqual(["a", "b"]);
  expect(resourceName({table: "a/b/C", partition: null})).toBe("a.b.c");
});

test("points a reference to the same state's table, else to the whole table, and omits it if neither exists", () => {
  const to = (table: string) => ({columns: ["x"], table, key: ["y"]});
  const tx = {part: "TX", partition: {column: state, value: "TX"}};
  const schemas = resourcesOf([
    fileOf("parcels", {
      ...tx,
      described: described({key: ["x"], references: ["boundaries", "sources", "gone"].map(to)}),
    }),
    fileOf("boundaries", tx),
    fileOf("boundaries"),
    fileOf("sources"),
    fileOf("lone", {described: described({references: [to("gone")]})}),
  ]).map(({schema}) => schema as Record<string, unknown>);
  expect(schemas[0]).toMatchObject({
    primaryKey: ["x"],
    foreignKeys: [
      {fields: ["x"], reference: {resource: "boundaries.tx", fields: ["y"]}},
      {fields: ["x"], reference: {resource: "sources", fields: ["y"]}},
    ],
  });
  expect(schemas[4]).toEqual({fields: [], missingValues: [""]});
});

test.each([
  ["VARCHAR", "string"],
  ["VARCHAR[]", "any"],
  ["STRUCT(a INTEGER)", "any"],
  ["MAP(VARCHAR, DOUBLE)", "any"],
  ["DOUBLE", "number"],
  ["FLOAT", "number"],
  ["DECIMAL(14,2)", "number"],
  ["INTEGER", "number"],
  ["BOOLEAN", "boolean"],
  ["DATE", "date"],
  ["TIMESTAMP WITH TIME ZONE", "datetime"],
  ["BLOB", "any"],
])("a column of %s is a field of %s", (type, expected) => {
  expect(fieldsOf([{name: "n", type, about: "About"}])).toEqual([
    {name: "n", type: expected, description: "About", parquetType: type},
  ]);
});

test("requires key fields unless they may be null, and lists enumerations", () => {
  const values = ["a", "b"];
  const columns: DescribedColumn[] = [
    {name: "n", type: "INTEGER", about: "N"},
    {name: "sale_date", type: "DATE", about: "D"},
    {name: "word", type: "VARCHAR", about: "W", values},
    {name: "words", type: "VARCHAR[]", about: "L", values},
    {name: "object", type: "VARCHAR", about: "J", json: true},
  ];
  expect(fieldsOf(columns, ["n", "sale_date"])).toEqual([
    {name: "n", type: "integer", description: "N", constraints: {required: true}, parquetType: "INTEGER"},
    {name: "sale_date", type: "date", description: "D", parquetType: "DATE"},
    {name: "word", type: "string", description: "W", constraints: {enum: values}, parquetType: "VARCHAR"},
    {name: "words", type: "any", description: "L", itemValues: values, parquetType: "VARCHAR[]"},
    {
      name: "object",
      type: "string",
      description: "J",
      contentMediaType: "application/json",
      parquetType: "VARCHAR",
    },
  ]);
});
