import {describe, expect, test} from "vitest";
import {memberOf} from "../../../lib/parcels/conform/column-values.ts";
import {proposeFields} from "../../../lib/registry/propose-fields.ts";

const rows = 40;
const numbers = Array.from({length: rows}, (_, i) => `12-34-${i}`);
/** A proposal for a table of Kansas; the cells of a column are repeated to 40 rows. */
const propose = (columns: Readonly<Record<string, readonly string[]>>) =>
  proposeFields(
    Object.entries({PARCEL_NO: numbers, ...columns}).map(([name, cells]) => ({
      name,
      samples: Array.from({length: rows}, (_, i) => cells[i % cells.length]!),
    })),
    {state: "KS"},
  );
const owners = ["HARLOW DALE", "QUISTAD JUNE", "ABEL RAY", "VOSS ADA"];
const sparse = Array.from({length: rows}, (_, i) => (i < 4 ? "OSGARD MARVIN" : ""));

describe("columns that compete for a role", () => {
  test("are listed with their filled and different cells", () => {
    const {fields, choices} = propose({OWNER_NAME: owners, CURRENT_OWNER: sparse});
    expect(fields.owner_raw).toEqual({from: "OWNER_NAME"});
    expect(choices).toContainEqual({
      role: "owner_raw",
      candidates: [
        {column: "OWNER_NAME", filled: 40, distinct: 4},
        {column: "CURRENT_OWNER", filled: 4, distinct: 1},
      ],
    });
  });

  test("an owner comes before a taxpayer, who is the owner only where no other is printed", () => {
    expect(propose({TAXPAYER_NAME: owners, OWNER_NAME: owners}).fields.owner_raw).toEqual({
      from: "OWNER_NAME",
    });
    expect(propose({TAXPAYER_NAME: owners, OWNER_NAME: sparse}).fields.owner_raw).toEqual({
      from: ["OWNER_NAME", "TAXPAYER_NAME"],
    });
    expect(propose({TAXPAYER_NAME: owners}).fields.owner_raw).toEqual({from: "TAXPAYER_NAME"});
  });

  test("a place is a word, no number of it", () => {
    const towns = {CITY_TWP_N: ["14", "2"], CITY_TWP_1: ["POSEN TOWNSHIP", "ECHO CITY"]};
    expect(propose(towns).fields.jurisdiction).toEqual({from: "CITY_TWP_1"});
  });
});

describe("an agency's prefix", () => {
  const exported = {
    kdra_saleprice: ["120000", "0"],
    kdra_saledate: ["2019-04-01 00:00:00"],
    "kdra_vns ayb": ["1963.0"],
    "kdra_own name": owners,
    "kdra_co own name": ["ABEL RUTH", ""],
    "kdra_lnd zone": ["R3"],
    "kdra_prc ttl assess": ["100"],
  };

  test("that many names share is taken off", () => {
    expect(propose(exported).fields).toMatchObject({
      owner_raw: {from: ["kdra_own name", "kdra_co own name"]},
      transfer_price: {from: "kdra_saleprice"},
      transfer_date: {from: "kdra_saledate", transform: ["ymd"]},
      year_built: {from: "kdra_vns ayb"},
      zoning_code: {from: "kdra_lnd zone"},
      assessed_value: {from: "kdra_prc ttl assess"},
    });
  });

  test("says that plain names are surer, and that plain money is the money", () => {
    const {fields} = propose({...exported, owner_name: owners, total_value: ["100"]});
    expect(fields.owner_raw?.from).toEqual(["owner_name", "kdra_co own name"]);
    expect(fields.assessed_value?.from).toBe("total_value");
    expect(fields.market_value).toBeUndefined();
  });

  test("is none where it means something", () => {
    const mail = Object.fromEntries(
      ["one", "two", "three", "sale_price", "four"].map((name) => [`mail_${name}`, ["1"]]),
    );
    expect(propose(mail).fields.transfer_price).toBeUndefined();
  });
});

describe("a mailing address", () => {
  test("has the lines that a DBF named after its cut first line", () => {
    const {fields} = propose({
      OWNER_NAME: owners,
      OWNER_ADDR: ["12 ELM ST"],
      OWNER_AD_1: ["APT 2", "WICHITA KS 67201"],
      OWNER_AD_2: ["WICHITA KS 67201", ""],
    });
    expect(fields.mail_line1).toEqual({from: ["OWNER_ADDR", "OWNER_AD_1", "OWNER_AD_2"]});
  });
});

describe("a column of years", () => {
  test("is the roll year by words of its own, but not a year of building", () => {
    expect(propose({GRAND_LIST_YR: ["2024", "2025"], EFF_YR: ["1990"]}).vintage[0]).toEqual({
      rollYear: "GRAND_LIST_YR",
    });
    expect(propose({ACT_YEAR: ["1990", "2004"]}).vintage[0]).toBe("layer_edit");
  });
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
    const {fields, notes, unused} = propose({owner: [python, json], extras: ["{'pool': True}"]});
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
