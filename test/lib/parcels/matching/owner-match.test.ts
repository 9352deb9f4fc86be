import {beforeAll, describe, expect, test} from "vitest";
import {findOwners, type OwnerWords} from "../../../../lib/parcels/matching/owner-match.ts";
import type {OwnerOrder} from "../../../../lib/parcels/owner/owner-names.ts";
import type {ParcelSet} from "../../../../lib/parcels/parcel-set.ts";
import {writeState} from "../../../server/parcels/state-fixture.ts";
import {temporaryFolder} from "../../../temporary-folder.ts";

describe("owners of two sources that print names in different orders", () => {
  let set: ParcelSet;

  beforeAll(async () => {
    const [owner, order] = ["DALE HARLOW", "first_last" as const];
    const source = (id: string) => ({
      source: id,
      vintage: "2025-08-01",
      basis: "row_date",
      retrieved: "2026-11-14T03:10:00Z",
      authority: "county",
    });
    set = await writeState(temporaryFolder(), "TX", {
      parcels: [
        {county: "48453", id: "1", owner},
        {county: "48453", id: "2", owner, order, columns: {prov_owner: 1}},
        {county: "48453", id: "3", owner, order, columns: {prov_default: 1}},
        {county: "48453", id: "4", owner, columns: {prov_default: 1, prov_owner: 0}},
      ],
      provenance: [source("last_first"), source("first_last")],
    });
  });

  const found = (words: OwnerWords) => {
    const question = {words, use: null, residential: null, counties: null, offset: 0, limit: 10};
    const registry = (id: string) => ({
      id,
      name: "Invented parcels",
      licence: "CC0-1.0",
      owners: {published: true, order: id as OwnerOrder},
    });
    const {hits} = findOwners([set], question, registry);
    return hits.map(({row, match}) => [set.parcels.text("parcel_id").at(row), match.score]);
  };

  test("are found by roles in the order of the source of each row's owner", () => {
    expect(found({lastName: "HARLOW", firstName: "DALE"})).toEqual([
      ["2", 1],
      ["3", 1],
    ]);
    expect(found({lastName: "DALE", firstName: "HARLOW"})).toEqual([
      ["1", 1],
      ["4", 1],
    ]);
  });

  test("match a query exactly when its words have the order of the name, last name first", () => {
    expect(found({tokens: ["HARLOW", "DALE"]})).toEqual([
      ["2", 1],
      ["3", 1],
      ["1", 0.95],
      ["4", 0.95],
    ]);
  });

  test("match a last word that is only begun by 0.7, the first of the rows as well", () => {
    expect(found({tokens: ["HARL"]})).toEqual(["1", "2", "3", "4"].map((id) => [id, 0.7]));
    expect(found({tokens: ["DALE", "HARLO"]})).toEqual(["1", "2", "3", "4"].map((id) => [id, 0.7]));
  });
});

test("every row with a rare word is searched for a last word that many owners begin with, the first row too", async () => {
  const many = (word: string, from: number) =>
    Array.from({length: 70}, (_, i) => ({county: "48453", id: `${from + i}`, owner: `${word} JUNE`}));
  const parcels = [
    {county: "48453", id: "1", owner: "DALE HARLOWE"},
    {county: "48453", id: "2", owner: "DALE QUISTAD"},
    {county: "48453", id: "3", owner: "DALE HARLOWTON"},
    ...["HARLOWE", "HARLOWTON", "HARLOWAY", "HARLOWELL"].flatMap((word, i) => many(word, 100 * (i + 1))),
  ];
  const set = await writeState(temporaryFolder(), "TX", {parcels});
  const question = {words: {tokens: ["DALE", "HARLOW"]}, use: null, residential: null, counties: null};
  const {hits} = findOwners([set], {...question, offset: 0, limit: 10}, () => undefined);
  expect(
    hits.map(({row, match}) => `${set.parcels.text("parcel_id").at(row)} ${match.score}`).sort(),
  ).toEqual(["1 0.7", "3 0.7"]);
});
