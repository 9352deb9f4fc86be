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
  ["PO BOX 12\n89501", ["PO BOX 12, 89501", null, null, null]],
  ["RENO, NV 89501", [null, "RENO", "NV", "89501"]],
  // W38, W39 and W40
  ["10 NEAL CV BRYANT AR 72022", ["10 NEAL CV", "BRYANT", "AR", "72022"]],
  ["9300 W BENNET PL, PHOENIX AZ 85037-1234", ["9300 W BENNET PL", "PHOENIX", "AZ", "85037"]],
  ["PO BOX 12 SMALLPLACE NE 68822", ["PO BOX 12 SMALLPLACE", null, "NE", "68822", "1"]],
  ["12 ELM ST SHELBY TOWNSHIP MI 48315", ["12 ELM ST", "SHELBY TOWNSHIP", "MI", "48315"]],
  ["12 ELM ST N MIAMI BCH FL 33162", ["12 ELM ST", "N MIAMI BCH", "FL", "33162"]],
  ["12 BROADWAY N MIAMI FL 33130", ["12 BROADWAY N", "MIAMI", "FL", "33130"]],
  ["12 Oak St, Apt 4, Little Rock, AR 72201 USA", ["12 Oak St, Apt 4", "LITTLE ROCK", "AR", "72201"]],
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
