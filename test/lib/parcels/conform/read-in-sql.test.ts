import {describe, expect, test} from "vitest";
import type {ConformEntry} from "../../../../lib/parcels/conform/column-references.ts";
import {idParts, parsedIds} from "../../../../lib/parcels/conform/id-sql.ts";
import {ownerParts, parsedOwner} from "../../../../lib/parcels/conform/owner-sql.ts";
import {memberSeparator, pack, unpack} from "../../../../lib/parcels/conform/packed-text.ts";
import {
  houseMark,
  parsedSitus,
  situsParts,
  situsQuestion,
} from "../../../../lib/parcels/conform/parsed-situs.ts";
import type {OwnerOrder} from "../../../../lib/parcels/owner/owner-names.ts";
import {bareEntry} from "../../../pipeline/parcels/invented-source.ts";
import {conformed} from "./conformed.ts";

/** Repeatable numbers from 0 to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = randomFrom(4);
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
const some = <T>(most: number, make: () => T): T[] =>
  Array.from({length: 1 + Math.floor(random() * most)}, make);

function entry(more: Record<string, unknown>): ConformEntry {
  return bareEntry({
    ids: {raw: "ID", alt: ["ALT", "OTHER"]},
    fields: {situs_raw: {from: "LINE"}, situs_number: {from: "NUMBER"}, owner_raw: {from: "OWNER"}},
    values: {zeroMeans: "unknown"},
    owners: {published: true, order: "last_first"},
    accept: {minRows: 0, maxRejectShare: 1, maxDropShare: 1, rows: []},
    ...more,
  });
}

const members = (text: string | null | undefined) =>
  text === null || text === undefined ? [] : text.split(memberSeparator);

describe("parcel numbers that SQL reads", () => {
  const text = () =>
    some(9, () => pick([..."0012357AbZ", "-", "-", " ", ".", "/", "_", "E+", "é", "–", "００"]))
      .join("")
      .trim();
  const words = [
    "NULL",
    "none",
    "ROW",
    "r-o-w",
    "Water",
    "0",
    "000-00",
    "4.1E+11",
    "12E5",
    "54500.000",
    "UNKNOWN",
  ];
  const id = () => (random() < 0.2 ? pick(words) : text());

  test.each([
    {numericSource: false, pad: undefined},
    {numericSource: true, pad: undefined},
    {numericSource: false, pad: 6},
  ])("are what the function says of them (%o)", async ({numericSource, pad}) => {
    const rows = Array.from({length: 600}, () => ({
      ID: id(),
      ALT: pick([id(), ""]),
      OTHER: pick([id(), ""]),
      // A row with little else than a number may be a line of a listing.
      LINE: "1 OAK ST",
      OWNER: "HARLOW DALE",
    }));
    const ids = {raw: "ID", alt: ["ALT", "OTHER"], numericSource, ...(pad === undefined ? {} : {pad})};
    const {rows: came} = await conformed(entry({ids}), rows);
    for (const [i, {ID, ALT, OTHER}] of rows.entries()) {
      const cells = [ID, ALT, OTHER].map((cell) => cell.normalize("NFC"));
      const parts = unpack(parsedIds(pack(cells), {numeric: numericSource, pad: pad ?? null}));
      const part = (name: (typeof idParts)[number]) => parts[idParts.indexOf(name)] ?? null;
      expect([cells, came[i]]).toMatchObject([
        cells,
        {
          _reject: part("reject"),
          parcel_id: part("id"),
          parcel_id_tok: part("tok"),
          parcel_id_std: part("std"),
          parcel_id_loose: part("loose"),
          alt_ids: members(part("alts")),
          alt_ids_std: members(part("altStds")),
        },
      ]);
    }
  });
});

describe("owners that SQL reads", () => {
  const word = () =>
    random() < 0.6
      ? pick(["HARLOW", "Dale", "M", "QUISTAD", "JUNE", "R", "L", "C", "P", "H", "W", "U", "S", "A", "22ND"])
      : pick(
          "LLC INC TRUST FARMS BANK COUNTY CITY OF ET AL UX JR MC O VAN ST EST ESTATE LIFE TR TTEE CO AND & / , CHURCH UNITED STATES ISD NOT AVAILABLE UNKNOWN OWNER CONFIDENTIAL SUPPRESSED UNAVAILABLE NAME C/O ATTN % 1/2 INT O'SHEA SMITHE-JONESON L.L.C. NUÑEZ".split(
            " ",
          ),
        );

  test.each<OwnerOrder>(["last_first", "last_comma_first", "first_last", "unknown"])(
    "are what the function says of them (%s)",
    async (order) => {
      const shape = () =>
        random() < 0.3
          ? `${word()}, ${some(2, word).join(" ")}${pick(["", ` & ${word()}`, ` & ${word()} ${word()}`])}`
          : some(6, word).join(" ");
      const rows = Array.from({length: 1500}, (_, i) => ({ID: `${i + 1}`, OWNER: shape()}));
      const {rows: came} = await conformed(entry({owners: {published: true, order}}), rows);
      for (const [i, {OWNER}] of rows.entries()) {
        const given = came[i]!.owner_raw === null && came[i]!.owner_withheld === false ? null : OWNER;
        if (given === null) continue;
        const parts = unpack(parsedOwner(pack([OWNER, null]), order));
        const part = (name: (typeof ownerParts)[number]) => parts[ownerParts.indexOf(name)] ?? null;
        const withheld = part("withheld") === "1";
        expect([OWNER, came[i]]).toMatchObject([
          OWNER,
          {
            owner_kind: part("kind"),
            owner_name: part("name"),
            owner_last: part("last"),
            owner_tokens: withheld ? null : members(part("tokens")),
            owner_care_of: part("careOf"),
            owner_withheld: withheld,
          },
        ]);
      }
    },
  );
});

describe("questions on addresses without their house number", () => {
  const rest = () =>
    pick([
      () => pick(["N", "SOUTH", "E", "A", "1/2", "MILE", "TH", "ST", "AND", "-", "&", ""]),
      () =>
        pick([
          "MAIN",
          "OAK GROVE",
          "400",
          "22",
          "AVENUE B",
          "COUNTY ROAD 12",
          "RR 4",
          "FM 1826",
          "HWY 16",
          "LOOP",
        ]),
    ])();
  const line = (house: string) =>
    [
      house,
      ...some(3, rest),
      pick(["ST", "RD", "DR", "AVE N", "", "APT 4", "UNIT"]),
      pick(["", ", AUSTIN", ", AUSTIN TX 78701", " TX", ", TX 78701-0000"]),
    ]
      .filter((part) => part !== "")
      .join(" ");

  test("have the same answers as with it", async () => {
    const houses = [
      "1",
      "5",
      "10",
      "22",
      "99",
      "100",
      "0",
      "007",
      "1234",
      "99999",
      "78701",
      "123456",
      "12A",
      "3-5",
      "",
    ];
    const rows = Array.from({length: 1500}, (_, i) => {
      const house = pick(houses);
      return {ID: `${i + 1}`, LINE: line(house), NUMBER: pick([house, "", "", "8"])};
    });
    const {rows: came} = await conformed(entry({}), rows);
    for (const [i, {LINE, NUMBER}] of rows.entries()) {
      const cells: Record<string, string | null> = {
        situs_raw: LINE.trim(),
        situs_number: NUMBER === "0" ? null : NUMBER,
        county: "48453",
      };
      const answer = unpack(
        parsedSitus(pack(situsQuestion.map((name) => cells[name] ?? null)), {state: "TX"})!,
      );
      const expected = Object.fromEntries(
        situsParts.flatMap((name, at): [string, unknown][] => {
          if (name === "state" || name === "unread") return [];
          const isNumber = name === "situs_number_lo" || name === "situs_number_hi";
          const part = answer[at] ?? null;
          if (name === "alt_situs") return [[name, members(part)]];
          return [[name, isNumber && part !== null ? Number(part) : part]];
        }),
      );
      expect([LINE, NUMBER, came[i]]).toMatchObject([LINE, NUMBER, expected]);
    }
  });

  test("have no answer if it depends on the number", () => {
    const ask = (text: string) =>
      parsedSitus(pack([text, ...situsQuestion.slice(1).map(() => null)]), {state: "TX"});
    expect(ask(`${houseMark} MAIN ST`)).toContain(houseMark);
    expect(ask(`${houseMark} MILE RD`)).toBeNull();
    expect(ask(`${houseMark} ST`)).toBeNull();
  });
});
