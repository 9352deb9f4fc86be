import {
  type AddressMatch,
  editDistance,
  isOutranked,
  parseAddress,
  type ScoredAddress,
  scoreAddress as scoreStreet,
} from "@open-cattle/us-address";
import fc from "fast-check";
import {describe, expect, test} from "vitest";
import {PlaceQuestion} from "../../../../lib/parcels/place/place-question.ts";

function address(line: string, place: {city?: string; zip?: string} = {}): ScoredAddress {
  const parsed = parseAddress(line);
  return {...parsed, city: place.city ?? parsed.city, zip: place.zip ?? parsed.zip, raw: line};
}

/** Compares two addresses of which nothing is known but the text. */
function scoreAddress(query: ScoredAddress, row: ScoredAddress): AddressMatch | null {
  const place = new PlaceQuestion(query, null).compare({city: row.city, zip: row.zip, county: null});
  return place === null ? null : scoreStreet(query, row, place.parts);
}

const salem = {city: "SALEM", zip: "97301"};
const city = {city: "SALEM"};
type Case = [string, ScoredAddress, ScoredAddress, {score: number; type: string} | null];
const vectors: Case[] = [
  [
    "S1: all equal",
    address("12 LORIMAR RD", salem),
    address("12 Lorimar Road", salem),
    {score: 1, type: "normalized"},
  ],
  [
    "S1: equal text",
    address("12 LORIMAR RD", salem),
    address("12 Lorimar Rd", salem),
    {score: 1, type: "exact"},
  ],
  [
    "S2: type missing",
    address("12 LORIMAR", salem),
    address("12 LORIMAR RD", salem),
    {score: 0.97, type: "fuzzy"},
  ],
  [
    "S3: one letter in 8",
    address("12 EMERALLD RD", salem),
    address("12 EMERALDD RD", salem),
    {score: 0.95, type: "fuzzy"},
  ],
  [
    "S4: letter, type and ZIP differ",
    address("12 EMERALLD RD", salem),
    address("12 EMERALDD ST", {...salem, zip: "97302"}),
    {score: 0.84, type: "fuzzy"},
  ],
  [
    "S5: directional only in row",
    address("12 MAIN ST"),
    address("12 N MAIN ST"),
    {score: 0.96, type: "fuzzy"},
  ],
  ["S6: inside a range", address("1822 MAIN ST"), address("1820-1824 MAIN ST"), {score: 0.96, type: "fuzzy"}],
  [
    "S7: unit only in row",
    address("12 MAIN ST", city),
    address("12 MAIN ST APT 2", city),
    {score: 0.95, type: "fuzzy"},
  ],
  [
    "S8: type differs",
    address("12 MAIN ST", city),
    address("12 MAIN RD", city),
    {score: 0.93, type: "fuzzy"},
  ],
  [
    "S9: city and ZIP differ",
    address("12 MAIN ST", salem),
    address("12 MAIN ST", {city: "ALBANY", zip: "97321"}),
    null,
  ],
  [
    "S10: highway class",
    address("12 HWY 16", salem),
    address("12 STATE HWY 16", salem),
    {score: 0.93, type: "fuzzy"},
  ],
  [
    "S11: letter of the number",
    address("123 ELM ST", city),
    address("123A ELM ST", city),
    {score: 0.94, type: "fuzzy"},
  ],
  ["S12: name 0.75, type missing", address("12 MAEN"), address("12 MAIN ST"), {score: 0.85, type: "fuzzy"}],
  ["S13: name, type and directional", address("12 MAEN RD"), address("12 N MAIN ST"), null],
  ["S14: ordinals", address("12 22ND ST"), address("12 23RD ST"), null],
  ["S15: other side of town", address("12 N MAIN ST"), address("12 S MAIN ST"), null],
  [
    "S16: another unit of two words",
    address("3737 Clarks Lane Unit P 24"),
    address("3737 CLARKS LANE UNIT#: P 1"),
    null,
  ],
  [
    "S16: the same unit, printed with a hyphen",
    address("3737 Clarks Lane Unit P 24"),
    address("3737 CLARKS LANE UNIT#: P-24"),
    {score: 1, type: "normalized"},
  ],
  [
    "S17: another building",
    address("100 Main St Bldg 4 Unit 12"),
    address("100 MAIN ST BLDG 3 UNIT 12"),
    null,
  ],
  [
    "S18: a building in full",
    address("200 Main Street Building 4 Unit 12"),
    address("200 MAIN ST BLDG 4 UNIT 12"),
    {score: 1, type: "normalized"},
  ],
  ["S19: another type and a unit", address("101 Ocean Ave Unit 9Z9"), address("101 OCEAN AVE UNIT 2A"), null],
  ["S20: the letter of a highway", address("220 US Hwy 70"), address("220 US HWY 70 A E"), null],
  ["S21: a fraction without a blank", address("2181 Green Ln"), address("2181/2 GREEN LN"), null],
  [
    "S21: the fraction apart",
    address("218 1/2 Green Ln"),
    address("2181/2 GREEN LN"),
    {score: 1, type: "normalized"},
  ],
  [
    "S22: a highway of two numbers",
    address("11098 US Hwy 15 501 N", city),
    address("11098 US 15/501 N", city),
    {score: 1, type: "normalized"},
  ],
  ["S22: one of the two", address("11098 US Hwy 15 501 N", city), address("11098 US 15 N", city), null],
  [
    "S24: a farm road as highway",
    address("3601 Highway 620", salem),
    address("3601 FM 620 RD N", salem),
    {score: 0.89, type: "fuzzy"},
  ],
  [
    "S30: a letter before the number",
    address("G-4225 Miller Rd"),
    address("G4225 MILLER RD"),
    {score: 1, type: "normalized"},
  ],
  [
    "S30: without the letter",
    address("4225 Miller Rd", city),
    address("G4225 MILLER RD", city),
    {score: 0.94, type: "fuzzy"},
  ],
];

test.each(vectors)("%s", (_, query, row, expected) => {
  const match = scoreAddress(query, row);
  expect(match && {score: match.score, type: match.type}).toEqual(expected);
});

describe("rules beside the vectors", () => {
  const none: [string, string, string][] = [
    ["a house number is never corrected", "12 MAIN ST", "13 MAIN ST"],
    ["two letters of a number are two houses", "12A MAIN ST", "12B MAIN ST"],
    ["the other side of the street is not in the range", "1821 MAIN ST", "1820-1824 MAIN ST"],
    ["two highway classes are two roads", "12 US HWY 16", "12 STATE HWY 16"],
    ["a letter is a name of its own", "12 AVENUE B", "12 AVENUE A"],
    ["the letter of a road is never corrected", "12 COUNTY ROAD T", "12 COUNTY ROAD E"],
    ["a numbered street of another type is another street", "12 NW 34TH AVE", "12 NW 34TH ST"],
    ["a unit that differs is another flat", "12 MAIN ST APT 2", "12 MAIN ST APT 3"],
    ["a street without number is never an answer", "12 MAIN ST", "MAIN ST"],
    ["short names have no typing errors", "12 ELM ST", "12 OLM ST"],
  ];
  test.each(none)("%s", (_, query, row) => {
    expect(scoreAddress(address(query), address(row))).toBeNull();
  });

  test("a legal situs is found by its text alone", () => {
    expect(scoreAddress(address("se17-19-10w"), address("SE17-19-10W"))).toMatchObject({
      type: "exact",
      score: 1,
    });
    expect(scoreAddress(address("SE 17 19 10W"), address("SE17-19-10W"))).toBeNull();
    expect(scoreAddress(address("SE17 19 10W"), address("SE17-19-10W"))).toMatchObject({type: "normalized"});
  });

  test("units are equal whatever their designator", () => {
    expect(scoreAddress(address("12 MAIN ST # 2B"), address("12 MAIN ST APT 2B"))).toMatchObject({score: 1});
    expect(scoreAddress(address("12 MAIN ST FRONT"), address("12 MAIN ST # FRONT"))).toMatchObject({
      score: 1,
    });
  });

  test("SAINT and ST of a town are one", () => {
    const match = scoreAddress(
      address("12 MAIN ST", {city: "ST PAUL"}),
      address("12 MAIN ST", {city: "Saint Paul"}),
    );
    expect(match).toMatchObject({score: 1});
  });

  test("a row whose range ends with its own number has no range", () => {
    const row = {...address("123A ELM ST", city), numberHi: 123};
    expect(scoreAddress(address("123 ELM ST", city), row)).toMatchObject({score: 0.94});
    expect(scoreAddress(address("123B ELM ST", city), row)).toBeNull();
  });

  test("each word that was not used costs .1 and is noted", () => {
    expect(scoreAddress(address("12 LORIMAR RD UNIT 7 APT 2"), address("12 LORIMAR RD APT 2"))).toMatchObject(
      {
        type: "fuzzy",
        score: 0.8,
        notes: ["words_dropped"],
      },
    );
    expect(scoreAddress(address("12 LORIMAR RD LOT 4 BLK 3 AREA 9"), address("12 LORIMAR RD"))).toBeNull();
  });

  test("a recipient before the street costs nothing, and bars an exact match", () => {
    const asked = address("QUILL RED TOWER, 12 LORIMAR RD");
    expect(scoreAddress(asked, address("12 LORIMAR RD"))).toMatchObject({type: "normalized", score: 1});
    expect(scoreAddress(asked, asked)).toMatchObject({type: "normalized", score: 1});
  });

  test("each word of the row that found no part costs .05, at most .15, and bars a certain match", () => {
    const row = address("12 LORIMAR RD");
    const scores = [1, 2, 3, 4].map((dropped) => scoreAddress(row, {...row, dropped}));
    expect(scores.map((match) => match?.score)).toEqual([0.95, 0.9, 0.85, 0.85]);
    expect(scores[0]).toMatchObject({type: "fuzzy", notes: ["row_words_unread"]});
  });

  test("notes say what was forgiven", () => {
    expect(scoreAddress(address("12 LORIMER"), address("12 LORIMAR RD"))?.notes).toEqual([
      "street name corrected",
      "street type added",
    ]);
  });
});

describe("edit distance", () => {
  test("a swap of neighbours is one edit", () => {
    expect(editDistance("LORIMAR", "LOIRMAR", 2)).toBe(1);
  });

  test("it agrees with the plain recursion up to its limit", () => {
    const letters = fc.string({unit: fc.constantFrom("A", "B", "C"), maxLength: 6});
    fc.assert(
      fc.property(letters, letters, fc.integer({min: 0, max: 3}), (a, b, limit) => {
        expect(editDistance(a, b, limit)).toBe(Math.min(plainDistance(a, b), limit + 1));
      }),
    );
  });
});

/** The definition of the optimal string alignment distance, as slow as it is plain. */
function plainDistance(a: string, b: string): number {
  if (a === "" || b === "") return a.length + b.length;
  const cost = a.at(-1) === b.at(-1) ? 0 : 1;
  const options = [
    plainDistance(a.slice(0, -1), b) + 1,
    plainDistance(a, b.slice(0, -1)) + 1,
    plainDistance(a.slice(0, -1), b.slice(0, -1)) + cost,
  ];
  if (a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1)) {
    options.push(plainDistance(a.slice(0, -2), b.slice(0, -2)) + 1);
  }
  return Math.min(...options);
}

test.each([
  [
    "a further fault of the street",
    ["city differs", "directional not in the record"],
    ["city differs"],
    true,
  ],
  ["the same faults", ["city differs"], ["city differs"], false],
  ["a unit beside words read as a town", ["city differs", "unit not in the query"], ["city differs"], false],
  ["a better place", ["directional added"], ["locality_unchecked"], false],
  [
    "a best without the whole street",
    ["directional added", "unit not in the query"],
    ["directional added"],
    false,
  ],
])("%s is outranked by the best: %j against %j", (_, notes, best, expected) => {
  const match = (of: string[]) => ({type: "fuzzy" as const, score: 0.9, notes: of});
  expect(isOutranked(match(notes), match(best))).toBe(expected);
});
