import {describe, expect, test} from "vitest";
import {proposeFields} from "../../../lib/registry/propose-fields.ts";

const rows = 60;
/** Columns of an invented table; a list of cells is repeated, and `#` in a cell is the number of the row. */
function table(columns: Readonly<Record<string, readonly string[]>>) {
  return Object.entries(columns).map(([name, cells]) => ({
    name,
    samples: Array.from({length: rows}, (_, i) => cells[i % cells.length]!.replace("#", String(1000 + i))),
  }));
}
const propose = (columns: Readonly<Record<string, readonly string[]>>, state = "OH") =>
  proposeFields(table({PARCEL_NO: ["12-#"], ...columns}), {state});
const fieldsOf = (columns: Readonly<Record<string, readonly string[]>>, state?: string) =>
  Object.fromEntries(
    Object.entries(propose(columns, state).fields).map(([column, {from}]) => [column, from]),
  );
const named = (...names: string[]) =>
  Object.fromEntries(
    Object.entries(proposeFields(names.map((name) => ({name}))).fields).map(([column, {from}]) => [
      column,
      from,
    ]),
  );

const parts = {number: ["12", "140", "7"], name: ["ELM", "OAK GROVE", "12TH"], type: ["ST", "AVE", "RD"]};
const owners = ["HARLOW DALE M", "QUISTAD JUNE", "ASHMERE FARMS LLC"];
const lines = ["12 ELM ST", "PO BOX 9", "7 12TH RD"];

describe("the names of a publisher's columns", () => {
  test("are understood in any order of their words", () => {
    expect(
      named(
        ...["PARCEL_NO", "SITUS_STR_NAME_PRE_DIR", "SITUS_STR_NAME", "SITUS_STR_NAME_POST_TYPE"],
        ...["prop_address_city_name", "prop_address_zipcode_1", "mail_address_zipcode_1"],
        ...["ASSESSORYEAR_TOTALAV", "ASSESSORYEAR_LANDTOTAL", "year_property_built"],
      ),
    ).toEqual({
      situs_pre: "SITUS_STR_NAME_PRE_DIR",
      situs_name: "SITUS_STR_NAME",
      situs_type: "SITUS_STR_NAME_POST_TYPE",
      city: "prop_address_city_name",
      zip: "prop_address_zipcode_1",
      mail_zip: "mail_address_zipcode_1",
      assessed_value: "ASSESSORYEAR_TOTALAV",
      land_value: "ASSESSORYEAR_LANDTOTAL",
      year_built: "year_property_built",
    });
  });

  test("are understood where a DBF cut them in the middle of such a name", () => {
    expect(named("PARCEL_NO", "TOTALAPPRA", "TOTACTLNDV", "TOTACTIMPV")).toEqual({
      market_value: "TOTALAPPRA",
      land_value: "TOTACTLNDV",
      building_value: "TOTACTIMPV",
    });
    // A site's building has nothing to do with the year in which one was built.
    expect(named("PARCEL_NO", "SITUS_BUIL")).toEqual({});
  });

  test("are told apart by the cells where a cut left several meanings", () => {
    const cut = {SITUS_STRE: parts.name, SITUS_SUFF: parts.type, SITUS_ADDR: parts.number};
    expect(fieldsOf(cut)).toEqual({
      situs_number: "SITUS_ADDR",
      situs_name: "SITUS_STRE",
      situs_type: "SITUS_SUFF",
    });
    expect(fieldsOf({SITUS_STRE: ["N", "SE"]})).toEqual({situs_pre: "SITUS_STRE"});
  });

  test("may have a strange word before or behind, if the cells show what they are", () => {
    const strange = {SITE_ADDR: ["12 ELM ST"], CITY_OL: ["DAYTON", "KETTERING"], ZIP_OL: ["45402", "45429"]};
    expect(fieldsOf(strange)).toEqual({situs_raw: "SITE_ADDR", city: "CITY_OL", zip: "ZIP_OL"});
    expect(fieldsOf({...strange, CITY_OL: ["7", "9"], ZIP_OL: ["89501"]})).toEqual({situs_raw: "SITE_ADDR"});
    expect(fieldsOf({...strange, CITY_OL: [""], ZIP_OL: [""], PREV_ZIP: ["45402"]})).toEqual({
      situs_raw: "SITE_ADDR",
    });
    expect(propose({KCA_ACRES: ["0.25", "1.75"]}).area).toMatchObject({from: "KCA_ACRES"});
  });
});

describe("the address of the land", () => {
  test("has types and directions in columns beside its street whose names say neither", () => {
    const beside = {STDIR1: ["N", "E"], STREET: parts.name, DSGN: parts.type, QUAD: ["NW", "SE"]};
    expect(fieldsOf({HOUSE_NO: parts.number, ...beside})).toEqual({
      situs_number: "HOUSE_NO",
      situs_pre: "STDIR1",
      situs_name: "STREET",
      situs_type: "DSGN",
      situs_post: "QUAD",
    });
    expect(fieldsOf({HOUSE_NO: parts.number, STREET: parts.name, TWP_DIR: ["N", "S"]})).not.toHaveProperty(
      "situs_post",
    );
  });

  test("has city and ZIP in its second and third line, where these hold nothing else", () => {
    const site = {site_addr_1: ["12 ELM ST"], site_addr_2: ["DAYTON", "KETTERING"], site_addr_3: ["45402"]};
    expect(fieldsOf(site)).toEqual({situs_raw: "site_addr_1", city: "site_addr_2", zip: "site_addr_3"});
    expect(fieldsOf({...site, site_addr_2: ["UNIT 4", "APT 12"]})).not.toHaveProperty("city");
  });

  test("has the street alone in a line without house numbers, which stand in a column of their own", () => {
    const line = {PROPERTYADDRESS: ["N ELM ST", "12TH AVE"], PROPERTYHOUSENUM: parts.number};
    expect(fieldsOf(line)).toEqual({situs_name: "PROPERTYADDRESS", situs_number: "PROPERTYHOUSENUM"});
    expect(fieldsOf({...line, PROPERTYADDRESS: ["12 ELM ST", "140 OAK AVE", "7 12TH RD"]})).toEqual({
      situs_raw: "PROPERTYADDRESS",
      situs_number: "PROPERTYHOUSENUM",
    });
  });

  test("keeps its own city and ZIP before the lines of an owner further on", () => {
    expect(
      fieldsOf({
        ...{OWN1: owners, ADRNO: parts.number, ADRSTR: parts.name, CITYNAME: ["DAYTON"], ZIP1: ["45402"]},
        ...{CLASS: ["R"], LIVUNIT: ["1"], NBHD: ["12"], ADDR1: lines, ADDR2: ["", "RENO NV 89501"]},
      }),
    ).toMatchObject({city: "CITYNAME", zip: "ZIP1", mail_line1: ["ADDR1", "ADDR2"]});
  });

  test("is not the STREET that holds the owner's whole line", () => {
    const {STREET: street, ...rest} = {STREET: lines, CITY: ["RENO"], STATE: ["NV"], ZIP5: ["89501"]};
    expect(fieldsOf({OWNAM1: owners, STREET: street, ...rest, STRNUM: ["12"], LOCATE: ["ELM ST"]})).toEqual({
      ...{owner_raw: "OWNAM1", mail_line1: "STREET", mail_city: "CITY", mail_state: "STATE"},
      ...{mail_zip: "ZIP5", situs_number: "STRNUM", situs_name: "LOCATE"},
    });
  });
});

describe("the owner", () => {
  test("has an address in parts", () => {
    const mail = {MAILSTRNBR: ["12", "9"], MAILSTRDIR: ["N", ""], MAILSTRNAM: ["ELM"], MAILSTRTYP: ["ST"]};
    expect(propose({OWNNAM: owners, ...mail, MAILCTYNAM: ["RENO"]}).fields).toMatchObject({
      mail_line1: {from: Object.keys(mail), transform: ["join"]},
      mail_city: {from: "MAILCTYNAM"},
    });
  });

  test("has his own address before that of whoever gets the bill", () => {
    const bill = {Bill_To_Address_1: ["PO BOX 77"], Bill_To_City: ["RENO"], Bill_To_Zip: ["89501"]};
    const own = {Owner_1_Address_1: lines, Owner_1_City: ["DAYTON"], Owner_1_Zip: ["45402"]};
    expect(fieldsOf({Owner_1_Name: owners, ...bill, ...own})).toEqual({
      ...{owner_raw: "Owner_1_Name", mail_line1: "Owner_1_Address_1"},
      ...{mail_city: "Owner_1_City", mail_zip: "Owner_1_Zip"},
    });
  });

  test("is the first line of the mail in a table without a column for him", () => {
    const mail = {MAIL1: owners, MAIL2: lines, MAIL3: ["RENO NV 89501"]};
    expect(fieldsOf(mail)).toEqual({owner_raw: "MAIL1", mail_line1: ["MAIL2", "MAIL3"]});
    expect(fieldsOf({...mail, MAIL1: lines, MAIL2: ["", "APT 4"]})).not.toHaveProperty("owner_raw");
  });
});

describe("the parcel number", () => {
  const idsOf = (columns: Readonly<Record<string, readonly string[]>>) =>
    proposeFields(table(columns), {state: "OH"});

  test("is block, lot and qualifier in a table without another", () => {
    const block = Array.from({length: rows}, (_, i) => String(100 + Math.floor(i / 6)));
    const lot = Array.from({length: rows}, (_, i) => String(1 + (i % 6)));
    const qualifier = Array.from({length: rows}, (_, i) => (i % 2 === 0 ? "" : "C01"));
    expect(idsOf({Block: block, Lot: lot, Qualifier: qualifier}).ids?.raw).toEqual({
      from: ["Block", "Lot"],
      transform: ["join:-"],
    });
    const shared = lot.map((_, i) => String(1 + Math.floor((i % 6) / 2)));
    expect(idsOf({Block: block, Lot: shared, Qualifier: qualifier}).ids?.raw).toMatchObject({
      from: ["Block", "Lot", "Qualifier"],
    });
    expect(idsOf({Block: block, Lot: ["1"]}).ids).toBeNull();
  });

  test("is the first code of one form in each row where no name tells it, and a note says so", () => {
    const {ids, notes} = idsOf({gp: ["0100/#"], dp: ["#-000"], ZONING: ["R1"]});
    expect(ids).toEqual({raw: "gp"});
    expect(notes.join()).toContain("no name of a column tells the parcel number");
    expect(idsOf({ROW_KEY: ["A#"], SALE_DATE: ["2001#"]}).ids).toBeNull();
  });

  test("is not a number that counts rows, and is the APN where several tell the parcels apart", () => {
    const counter = Array.from({length: rows}, (_, i) => String(i + 1));
    expect(idsOf({PARCELID: counter, APN: ["100#00"]}).ids?.raw).toBe("APN");
    expect(idsOf({PARCELID: counter, FOLIO: ["7#00"]}).ids?.raw).toBe("FOLIO");
    expect(idsOf({PARCELID: ["9#1"], APN: ["100#00"]}).ids).toEqual({raw: "APN", alt: ["PARCELID"]});
  });

  test("has the other numbers beside it though a few rows are no parcels", () => {
    const blanks = (cell: string) => Array.from({length: rows}, (_, i) => (i < 57 ? cell : ""));
    expect(idsOf({PIN: blanks("U-#"), FOLIO: blanks("77#")}).ids).toEqual({raw: "PIN", alt: ["FOLIO"]});
  });
});

describe("values, use and sale", () => {
  test("take a part with its kind and one without together", () => {
    const {fields, values} = propose({LANDMKTVAL: ["1000"], IMPVAL: ["9000"], APPRAISAL: ["10000"]});
    expect([fields.land_value?.from, fields.building_value?.from]).toEqual(["LANDMKTVAL", "IMPVAL"]);
    expect(values).toMatchObject({land_value: "market", building_value: "market"});
  });

  test("read an amount beside a date of sale as the price, and not without one", () => {
    expect(fieldsOf({"Sale Date": ["4/1/2019"], Amount: ["$12,000"]})).toMatchObject({
      transfer_price: "Amount",
    });
    expect(fieldsOf({Amount: ["$12,000"]})).toEqual({});
  });

  test("describe the use by another column of uses that has words", () => {
    const uses = {PROP_CLASS: ["111", "910", "540"], PROP_USE: ["House", "Vacant land", "Shop"]};
    expect(propose(uses).use).toMatchObject({codeFrom: "PROP_CLASS", descriptionFrom: "PROP_USE"});
  });

  test("take the finer of two codes for the use", () => {
    expect(propose({PROPCLASS: ["R", "C"], LUCODE: ["010", "400"]}).use).toMatchObject({codeFrom: "LUCODE"});
  });
});

test("a second copy of the owner's town is not the land's", () => {
  const towns = ["LIMA", "LIMA", "LIMA", "DAYTON", "BOSTON"];
  const situs = {situs_address: ["12 ELM ST", "7 12TH RD", "140 OAK GROVE AVE"]};
  const mail = {owner_name: owners, mailing_address1: lines, mailing_city: towns};
  const cityFrom = (cells: readonly string[]) => fieldsOf({...situs, ...mail, SITUS_CITY: cells})["city"];
  expect(cityFrom(towns)).toBeUndefined();
  expect(cityFrom(["LIMA", "LIMA", "LIMA", "LIMA", "DAYTON"])).toBe("SITUS_CITY");
});

describe("layouts that were proposed wrongly", () => {
  test("M01: section, township and range are no street, ow_ is the owner and ph_ the place", () => {
    const fields = fieldsOf(
      {
        ...{ow_name: owners, ow_add: lines, ph_rd_num: parts.number, ph_pre_dir: [""], ph_rd_nam: parts.name},
        ...{
          ph_rd_typ: parts.type,
          ph_cty_nm: ["BRYANT"],
          ph_add: ["12 ELM ST", "140 OAK GROVE AVE", "7 12TH RD"],
        },
        ...{s_t_r: ["27-01S-14W", "5-01S-14W"], acre_area: ["0.25", "1.5"]},
      },
      "AR",
    );
    expect(fields).toMatchObject({
      ...{situs_raw: "ph_add", situs_number: "ph_rd_num", situs_name: "ph_rd_nam"},
      ...{situs_type: "ph_rd_typ", city: "ph_cty_nm"},
      ...{owner_raw: "ow_name", mail_line1: "ow_add", sec_twn_rng: "s_t_r"},
    });
  });

  test.each(["27-01S-14W", "T1S R14W 27", "SEC 5 01S 14W", "1N 2E 33"])("M01: %s is no street", (cell) => {
    expect(fieldsOf({STR: [cell]}, "AR")).not.toHaveProperty("situs_name");
  });

  test("M02: dots in a name stand for blanks, and the table of a database before a name says nothing", () => {
    expect(
      named(
        "Parcel.ID",
        "Owner.Name",
        "Property.Zip.Code",
        "Current.Full.Cash.Value",
        "Property.Full.Street.Address",
      ),
    ).toEqual({
      ...{owner_raw: "Owner.Name", zip: "Property.Zip.Code", market_value: "Current.Full.Cash.Value"},
      situs_raw: "Property.Full.Street.Address",
    });
    expect(named("GIS.CADASTRE.SITUS_ADDR", "GIS.CADASTRE.OWNER_NAME")).toEqual({
      situs_raw: "GIS.CADASTRE.SITUS_ADDR",
      owner_raw: "GIS.CADASTRE.OWNER_NAME",
    });
  });

  test("M03: the roll's acres come before those of the map, and both before hectares", () => {
    const areas = {Hectares: ["0.1012"], GIS_Acres: ["0.2499"], Cama_acres: ["0.25"]};
    expect(propose(areas).area).toMatchObject({
      from: ["Cama_acres", "GIS_Acres"],
      basis: ["assessed", "computed"],
    });
    const {Cama_acres: _, ...measured} = areas;
    expect(propose(measured).area).toMatchObject({from: "GIS_Acres", basis: "computed"});
  });

  test("M04: the year of a purchase, of which a file has many, is no roll year", () => {
    const years = Array.from({length: 30}, (_, i) => String(1990 + i));
    expect(propose({"Year of purchase": years}).vintage).toEqual(["layer_edit", "retrieved"]);
    expect(propose({TAX_YEAR: years}).vintage).toEqual(["layer_edit", "retrieved"]);
    expect(propose({TAX_YEAR: ["2025", "2026"]}).vintage[0]).toEqual({rollYear: "TAX_YEAR"});
  });

  test("M05: of two situs lines the one with more numbers and towns wins", () => {
    const fields = fieldsOf(
      {
        "Situs Address": ["# ELM ST", "OAK RD", ""],
        "SITE ADDRESS": ["# ELM ST BRYANT AR 72022", "# OAK RD BENTON AR 72015", "# ELM ST BRYANT AR 72022"],
      },
      "AR",
    );
    expect(fields).toMatchObject({situs_raw: "SITE ADDRESS"});
  });

  test("M08: town and state of a mailing block in one cell are the mail's, and no street", () => {
    const fields = fieldsOf(
      {"Mailing Address": ["# ELM ST"], "Mailing City/State": ["BRYANT, AR", "TULSA, OK"], OWNER: owners},
      "AR",
    );
    // One line, which is split into town and state as it is read.
    expect(fields).toMatchObject({mail_line1: ["Mailing Address", "Mailing City/State"]});
    for (const name of ["situs_raw", "situs_name", "city"]) expect(fields[name]).toBeUndefined();
  });

  test("M06: an area of a few acres is no building's", () => {
    expect(fieldsOf({BLDG_AREA: ["0.1", "2.5", "40"]})).not.toHaveProperty("building_area");
    expect(fieldsOf({BLDG_AREA: ["900", "2500", "0"]})).toHaveProperty("building_area");
  });

  test("a phone number is no house number, and mail that goes on with a town is not the situs again", () => {
    expect(
      fieldsOf({PH_NUM: ["555-0100", "5015550101"].map((cell) => cell.padStart(10, "501"))}),
    ).not.toHaveProperty("situs_number");
    const fields = fieldsOf({SITUS: ["# ELM ST"], MAIL_ADDR: ["# ELM ST BRYANT AR 72022"]}, "AR");
    expect(fields).toMatchObject({situs_raw: "SITUS", mail_line1: "MAIL_ADDR"});
    expect(fieldsOf({SITUS: ["# ELM ST"], MAIL_ADDR: ["# ELM ST"]}, "AR")).not.toHaveProperty("mail_line1");
  });
});
