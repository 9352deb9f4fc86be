import fc from "fast-check";
import {describe, expect, test} from "vitest";
import {
  type AddressMatch,
  editDistance,
  isOutranked,
  type PartScore,
  parseAddress,
  type ScoredAddress,
  scoreAddress as scoreStreet,
} from "../src/index.ts";
import {casesOf} from "./cases-of.ts";

function address(line: string, place: {city?: string; zip?: string} = {}): ScoredAddress {
  const parsed = parseAddress(line);
  return {...parsed, city: place.city ?? parsed.city, zip: place.zip ?? parsed.zip, raw: line};
}

/** Compares two addresses whose towns and ZIPs are equal or differ by their text alone. */
function scoreAddress(query: ScoredAddress, row: ScoredAddress): AddressMatch | null {
  const asked = [
    [query.city, row.city, "city differs"],
    [query.zip, row.zip, "ZIP differs"],
  ] as const;
  const place = asked.flatMap(([own, theirs, note]): PartScore[] => {
    if (own === null) return [];
    return [own === theirs ? {weight: 0.05, score: 1, note: null} : {weight: 0.05, score: 0.3, note}];
  });
  return scoreStreet(query, row, place);
}

const city = {city: "SALEM"};
type Line = Parameters<typeof address>;
type Score = {score: number; type: string} | null;
test.each(casesOf<[string, Line, Line, Score]>("address-scores.txt"))("%s", (_, query, row, expected) => {
  const match = scoreAddress(address(...query), address(...row));
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

test.each(casesOf<[string, string[], string[], boolean]>("outranked-addresses.txt"))(
  "%s is outranked by the best: %j against %j",
  (_, notes, best, expected) => {
    const match = (of: string[]) => ({type: "fuzzy" as const, score: 0.9, notes: of});
    expect(isOutranked(match(notes), match(best))).toBe(expected);
  },
);
