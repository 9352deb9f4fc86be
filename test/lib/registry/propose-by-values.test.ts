import {describe, expect, test} from "vitest";
import {proposeFields} from "../../../lib/registry/propose-fields.ts";

/** Columns of an invented table, every list repeated to 120 rows. */
function table(columns: Readonly<Record<string, readonly string[]>>) {
  return Object.entries(columns).map(([name, cells]) => ({
    name,
    samples: Array.from({length: 120}, (_, i) => cells[i % cells.length]!),
  }));
}
const numbers = Array.from({length: 120}, (_, i) => `12-${1000 + i}`);
const lines = ["12 ELM ST", "140 OAK AVE", "7 COUNTY ROAD 12", "2200 N MAIN ST"];
const mailLines = ["PO BOX 12", "140 OAK AVE", "9 PINE DR", "C/O FIRST PLAINS BANK"];
const propose = (columns: Readonly<Record<string, readonly string[]>>, state = "PA") =>
  proposeFields(table({PARCEL_NO: numbers, ...columns}), {state});
const from = (fields: Readonly<Record<string, {from?: unknown}>>) =>
  Object.fromEntries(Object.entries(fields).map(([column, spec]) => [column, spec.from]));

describe("a column by its cells", () => {
  const degrees = {X: ["-77.01", "-77.02"], Y: ["41.21", "41.22"]};

  test("X and Y are the point when they are degrees of the state", () => {
    expect(from(propose(degrees).fields)).toEqual({lon: "X", lat: "Y"});
    expect(from(propose({X: ["2200100.5"], Y: ["301000.5"]}).fields)).toEqual({});
    expect(from(propose({...degrees, Longitude: ["-77.01"], Latitude: ["41.21"]}).fields)).toEqual({
      lon: "Longitude",
      lat: "Latitude",
    });
    expect(proposeFields([{name: "PIN"}, {name: "X"}, {name: "Y"}], {state: "PA"}).fields).toEqual({});
  });

  test("STATE_CODE is the use when it has the codes of the state's table", () => {
    const codes = ["A1", "C1", "D1", "F1"];
    expect(propose({STATE_CODE: codes}, "TX").use).toMatchObject({
      systems: ["tx-state-category"],
      codeFrom: "STATE_CODE",
    });
    expect(propose({STATE_CODE: ["TX"]}, "TX").use).toBeUndefined();
  });

  test("a column of outlines in well-known text is the geometry", () => {
    expect(propose({the_geom: ["POLYGON ((-77 41, -77.1 41, -77.1 41.1, -77 41))"]}).fields).toEqual({
      geometry: {from: "the_geom"},
    });
    expect(propose({the_geom: ["0103000020E6100000"]}).fields).toEqual({});
  });

  test("an area is in hectares by its name, and of any unit where each number has one", () => {
    expect(propose({AREA_HA: ["0.5", "1.25"]}).area).toMatchObject({from: "AREA_HA", unit: "ha"});
    expect(propose({ACREAGE: ["1.5 AC", "43,560 SF"]}).area).toMatchObject({from: "ACREAGE", unit: "text"});
    expect(propose({ACREAGE: ["about 2", "60 x 120"]}).area).toBeUndefined();
  });

  test("a name in two columns is last and first name", () => {
    const {fields, owners} = propose({OWN_LAST: ["HARLOW", "QUISTAD"], OWN_FIRST: ["DALE", "JUNE"]});
    expect([fields.owner_raw, owners?.order]).toEqual([
      {from: ["OWN_LAST", "OWN_FIRST"], transform: ["join"]},
      "last_first",
    ]);
    expect(
      propose({OWNER: ["HARLOW DALE"], OWN_FIRST: ["DALE"], OWN_LAST: ["HARLOW"]}).fields.owner_raw,
    ).toEqual({from: "OWNER"});
  });

  test("days with a month in letters are long dates", () => {
    expect(propose({SALE_DATE: ["04-MAR-2010", "1 Apr 2011"]}).fields.transfer_date).toEqual({
      from: "SALE_DATE",
      transform: ["longDate"],
    });
  });

  test("HOUSE is the number of the street beside it", () => {
    expect(from(propose({HOUSE: ["12", "140"], STREET: ["ELM ST", "OAK AVE"]}).fields)).toEqual({
      situs_number: "HOUSE",
      situs_name: "STREET",
    });
  });

  test("the name beside the address of the mail is the owner where the table has no other", () => {
    expect(from(propose({Owner_Mail_Name: ["HARLOW DALE"], Owner_Mail_Addr1: mailLines}).fields)).toEqual({
      owner_raw: "Owner_Mail_Name",
      mail_line1: "Owner_Mail_Addr1",
    });
  });

  test("city, state and ZIP in one column belong to the line of the land beside it", () => {
    const {fields} = propose({
      AddressLine1: lines,
      CityStateZip: ["ASPERVILLE, PA 17701"],
      OwnerAddress1: mailLines,
      OwnerCity: ["BOSTON"],
    });
    expect(fields.situs_raw).toEqual({from: ["AddressLine1", "CityStateZip"], transform: ["join:, "]});
  });
});

describe("an address that names neither land nor owner", () => {
  const block = {City: ["ASPERVILLE", "BELHAM"], State: ["PA"], Zip: ["17701", "17702"]};

  test("is the owner's beside an address of the land", () => {
    const {fields} = propose({
      "Property Address": lines,
      Owner: ["HARLOW DALE"],
      "Address Line 1": [...lines, "9 PINE DR"],
      ...block,
    });
    expect(from(fields)).toEqual({
      situs_raw: "Property Address",
      owner_raw: "Owner",
      mail_line1: "Address Line 1",
      mail_city: "City",
      mail_state: "State",
      mail_zip: "Zip",
    });
  });

  test("is nobody's where it is the address of the land in nearly all rows", () => {
    const {fields} = propose({"Property Address": lines, Owner: ["HARLOW DALE"], "Mail Address": lines});
    expect(from(fields)).toEqual({situs_raw: "Property Address", owner_raw: "Owner"});
  });

  test("is the owner's when cells have boxes, or states and ZIPs elsewhere", () => {
    const boxes = propose({Owner: ["HARLOW DALE"], Address: mailLines, ...block});
    const elsewhere = propose({Owner: ["HARLOW DALE"], Address: lines, ...block, Zip: ["17701", "90210"]});
    for (const {fields} of [boxes, elsewhere]) {
      expect(fields).toMatchObject({mail_line1: {from: "Address"}, mail_city: {from: "City"}});
      expect(["situs_raw", "city", "zip"].filter((column) => column in fields)).toEqual([]);
    }
  });

  test("is the land's when its cells are all of the state and the owner has an address", () => {
    const {fields} = propose({Address: lines, ...block, "Mail Address": mailLines, "Mail City": ["BOSTON"]});
    expect(from(fields)).toEqual({
      situs_raw: "Address",
      city: "City",
      zip: "Zip",
      mail_line1: "Mail Address",
      mail_city: "Mail City",
    });
  });

  test("is neither by its names alone, when owners stand in the table with states", () => {
    const names = ["PARCEL_NO", "OWNER", "ADDRESS", "CITY", "STATE", "ZIP"].map((name) => ({name}));
    const {fields} = proposeFields(names);
    expect(["situs_raw", "city", "zip"].filter((column) => column in fields)).toEqual([]);
  });

  test("is the land's when it follows the street of the land and the owner's lines come later", () => {
    const names = [
      "PIN",
      "BLDG_NUM",
      "STREETNAME",
      "CITY",
      "ZIP",
      "STATE",
      "OWNER_NAME",
      "OWN_ADD_L1",
      "OWN_ADD_L2",
    ];
    const {fields} = proposeFields(names.map((name) => ({name})));
    expect(fields).toMatchObject({city: {from: "CITY"}, zip: {from: "ZIP"}});
    const after = ["PIN", "SITE_ADDR", "OWNER_NAME", "CITY", "STATE", "ZIP"].map((name) => ({name}));
    expect(proposeFields(after).fields).toMatchObject({mail_city: {from: "CITY"}, mail_zip: {from: "ZIP"}});
  });

  test("is never the land's beside the land's street, when it has states or a second line", () => {
    const names = ["PIN", "HOUSE_NO", "STREET_NAM", "HOLDER", "ADDRESS1", "ADDRESS2", "CITY", "STATE", "ZIP"];
    const {fields} = proposeFields(names.map((name) => ({name})));
    expect(from(fields)).toEqual({
      situs_number: "HOUSE_NO",
      situs_name: "STREET_NAM",
      mail_line1: ["ADDRESS1", "ADDRESS2"],
      mail_city: "CITY",
      mail_state: "STATE",
      mail_zip: "ZIP",
    });
  });

  test("is the land's line beside parts in a table without owners", () => {
    const names = ["PIN", "SITE_STREET", "SITE_NUMBER", "ADDRESS"].map((name) => ({name}));
    expect(proposeFields(names).fields.situs_raw).toEqual({from: "ADDRESS"});
  });

  test("of two blocks, the one with boxes is the owner's", () => {
    const second = {ADDRESS_2: mailLines, CITY_2: ["RENO", "ASPERVILLE"], ZIP_2: ["89501", "17701"]};
    const {fields} = propose({
      ADDRESS: lines,
      CITY: ["ASPERVILLE"],
      ZIP: ["17701"],
      OWNER: ["HARLOW DALE"],
      ...second,
    });
    expect(fields).toMatchObject({situs_raw: {from: "ADDRESS"}, city: {from: "CITY"}, zip: {from: "ZIP"}});
  });
});

describe("an address that names the land", () => {
  test("is not taken when its city or ZIPs are elsewhere in more than a tenth of the rows", () => {
    const {fields} = propose({
      SITE_ADDR: lines,
      SITE_CITY: ["ASPERVILLE"],
      SITE_ZIP: ["17701", "17702", "90210"],
    });
    expect(from(fields)).toEqual({situs_raw: "SITE_ADDR", city: "SITE_CITY"});
  });

  test("loses parts that have other house numbers than its line", () => {
    const parts = {HOUSE_NO: ["901", "77", "5", "12"], STREET_NAME: ["PINE"]};
    expect(from(propose({SITUS_ADDR: lines, ...parts}).fields)).toEqual({situs_raw: "SITUS_ADDR"});
    const own = {HOUSE_NO: ["12", "140", "7", "2200"], STREET_NAME: ["ELM"]};
    expect(propose({SITUS_ADDR: lines, ...own}).fields.situs_number).toEqual({from: "HOUSE_NO"});
  });

  test("is put together from the words that counties use", () => {
    const {fields} = propose({
      "Property Street Number": ["12"],
      "Property Street Direction": ["N"],
      "Property Street Name": ["ELM"],
      "Property Street Type": ["ST"],
      "Property Zip Code": ["17701"],
      "Mailing Address1": mailLines,
      "Mailing Address2": [""],
      "Mailing Address City": ["RENO"],
    });
    expect(from(fields)).toEqual({
      situs_number: "Property Street Number",
      situs_pre: "Property Street Direction",
      situs_name: "Property Street Name",
      situs_type: "Property Street Type",
      zip: "Property Zip Code",
      mail_line1: ["Mailing Address1", "Mailing Address2"],
      mail_city: "Mailing Address City",
    });
  });
});

describe("a parcel number", () => {
  test("has a value of its own in each row before one that repeats", () => {
    const {ids} = proposeFields(table({PARCEL_ID: ["1-1", "1-2"], PIN: numbers}), {state: "PA"});
    expect(ids).toMatchObject({raw: "PIN"});
  });

  test("has three other numbers at most, each once, and an account only where it tells rows apart", () => {
    const other = (digit: number) => numbers.map((each) => `${digit}${each}`);
    const idsOf = (columns: Readonly<Record<string, readonly string[]>>) => propose(columns).ids;
    expect(
      idsOf({ALT_PIN: other(1), ALT_ID: other(1), GEO_ID: other(2), LOC_ID: other(3), UPI: other(4)}),
    ).toEqual({
      raw: "PARCEL_NO",
      alt: ["ALT_PIN", "GEO_ID", "LOC_ID"],
    });
    expect(idsOf({ACCOUNT_NO: other(9)})).toEqual({raw: "PARCEL_NO", alt: ["ACCOUNT_NO"]});
    expect(idsOf({ACCOUNT_NO: other(9).map((each, i) => (i < 80 ? "9" : each))})).toEqual({raw: "PARCEL_NO"});
  });

  test("that is filled in two rows of three comes after one that each row has", () => {
    const gaps = numbers.map((each, i) => (i % 3 === 0 ? "" : each));
    expect(proposeFields(table({PARCEL_ID: gaps, PIN: numbers})).ids).toMatchObject({raw: "PIN"});
  });

  test("that few rows share comes before one that many share", () => {
    const shared = (rows: number) => numbers.map((_, i) => numbers[i % rows]!);
    expect(proposeFields(table({PARCEL_ID: shared(60), PIN: shared(90)})).ids).toMatchObject({raw: "PIN"});
  });

  test("is no column of previous numbers, and none whose cells are too short to be numbers of parcels", () => {
    const idsOf = (name: string, cells: readonly string[]) => proposeFields(table({[name]: cells})).ids;
    expect(idsOf("PrevParcelRef", numbers)).toBeNull();
    expect(idsOf("KeyedParcelRef", ["1", "2"])).toBeNull();
    expect(idsOf("KeyedParcelRef", numbers.slice(0, 60))).toBeNull();
  });

  test("is the print with signs of two of the same number", () => {
    const bare = numbers.map((each) => each.replace("-", ""));
    expect(proposeFields(table({PARCELID: bare, TAX_MAP: numbers})).ids).toMatchObject({raw: "TAX_MAP"});
  });

  test("is found under a name that nobody lists, when each row has its own", () => {
    expect(proposeFields(table({KeyedParcelRef: numbers, Colour: ["red"]})).ids).toEqual({
      raw: "KeyedParcelRef",
    });
  });
});

describe("an area", () => {
  test("whose name has no unit takes that of its values", () => {
    expect(propose({"Land Size": ["6,116", "7,031", "9,200"]}).area).toMatchObject({
      from: "Land Size",
      unit: "sqft",
    });
    expect(propose({LOT_SIZE: ["0.25", "1.5", "40.2"]}).area).toMatchObject({
      from: "LOT_SIZE",
      unit: "acres",
    });
  });

  test("takes the unit of the outlines before that of its name", () => {
    const columns = table({PIN: numbers, ACRES: ["43560"]});
    const {area} = proposeFields(columns, {outlineAcres: new Array<number>(120).fill(1)});
    expect(area).toMatchObject({from: "ACRES", unit: "sqft"});
  });

  test("is the declared one before one that is computed", () => {
    const {area} = propose({GIS_ACRES: ["1.01"], LAND_SQFT: ["43560"]});
    expect(area).toMatchObject({from: "LAND_SQFT", unit: "sqft", basis: "assessed"});
  });

  test("has the unit of the column beside it", () => {
    const {area} = propose({LOT_SIZE: ["1.5", "6000"], LOT_UNITS: ["A", "S"]});
    expect(area).toEqual({from: "LOT_SIZE", unit: "perRow", unitFrom: "LOT_UNITS", basis: "assessed"});
  });
});

describe("values", () => {
  test("of the present year come before those of the year before", () => {
    const {fields, vintage} = propose({
      "2021_land": ["100", "200"],
      "2021_building": ["300", "0"],
      "2021_total": ["400", "200"],
      "2020_total": ["350", "190"],
    });
    expect(from(fields)).toEqual({
      assessed_value: "2021_total",
      land_value: "2021_land",
      building_value: "2021_building",
    });
    expect(vintage[0]).toEqual({rollYear: 2021});
  });

  test("have the kind of the total that their parts add up to", () => {
    const {values} = propose({
      LAND_VALUE: ["100", "200"],
      IMPR_VALUE: ["300", "400"],
      ASSESSED_VALUE: ["40", "60"],
      MARKET_VALUE: ["400", "600"],
    });
    expect(values).toMatchObject({
      land_value: "market",
      building_value: "market",
      assessed_value: "assessed",
    });
  });

  test("without a kind are the market value beside a lower assessed one", () => {
    const {fields} = propose({
      TOTVALCUR: ["4000", "6000"],
      TOTASSCUR: ["400", "600"],
      TOTVALPRE: ["3900", "5900"],
    });
    expect(from(fields)).toEqual({market_value: "TOTVALCUR", assessed_value: "TOTASSCUR"});
  });
});

describe("a use", () => {
  test("comes with the state's system when the codes fit it", () => {
    const {use} = propose({PROP_CLASS: ["210", "105", "311", "482"]}, "NY");
    expect(use).toEqual({systems: ["ny-prclas"], codeFrom: "PROP_CLASS"});
    expect(propose({PROP_CLASS: ["R", "ZZ9", "Q7"]}, "NY").use).toEqual({
      systems: [],
      codeFrom: "PROP_CLASS",
    });
  });

  test("is not a property type when the table has a code", () => {
    const {use} = propose({PROPTYPE: ["Residential", "Commercial"], LNDUSE: ["1112", "2115"]}, "CO");
    expect(use).toMatchObject({codeFrom: "LNDUSE"});
  });

  test("that prints code and words in one is read as both", () => {
    const {use} = propose({land_use_code: ["11 - SINGLE FAMILY", "33 - TRANSPORTATION"]}, "ME");
    expect(use).toEqual({systems: [], codeFrom: "land_use_code", descriptionFrom: "land_use_code"});
  });
});

describe("the page of the parcel", () => {
  test("is a column of addresses that differ from row to row", () => {
    const pages = numbers.map((number) => `https://example.org/parcel?pin=${number}`);
    expect(propose({CountyOnline: pages}).fields.source_url).toEqual({from: "CountyOnline"});
    expect(propose({CountyOnline: ["https://example.org/map"]}).fields).toEqual({});
  });
});

describe("a name that says too little", () => {
  const streets = Array.from({length: 120}, (_, i) => `${100 + i} ${["OAK AVE", "N ELM ST"][i % 2]}`);
  const amounts = Array.from({length: 120}, (_, i) => String(1000 + i * 13));
  const cases: [string, Record<string, string[]>, string, unknown][] = [
    ["whole addresses in a column of streets", {PROP_STREET: streets}, "situs_raw", "PROP_STREET"],
    ["words that run together", {propstreetcombined: streets}, "situs_raw", "propstreetcombined"],
    ["an address of somebody else", {prop_owner_street: streets}, "situs_raw", undefined],
    [
      "a text in several columns",
      {LEGAL1: ["LOT 1"], LEGAL3: ["SEC 3"], LEGAL2: ["OAK ADDN"]},
      "legal_desc",
      ["LEGAL1", "LEGAL2", "LEGAL3"],
    ],
    [
      "a first owner called NAME",
      {NAME: ["HARLOW DALE"], NAME2: ["VOSS ADA"]},
      "owner_raw",
      ["NAME", "NAME2"],
    ],
    ["a column of values without any", {LANDASD: [""], LANDACT: amounts}, "land_value", "LANDACT"],
  ];

  test.each(cases)("%s", (_, columns, field, expected) => {
    expect(propose(columns).fields[field]?.from).toEqual(expected);
  });

  test("a state's table of uses is not proposed for a county's own codes, of which the words say otherwise", () => {
    const codes = {ABSTCODE: ["1112", "2112"], ABSTDESC: ["SINGLE FAMILY RESIDENCE", "RETAIL STORE"]};
    expect(propose(codes, "CO").use?.systems).toEqual(["co-class"]);
    expect(propose({...codes, ABSTCODE: ["5112", "3112"]}, "CO").use).toMatchObject({
      systems: [],
      descriptionFrom: "ABSTDESC",
    });
  });

  test("the alias of a layer's field tells what its name does not", () => {
    const [id, line] = table({PARCEL_NO: numbers, LOC_1: streets});
    const {fields} = proposeFields([id!, {...line!, alias: "Property Location"}], {state: "PA"});
    expect(fields).toMatchObject({situs_raw: {from: "LOC_1"}});
  });

  test("a table called parcels makes no parcel number of its areas and lengths", () => {
    const {ids} = proposeFields(
      table({"GIS.PARCELS.PIN": numbers, "GIS.PARCELS.SHAPE.AREA": amounts, PARCEL_LENGTH: amounts}),
    );
    expect(ids).toEqual({raw: "GIS.PARCELS.PIN"});
  });

  test("a table without an address or an owner says so", () => {
    expect(propose({ACRES: ["1.5"]}).notes.join()).toMatch(/address of the land.*owner/);
  });
});
