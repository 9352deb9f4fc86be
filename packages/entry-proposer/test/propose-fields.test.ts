import fc from "fast-check";
import {describe, expect, test} from "vitest";
import {memberOf} from "../src/column-values.ts";
import type {FieldProposal} from "../src/field-proposal.ts";
import {synonymTable} from "../src/field-synonyms.ts";
import {proposeFields} from "../src/propose-fields.ts";
import {testCases} from "./given-expect.ts";
import {invented} from "./invented-states.ts";

type Cells = readonly string[] | ((row: number) => string);
type Table = {
  readonly state?: string;
  readonly idField?: string;
  readonly rows?: number;
  /** Names alone, or the cells of each, repeated to all rows; `#` is the row's number from 1000 on, `@` that from 0 on. */
  readonly columns:
    | readonly string[]
    | Readonly<Record<string, Cells | {type?: string; samples?: readonly string[]} | null>>;
};

function columnsOf({rows = 60, columns}: Table) {
  if (Array.isArray(columns)) return columns.map((name: string) => ({name}));
  return Object.entries(columns).map(([name, given]) => {
    if (given === null) return {name};
    const isCells = Array.isArray(given) || typeof given === "function";
    const {samples, ...more} = isCells ? {samples: given as Cells} : (given as {samples?: Cells});
    if (samples === undefined) return {name, ...more};
    const cell = (row: number) =>
      (typeof samples === "function" ? samples(row) : samples[row % samples.length]!)
        .replaceAll("#", String(1000 + row))
        .replace(/@$/, String(row));
    return {name, ...more, samples: Array.from({length: rows}, (_, row) => cell(row))};
  });
}

/** The map that is proposed, in short: without what is null or usual, and a column that takes cells as they are is named alone. */
function shown({fields, vintage, owners, notes: _, choices: __, ...more}: FieldProposal) {
  const short = Object.entries(fields).map(([column, spec]) => [
    column,
    Object.keys(spec).join() === "from" ? spec.from : spec,
  ]);
  const rules = vintage.filter((rule) => rule !== "layer_edit" && rule !== "retrieved");
  const published = owners?.published ? owners : null;
  const all = {...more, fields: Object.fromEntries(short), vintage: rules, owners: published};
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null && `${value}` !== ""));
}

// What there is, then each bound: the last table that still has it and the first that has it no more.
for (const name of ["proposed-fields.txt", "proposed-bounds.txt"])
  testCases<Table>(name, (given) => shown(proposeFields(columnsOf(given), {...given, facts: invented})));

const propose = (
  columns: Readonly<Record<string, Cells>>,
  context: Parameters<typeof proposeFields>[1] = {},
) => proposeFields(columnsOf({columns}), {state: "OH", ...context});

describe("a parcel number", () => {
  const idsOf = (columns: Readonly<Record<string, Cells>>) => propose(columns).ids;

  test("has three other numbers at most, each once, and an account only where it tells rows apart", () => {
    const number = {PARCEL_NO: ["12-#"]};
    const others = {ALT_PIN: ["112-#"], ALT_ID: ["112-#"], GEO_ID: ["212-#"], LOC_ID: ["3-#"], UPI: ["4-#"]};
    expect(idsOf({...number, ...others})).toEqual({raw: "PARCEL_NO", alt: ["ALT_PIN", "GEO_ID", "LOC_ID"]});
    expect(idsOf({...number, ACCOUNT_NO: ["9-#"]})).toEqual({raw: "PARCEL_NO", alt: ["ACCOUNT_NO"]});
    const shared = (row: number) => (row < 40 ? "9" : `9-${row}`);
    expect(idsOf({...number, ACCOUNT_NO: shared})).toEqual({raw: "PARCEL_NO"});
  });

  test("that few rows share comes before one that many share", () => {
    const shared = (rows: number) => (row: number) => `12-${1000 + (row % rows)}`;
    expect(idsOf({PARCEL_ID: shared(30), PIN: shared(45)})).toMatchObject({raw: "PIN"});
  });

  test("is no column of previous numbers, and none whose cells are too short to be numbers of parcels", () => {
    expect(idsOf({PrevParcelRef: ["12-#"]})).toBeNull();
    expect(idsOf({KeyedParcelRef: ["1", "2"]})).toBeNull();
    expect(idsOf({KeyedParcelRef: (row) => `12-${1000 + (row % 30)}`})).toBeNull();
  });

  test("is block, lot and qualifier in a table without another", () => {
    const block = (row: number) => String(100 + Math.floor(row / 6));
    const lot = (row: number) => String(1 + (row % 6));
    const qualifier = ["", "C01"];
    const raw = {from: ["Block", "Lot"], transform: ["join:-"]};
    expect(idsOf({Block: block, Lot: lot, Qualifier: qualifier})?.raw).toEqual(raw);
    const shared = (row: number) => String(1 + Math.floor((row % 6) / 2));
    expect(idsOf({Block: block, Lot: shared, Qualifier: qualifier})?.raw).toMatchObject({
      from: ["Block", "Lot", "Qualifier"],
    });
    expect(idsOf({Block: block, Lot: ["1"]})).toBeNull();
  });

  test("is the first code of one form in each row where no name tells it, and a note says so", () => {
    const {ids, notes} = propose({gp: ["0100/#"], dp: ["#-000"], ZONING: ["R1"]});
    expect(ids).toEqual({raw: "gp"});
    expect(notes.join()).toContain("no name of a column tells the parcel number");
    expect(idsOf({ROW_KEY: ["A#"], SALE_DATE: ["2001#"]})).toBeNull();
  });

  test("is not a number that counts rows, and is the APN where several tell the parcels apart", () => {
    const counter = (row: number) => String(row + 1);
    expect(idsOf({PARCELID: counter, APN: ["100#00"]})?.raw).toBe("APN");
    expect(idsOf({PARCELID: counter, FOLIO: ["7#00"]})?.raw).toBe("FOLIO");
    expect(idsOf({PARCELID: ["9#1"], APN: ["100#00"]})).toEqual({raw: "APN", alt: ["PARCELID"]});
  });

  test("has the other numbers beside it though a few rows are no parcels", () => {
    const but = (cell: string) => (row: number) => (row < 57 ? cell : "");
    expect(idsOf({PIN: but("U-#"), FOLIO: but("77#")})).toEqual({raw: "PIN", alt: ["FOLIO"]});
  });

  test("is none of the areas and lengths of a table called parcels", () => {
    const amounts = (row: number) => String(2000 + row * 13);
    const table = {"GIS.PARCELS.PIN": ["12-#"], "GIS.PARCELS.SHAPE.AREA": amounts, PARCEL_LENGTH: amounts};
    expect(idsOf(table)).toEqual({raw: "GIS.PARCELS.PIN"});
  });
});

const streets = (row: number) => `${100 + row} ${["OAK AVE", "N ELM ST"][row % 2]}`;
test.each<[string, Record<string, Cells>, string, unknown]>([
  ["whole addresses in a column of streets", {PROP_STREET: streets}, "situs_raw", "PROP_STREET"],
  ["words that run together", {propstreetcombined: streets}, "situs_raw", "propstreetcombined"],
  ["an address of somebody else", {prop_owner_street: streets}, "situs_raw", undefined],
  ["no column without values", {LANDASD: [""], LANDACT: (row) => `${row * 13}`}, "land_value", "LANDACT"],
])("a name that says too little: %s", (_, columns, field, expected) => {
  expect(propose({PARCEL_NO: ["12-#"], ...columns}).fields[field]?.from).toEqual(expected);
});

test("the alias of a layer's field tells what its name does not", () => {
  const [id, line] = columnsOf({columns: {PARCEL_NO: ["12-#"], LOC_1: streets}});
  const {fields} = proposeFields([id!, {...line!, alias: "Property Location"}], {state: "PA"});
  expect(fields).toMatchObject({situs_raw: {from: "LOC_1"}});
});

test("a table without an address or an owner says so", () => {
  expect(propose({PARCEL_NO: ["12-#"], ACRES: ["1.5"]}).notes.join()).toMatch(/address of the land.*owner/);
});

test("an area takes the unit of the outlines before that of its name", () => {
  const outlineAcres = new Array<number>(60).fill(1);
  const {area} = propose({PIN: ["12-#"], ACRES: ["43560"]}, {outlineAcres});
  expect(area).toMatchObject({from: "ACRES", unit: "sqft"});
});

test("M04: the year of a purchase, of which a file has many, is no roll year", () => {
  const vintage = (columns: Readonly<Record<string, Cells>>) => propose(columns).vintage;
  const years = (row: number) => String(1990 + (row % 30));
  expect(vintage({"Year of purchase": years})).toEqual(["layer_edit", "retrieved"]);
  expect(vintage({TAX_YEAR: years})).toEqual(["layer_edit", "retrieved"]);
  expect(vintage({TAX_YEAR: ["2025", "2026"]})[0]).toEqual({rollYear: "TAX_YEAR"});
});

test("columns that compete for a role are listed with their filled and different cells", () => {
  const owners = ["HARLOW DALE", "QUISTAD JUNE", "ABEL RAY", "VOSS ADA"];
  const sparse = (row: number) => (row < 4 ? "OSGARD MARVIN" : "");
  const {fields, choices} = propose({OWNER_NAME: owners, CURRENT_OWNER: sparse});
  expect(fields.owner_raw).toEqual({from: "OWNER_NAME"});
  const candidates = [
    {column: "OWNER_NAME", filled: 60, distinct: 4},
    {column: "CURRENT_OWNER", filled: 4, distinct: 1},
  ];
  expect(choices).toContainEqual({role: "owner_raw", candidates});
  const lines = {SITE_ADDRESS: ["OAK ST"], SITUS_ADDRESS: ["12 OAK ST"]};
  expect(propose(lines).choices.map(({role}) => role)).toEqual(["situs_raw"]);
  expect(propose({SITE_ADDRESS: ["12 OAK ST"]}).choices).toEqual([]);
  // A taxpayer is the owner only where no other is printed.
  const ownerFrom = (columns: Readonly<Record<string, Cells>>) => propose(columns).fields.owner_raw?.from;
  expect(ownerFrom({TAXPAYER_NAME: owners, OWNER_NAME: owners})).toBe("OWNER_NAME");
  expect(ownerFrom({TAXPAYER_NAME: owners, OWNER_NAME: sparse})).toEqual(["OWNER_NAME", "TAXPAYER_NAME"]);
  expect(ownerFrom({TAXPAYER_NAME: owners})).toBe("TAXPAYER_NAME");
});

describe("dictionaries in cells", () => {
  const python = `{'names': ["DALE O'HARLOW", 'JUNE QUISTAD'], 'type': None, 'mailingAddress': {'addressLine1': '9 PINE DR', 'city': 'Tulsa', 'state': 'OK', 'zipCode': '74103'}}`;
  const json =
    '{"names": ["RAY ABEL"], "mailingAddress": {"addressLine1": "1 OAK ST", "city": "Salina", "state": "KS", "zipCode": "67401"}}';

  test("are opened in either spelling", () => {
    expect(memberOf(python, "names")).toBe("DALE O'HARLOW\nJUNE QUISTAD");
    expect(memberOf(memberOf(json, "mailingAddress")!, "city")).toBe("Salina");
    expect([memberOf(python, "type"), memberOf(json, "absent")]).toEqual([null, null]);
  });

  test("give owner and mail by their members, and are named where they give nothing", () => {
    const {fields, notes, unused} = propose({
      PARCEL_NO: ["12-#"],
      owner: [python, json],
      extras: ["{'pool': True}"],
    });
    expect(fields).toMatchObject({
      owner_raw: {from: "owner", transform: ["member:names"]},
      mail_line1: {from: "owner", transform: ["member:mailingAddress", "member:addressLine1"]},
      mail_zip: {from: "owner", transform: ["member:mailingAddress", "member:zipCode"]},
    });
    expect(notes.filter((note) => /dictionaries/.test(note))).toEqual([
      expect.stringMatching(/^extras holds .*\(pool\)/),
    ]);
    expect(unused).toEqual(["extras"]);
  });
});

const named = (...names: string[]) => names.map((name) => ({name}));

describe("a proposed field map", () => {
  test("never takes a row number for a parcel number", () => {
    const proposal = proposeFields(named("OBJECTID", "FID", "OID", "SHAPE_AREA"));
    expect(proposal.ids).toBeNull();
    expect(proposal.notes[0]).toContain("no column looks like a parcel number");
  });

  test("names columns of the table alone, whatever they are called", () => {
    const known = [...synonymTable().phrases.values()]
      .flat()
      .map((phrase) => phrase.map(([word]) => word).join("_"));
    const columnName = fc.oneof(fc.constantFrom(...known), fc.string({minLength: 1, maxLength: 12}));
    fc.assert(
      fc.property(fc.uniqueArray(columnName, {maxLength: 60}), (names) => {
        const {ids, fields, area, use, unused} = proposeFields(named(...names));
        const used = [ids?.raw, area?.from, use?.codeFrom, ...Object.values(fields).map(({from}) => from)];
        const all = [...used, unused].flatMap((each) => each ?? []);
        expect(all.filter((name) => typeof name !== "string" || !names.includes(name))).toEqual([]);
      }),
      {numRuns: 200},
    );
  });
});
