import {mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {describe, expect, test} from "vitest";
import {countyOf} from "../../../lib/geography/counties.ts";
import {cadastreSourcesDir, loadCadastreSources} from "../../../lib/registry/parcel-sources.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

type Json = Record<string, unknown>;

/** A registry folder with one state, whose first layer is changed. */
function changedFolder(change: (layer: Json) => void): string {
  const dir = temporaryFolder();
  mkdirSync(join(dir, "us"));
  const [first, ...others] = JSON.parse(
    readFileSync(join(cadastreSourcesDir, "us", "ny.json"), "utf8"),
  ) as Json[];
  change(first!);
  writeFileSync(join(dir, "us", "ny.json"), JSON.stringify([first, ...others]));
  return dir;
}

function messageFor(change: (layer: Json) => void): string {
  const dir = changedFolder(change);
  const registry = loadCadastreSources(dir);
  try {
    registry.of("US", "NY");
  } catch (error) {
    return (error as Error).message.replace(dir, "DIR");
  }
  throw new Error("no message");
}

describe("the registry of layers that are queried on a miss", () => {
  test("is valid in every state and province", () => {
    const registry = loadCadastreSources();
    expect(registry.states.length).toBeGreaterThan(50);
    for (const {country, state} of registry.states) {
      for (const {coverage} of registry.of(country, state)) {
        expect([coverage.country, coverage.state]).toEqual([country, state]);
      }
    }
  });

  test("names counties of its own state only", () => {
    const registry = loadCadastreSources();
    for (const {country, state} of registry.states.filter((place) => place.country === "US")) {
      const keys = registry
        .of(country, state)
        .flatMap(({coverage}) => (coverage.counties === "all" ? [] : coverage.counties));
      expect(keys.filter((key) => countyOf(key)?.state !== state)).toEqual([]);
    }
  });

  test("layers may be taken whole where they name counties and their licence is stated as an open one, and no others", () => {
    const registry = loadCadastreSources();
    const layers = registry.states
      .filter(({country}) => country === "US")
      .flatMap(({country, state}) => registry.of(country, state));
    const isOpen = (licence: string) => /^(public domain|pddl|cc ?0|cc by \d)/i.test(licence);
    const expected = layers.filter(
      ({licence, coverage: {counties, places}}) =>
        isOpen(licence) && counties !== "all" && counties.length > 0 && places === undefined,
    );
    // A state's layer has the terms of the entry with its address.
    const bulk = layers.filter(({id, terms}) => terms.bulk && !id.endsWith("-statewide"));
    expect(bulk.map(({id}) => id)).toEqual(expected.map(({id}) => id));
    expect(bulk.length).toBeGreaterThan(25);
  });

  test("reads a state at its first use, so that one bad file does not hide the others", () => {
    const dir = changedFolder(() => {});
    writeFileSync(join(dir, "us", "vt.json"), "[");
    const registry = loadCadastreSources(dir);
    expect(registry.of("US", "NY").length).toBeGreaterThan(0);
    expect(() => registry.of("US", "VT")).toThrow("us/vt.json: not readable as JSON");
  });

  test("has nothing for a state without a file", () => {
    expect(loadCadastreSources(changedFolder(() => {})).of("US", "TX")).toEqual([]);
    expect(loadCadastreSources(temporaryFolder()).states).toEqual([]);
  });

  test("names file and field of what is wrong", () => {
    expect(messageFor((layer) => Object.assign(layer, {cadastre: {adress: "x"}}))).toContain(
      "DIR/us/ny.json: 0.cadastre.url:",
    );
    expect(messageFor((layer) => Object.assign(layer, {licence: ""}))).toContain(
      "DIR/us/ny.json: 0.licence:",
    );
    expect(messageFor((layer) => Object.assign(layer, {colour: "red"}))).toContain(
      'DIR/us/ny.json: unknown field "0.colour".',
    );
  });

  test("takes an empty list of counties only where places are named", () => {
    const coverage = {country: "US", state: "NY", counties: []};
    expect(messageFor((layer) => Object.assign(layer, {coverage}))).toContain(
      '0.coverage.counties: names no county; an empty list is for sources with "places".',
    );
    const named = changedFolder((layer) =>
      Object.assign(layer, {coverage: {...coverage, places: ["Asperville"]}}),
    );
    expect(loadCadastreSources(named).of("US", "NY")[0]!.coverage.places).toEqual(["Asperville"]);
  });

  test("refuses a layer of another state, and an id that comes twice", () => {
    const coverage = {country: "US", state: "VT", counties: "all"};
    expect(messageFor((layer) => Object.assign(layer, {coverage}))).toBe(
      "DIR/us/ny.json: 0.coverage: expected the file's US NY, got US VT.",
    );
    expect(messageFor((layer) => Object.assign(layer, {id: "us-ny-statewide"}))).toContain(
      "an id occurs twice",
    );
  });
});
