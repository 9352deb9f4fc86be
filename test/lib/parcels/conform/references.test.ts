import {describe, expect, test} from "vitest";
import {
  cellSql,
  countyOrigin,
  joinNames,
  mainNames,
  namesOf,
  parcelsWhere,
  prefixOf,
  unmetByColumns,
  unmetNeeds,
} from "../../../../lib/parcels/conform/column-references.ts";
import {bareEntry as entry} from "../../../pipeline/parcels/invented-source.ts";

describe("the names that an entry uses", () => {
  test.each<[what: string, members: Record<string, unknown>, names: string[]]>([
    ["of numbers", {ids: {raw: {from: ["PIN", "PIN2"]}}}, ["PIN", "PIN2"]],
    [
      "of numbers beside",
      {ids: {raw: "PIN", alt: ["ALT", {from: "OLD"}], parent: "MOTHER", line: ["ROW"]}},
      ["ALT", "MOTHER", "OLD", "PIN", "ROW"],
    ],
    ["of keys in place of numbers", {ids: {none: true, key: ["A", "B"]}}, ["A", "B"]],
    ["of fields", {fields: {city: {from: "CITY"}, zip: {from: ["Z1", "Z2"]}}}, ["CITY", "PIN", "Z1", "Z2"]],
    ["of the clause", {where: "KIND = 'LAND'"}, ["KIND", "PIN"]],
    [
      "of areas",
      {area: {from: ["A", "B"], unit: "perRow", unitFrom: ["U1", "U2"]}},
      "A B PIN U1 U2".split(" "),
    ],
    [
      "of owners",
      {owners: {published: true, order: "last_first", confidentialFlag: "HIDE"}},
      ["HIDE", "PIN"],
    ],
    [
      "of uses",
      {
        use: {
          systems: ["tx-state-category"],
          ...{codeFrom: "C", descriptionFrom: "D", taxStatusFrom: "T", agAcresFrom: "AG", linesFrom: "L"},
        },
      },
      ["AG", "C", "D", "L", "PIN", "T"],
    ],
    ["of the row's date", {vintage: [{row: "EDITED", format: "ymd"}, "retrieved"]}, ["EDITED", "PIN"]],
    ["of the row's year", {vintage: [{rollYear: "YEAR"}]}, ["PIN", "YEAR"]],
    ["of no year that is a number", {vintage: [{rollYear: 2026}, {edition: "2026-01-01"}]}, ["PIN"]],
    [
      "of the county",
      {coverage: {country: "US", state: "TX", counties: "all", countyFrom: "CO"}},
      ["CO", "PIN"],
    ],
    [
      "of a county that is a key or a point, none",
      {coverage: {country: "US", state: "TX", counties: "all", countyFrom: "@point"}},
      ["PIN"],
    ],
  ])("%s", (_, members, names) => {
    expect(mainNames(entry(members))).toEqual(names);
  });

  test("of a joined table are its keys and fields without the prefix", () => {
    const joined = entry({
      fields: {
        owner_raw: {from: "own.NAME"},
        city: {join: "own", from: ["TOWN", "NAME"]},
        zip: {from: "ZIP"},
      },
      owners: {published: true, order: "last_first"},
      joins: [
        {
          prefix: "own",
          on: {ours: ["county_key", "parcel_id", "LOT"], theirs: ["CO", "ID", "LOT"]},
          many: "list",
          oncePer: "ACCT",
        },
        {prefix: "sale", on: {ours: "PIN", theirs: "KEY"}, many: "first"},
      ],
    });
    expect(mainNames(joined)).toEqual(["LOT", "PIN", "ZIP"]);
    expect(joinNames(joined, "own")).toEqual(["ACCT", "CO", "ID", "LOT", "NAME", "TOWN"]);
    expect(joinNames(joined, "sale")).toEqual(["KEY"]);
    expect(joinNames(joined, "absent")).toEqual([]);
    expect(["own.NAME", "own", "owner.X", "sale.A.B"].map((name) => prefixOf(name, joined))).toEqual([
      "own",
      null,
      null,
      "sale",
    ]);
  });

  test("of a spec are in its order", () => {
    expect(namesOf(undefined)).toEqual([]);
    expect(namesOf({transform: ["constant:RURAL"]})).toEqual([]);
    expect(namesOf("B")).toEqual(["B"]);
    expect(namesOf({from: ["B", "A"]})).toEqual(["B", "A"]);
    expect(namesOf({join: "own", from: ["B", "A"]})).toEqual(["own.B", "own.A"]);
  });
});

test("cells keep names apart that differ in capitals alone", () => {
  expect(["rowid", "ROWID", "^R", '"'].map(cellSql)).toEqual(['"rowid"', '"^R^O^W^I^D"', '"^^^R"', '""""']);
});

test.each<[coverage: Record<string, unknown>, origin: unknown]>([
  [{counties: ["48453"]}, {constant: "48453"}],
  [{counties: ["48453", "48491"]}, null],
  [{counties: "all"}, null],
  [{counties: "all", countyFrom: "48453"}, {constant: "48453"}],
  [{counties: "all", countyFrom: "MB738"}, {constant: "MB738"}],
  [{counties: "all", countyFrom: "@point"}, {point: true}],
  [{counties: ["48453"], countyFrom: "CO"}, {field: "CO"}],
])("the county of rows with %j is %j", (coverage, origin) => {
  expect(countyOrigin({coverage: {country: "US", state: "TX", ...coverage} as never})).toEqual(origin);
});

test("a clause that is not understood is a fault of the entry, with its id", () => {
  expect(parcelsWhere({id: "us-tx-invented"})).toBeNull();
  expect(() => parcelsWhere({id: "us-tx-invented", where: "KIND LIKE"})).toThrow(/^us-tx-invented: where: /);
});

describe("needs that a source does not meet", () => {
  const source = entry({
    fields: {city: {from: ["CITY", "TOWN"]}, geometry: {from: "SHAPE"}, owner_raw: {from: "own.NAME"}},
    owners: {published: true, order: "last_first"},
    joins: [{prefix: "own", on: {ours: "PIN", theirs: "KEY"}, many: "first"}],
  });

  test("are those of which it has no name at all; the outline and joined tables are not asked", () => {
    const unmet = (...names: string[]) => unmetNeeds(source, new Set(names)).map(({what}) => what);
    expect(unmet("PIN", "TOWN")).toEqual([]);
    expect(unmet("PIN")).toEqual(["fields.city"]);
    expect(unmet("CITY")).toEqual(["ids.raw", "joins.on.ours"]);
  });

  test("are those whose columns a table lacks", () => {
    const unmet = (...columns: string[]) => unmetByColumns(source, columns).map(({what}) => what);
    expect(unmet("PIN", "CITY")).toEqual([]);
    expect(unmet("CITY")).toEqual(["ids.raw", "joins.on.ours"]);
  });
});
