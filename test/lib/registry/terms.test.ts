import {mkdtempSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {describe, expect, test} from "vitest";
import {readRegistryFile} from "../../../lib/reference/registry-file.ts";
import {
  addressOf,
  loadTerms,
  statementOf,
  unstatedTerms,
  withDecision,
  withTerms,
} from "../../../lib/registry/layer-terms.ts";
import {
  loadCadastreSources,
  loadParcelSources,
  parcelSourcesDir,
} from "../../../lib/registry/parcel-sources.ts";
import {ParcelSource} from "../../../schemas/parcel-source.ts";

const cadastre = loadCadastreSources();
const layers = cadastre.states.flatMap(({country, state}) => cadastre.of(country, state));
const sources = [...loadParcelSources(), ...layers];
const addressed = sources.filter((source) => addressOf(source) !== undefined);
const layer = "https://gis.example.org/A/MapServer/1";
const statement = {
  layers: ["gis.example.org/a/mapserver/1"],
  words: "CC0-1.0",
  page: "gis.example.org/terms",
  read: "2026-11-23",
  who: "anyone" as const,
};

function written(statements: unknown): string {
  const path = join(mkdtempSync(join(tmpdir(), "terms-")), "terms.json");
  writeFileSync(path, JSON.stringify(statements));
  return path;
}

const entry = (licence = unstatedTerms) => ({
  id: "us-az-one",
  url: layer,
  licence,
  terms: {store: true, redistributeOwners: false, bulk: false},
});

describe("the terms of the registry", () => {
  test("are the same for all entries and layers of one address", () => {
    expect(addressed.length).toBeGreaterThan(1100);
    const byAddress = Map.groupBy(addressed, (source) =>
      addressOf(source)!.toLowerCase().replace(/\/+$/, ""),
    );
    for (const [address, of] of byAddress)
      expect(new Set(of.map(({licence, terms}) => `${licence} ${terms.bulk}`)).size, address).toBe(1);
  });

  test("come with a page and a day, and without them nothing is taken whole", () => {
    for (const {id, licence, terms} of addressed) {
      if (licence === unstatedTerms) expect(terms.bulk, id).toBe(false);
      else expect([typeof terms.page, typeof terms.read], id).toEqual(["string", "string"]);
    }
  });

  test("stand once: no entry with an address has a licence in its own file", () => {
    for (const source of addressed.filter(({id}) => !layers.some((each) => each.id === id))) {
      const file = readRegistryFile(ParcelSource, join(parcelSourcesDir, `${source.id}.json`));
      expect([file.licence, file.terms.bulk], source.id).toEqual([unstatedTerms, false]);
    }
  });

  test("name only layers that the registry has", () => {
    const terms = loadTerms();
    const known = new Set(addressed.map((source) => statementOf(source, terms)));
    expect([...terms.values()].filter((each) => !known.has(each))).toEqual([]);
  });
});

describe("a statement", () => {
  test("gives its words, page and day to the entry of its layer, however the address is written", () => {
    const terms = loadTerms(written([statement]));
    const facts = {bulk: true, page: "gis.example.org/terms", read: "2026-11-23"};
    for (const url of [layer, "https://GIS.example.org/a/mapserver/1/"])
      expect(withTerms({...entry(), url}, terms)).toMatchObject({licence: "CC0-1.0", terms: facts});
    expect(withTerms({...entry(), url: `${layer}0`}, terms)).toMatchObject({terms: {bulk: false}});
  });

  test.each(["government", "nobody", "undecided"])(
    "that allows %s lets nobody else take the whole",
    (who) => {
      const terms = loadTerms(written([{...statement, who}]));
      expect(withTerms(entry(), terms).terms.bulk).toBe(false);
    },
  );

  test("is refused where a layer has two, or where the entry says its own", () => {
    expect(() => loadTerms(written([statement, {...statement, words: "public domain"}]))).toThrow(
      "has two statements",
    );
    expect(() => withTerms(entry("CC BY 4.0"), loadTerms(written([statement])))).toThrow(
      "us-az-one: licence",
    );
  });
});

test("a decision of the operator comes before what the publisher says", () => {
  const decision = {
    licence: "by letter",
    evidence: "https://gis.example.org/letter",
    decided_at: "2026-11-23",
  };
  expect(withDecision(entry(), {"us-az-one": decision})).toMatchObject({
    licence: "by letter",
    terms: {bulk: true, page: decision.evidence, read: "2026-11-23"},
  });
  expect(withDecision(entry(), {"us-az-two": decision})).toEqual(entry());
});
