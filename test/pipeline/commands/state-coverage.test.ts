import {afterEach, beforeEach, expect, test, vi} from "vitest";
import {UsageError} from "../../../lib/errors.ts";
import {loadWaves} from "../../../lib/registry/parcel-sources.ts";
import {newestVintage, percent, showState, termsOf} from "../../../pipeline/commands/state-coverage.ts";
import type {Manifest, StatePart} from "../../../schemas/manifest.ts";

let out = "";
beforeEach(() => {
  out = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += String(text);
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

const waves = loadWaves();
const open = waves.find(({required}) => required.length === 0)!;
const needed = "us-tx-archives";
const terms = {store: true, redistributeOwners: false, bulk: true};
const source = (id: string, vintage: string | null = null, complete = true) => ({id, vintage, complete});

function manifestOf(states: Record<string, Partial<StatePart>>): Manifest {
  const sources = [
    {id: needed, licence: "CC0", terms},
    {id: "b", licence: null, terms: null},
    {id: "c", licence: null, terms: {...terms, store: false, redistributeOwners: true}},
  ];
  return {states, sources} as unknown as Manifest;
}
const part = (changes: Partial<StatePart> = {}): Partial<StatePart> => ({
  ...{coverage: "partial", rows: 12345, counties: [], sources: [source(needed)], fill: {}, ...changes},
});
const county = (county_key: string, changes: object = {}) => ({
  ...{county_key, county_name: "Elm", rows: 5, complete: false, vintage: null, sources: ["b"], ...changes},
});
function shown(manifest: Manifest, state: string, asJson = false): string[] {
  out = "";
  showState(manifest, state, {asJson, decisions: {}});
  return out.trimEnd().split("\n");
}
const json = (manifest: Manifest, state: string) => JSON.parse(shown(manifest, state, true).join("\n"));

test.each<[number | undefined, string]>([
  [undefined, "-"],
  [0, "-"],
  [0.004, "<1%"],
  [0.005, "1%"],
  [0.5, "50%"],
  [0.994, "99%"],
  [0.996, ">99%"],
  [1, "100%"],
])("a share of %j is %s", (share, text) => {
  expect(percent(share)).toBe(text);
});

test("the newest vintage is that of the sources that have one", () => {
  const of = (...vintages: (string | null)[]) =>
    newestVintage({sources: vintages.map((vintage) => source("a", vintage))} as unknown as StatePart);
  expect([of("2025", null, "2026-01", "2024"), of(null), of()]).toEqual(["2026-01", null, null]);
});

test("takes licence and terms of a source from the manifest, else null", () => {
  const state = part({sources: [source(needed), source("gone")]}) as StatePart;
  expect(termsOf(manifestOf({}), state)).toEqual([
    {id: needed, licence: "CC0", terms},
    {id: "gone", licence: null, terms: null},
  ]);
});

test("calls an unbuilt state planned, with the sources it waits for, and refuses an unknown one", () => {
  const lines = shown(manifestOf({}), "TX");
  expect(lines[0]).toMatch(/^TX {2}planned/);
  expect(lines[1]).toBe("missing for live:");
  expect(lines.at(-1)).toMatch(new RegExp(`^${needed} .*cattle (fetch --source|add --entry) ${needed}`));
  expect(json(manifestOf({}), "TX")).toMatchObject({
    state: "TX",
    coverage: "planned",
    rows: 0,
    missing: [{id: needed}],
  });
  expect(() => shown(manifestOf({}), "ZZ")).toThrow(UsageError);
});

test("calls a state live only if all required sources are complete: an extract counts as missing", () => {
  const missing = (sources: StatePart["sources"]) => json(manifestOf({TX: part({sources})}), "TX").missing;
  expect(missing([source(needed), source("b", null, false)])).toEqual([]);
  expect(missing([source(needed, null, false)])).toMatchObject([
    {id: needed, why: expect.stringContaining("extract")},
  ]);
  const [absent] = missing([source("b")]);
  expect([absent.id, absent.why.includes("extract")]).toEqual([needed, false]);
  expect(shown(manifestOf({TX: part()}), "TX").join("\n")).not.toContain("missing for live");
});

test("says how to add counties of a state without a chosen source", () => {
  const id = `${open.country}-${open.state}`.toLowerCase();
  expect(json(manifestOf({}), open.state).missing).toEqual([
    {id: `${id}-counties`, why: expect.any(String), command: expect.stringContaining(`--id ${id}-PLACE`)},
  ]);
  expect(json(manifestOf({ZZ: part()}), "ZZ").missing).toEqual([]);
});

test("shows attributes that any county has, counties by completeness, and the terms in words", () => {
  const fill = {parcel_id: 1, acres: 0.5};
  const completeness = {owner: 1, address: 0.5, point: 0, use: 0.999, value: 0};
  const counties = [
    county("20001", {complete: true, vintage: "2026", sources: [needed, "b"], fill, completeness}),
    county("20003"),
    county("20005", {places: ["Elm", "Oak"]}),
  ];
  const sources = [source(needed), source("b"), source("c")];
  const state = part({
    coverage: "live",
    fill: {parcel_id: 0.999, acres: 0.5, zoning: 0.1},
    counties,
    sources,
  } as never);
  const lines = shown(manifestOf({TX: state}), "TX").map((line) => line.split(/ {2,}/));
  expect(lines[0]!.join(" ")).toMatch(/^TX live 12,345 rows in 3 counties/);
  expect(lines.slice(1, 4)).toEqual([
    ["attribute", "present"],
    ["parcel_id", ">99%"],
    ["acres", "50%"],
  ]);
  const none = ["-", "-", "-", "-", "-"];
  expect(lines.slice(5, 8)).toEqual([
    ["20001", "Elm", "live", "5", "2026", "100%", "50%", "-", ">99%", "-", `${needed}, b`],
    ["20003", "Elm", "partial", "5", ...none, "b"],
    ["20005", "Elm", "partial: Elm, Oak", "5", ...none, "b"],
  ]);
  expect(lines.slice(9)).toEqual([
    [needed, "CC0", "yes", "no", "yes"],
    ["b", "not stated", "?", "?", "?"],
    ["c", "not stated", "no", "yes", "no"],
  ]);
});
