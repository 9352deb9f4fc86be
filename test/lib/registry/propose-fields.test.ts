import fc from "fast-check";
import {describe, expect, test} from "vitest";
import {fieldSynonyms} from "../../../lib/registry/field-synonyms.ts";
import {loadParcelSources} from "../../../lib/registry/parcel-sources.ts";
import {proposeFields} from "../../../lib/registry/propose-fields.ts";
import {parcelColumns} from "../../../schemas/parcel-columns.ts";
import {CadastreSource} from "../../../schemas/parcel-source.ts";

/** Roles of the synonym table that are not columns of the row. */
const otherRoles = [
  ...[
    "alt_id",
    "taxpayer",
    "county",
    "ignored",
    "mail_line2",
    "mail_line3",
    "mail_line4",
    "mail_line5",
    "mail_box",
    "mail_citystate",
    "mail_full",
    "mail_street",
    "owner_second",
  ],
  ...[
    "any_line1",
    "any_line2",
    "any_line3",
    "any_city",
    "any_citystate",
    "any_state",
    "any_zip",
    "any_x",
    "any_y",
    "use_if_known",
    "owner_last",
    "owner_first",
    "area_ha",
    "situs_state",
  ],
  ...[
    "area_acres",
    "area_any",
    "area_any_computed",
    "area_computed_acres",
    "area_deeded_acres",
    "area_sqft",
    "area_unit",
  ],
  ...["building_assessed", "building_bare", "building_market", "land_assessed", "land_bare", "land_market"],
  ...[
    "deed_book",
    "deed_page",
    "range",
    "roll_year",
    "row_date",
    "section",
    "total_bare",
    "total_value",
    "township",
  ],
  ...["use_any", "use_type", "price_bare", "qualifier"],
  ...["situs_number_bare", "situs_line2", "situs_line3"],
  ...["mail_number", "mail_pre", "mail_name", "mail_type", "mail_post", "mail_unit"],
];

const named = (...names: string[]) => names.map((name) => ({name}));
const sources = (fields: Readonly<Record<string, {from?: unknown}>>) =>
  Object.fromEntries(Object.entries(fields).map(([column, {from}]) => [column, from]));

describe("a proposed field map", () => {
  test("finds columns under the names that publishers give them", () => {
    const proposal = proposeFields(
      named(
        "OBJECTID",
        "Parcel_No",
        "SitusAddr",
        "SITE_CITY",
        "Owner_Name",
        "OWNER2",
        "IMPR_VALUE",
        "LAND_VAL",
        "Mkt_Value",
        "Deeded_Acres",
        "GIS_ACRES",
        "TAX_YEAR",
        "CountyFIPS",
        "COLOUR",
      ),
    );
    expect(proposal.ids).toEqual({raw: "Parcel_No"});
    expect(sources(proposal.fields)).toEqual({
      owner_raw: ["Owner_Name", "OWNER2"],
      situs_raw: "SitusAddr",
      city: "SITE_CITY",
      land_value: "LAND_VAL",
      building_value: "IMPR_VALUE",
      market_value: "Mkt_Value",
    });
    expect(proposal.area).toEqual({
      from: ["Deeded_Acres", "GIS_ACRES"],
      unit: "acres",
      basis: ["deeded", "computed"],
    });
    expect(proposal.values).toEqual({
      market_value: "market",
      land_value: "market",
      building_value: "market",
      zeroMeans: "unknown",
    });
    expect(proposal.vintage).toEqual([{rollYear: "TAX_YEAR"}, "layer_edit", "retrieved"]);
    expect(proposal.countyFrom).toBe("CountyFIPS");
    expect(proposal.unused).toEqual(["OBJECTID", "COLOUR"]);
  });

  test("knows names that a DBF cut to ten characters, unless they may be two things", () => {
    const proposal = proposeFields(
      named("PARCEL_NUM", "SITUS_ADDR", "OWNER_ADDR", "TRANSFER_P", "PROPERTY_C"),
    );
    expect(proposal.ids?.raw).toBe("PARCEL_NUM");
    expect(sources(proposal.fields)).toEqual({
      situs_raw: "SITUS_ADDR",
      mail_line1: "OWNER_ADDR",
      transfer_price: "TRANSFER_P",
    });
    // A property's class, or its city.
    expect(proposal.unused).toEqual(["PROPERTY_C"]);
  });

  test("knows an address line that a DBF cut, though its city and number begin alike", () => {
    const proposal = proposeFields(
      named("PARCEL_NUM", "SITE_ADDRE", "OWNER_NAME", "MAIL_ADDRE", "SITUS_STRE"),
    );
    expect(sources(proposal.fields)).toMatchObject({situs_raw: "SITE_ADDRE", mail_line1: "MAIL_ADDRE"});
    // A street's name, or its direction.
    expect(proposal.unused).toEqual(["SITUS_STRE"]);
  });

  test("reads names that carry their database and table", () => {
    expect(proposeFields(named("GIS.LAND.APN", "GIS.LAND.OWNER", "SHAPE.STArea()")).ids).toEqual({
      raw: "GIS.LAND.APN",
    });
  });

  test("takes a parcel number that is text before one that is a number", () => {
    const columns = [
      {name: "PPN", type: "esriFieldTypeDouble"},
      {name: "PNUM", type: "esriFieldTypeString"},
    ];
    expect(proposeFields(columns).ids).toEqual({raw: "PNUM", alt: ["PPN"]});
    expect(proposeFields(columns, {idField: "PPN"}).ids).toEqual({raw: "PPN", alt: ["PNUM"]});
  });

  test("never takes a row number for a parcel number", () => {
    const proposal = proposeFields(named("OBJECTID", "FID", "OID", "SHAPE_AREA"));
    expect(proposal.ids).toBeNull();
    expect(proposal.notes[0]).toContain("no column looks like a parcel number");
  });

  test("reads dates by the type of the column, else by the form of its cells, else not at all", () => {
    const columns = [
      {name: "PIN"},
      {name: "SALE_DATE", type: "esriFieldTypeDate"},
      {name: "DEED_DATE", samples: ["04/01/2010", "", "12/24/1999"]},
      {name: "LAST_UPDATE", samples: ["20260104", "2026-01-05"]},
    ];
    const {fields, vintage} = proposeFields(columns);
    expect(fields.transfer_date).toEqual({from: "SALE_DATE", transform: ["epochMs"]});
    expect(fields.recording_date).toEqual({from: "DEED_DATE", transform: ["mdy"]});
    expect(vintage[0]).toEqual({row: "LAST_UPDATE", format: "ymd"});
    expect(proposeFields(named("PIN", "SALE_DATE", "LAST_UPDATE"))).toMatchObject({
      fields: {},
      vintage: ["layer_edit", "retrieved"],
    });
  });

  test("reads ST behind a word for mail as the state, and STREET as the line", () => {
    expect(
      sources(proposeFields(named("PIN", "MAILING_STREET", "MAILING_CITY", "MAILING_ST")).fields),
    ).toEqual({
      mail_line1: "MAILING_STREET",
      mail_city: "MAILING_CITY",
      mail_state: "MAILING_ST",
    });
  });

  test("joins mailing lines only where the city has a column of its own", () => {
    expect(proposeFields(named("PIN", "MAIL_ADDR1", "MAIL_ADDR2", "MAIL_CITY")).fields.mail_line1).toEqual({
      from: ["MAIL_ADDR1", "MAIL_ADDR2"],
      transform: ["join:, "],
    });
    expect(proposeFields(named("PIN", "OWN_ADD_L1", "OWN_ADD_L2")).fields.mail_line1).toEqual({
      from: ["OWN_ADD_L1", "OWN_ADD_L2"],
    });
  });

  test("does not guess the unit of an area that its name does not say", () => {
    expect(proposeFields(named("PIN", "LOT_SIZE", "AREA", "SHAPE_AREA")).area).toBeUndefined();
  });

  test("is a sound map of a layer, whatever its columns are called", () => {
    const known = [...fieldSynonyms().values()]
      .flat()
      .map((phrase) => phrase.map(([word]) => word).join("_"));
    const columnName = fc.oneof(fc.constantFrom(...known), fc.string({minLength: 1, maxLength: 12}));
    fc.assert(
      fc.property(fc.uniqueArray(columnName, {maxLength: 60}), (names) => {
        const {ids, fields, vintage, owners, values, area, use, unused} = proposeFields(named(...names));
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
        expect(unused.every((name) => names.includes(name))).toBe(true);
      }),
      {numRuns: 200},
    );
  });
});

describe("the table of synonyms", () => {
  test("has only roles that a proposal uses", () => {
    const columns = new Set([...parcelColumns.map(({name}) => name), ...otherRoles]);
    expect([...fieldSynonyms().keys()].filter((role) => !columns.has(role))).toEqual([]);
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
