import {isPrintedInParts, parseAddress} from "@open-cattle/us-address";
import fc from "fast-check";
import {describe, expect, test} from "vitest";
import {findAddress} from "../../../../lib/parcels/matching/address-match.ts";
import {createMemoryParcels} from "../../../../lib/parcels/memory/memory-parcel-set.ts";
import {addressRow} from "../../../written/address-row.ts";

/**
 * What counties and people write alike, from docs/design/parcels.md section 5.2 and Publication 28; written here a second time, so that the
 * vocabulary of the program is no witness of itself.
 */
const alike = new Map(
  Object.entries({
    ST: "STREET STATE",
    AVE: "AVENUE AV",
    RD: "ROAD",
    LN: "LANE LA",
    BLVD: "BOULEVARD BV BL BD",
    CIR: "CIRCLE",
    N: "NORTH",
    S: "SOUTH",
    SW: "SOUTHWEST",
    "2ND": "SECOND",
    "22ND": "TWENTY-SECOND",
    FL: "FLOOR",
    BLDG: "BUILDING",
    HWY: "HIGHWAY",
    FM: "RM RR",
    UNIT: "APT STE #",
  }).flatMap(([short, others]) => others.split(" ").map((other) => [other, short] as const)),
);

/** Words that a named rule of section 5.2 excuses, in the words of that rule. */
const excuses: readonly (readonly [rule: string, pattern: RegExp])[] = [
  ["UNIT, APT, STE, # and no word are one kind", / UNIT(?= )/g],
  [
    "box parts after a street are dropped with a note",
    /(?: PO)? BOX(?: (?!UNIT|&|SALEM)\S+)?(?: [A-Z])?(?= )/g,
  ],
  ["the street part ends at & (second street noted)", / &.*(?= SALEM)/g],
  [
    "numbered roads have no type: FM 620 RD, US 15 HWY",
    /(?<= (?:FM|US|HWY|RD) \d+(?: \d+)?(?: A)?) (?:RD|HWY)(?= )/g,
  ],
  ["FARM TO MARKET, with or without RD", /(?<= FM) RD(?= \d)/g],
  ["a highway is named US, US HWY", /(?<= US) HWY(?= \d)| HWY(?= US \d)/g],
];

/** The tokens of a line as a multiset, after the excuses. */
function tokensOf(line: string): string[] {
  const words = line.replaceAll(/[,.]/g, " ").replaceAll("#", " # ").trim().split(/\s+/u);
  const folded = words.map((word) => alike.get(word.toUpperCase()) ?? word.toUpperCase());
  let text = ` ${folded.join(" ")} `;
  for (const [, pattern] of excuses) text = text.replaceAll(pattern, "");
  // A letter belongs to the number or the road before it, with a blank or without.
  return text
    .replaceAll(/(?<=\d) (?=[A-D] )/g, "")
    .trim()
    .split(/[\s-]+/u)
    .sort();
}

type Row = {number: string; words: string[]};
const choice = fc.constantFrom;
const unit = choice(
  "",
  "APT 2",
  "UNIT 2B",
  "# 12",
  "STE 7",
  "BLDG 3 UNIT 12",
  "FL 2",
  "LOT 5",
  "REAR",
  "UNIT P 24",
);
const street = fc.oneof(
  fc
    .tuple(
      choice("", "N", "SW"),
      choice("MAIN", "QUILL", "VAN BUREN", "22ND", "OAK GROVE", "LORIMAR"),
      choice("ST", "AVE", "RD", "LN", "BLVD", "CIR"),
      choice("", "S"),
    )
    .map((parts) => parts.join(" ")),
  choice("US HWY 70", "US HWY 70 A", "US 15 501", "FM 620", "COUNTY ROAD 12", "STATE HWY 16", "AVENUE B"),
);
const junk = choice("", "", "", "BLK 3", "OLD MILL", "QUILL", "AREA 9", "& OAK ST", "PO BOX 12", "THE");
const printed = fc.record({
  number: choice("12", "48", "1204", "12A", "218 1/2", "112-15", "N5755", "G-4225", "12-14"),
  words: fc.tuple(street, unit, junk).map((parts) =>
    parts
      .join(" ")
      .split(/\s+/u)
      .filter((word) => word !== ""),
  ),
});

const spelt = new Map(
  Object.entries({
    ST: "Street",
    AVE: "Avenue",
    RD: "Road",
    LN: "Lane",
    BLVD: "Boulevard",
    N: "North",
    S: "South",
  }),
);
const others =
  "MAIN OAK QUILL ST AVE RD N SW 12 48 2B UNIT APT # BLDG 3 REAR HWY 70 A BLK LOT 1/2 THE 9".split(" ");

/** One change of a row: none, one spelt out, one word more, less or another, or two changed places. */
type Change = {kind: "spell" | "add" | "drop" | "replace" | "swap"; at: number; word: string};
const change: fc.Arbitrary<Change> = fc.record({
  kind: choice("spell", "add", "drop", "replace", "swap"),
  at: fc.nat(12),
  word: choice(...others),
});

function changed({number, words}: Row, changes: readonly Change[]): string {
  const line = [number, ...words];
  for (const {kind, at: place, word} of changes) {
    const at = place % line.length;
    if (kind === "spell") line[at] = spelt.get(line[at]!) ?? line[at]!;
    else if (kind === "add") line.splice(at + 1, 0, word);
    else if (kind === "drop" && line.length > 2) line.splice(at, 1);
    else if (kind === "replace") line[at] = word;
    else if (kind === "swap" && at > 0) [line[at - 1], line[at]] = [line[at]!, line[at - 1]!];
  }
  return line.join(" ");
}

const context = {state: "TX", isKnownPlace: (name: string) => name === "SALEM"};

/** The best match of a question among printed rows, all in Salem. */
function matchOf(question: string, ...rows: readonly string[]) {
  const {set, add} = createMemoryParcels({state: "TX", origin: "delta"});
  for (const [at, situs] of rows.entries())
    add(addressRow({situs, city: "SALEM"}, {at, county: "48453", context}));
  const line = `${question}, Salem`;
  return findAddress(set, {
    address: {...parseAddress(line, {...context, listsLeftOver: true}), raw: line},
    counties: null,
  })[0]?.match;
}

const runs = Number(process.env["RUNS"] ?? 3000);

describe("every word of question and row", () => {
  test("is matched or excused by a rule where the score is 1.00", () => {
    fc.assert(
      fc.property(printed, fc.array(change, {minLength: 1, maxLength: 2}), (row, changes) => {
        const [situs, question] = [[row.number, ...row.words].join(" "), changed(row, changes)];
        const match = matchOf(question, situs);
        if (match === undefined || match.score < 1) return;
        expect({question, situs, tokens: tokensOf(`${question} SALEM`)}).toEqual({
          question,
          situs,
          tokens: tokensOf(`${situs} SALEM`),
        });
      }),
      {numRuns: runs},
    );
  });

  test("that a rule calls alike keeps the score at 1.00", () => {
    fc.assert(
      fc.property(printed, fc.nat(12), (row, at) => {
        const situs = [row.number, ...row.words].join(" ");
        const question = changed(row, [{kind: "spell", at, word: ""}]);
        const certain = parseAddress(situs, context);
        if (certain.status !== "numbered" || certain.dropped > 0) return;
        expect({question, situs, score: matchOf(question, situs)?.score}).toEqual({
          question,
          situs,
          score: 1,
        });
      }),
      {numRuns: runs / 3},
    );
  });

  test("that both lines leave over alike tells them apart no more: it costs the row's side alone", () => {
    const situs = "401 Smith Ave ES 314";
    const [alike, other] = [matchOf(situs, situs), matchOf("401 Smith Ave ES 315", situs)];
    expect(alike).toEqual({type: "fuzzy", score: 0.9, notes: ["row_words_unread"]});
    expect(other).toBeUndefined();
    expect(matchOf("401 Smith Ave", "401 Smith Ave (CITY HALL)")).toMatchObject({score: 0.9});
    // Behind a comma, too, a mark of two letters and its number are no town.
    expect(matchOf("401 Smith Ave, ES 314", situs)?.score).toBe(0.9);
  });

  test("of a line that its parts print in their order is read", () => {
    fc.assert(
      fc.property(printed, fc.array(change, {maxLength: 2}), (row, changes) => {
        const raw = changed(row, changes);
        const parsed = parseAddress(raw, {state: "TX"});
        const line = `${raw}, Salem, TX 78757`;
        if (!isPrintedInParts(line, {...parsed, city: "SALEM", zip: "78757", raw: line}, "TX")) return;
        // A name of two streets keeps its sign.
        const {leftOver} = parseAddress(line, {state: "TX", listsLeftOver: true});
        expect([line, leftOver.filter((word) => word !== "&")]).toEqual([line, []]);
      }),
      {numRuns: runs},
    );
  });

  test("counts as the reading that matches has it: EAGLE GLEN is no other street than EAGLE GLEN CT", () => {
    const rows = ["108 EAGLE GLEN CT", "12 EAGLE GLEN"];
    expect(matchOf("108 Eagle Glen", ...rows)).toMatchObject({type: "fuzzy", score: 0.97});
    expect(matchOf("108 Eagle Glen Ave", ...rows, "14 EAGLE GLEN AVE")).toBeUndefined();
  });
});
