import {expect, test} from "vitest";
import {unpack} from "../../../../lib/parcels/conform/packed-text.ts";
import {mailParts, parsedMail} from "../../../../lib/parcels/conform/parsed-mail.ts";
import {invented, row} from "../../../pipeline/parcels/invented-source.ts";
import {conformedRow} from "./conformed.ts";

test.each<[lines: string, parts: (string | null)[]]>([
  ["PO BOX 12\nRENO, NV 89501", ["PO BOX 12", "RENO", "NV", "89501"]],
  ["C/O BANK\nPO BOX 12\nRENO NV", ["C/O BANK, PO BOX 12", "RENO", "NV", null]],
  ["PO BOX 12\n \nRENO 89501", ["PO BOX 12", "RENO", null, "89501"]],
  ["PO BOX 12\nRENO", ["PO BOX 12, RENO", null, null, null]],
  ["PO BOX 12\n89501", ["PO BOX 12, 89501", null, null, null, "1"]],
  ["PO BOX 12\nRENO NV 89501\nUSA", ["PO BOX 12", "RENO", "NV", "89501"]],
  ["PO BOX 12, RENO NV 89501\nUnited States", ["PO BOX 12", "RENO", "NV", "89501"]],
  ["12 ELM ST\nTORONTO ON M5V 1A1\nCANADA", ["12 ELM ST", "TORONTO", "ON", null]],
  ["JOHN DOE\nPO BOX 12 SALEM OR", ["JOHN DOE, PO BOX 12", "SALEM", "OR", null]],
  ["JOHN DOE\n5419 MAIN ST AUSTIN TX", ["JOHN DOE, 5419 MAIN ST", "AUSTIN", "TX", null]],
  ["JOHN DOE\n12 SALEM CT", ["JOHN DOE, 12 SALEM CT", null, null, null]],
  ["JOHN DOE\n455 COURT ST SALEM NE", ["JOHN DOE, 455 COURT ST SALEM NE", null, null, null]],
  ["HAUPTSTR 5\nBERLIN, DE 10115\nGERMANY", ["HAUPTSTR 5, BERLIN, DE 10115, GERMANY", null, null, null]],
  ["12 RUE X\nMONTREAL QUEBEC\nCANADA", ["12 RUE X, MONTREAL QUEBEC, CANADA", null, null, null]],
  ["12 OAK ST\nRENO NV 89501\nATTN TAX DEPT", ["12 OAK ST, ATTN TAX DEPT", "RENO", "NV", "89501"]],
  ["DALE HARLOW MD\n12 OAK ST", ["DALE HARLOW MD, 12 OAK ST", null, null, null]],
  ["C/O BANK\n12 OAK ST RENO NV 89501", ["C/O BANK, 12 OAK ST", "RENO", "NV", "89501"]],
  ["C/O BANK\nPO BOX 12, RENO NV 89501", ["C/O BANK, PO BOX 12", "RENO", "NV", "89501"]],
  ["C/O BANK\nPO BOX 12 SMALLPLACE NE 68822", ["C/O BANK, PO BOX 12 SMALLPLACE", null, "NE", "68822", "1"]],
  ["12 OAK ST\nAPO AE 09012", ["12 OAK ST", "APO", "AE", "09012"]],
  ["RENO, NV 89501", [null, "RENO", "NV", "89501"]],
  // W38, W39 and W40
  ["10 NEAL CV BRYANT AR 72022", ["10 NEAL CV", "BRYANT", "AR", "72022"]],
  ["9300 W BENNET PL, PHOENIX AZ 85037-1234", ["9300 W BENNET PL", "PHOENIX", "AZ", "85037"]],
  ["PO BOX 12 SMALLPLACE NE 68822", ["PO BOX 12 SMALLPLACE", null, "NE", "68822", "1"]],
  ["12 ELM ST SHELBY TOWNSHIP MI 48315", ["12 ELM ST", "SHELBY TOWNSHIP", "MI", "48315"]],
  ["12 ELM ST N MIAMI BCH FL 33162", ["12 ELM ST", "N MIAMI BCH", "FL", "33162"]],
  ["12 ELM ST SAINT MARY OF THE WOODS IN 47876", ["12 ELM ST", "SAINT MARY OF THE WOODS", "IN", "47876"]],
  [
    "12 ELM ST LITTLE ROCK AIR FORCE BASE AR 72099",
    ["12 ELM ST", "LITTLE ROCK AIR FORCE BASE", "AR", "72099"],
  ],
  ["12 BROADWAY N MIAMI FL 33130", ["12 BROADWAY N", "MIAMI", "FL", "33130"]],
  ["12 Oak St, Apt 4, Little Rock, AR 72201 USA", ["12 Oak St, Apt 4", "LITTLE ROCK", "AR", "72201"]],
  ["PO BOX 5 PHOENIX AZ 85037 1234", ["PO BOX 5", "PHOENIX", "AZ", "85037"]],
  ["PO BOX 5, PHOENIX, AZ, 85037-", ["PO BOX 5", "PHOENIX", "AZ", "85037"]],
  ["PO BOX 5, PHOENIX AZ 85037 U.S.A.", ["PO BOX 5", "PHOENIX", "AZ", "85037"]],
  ["PO BOX 5 Phoenix, Arizona 85037", ["PO BOX 5", "PHOENIX", "AZ", "85037"]],
  ["12 ELM ST MORGANTOWN WEST VIRGINIA 26501", ["12 ELM ST", "MORGANTOWN", "WV", "26501"]],
  ["PO BOX 5 SMALLPLACE NEBRASKA 68822", ["PO BOX 5 SMALLPLACE", null, "NE", "68822", "1"]],
  ["12 ELM ST BUFFALO NEW YORK 14201", ["12 ELM ST", "BUFFALO", "NY", "14201"]],
  ["12 ELM ST, NEW YORK 10001", ["12 ELM ST", "NEW YORK", "NY", "10001"]],
  ["12 ELM ST, WASHINGTON D.C. 20001", ["12 ELM ST", "WASHINGTON", "DC", "20001"]],
  ["12 ELM ST, WASHINGTON 20001", ["12 ELM ST, WASHINGTON 20001", null, null, null, "1"]],
  ["PSC 3 BOX 12 APO AE 09012", ["PSC 3 BOX 12", "APO", "AE", "09012"]],
  ["PO BOX 12 RENO 89501", ["PO BOX 12 RENO 89501", null, null, null, "1"]],
  ["PO BOX 12345", ["PO BOX 12345", null, null, null]],
  ["12 OAK CT", ["12 OAK CT", null, null, null]],
  ["12 OAK ST, BRYANT, AR", ["12 OAK ST", "BRYANT", "AR", null]],
  ["12 OAK ST RENO", ["12 OAK ST RENO", null, null, null]],
  ["", [null, null, null, null]],
])("a mailing address of the lines %j is %j", (lines, parts) => {
  const made = unpack(parsedMail(lines));
  expect(mailParts.map((_, at) => made[at] ?? null)).toEqual([...parts, null].slice(0, mailParts.length));
});

test.each([
  ["a line alone (W41)", {mail_line1: {from: "MAIL"}}, {MAIL: "10 NEAL CV BRYANT AR 72022"}],
  [
    "a cell of town, state and ZIP",
    {mail_line1: {from: "MAIL"}, mail_city: {from: "PLACE"}},
    {MAIL: "10 NEAL CV", PLACE: "Bryant, AR 72022"},
  ],
  [
    "columns of their own",
    {
      mail_line1: {from: "MAIL"},
      mail_city: {from: "PLACE"},
      mail_state: {from: "ST"},
      mail_zip: {from: "ZIP"},
    },
    {MAIL: "10 NEAL CV", PLACE: "BRYANT", ST: "AR", ZIP: "72022"},
  ],
])("the owner's town and state come from %s", async (_, fields, cells) => {
  const entry = invented({fields: {...invented().fields, ...fields}});
  const {mail_line1, mail_city, mail_state, mail_zip} = await conformedRow(entry, row("1-1", cells));
  expect([mail_line1, mail_city, mail_state, mail_zip]).toEqual(["10 NEAL CV", "BRYANT", "AR", "72022"]);
});

test("W40: a town that stays in the line is unread, unless the owner is withheld or not published", async () => {
  const entry = invented({fields: {...invented().fields, mail_line1: {from: "MAIL"}}});
  const flagsOf = async (cells: Record<string, string>, of = entry) =>
    (await conformedRow(of, row("1-1", {MAIL: "PO BOX 12 SMALLPLACE NE 68822", ...cells})))["flags"];
  expect(await flagsOf({})).toEqual(["mail_partly_read", "no_geometry", "partly_read"]);
  expect(await flagsOf({MAIL: "PO BOX 12 BRYANT AR 72022"})).toEqual(["no_geometry"]);
  expect(await flagsOf({OWNER: "CONFIDENTIAL"})).toEqual(["no_geometry", "owner_withheld"]);
  expect(await flagsOf({}, {...entry, terms: {...entry.terms, redistributeOwners: false}})).toEqual([
    "no_geometry",
  ]);
});
