import {describe, expect, test} from "vitest";
import type {ParcelSource} from "../../../../schemas/parcel-source.ts";
import {bareEntry as entry} from "../../../pipeline/parcels/invented-source.ts";
import {conformed, conformedRow} from "./conformed.ts";

/** One mapped column of one cell. */
async function mapped(column: string, transform: string[] | undefined, cell: unknown): Promise<unknown> {
  const spec = transform === undefined ? {from: "A"} : {from: "A", transform};
  return (await conformedRow(entry({fields: {[column]: spec}}), {PIN: "1", A: cell}))[column];
}

describe("areas", () => {
  const size = (area: Record<string, unknown>, cells: Record<string, unknown>) =>
    conformedRow(entry({area}), {PIN: "1", ...cells});

  test("X01: 1742400 square feet are 40 acres", async () => {
    expect(await size({from: "A", unit: "sqft"}, {A: "1742400"})).toMatchObject({
      acres: 40,
      land_area_sqft: 1742400,
      acres_basis: "assessed",
    });
  });

  test("X02: a stated lot in acres beats the computed square metres, without a flag", async () => {
    const area = {from: ["GIS_M2", "LOT"], unit: "perRow", unitFrom: ["U1", "U2"]};
    const row = await size(area, {GIS_M2: 10276.1689, U1: "M2", LOT: 2.5135, U2: "A"});
    expect(row).toMatchObject({acres: 2.5135, acres_basis: "assessed", flags: ["no_geometry"]});
    expect(await size(area, {GIS_M2: 10276.1689, U1: "M2", LOT: null, U2: "A"})).toMatchObject({
      acres: 2.5393,
      acres_basis: "computed",
    });
  });

  test.each([
    ["X03", "160 ACRES", 160, 6969600],
    ["X04", "14.44 FEET", null, null],
    ["X05", "1,234.50 ACRES", 1234.5, 53774820],
    ["about", "160 ACRES +/-", 160, 6969600],
    ["about", "160 ac. more or less", 160, 6969600],
    ["about", "160 ACRE(S) (D) M/L", 160, 6969600],
    ["square feet", "1742400 SQUARE FT", 40, 1742400],
    ["a unit alone", "ACRES", null, null],
    ["a number alone", "160", null, null],
    ["an area of 0", "0 ACRES", null, null],
  ])("%s: the text %s", async (_, A, acres, land_area_sqft) => {
    expect(await size({from: "A", unit: "text"}, {A})).toMatchObject({
      acres,
      land_area_sqft,
      flags: ["no_geometry"],
    });
  });

  test.each([
    ["X32", "30X204", 30, 204],
    ["X32 with blanks and parts of feet", "62.5 x 120", 62.5, 120],
    ["X04", "14.44 FEET", 14.44, null],
    ["an area", "160 ACRES", null, null],
    ["sides of 0", "0X0", null, null],
  ])(
    "%s: the text %s is feet along the street and deep, never an area",
    async (_, A, frontage_ft, depth_ft) => {
      const row = await size({from: "A", unit: "text"}, {A});
      expect({
        ...row,
        frontage_ft: row["frontage_ft"] && Number((row["frontage_ft"] as number).toFixed(2)),
      }).toMatchObject({
        frontage_ft,
        depth_ft,
        ...(frontage_ft === null ? {} : {acres: null}),
        flags: ["no_geometry"],
      });
    },
  );

  test("X06: 64.75 hectares", async () =>
    expect(await size({from: "A", unit: "ha"}, {A: "64.75"})).toMatchObject({acres: 160.0007}));

  test("X07: a lot size of 0 is unknown", async () => {
    expect(await size({from: "A", unit: "sqft"}, {A: "0"})).toMatchObject({
      acres: null,
      land_area_sqft: null,
      acres_basis: null,
    });
  });

  test("X08: of a unit without a number, the computed area counts", async () => {
    const area = {from: ["LEGAL_AREA", "GIS_AREA"], unit: "perRow", unitFrom: ["LGL_AREA_U", "GIS_AREA_U"]};
    const row = await size(area, {
      LEGAL_AREA: null,
      LGL_AREA_U: "Acres",
      GIS_AREA: 1.89484985,
      GIS_AREA_U: "Acres",
    });
    expect(row).toMatchObject({acres: 1.8948, acres_basis: "computed", flags: ["no_geometry"]});
  });

  test("X09: 160469.21826 square feet", async () => {
    expect(await size({from: "A", unit: "sqft"}, {A: "160469.21826"})).toMatchObject({acres: 3.6839});
  });

  test.each([
    ["X10", 95.63, 93.3078, []],
    ["X11", 2.0, 3.1, ["area_mismatch"]],
  ])("%s: deeded %s, computed %s", async (_, DEEDED_ACR, GIS_ACRE, flags) => {
    const row = await size({from: ["GIS_ACRE", "DEEDED_ACR"], unit: "acres"}, {DEEDED_ACR, GIS_ACRE});
    expect(row).toMatchObject({acres: DEEDED_ACR, acres_basis: "deeded", flags: [...flags, "no_geometry"]});
  });

  test("X12: acres and square feet of the source are both kept", async () => {
    const fields = {acres: {from: "A"}, land_area_sqft: {from: "S"}};
    expect(await conformedRow(entry({fields}), {PIN: "1", A: "0.1377", S: "6000"})).toMatchObject({
      acres: 0.1377,
      land_area_sqft: 6000,
    });
  });

  test("X27 to X29: the unit is that of the row, and without one there is no stated area", async () => {
    const area = {from: "LOT_SIZE", unit: "perRow", unitFrom: "LOT_UNITS"};
    const quarter = {acres: 0.25, land_area_sqft: 10890};
    expect(await size(area, {LOT_SIZE: "0.25", LOT_UNITS: "A"}), "X27").toMatchObject(quarter);
    expect(await size(area, {LOT_SIZE: "10890", LOT_UNITS: "S"}), "X28").toMatchObject(quarter);
    expect(await size(area, {LOT_SIZE: "10890", LOT_UNITS: null}), "X29").toMatchObject({
      acres: null,
      land_area_sqft: null,
      flags: ["area_unit_unknown", "no_geometry"],
    });
  });

  test.each([
    ["acres", ["A", "acs.", "ACRE(S)", "ACREAGE", "Acres +/-"]],
    ["square feet", ["S", "SQFT", "SQ. FOOT", "SQUARE FT", "Square_Feet"]],
    ["square metres", ["M", "m", "M2", "SQM", "SQ METER", "SQUARE METRE", "Square_Meters"]],
    ["hectares", ["H", "HECTARE", "hectares"]],
    ["nothing", ["M/L", "FT", "C", "AC (CALC)"]],
  ])("a column of units says %s by any word for it", async (kind, words) => {
    const area = {from: "A", unit: "perRow", unitFrom: "U"};
    const acres = {
      acres: 40,
      "square feet": 0.0009,
      "square metres": 0.0099,
      hectares: 98.8422,
      nothing: null,
    };
    for (const U of words)
      expect([U, (await size(area, {A: "40", U}))["acres"]]).toEqual([U, acres[kind as keyof typeof acres]]);
  });

  test("metres behind a number may be a length, and a calculated area is none of the roll", async () => {
    for (const A of ["14.44 M", "2.5 AC (CALC)", "2.5 AC CALC"])
      expect(await size({from: "A", unit: "text"}, {A})).toMatchObject({
        acres: null,
        flags: ["area_unit_unknown", "no_geometry"],
      });
  });

  test("X33: the acres of the roll count beside those of the map", async () => {
    const area = {from: ["Cama_acres", "GIS_Acres"], unit: "acres", basis: ["assessed", "computed"]};
    expect(await size(area, {GIS_Acres: "0.2499", Cama_acres: "0.25"})).toMatchObject({
      acres: 0.25,
      acres_basis: "assessed",
    });
  });

  test("of an unknown unit, and beyond any ranch, are null with a code", async () => {
    const area = {from: "A", unit: "perRow", unitFrom: "U"};
    expect(await size(area, {A: 5, U: "ROODS"})).toMatchObject({
      acres: null,
      flags: ["area_unit_unknown", "no_geometry"],
    });
    expect(await size(area, {A: 1_600_000, U: "AC"})).toMatchObject({
      acres: null,
      flags: ["area_implausible", "no_geometry"],
    });
  });

  test("are measured on the outline if the source states no area", async () => {
    const [x, y, side] = [-97.75, 30.3, 0.001];
    const geometry = {
      type: "Polygon",
      coordinates: [
        [
          [x, y],
          [x + side, y],
          [x + side, y + side],
          [x, y + side],
          [x, y],
        ],
      ],
    };
    const row = await size({from: "A", unit: "acres"}, {A: null, geometry});
    expect(row).toMatchObject({acres_basis: "computed", point_method: "centroid", flags: []});
    expect(row.acres).toBeCloseTo(Number(row.geom_acres), 4);
    expect(await size({from: "A", unit: "acres"}, {A: 1, geometry})).toMatchObject({
      acres: 1,
      flags: ["area_mismatch"],
    });
  });
});

describe("money", () => {
  test.each([
    ["X13", "     118,650", 118650],
    ["X14", "$208,600", 208600],
    ["X15", "16600.00000000000", 16600],
    ["X17", "(1,200)", null],
    ["a minus", "-12", null],
    ["a blank cell", "  ", null],
  ])("%s: %s", async (_, cell, value) => expect(await mapped("market_value", ["money"], cell)).toBe(value));

  const fields = {market_value: {from: "T"}, land_value: {from: "L"}, building_value: {from: "B"}};
  const values = {market_value: "market", land_value: "market", building_value: "market"};

  test("X16: parts of 0 that do not sum to the total are unknown", async () => {
    const row = await conformedRow(entry({fields, values}), {PIN: "1", T: 39390, L: 0, B: 0});
    expect(row).toMatchObject({
      market_value: 39390,
      land_value: null,
      building_value: null,
      value_kind: null,
    });
    expect(row.flags).toContain("value_parts_contradict");
  });

  test("a part of 0 stays where the parts sum to the total", async () => {
    const row = await conformedRow(entry({fields, values}), {PIN: "1", T: 5000, L: 5000, B: 0});
    expect(row).toMatchObject({
      land_value: 5000,
      building_value: 0,
      value_kind: "market",
      currency: "USD",
      flags: ["no_geometry"],
    });
  });

  test("X19: a total of 0 is unknown, unless the entry says that 0 is a value", async () => {
    expect(await conformedRow(entry({fields, values}), {PIN: "1", T: 0})).toMatchObject({
      market_value: null,
      flags: ["no_geometry", "zero_value"],
    });
    const withParts = {PIN: "1", T: 0, L: 0, B: 0};
    expect(await conformedRow(entry({fields, values}), withParts)).toMatchObject({
      market_value: null,
      land_value: null,
      building_value: null,
    });
    expect(
      await conformedRow(entry({fields, values: {...values, zeroMeans: "zero"}}), {PIN: "1", T: 0}),
    ).toMatchObject({market_value: 0, flags: ["no_geometry"]});
  });

  test("X18: a sale price of 1 is nominal, one of 100 is not", async () => {
    const row = await conformedRow(entry({fields: {transfer_price: {from: "P"}}}), {PIN: "1", P: "1"});
    expect(row).toMatchObject({transfer_price: null, flags: ["no_geometry", "nominal_price"]});
    expect(await mapped("transfer_price", undefined, "100")).toBe(100);
  });

  test("that is no number is null with a code, and the known values have the roll year", async () => {
    const row = await conformedRow(entry({fields, values, vintage: [{rollYear: "Y"}]}), {
      PIN: "1",
      T: "about 5",
      L: "7",
      Y: "2025.0",
    });
    expect(row).toMatchObject({
      market_value: null,
      land_value: 7,
      market_year: 2025,
      flags: ["bad_number", "no_geometry"],
    });
  });
});

describe("dates", () => {
  test.each([
    ["X20", "epochMs", "1235520000000", "2009-02-25"],
    ["X21", "epochMs", -315619200000, "1960-01-01"],
    ["X22", "ymd", 20250801, "2025-08-01"],
    ["X23", "longDate", "September 14, 2000", "2000-09-14"],
    ["X24", "mdy", "04/01/2010", "2010-04-01"],
    ["X25", "mdy", "1/32/2015", null],
    ["X26", "ymd", "1901-01-01", null],
    ["a date with a time", "ymd", "2019/03/04 00:00:00", "2019-03-04"],
    ["another placeholder", "ymd", "1900-01-01", null],
    ["a date with a time in UTC", "ymd", "2025-08-01T10:00:00Z", "2025-08-01"],
    ["a leap day", "ymd", "2024/02/29", "2024-02-29"],
    ["no day of its year", "ymd", "2025-02-29", null],
    ["a day before its month", "longDate", "04-SEP-2000", "2000-09-04"],
    ["a day before its month, with a time", "longDate", "4 September 2000 00:00", "2000-09-04"],
    ["a short month", "longDate", "Sep 4, 2000", "2000-09-04"],
    ["a day of one digit, as SQL Server pads it", "longDate", "Jan  5 2015 12:00AM", "2015-01-05"],
    ["a padded day before its month", "longDate", " 4  SEP  2000", "2000-09-04"],
    ["a day of a numeric column", "ymd", "20150630.00000", "2015-06-30"],
    ["no whole number", "ymd", "20150630.5", null],
    ["a time behind a comma", "mdy", "12/31/2015, 7:00:00 PM", "2015-12-31"],
    ["a time behind a comma", "longDate", "September 14, 2000, 7:00 PM", "2000-09-14"],
    ["a blank cell", "mdy", " ", null],
    ["the epoch itself", "epochMs", "0", null],
    ["a year of two digits", "mdy", "04/01/10", null],
    ["a day after the build's", "ymd", "2026-11-22", null],
  ])("%s: %s %s", async (_, transform, cell, date) =>
    expect(await mapped("transfer_date", [transform], cell)).toBe(date),
  );

  test("carry a code when they cannot be read, and another when they are after the day of the build", async () => {
    const fields = {transfer_date: {from: "A", transform: ["mdy"]}};
    expect((await conformedRow(entry({fields}), {PIN: "1", A: "1/32/2015"})).flags).toContain("bad_date");
    expect((await conformedRow(entry({fields}), {PIN: "1", A: "1/1/2030"})).flags).toContain("future_date");
  });
});

describe("transforms", () => {
  test("without one, the first field that is known counts, by exact name, then by case, then cut to ten characters", async () => {
    const fields = {legal_desc: {from: ["A", "LEGAL_DESCRIPTION"]}, subdivision: {from: "subname"}};
    const row = await conformedRow(entry({fields}), {
      PIN: "1",
      A: "N/A",
      LEGAL_DESC: "LOT 4",
      SUBNAME: "OAKS",
    });
    expect(row).toMatchObject({legal_desc: "LOT 4", subdivision: "OAKS"});
  });
});

test("vacant land of 40 acres and more may be open range in states that have some, unless something is built on it", async () => {
  const fields = {
    use_code: {from: "USE"},
    use_description: {from: "USE"},
    building_value: {from: "BLDG"},
  };
  const isRange = async (cells: Record<string, unknown>, state = "TX", county = "48453") => {
    const source = entry({
      coverage: {country: "US", state, counties: [county]},
      area: {from: "ACRES", unit: "acres"},
      use: {systems: ["national-text"], codeFrom: "USE"},
      fields,
    });
    const row = await conformedRow(source, {PIN: "1", USE: "Vacant Land", ACRES: 40, ...cells});
    return (row.flags as string[]).includes("open_range_possible");
  };
  expect(await isRange({})).toBe(true);
  expect(await isRange({ACRES: 39.9})).toBe(false);
  expect(await isRange({USE: "Vacant Lot"})).toBe(false);
  expect(await isRange({BLDG: 0})).toBe(true);
  expect(await isRange({BLDG: 5000})).toBe(false);
  expect(await isRange({}, "OH", "39001")).toBe(false);
});

describe("ids", () => {
  test("of a shell parcel are the parent of its parcels, if the source names it", async () => {
    const stacked = entry({ids: {raw: "PIN", parent: "SHELL"}});
    expect(await conformedRow(stacked, {PIN: "1-1-A", SHELL: "1-1"})).toMatchObject({parent_id: "1-1"});
    expect(await conformedRow(stacked, {PIN: "1-2", SHELL: "N/A"})).toMatchObject({parent_id: null});
  });

  test("are text as printed, with their forms, and other ids sorted", async () => {
    const ids = {raw: "PIN", alt: ["GEO", {from: "REID", transform: ["before:."]}]};
    expect(
      await conformedRow(entry({ids}), {PIN: " 0241-10 ", GEO: "241101058", REID: "7442.0"}),
    ).toMatchObject({
      parcel_uid: "48453-0241-10",
      parcel_id: "0241-10",
      parcel_id_tok: "0241-10",
      parcel_id_std: "024110",
      parcel_id_loose: "24110",
      alt_ids: ["241101058", "7442"],
      alt_ids_std: ["241101058", "7442"],
    });
  });

  test.each([
    ["I17", "410106100009", "410106100009"],
    ["I18", "1713072013.0", "1713072013"],
  ])("%s: a numeric cell %s", async (_, cell, id) => {
    expect(await conformedRow(entry({ids: {raw: "PIN", numericSource: true}}), {PIN: cell})).toMatchObject({
      parcel_id: id,
      _reject: null,
    });
  });

  test.each([
    ["I19", "4.10106E+11", "id_precision_lost"],
    ["I19: a double", 20_123_456_789_012_344, "id_precision_lost"],
    ["I24", "UNKNOWN", "null_id"],
    ["I24", "0000000000", "null_id"],
    ["I25", "GAP", "non_parcel"],
    ["a replacement character", "12\ufffd4", "bad_encoding"],
  ])("%s: %s rejects the row as %s", async (_, PIN, reason) => {
    expect((await conformedRow(entry(), {PIN}))._reject).toBe(reason);
  });

  test("of digits are filled with zeros where the entry says how many", async () => {
    expect(await conformedRow(entry({ids: {raw: "PIN", pad: 10}}), {PIN: "783994433"})).toMatchObject({
      parcel_id: "0783994433",
    });
  });

  test("with all their digits stay as they are, and so does one with letters", async () => {
    const padded = entry({ids: {raw: "PIN", pad: 6}});
    const ids = ["123456", "1234567", "12A"].map((PIN) => ({PIN}));
    const {rows} = await conformed(padded, ids);
    expect(rows.map(({parcel_id}) => parcel_id)).toEqual(["123456", "1234567", "12A"]);
  });

  test("are rejected where the header line comes again, however its words are joined", async () => {
    const again = entry({ids: {raw: "MAP_PIN"}});
    const {rows} = await conformed(again, [{MAP_PIN: "MAP PIN"}, {MAP_PIN: "MAP PIN 7"}]);
    expect(rows.map(({_reject}) => _reject)).toEqual(["non_parcel", null]);
  });

  test("beside the parcel's own do not repeat it, and a null spelling or a word is none", async () => {
    const more = entry({ids: {raw: "PIN", alt: ["A", "B"]}});
    const one = entry({ids: {raw: "PIN", alt: ["A"]}});
    const altsOf = async (of: ParcelSource, cells: Record<string, string>) =>
      (await conformedRow(of, {PIN: "12-3", ...cells}))["alt_ids"];
    expect(await altsOf(more, {A: "12-3", B: "45"})).toEqual(["45"]);
    expect(await altsOf(more, {A: "45", B: "45"})).toEqual(["45"]);
    expect(await altsOf(more, {A: "NONE", B: "ROW"})).toEqual([]);
    expect(await altsOf(one, {A: "12-3"})).toEqual([]);
    expect(await altsOf(one, {A: "45"})).toEqual(["45"]);
  });

  test("of a source of numbers lose what a spreadsheet added, also in a long one", async () => {
    const numeric = entry({ids: {raw: "PIN", numericSource: true}});
    const {rows} = await conformed(numeric, [{PIN: "12.0"}, {PIN: "12"}]);
    expect(rows.map(({parcel_id}) => parcel_id)).toEqual(["12", "12"]);
  });

  test("a source without them gives a digest over its key fields that stays the same", async () => {
    const none = entry({ids: {none: true, key: ["NAME", "SIZE"]}});
    const {rows} = await conformed(none, [
      {NAME: "Oak Ranch", SIZE: "640"},
      {NAME: "OAK RANCH", SIZE: "640"},
      {NAME: "Oak Ranch", SIZE: "641"},
    ]);
    const uids = rows.map(({parcel_uid}) => parcel_uid);
    expect(uids[0]).toMatch(/^48453-~[0-9a-f]{12}$/);
    expect(uids[1]).toBe(uids[0]);
    expect(uids[2]).not.toBe(uids[0]);
    expect(rows[0]).toMatchObject({parcel_id: null, parcel_id_std: null, _reject: null});
  });
});

describe("addresses", () => {
  const fields = {
    situs_raw: {from: "LINE"},
    situs_number: {from: "NUM"},
    situs_pre: {from: "PRE"},
    situs_name: {from: "NAME"},
    situs_type: {from: "TYPE"},
    city: {from: "CITY"},
    zip: {from: "ZIP", transform: ["zip5"]},
  };
  const situs = (cells: Record<string, unknown>) => conformedRow(entry({fields}), {PIN: "1", ...cells});

  test("take the parts that the source gives before those of the line", async () => {
    expect(await situs({LINE: ", TX 78757", NAME: "SPEARMAN", TYPE: "DR", ZIP: "78757"})).toMatchObject({
      situs_raw: ", TX 78757",
      situs_number: null,
      situs_name: "SPEARMAN",
      situs_type: "DR",
      zip: "78757",
      situs_status: "street_only",
    });
  });

  test("are read from the line where there are no parts", async () => {
    expect(await situs({LINE: "12500 FARM TO MARKET RD 1826, AUSTIN, TX 78737-1234"})).toMatchObject({
      situs_number: "12500",
      situs_name: "FM 1826",
      situs_number_lo: 12500,
      situs_number_hi: 12500,
      city: "AUSTIN",
      zip: "78737",
      zip_plus_four: "78737-1234",
      situs_status: "numbered",
    });
  });

  test("keep nine digits of a ZIP unless the last four are zeros", async () => {
    expect(await situs({LINE: "1 OAK ST", ZIP: "78757-0123"})).toMatchObject({
      zip: "78757",
      zip_plus_four: "78757-0123",
    });
    expect(await situs({LINE: "1 OAK ST", ZIP: "78757-0000"})).toMatchObject({
      zip: "78757",
      zip_plus_four: null,
    });
    expect(await situs({LINE: "1 OAK ST", ZIP: "78757 1234"})).toMatchObject({
      zip: "78757",
      zip_plus_four: "78757-1234",
    });
  });

  test("of a row without any are blank, and one in another state is flagged", async () => {
    expect(await situs({})).toMatchObject({situs_status: "blank", situs_raw: null});
    expect((await situs({LINE: "1 OAK ST", CITY: "SALEM", ZIP: "97301"})).flags).toContain(
      "situs_is_mailing",
    );
    expect((await situs({LINE: "1 OAK ST", CITY: "AUSTIN", ZIP: "78757"})).flags).not.toContain(
      "situs_is_mailing",
    );
  });
});

describe("owners", () => {
  const fields = {
    owner_raw: {from: ["O1", "O2"], transform: ["ownerLines"]},
    mail_line1: {from: ["M1", "M2", "M3"]},
  };
  const owners = {published: true, order: "last_first", confidentialFlag: "SECRET"};

  test("W34: two lines are two recorded names", async () => {
    const row = await conformedRow(entry({fields, owners}), {
      PIN: "1",
      O1: "HARLOW DALE",
      O2: "QUISTAD JUNE",
    });
    expect(row).toMatchObject({owner_name: "HARLOW DALE; QUISTAD JUNE", owner_withheld: false});
    expect(row.owner_tokens).toEqual(["HARLOW", "DALE", "QUISTAD", "JUNE"]);
  });

  test("W26: a second line of care-of is no name", async () => {
    const row = await conformedRow(entry({fields, owners}), {
      PIN: "1",
      O1: "HARLOW DALE",
      O2: "% FIRST PLAINS BANK",
    });
    expect(row).toMatchObject({owner_name: "HARLOW DALE", owner_care_of: "FIRST PLAINS BANK"});
  });

  test("withheld by name or by flag leave no owner field", async () => {
    const blank = {
      owner_raw: null,
      owner_name: null,
      owner_tokens: null,
      mail_line1: null,
      owner_kind: null,
      owner_withheld: true,
    };
    const {rows} = await conformed(entry({fields, owners}), [
      {PIN: "1", O1: "CONFIDENTIAL", M1: "1 OAK ST"},
      {PIN: "2", O1: "HARLOW DALE", M1: "1 OAK ST", SECRET: "Y"},
    ]);
    for (const row of rows) {
      expect(row).toMatchObject(blank);
      expect(row.flags).toContain("owner_withheld");
    }
  });

  test("W32: any flag but a no withholds them", async () => {
    const flags = [
      "Y",
      "1.0",
      "-1",
      "ON",
      "Y - judge",
      "0",
      "000",
      "0.0",
      "N",
      "No",
      "False",
      "NONCONFIDENTIAL",
      "NULL",
      "",
    ];
    const {rows} = await conformed(
      entry({fields, owners}),
      flags.map((SECRET, i) => ({PIN: `${i + 1}`, O1: "HARLOW DALE", SECRET})),
    );
    expect(rows.map((row) => row.owner_withheld)).toEqual(flags.map((_, i) => i < 5));
  });

  test("that the source does not publish, or may not be passed on, are not taken over", async () => {
    const cells = {PIN: "1", O1: "HARLOW DALE", M1: "1 OAK ST"};
    const blank = {owner_raw: null, owner_name: null, mail_line1: null, owner_withheld: false};
    expect(await conformedRow(entry({fields, owners: {...owners, published: false}}), cells)).toMatchObject(
      blank,
    );
    expect(await conformedRow(entry({fields, owners, terms: {store: true}}), cells)).toMatchObject(blank);
  });

  test("mailing lines that end in city, state and ZIP are taken apart", async () => {
    const row = await conformedRow(entry({fields, owners}), {
      PIN: "1",
      O1: "HARLOW DALE",
      M1: "1218 OAK RD",
      M2: "RALEIGH NC 27606-1921",
    });
    expect(row).toMatchObject({
      mail_line1: "1218 OAK RD",
      mail_city: "RALEIGH",
      mail_state: "NC",
      mail_zip: "27606",
    });
  });

  test("mailing lines that end in the city have state and ZIP in columns of their own beside them", async () => {
    const beside = {...fields, mail_state: {from: "ST"}, mail_zip: {from: "ZIP"}};
    const cells = {PIN: "1", O1: "HARLOW DALE", M1: "1218 OAK RD", M2: "RALEIGH NC"};
    expect(await conformedRow(entry({fields: beside, owners}), {...cells, ZIP: "276061921"})).toMatchObject({
      mail_line1: "1218 OAK RD",
      mail_city: "RALEIGH",
      mail_state: "NC",
      mail_zip: "27606-1921",
    });
    expect(await conformedRow(entry({fields, owners}), {...cells, M2: "Omaha, NE"})).toMatchObject({
      mail_line1: "1218 OAK RD",
      mail_city: "OMAHA",
      mail_state: "NE",
    });
  });
});

describe("counties", () => {
  const wide = (state: string, countyFrom = "C") =>
    entry({coverage: {country: "US", state, counties: "all", countyFrom}});
  const county = async (state: string, C: string) => {
    const row = await conformedRow(wide(state), {PIN: "1", C});
    return row._reject ?? `${row.county_key} ${row.county_name}`;
  };

  test.each([
    ["TX", "48453", "48453 TRAVIS"],
    ["TX", "453", "48453 TRAVIS"],
    ["TX", "Travis County", "48453 TRAVIS"],
    ["AZ", "4013", "04013 MARICOPA"],
    ["MT", "Lewis and Clark", "30049 LEWIS AND CLARK"],
    ["TX", "DE WITT", "48123 DEWITT"],
    ["TX", "04013", "unknown_county"],
    ["TX", "Nowhere", "unknown_county"],
    ["VA", "Fairfax", "ambiguous_county"],
    ["VA", "Fairfax City", "51600 FAIRFAX"],
  ])("of %s, the cell %s is %s", async (state, cell, expected) =>
    expect(await county(state, cell)).toBe(expected),
  );

  test("that the entry does not cover are unknown", async () => {
    const some = entry({
      coverage: {country: "US", state: "TX", counties: ["48453", "48491"], countyFrom: "C"},
    });
    expect((await conformedRow(some, {PIN: "1", C: "48209"}))._reject).toBe("unknown_county");
  });

  test("need a field where there are several", async () => {
    const lost = entry({coverage: {country: "US", state: "TX", counties: "all"}});
    await expect(conformed(lost, [{PIN: "1"}])).rejects.toThrow("us-tx-invented: coverage.countyFrom");
  });
});

describe("names of a source that differ in case alone", () => {
  test("are columns of their own, also of a joined table", async () => {
    const alike = entry({
      fields: {
        subdivision: {from: "Name"},
        neighborhood: {from: "NAME"},
        legal_desc: {from: "own.rowid"},
        zoning_code: {from: "own.ROWID"},
      },
      joins: [{prefix: "own", on: {ours: "PIN", theirs: "key"}, many: "first"}],
    });
    const {rows} = await conformed(alike, [{PIN: "1-1", Name: "OAKS", NAME: "NORTH"}], {
      joined: {own: [{key: "1-1", rowid: "LOT 1", ROWID: "R1"}]},
    });
    expect(rows[0]).toMatchObject({
      subdivision: "OAKS",
      neighborhood: "NORTH",
      legal_desc: "LOT 1",
      zoning_code: "R1",
    });
  });
});

describe("vintages", () => {
  const rules = [{row: "D", format: "ymd"}, {rollYear: "Y"}];

  test("are the first rule's that gives a date; values follow the roll year", async () => {
    const {rows} = await conformed(entry({vintage: rules}), [
      {PIN: "1", D: "20250801", Y: "2025"},
      {PIN: "2", D: "20300101", Y: "2025"},
      {PIN: "3", D: "1901-01-01", Y: "soon"},
      {PIN: "4", D: "1899-12-30", Y: "2027"},
      {PIN: "5", D: "1970-01-01", Y: "2028"},
    ]);
    expect(rows.map((row) => [row._vintage_default, row._vintage_value])).toEqual([
      ["row_date 2025-08-01", "roll_year 2025"],
      ["roll_year 2025", "roll_year 2025"],
      ["retrieved 2026-11-01", "retrieved 2026-11-01"],
      ["roll_year 2027", "roll_year 2027"],
      ["retrieved 2026-11-01", "retrieved 2026-11-01"],
    ]);
    expect(rows.map((row) => row["_year"])).toEqual([2025, 2025, null, 2027, null]);
  });

  test("of a joined table are those of the facts that come from it", async () => {
    const joining = entry({
      vintage: [{rollYear: "Y"}, {rollYear: "roll.year"}],
      fields: {use_code: {from: "roll.class"}, land_value: {from: "roll.land"}, situs_raw: {from: "S"}},
      joins: [{prefix: "roll", on: {ours: "PIN", theirs: "pin"}, many: "first"}],
    });
    const row = await conformedRow(
      joining,
      {PIN: "1", Y: "2027", S: "1 OAK ST"},
      {joined: {roll: [{pin: "1", year: 2026, class: "FARM", land: 5}]}},
    );
    expect(row).toMatchObject({
      use_code: "FARM",
      land_value: 5,
      _vintage_default: "roll_year 2027",
      _vintage_use: "roll_year 2026",
      _vintage_value: "roll_year 2026",
      _vintage_situs: null,
    });
  });
});

describe("joins", () => {
  const joining = (many: string) =>
    entry({
      fields: {owner_raw: {from: "own.NAME"}},
      owners: {published: true, order: "last_first"},
      joins: [{prefix: "own", on: {ours: "PIN", theirs: "KEY"}, many}],
    });
  const ours = [{PIN: "01"}, {PIN: "02"}];
  const theirs = [
    {KEY: "01", NAME: "HARLOW DALE"},
    {KEY: "01", NAME: "QUISTAD JUNE"},
    {KEY: "03", NAME: "OSGARD KAI"},
    {KEY: null, NAME: "NOBODY"},
  ];

  test.each([
    ["first", "HARLOW DALE", {merged: 2, rejected: {null_id: 1}}],
    ["list", "HARLOW DALE; QUISTAD JUNE", {merged: 2, rejected: {null_id: 1}}],
    ["reject", null, {merged: 0, rejected: {null_id: 1, duplicate_id: 2}}],
  ])("compare keys as text; of several rows, `%s` takes %s", async (many, owner, fate) => {
    const {rows, joined} = await conformed(joining(many), ours, {joined: {own: theirs}});
    expect(rows.find(({parcel_id}) => parcel_id === "01")?.owner_raw).toBe(owner);
    expect(joined[0]).toMatchObject(fate);
  });

  test("count each file's rows by what became of them", async () => {
    const more = [...theirs, {KEY: "02", NAME: "VOSS ADA"}, {KEY: null, NAME: "NOBODY ELSE"}];
    const fateOf = async (many: string, rows = more) =>
      (await conformed(joining(many), ours, {joined: {own: rows}})).joined.map(({merged, rejected}) => ({
        merged,
        rejected,
      }));
    // Two of 01, one of 02, two without a key; 03 became a row.
    expect(await fateOf("first")).toEqual([{merged: 3, rejected: {null_id: 2}}]);
    expect(await fateOf("reject")).toEqual([{merged: 1, rejected: {null_id: 2, duplicate_id: 2}}]);
    const whole = more.filter(({KEY}) => KEY !== null);
    expect(await fateOf("first", whole)).toEqual([{merged: 3, rejected: {}}]);
    expect(await fateOf("reject", whole.slice(1))).toEqual([{merged: 2, rejected: {}}]);
  });

  test("make no rows of theirs alone where ours are not told by the key", async () => {
    const owners = {published: true, order: "last_first"};
    const joins = [{prefix: "own", on: {ours: "LOT", theirs: "KEY"}, many: "first"}];
    const fields = {owner_raw: {from: "own.NAME"}};
    const idsOf = async (ids: Record<string, unknown>, coverage: Record<string, unknown> = {}) => {
      const made = entry({ids, fields, owners, joins});
      const {rows} = await conformed(
        {...made, coverage: {...made.coverage, ...coverage}},
        [{PIN: "01", LOT: "A", TIE: "1"}],
        {
          joined: {
            own: [
              {KEY: "A", NAME: "HARLOW DALE"},
              {KEY: "B", NAME: "OSGARD KAI"},
            ],
          },
        },
      );
      return rows.map(({parcel_id, owner_raw}) => [parcel_id, owner_raw]);
    };
    const one = [["01", "HARLOW DALE"]];
    expect(await idsOf({raw: "PIN"})).toEqual(one);
    expect(await idsOf({raw: {from: ["PIN", "LOT"]}})).toEqual(one);
    expect(await idsOf({raw: "LOT"})).toEqual([
      ["A", "HARLOW DALE"],
      ["B", "OSGARD KAI"],
    ]);
    expect(await idsOf({none: true, key: ["LOT"]})).toHaveLength(1);
  });

  test("list what the accounts of a lot print: an account that comes twice counts once, shares add up", async () => {
    const lots = (members = {}) =>
      entry({
        fields: {
          account_id: {from: "roll.ACCT"},
          legal_desc: {from: "roll.LEGAL", transform: ["distinct:; "]},
          market_value: {from: "roll.VALUE", transform: ["sum:; ", "money"]},
        },
        values: {market_value: "market"},
        joins: [{prefix: "roll", on: {ours: "PIN", theirs: "LOT"}, many: "list", ...members}],
      });
    const account = (ACCT: string, VALUE: string, LEGAL = "LOT 4") => ({LOT: "01", ACCT, VALUE, LEGAL});
    const {rows, joined} = await conformed(lots(), [{PIN: "01"}], {
      joined: {roll: [account("R1", "700"), account("R1", "700"), account("R2", "700")]},
    });
    expect(rows[0]).toMatchObject({account_id: "R1; R2", legal_desc: "LOT 4", market_value: 1400});
    expect(joined).toEqual([{file: expect.any(Number), merged: 3, rejected: {}}]);
    const twoLines = [account("R1", "700"), account("R1", "700", "LOT 5"), account("R2", "700")];
    const once = await conformed(lots({oncePer: "ACCT"}), [{PIN: "01"}], {joined: {roll: twoLines}});
    expect(once.rows[0]).toMatchObject({account_id: "R1; R2", market_value: 1400});
  });

  test("keep the rows that are on one side only", async () => {
    const {rows} = await conformed(joining("first"), ours, {joined: {own: theirs}});
    expect(rows.map(({parcel_id, owner_raw}) => [parcel_id, owner_raw])).toEqual([
      ["01", "HARLOW DALE"],
      ["02", null],
      ["03", "OSGARD KAI"],
    ]);
  });

  test("by county key take its digits alone", async () => {
    const manitoba = entry({
      id: "ca-mb-invented",
      coverage: {country: "CA", state: "MB", counties: "all", countyFrom: "M"},
      fields: {assessed_value: {from: "roll.total"}, county_name: {from: "TYP"}},
      joins: [
        {
          prefix: "roll",
          on: {ours: ["county_key", "parcel_id"], theirs: ["muni_no", "roll_no"]},
          many: "first",
        },
      ],
    });
    const {rows} = await conformed(
      manitoba,
      [{PIN: "54500.000", M: "738 - LGD OF SOMEWHERE", TYP: "Somewhere (LGD)"}],
      {
        joined: {
          roll: [
            {muni_no: 738, roll_no: "54500.000", total: 7},
            {muni_no: 101, roll_no: "9.000", total: 8},
          ],
        },
      },
    );
    expect(
      rows.map(({parcel_uid, county_name, assessed_value, currency}) => [
        parcel_uid,
        county_name,
        assessed_value,
        currency,
      ]),
    ).toEqual([
      ["MB738-54500.000", "SOMEWHERE (LGD)", 7, "CAD"],
      ["MB101-9.000", "MUNICIPALITY 101", 8, "CAD"],
    ]);
  });
});

describe("other facts", () => {
  test("a published 0 of building facts is unknown, and use code and description stay raw", async () => {
    const fields = {
      year_built: {from: "Y"},
      bedrooms: {from: "B"},
      building_area: {from: "A"},
      use_description: {from: "U"},
    };
    const use = {systems: ["tx-state-category"], codeFrom: ["C1", "C2"]};
    expect(
      await conformedRow(entry({fields, use}), {
        PIN: "1",
        Y: "1930.0",
        B: 0,
        A: "2,874",
        U: "FARM",
        C1: null,
        C2: "D1",
      }),
    ).toMatchObject({
      year_built: 1930,
      bedrooms: null,
      building_area: 2874,
      use_code: "D1",
      use_description: "FARM",
    });
  });

  test("NA is a value in a column of codes, and null in a text", async () => {
    expect(await mapped("zoning_code", undefined, "NA")).toBe("NA");
    expect(await mapped("subdivision", undefined, "NA")).toBeNull();
  });
});

test("a row whose outline has a curve that was not read says so", async () => {
  const coordinates = [
    [
      [-97.75, 30.3],
      [-97.749, 30.3],
      [-97.749, 30.301],
      [-97.75, 30.3],
    ],
  ];
  const of = async (more: object) =>
    (await conformedRow(entry(), {PIN: "1", geometry: {type: "Polygon", coordinates, ...more}}))["flags"];
  expect(await of({})).toEqual([]);
  expect(await of({partlyRead: true})).toEqual(["outline_partly_read", "partly_read"]);
});
