import {readFileSync} from "node:fs";
import {join} from "node:path";
import {describe, expect, it} from "vitest";
import {classifyLandUse, type UseFacts} from "../../../../lib/parcels/land-use/classify.ts";
import {loadLandUseMap} from "../../../../lib/parcels/land-use/land-use-map.ts";
import {packageRoot} from "../../../../lib/paths.ts";

const map = loadLandUseMap();

type Vector = Omit<UseFacts, "codes"> & {
  region: string;
  system: string;
  code: string;
  category: string | null;
};
const vectors: Vector[] = JSON.parse(
  readFileSync(join(packageRoot, "test", "cases", "land-use-vectors.json"), "utf8"),
);

function classify(systems: string[], code: string | null, facts: Omit<UseFacts, "codes"> = {}) {
  return classifyLandUse({codes: {code}, ...facts}, systems, map);
}

describe("land-use vectors of docs/design/parcels.md section 6", () => {
  for (const {region, system, code, category, ...facts} of vectors) {
    it(`${region} ${system}: "${code}" ${JSON.stringify(facts)} is ${category}`, () => {
      const got =
        system === "keyword"
          ? classifyLandUse({codes: {}, description: code}, [], map)
          : classify([system], code, facts);
      expect(got.category).toBe(category);
    });
  }
});

describe("classifyLandUse", () => {
  it("lowers the confidence of a parcel with several classes to 0.70", () => {
    expect(classify(["tx-state-category"], " d1, e1 ", {improvementValue: 90_000}).confidence).toBeCloseTo(
      0.703,
      4,
    );
  });

  it.each([
    ["fl-dor", "1", "1.0", "residential"],
    ["fl-dor", "4", "4.000", "residential"],
    ["wa-dor", "83", " 83.0 ", "agriculture"],
    ["az-legal-class", "1.12", "1.12", "commercial"],
  ])(
    "reads a code of %s as %s where software printed it as a number: %s",
    (system, code, printed, category) => {
      expect(classify([system], printed)).toEqual(classify([system], code));
      expect(classify([system], printed).category).toBe(category);
    },
  );

  it("asks the legal class of Arizona only where the use code is silent", () => {
    const codes = {PUC: "131", LC_CUR: "1.12"};
    expect(classifyLandUse({codes}, ["az-puc", "az-legal-class"], map)).toMatchObject({
      category: "commercial",
      codeSystem: "az-legal-class",
    });
    expect(
      classifyLandUse({codes: {...codes, PUC: "4111"}}, ["az-puc", "az-legal-class"], map),
    ).toMatchObject({
      category: "agriculture",
      codeSystem: "az-puc",
    });
  });

  it("ends the search at a rule without category", () => {
    expect(
      classify(["tx-state-category"], "L1", {description: "COMMERCIAL PERSONAL PROPERTY"}),
    ).toMatchObject({
      category: null,
      method: "none",
      codeSystem: "tx-state-category",
    });
  });

  it("turns a residential class into vacant only in a system without a vacant code", () => {
    const bare = {improvementValue: 0, landValue: 24_000};
    expect(classify(["wi-class"], "1", bare)).toMatchObject({
      category: "vacant",
      method: "improvement_test",
      confidence: 0.6,
      isVacantLand: true,
    });
    const texas = classify(["tx-state-category"], "A1", bare);
    expect(texas).toMatchObject({category: "residential", isVacantLand: true});
    expect(texas.confidence).toBeCloseTo(0.76, 4);
  });

  it("proves nothing from an all-zero roll", () => {
    expect(classify(["wi-class"], "1", {improvementValue: 0, landValue: 0}).isVacantLand).toBeNull();
  });

  it("reads words in the place of a code as the printed description", () => {
    expect(classify([], "AGRICULTURAL")).toMatchObject({category: "agriculture", method: "keyword"});
    expect(classify([], "AG1")).toMatchObject({category: null});
    expect(classify([], "COMMERCIAL", {description: "FARMLAND"})).toMatchObject({category: "agriculture"});
  });

  it("falls back to keywords on the printed description, never higher than 0.6", () => {
    expect(classify([], null, {description: "Single family dwelling"})).toMatchObject({
      category: "residential",
      method: "keyword",
      confidence: 0.6,
    });
  });

  it("withholds the category of a vacant lot on more than 40 acres in Texas, with a flag", () => {
    const at = (acres: number) => classify(["tx-state-category"], "C1", {acres});
    expect([at(41).category, at(41).flag]).toEqual([null, "code_implausible_for_area"]);
    expect([at(40).category, at(40).flag]).toEqual(["vacant", null]);
  });

  it("reads a code that is printed with its words by the words, and by the code where both agree", () => {
    expect(classify(["fl-dor"], "01 - SINGLE FAMILY")).toMatchObject({
      category: "residential",
      method: "state_table",
    });
    expect(classify(["fl-dor"], "01 - CAR WASH")).toMatchObject({category: "commercial", method: "keyword"});
    expect(classify([], "77 - CROPLAND")).toMatchObject({category: "agriculture", method: "keyword"});
    expect(classify(["ut-lir"], "Vacant - Commercial").category).toBe("vacant");
  });

  it("reads `category | detail` by its category, but for land without buildings", () => {
    const of = (description: string) => classify([], null, {description}).category;
    expect(of("Residential | Two Units")).toBe("residential");
    expect(of("Commercial | Dwelling converted")).toBe("commercial");
    expect(of("Commercial | Vacant Lot")).toBe("vacant");
    expect(of("Class 12 | Two Units")).toBe("residential");
  });

  it("gives no category without code or description", () => {
    expect(classify(["ny-prclas"], null)).toEqual({
      category: null,
      method: "none",
      confidence: 0,
      codeSystem: null,
      isVacantLand: null,
      flag: null,
    });
  });

  it("shows weak systems below 0.75 until they are confirmed", () => {
    for (const id of ["co-class", "tn-class", "ar-parceltype", "oh-dte"]) {
      for (const {rule} of map.systems.get(id)!.rules) expect(rule.confidence ?? 0).toBeLessThan(0.75);
    }
  });
});
