import {describe, expect, test} from "vitest";
import {
  mayGiveOwners,
  proposedLayerMap,
  withoutOwners,
  withQueriedFields,
} from "../../../lib/registry/proposed-layer-map.ts";

type Source = Parameters<typeof proposedLayerMap>[0];
const open: Source = {terms: {store: true, redistributeOwners: true, bulk: true}} as Source;
const closed: Source = {terms: {store: true, redistributeOwners: false, bulk: true}} as Source;
const fields = [
  {name: "APN", type: "esriFieldTypeDouble"},
  {name: "SITUS_ADDR", type: "esriFieldTypeString"},
  {name: "OWNER_NAME", type: "esriFieldTypeString"},
  {name: "ACRES", type: null},
];

test("owners are given where the terms allow it and the entry publishes them", () => {
  const owners = (published: boolean) => ({published, order: "unknown" as const});
  expect(mayGiveOwners(open)).toBe(true);
  expect(mayGiveOwners({...open, owners: owners(true)})).toBe(true);
  expect(mayGiveOwners({...open, owners: owners(false)})).toBe(false);
  expect(mayGiveOwners({...closed, owners: owners(true)})).toBe(false);
  const map = {owner_raw: {from: "O"}, mail_city: {from: "C"}, acres: {from: "A"}};
  expect(withoutOwners(map, true)).toEqual(map);
  expect(withoutOwners(map, false)).toEqual({acres: {from: "A"}});
});

describe("the map of a layer", () => {
  test("is proposed of its fields, with owners where they may be given", () => {
    const map = proposedLayerMap(open, fields);
    expect(map).toMatchObject({
      ids: {raw: "APN", numericSource: true},
      fields: {situs_raw: {from: "SITUS_ADDR"}, owner_raw: {from: "OWNER_NAME"}},
      owners: {published: true},
      area: {from: "ACRES"},
      countyFrom: null,
    });
    expect(map).not.toHaveProperty("use");
    expect(map).not.toHaveProperty("values");
    const secret = proposedLayerMap(closed, fields);
    expect(secret?.owners).toEqual({published: false, order: "unknown"});
    expect(secret?.fields).not.toHaveProperty("owner_raw");
  });

  test("is what a person wrote, where one wrote it", () => {
    const written = {
      ids: {raw: "SITUS_ADDR"},
      fields: {legal_desc: {from: "ACRES"}},
      area: {from: "APN", unit: "sqft" as const},
      owners: {published: true, order: "first_last" as const},
      vintage: ["retrieved" as const],
    };
    expect(proposedLayerMap({...open, ...written} as Source, fields)).toMatchObject(written);
  });

  test("is none where no field is known to be the parcel number", () => {
    expect(proposedLayerMap(open, [{name: "ZONING"}])).toBeNull();
    const asked = {...open, cadastre: {idField: "zoning"}} as Source;
    expect(proposedLayerMap(asked, [{name: "ZONING"}])?.ids).toEqual({raw: "ZONING"});
  });

  test("of texts has no numbers as ids", () => {
    expect(proposedLayerMap(open, [{name: "APN", type: "esriFieldTypeString"}])?.ids).toEqual({raw: "APN"});
  });
});

describe("the fields by which a layer is asked", () => {
  const names = ["APN", "GEO", "ADDR", "NUM", "WHO"];
  const read = (cadastre: object, map = {ids: {raw: "APN"}, fields: {}}, source = open) =>
    withQueriedFields(map as never, {...source, cadastre} as never, names);

  test("are read, whatever the map prefers", () => {
    expect(read({addressField: "addr", numberField: "NUM", ownerField: "WHO", idField: "geo"})).toEqual({
      ids: {raw: "APN", alt: ["GEO"]},
      fields: {situs_raw: {from: "ADDR"}, situs_number: {from: "NUM"}, owner_raw: {from: "WHO"}},
    });
  });

  test("are not read twice", () => {
    const map = {ids: {raw: "apn", alt: ["GEO"]}, fields: {situs_name: {from: "ADDR"}}};
    expect(read({addressField: "ADDR", idField: "APN"}, map)).toEqual(map);
    expect(read({idField: "GEO"}, map)).toEqual(map);
  });

  test("are left out where the layer lacks them, and owners where they may not be given", () => {
    const map = {ids: {raw: "APN"}, fields: {}};
    expect(read({addressField: "NONE", idField: "NONE"}, map)).toEqual(map);
    expect(read({ownerField: "WHO"}, map, closed)).toEqual(map);
    expect(withQueriedFields(map as never, open, names)).toBe(map);
  });

  test("are no ids of a layer without numbers", () => {
    const map = {ids: {none: ["ADDR"]}, fields: {}};
    expect(read({idField: "GEO"}, map as never)).toEqual(map);
  });
});
