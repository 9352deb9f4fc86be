import {proposeFields} from "@open-cattle/entry-proposer";
import fc from "fast-check";
import {describe, expect, test} from "vitest";
import {loadParcelSources} from "../../../lib/registry/parcel-sources.ts";
import {stateFacts} from "../../../lib/registry/proposal-facts.ts";
import synonyms from "../../../packages/entry-proposer/data/field-synonyms.json" with {type: "json"};
import {parcelColumns} from "../../../schemas/parcel-columns.ts";
import {CadastreSource} from "../../../schemas/parcel-source.ts";

const named = (...names: string[]) => names.map((name) => ({name}));

test("a proposal is a sound map of a layer, whatever its columns are called", () => {
  const known = Object.values(synonyms.roles)
    .flat()
    .map((name) =>
      name.replaceAll(/\{(\w+)\}/g, (_, word: keyof typeof synonyms.words) => `${synonyms.words[word][0]}_`),
    );
  const columnName = fc.oneof(fc.constantFrom(...known), fc.string({minLength: 1, maxLength: 12}));
  fc.assert(
    fc.property(fc.uniqueArray(columnName, {maxLength: 60}), (names) => {
      const {ids, fields, vintage, owners, values, area, use} = proposeFields(named(...names));
      const entry = {
        ...{
          id: "a",
          name: "a",
          authority: "county",
          licence: "a",
          terms: {},
          cadastre: {url: "https://example.org"},
        },
        coverage: {country: "US", state: "TX", counties: "all"},
        ...{fields, vintage, owners, values, area, use, ...(ids === null ? {} : {ids})},
      };
      expect(CadastreSource.safeParse(entry).error).toBeUndefined();
    }),
    {numRuns: 200},
  );
});

/** Roles of the synonym table that are not columns of the row. */
const otherRoles = `alt_id taxpayer county ignored mail_line2 mail_line3 mail_line4 mail_line5 mail_box
  mail_citystate mail_full mail_street owner_second any_line1 any_line2 any_line3 any_city
  any_citystate any_state any_zip any_x any_y use_if_known owner_last owner_first area_ha
  situs_state area_acres area_any area_any_computed area_computed_acres area_deeded_acres
  area_sqft area_unit building_assessed building_bare building_market land_assessed land_bare
  land_market deed_book deed_page range roll_year row_date section total_bare total_value township
  use_any use_type price_bare qualifier situs_number_bare situs_line2 situs_line3 mail_number
  mail_pre mail_name mail_type mail_post mail_unit`.split(/\s+/);

describe("the table of synonyms", () => {
  const columns = new Map<string, string>(parcelColumns.map(({name, kind}) => [name, kind]));

  test("has only roles that a proposal uses", () => {
    const known = new Set([...columns.keys(), ...otherRoles]);
    expect(Object.keys({...synonyms.roles, ...synonyms.sets}).filter((role) => !known.has(role))).toEqual([]);
  });

  test("reads money, dates and whole numbers where the parcel row has them", () => {
    const reads = new Map([...Object.entries({money: "money", date: "date", int32: "number"})]);
    const right = Object.keys(synonyms.columns).map((name) => [
      name,
      reads.get(columns.get(name)!) ?? "text",
    ]);
    expect(synonyms.columns).toEqual(Object.fromEntries(right));
  });

  test("finds most of what the registry's own maps say by the names alone", () => {
    const pairs = loadParcelSources().flatMap(({fields, ids}) => {
      const names = Object.values(fields).flatMap(({from}) => (from === undefined ? [] : [from].flat()));
      const raw = "none" in ids || typeof ids.raw !== "string" ? [] : [ids.raw];
      const proposal = proposeFields(
        named(...new Set([...raw, ...names.filter((name) => !name.includes("."))])),
      );
      return Object.entries(fields).flatMap(([column, {from}]) =>
        typeof from === "string" && !from.includes(".")
          ? [{column, right: [proposal.fields[column]?.from].flat().includes(from)}]
          : [],
      );
    });
    const right = pairs.filter((pair) => pair.right).length;
    expect(right / pairs.length).toBeGreaterThan(0.75);
  });
});

describe("a proposal of the house", () => {
  const propose = (state: string, cells: Readonly<Record<string, readonly string[]>>) =>
    proposeFields(
      Object.entries(cells).map(([name, of]) => ({
        name,
        samples: Array.from({length: 60}, (_, row) => of[row % of.length]!),
      })),
      {state, facts: stateFacts},
    );

  test("knows the codes of a state's table of uses, and where words say otherwise", () => {
    const codeFrom = "ABSTCODE";
    const use = (codes: string[], words: string[]) => propose("CO", {ABSTCODE: codes, ABSTDESC: words}).use;
    expect(use(["1112", "2112"], ["SINGLE FAMILY RESIDENCE", "RETAIL STORE"])?.systems).toEqual(["co-class"]);
    expect(use(["1112", "2112"], ["RETAIL STORE", "CROPLAND"])).toMatchObject({systems: [], codeFrom});
    expect(use(["1112", "NONE SUCH"], ["", ""])?.systems ?? []).toEqual([]);
    const stat = {STAT_LAND_USE: ["A1, D1"], LOC_LAND_USE: ["A1", "E1"]};
    expect(propose("TX", stat).use).toEqual({systems: ["tx-state-category"], codeFrom: Object.keys(stat)});
  });

  test("knows where a state is", () => {
    const point = (x: string) => propose("PA", {X: [x], Y: ["41.2"]}).fields;
    expect(point("-77.1")).toEqual({lon: {from: "X"}, lat: {from: "Y"}});
    expect(point("-97.1")).toEqual({});
  });
});
