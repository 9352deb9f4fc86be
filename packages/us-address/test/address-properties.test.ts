import fc from "fast-check";
import {describe, expect, test} from "vitest";
import {directionals} from "../src/directionals.ts";
import {foldText} from "../src/fold-text.ts";
import {parseAddress} from "../src/parse-address.ts";
import {streetTypes} from "../src/street-types.ts";
import {formatAddress, withPlace} from "./format-address.ts";

const names = [
  "MAIN",
  "LORIMAR",
  "EMERALD HILLS",
  "22ND",
  "VAN BUREN",
  "FM 1826",
  "COUNTY ROAD 400",
  "SAINT JAMES",
  "OCEAN LANE",
];
const street = fc.record({
  number: fc.oneof(
    fc.integer({min: 1, max: 99_998}).map(String),
    fc.constantFrom("123A", "N65W21234", "112-15"),
  ),
  fraction: fc.constantFrom(null, "1/2"),
  pre: fc.constantFrom(null, "N", "SW"),
  name: fc.constantFrom(...names),
  type: fc.constantFrom("ST", "RD", "BLVD", "TRL"),
  post: fc.constantFrom(null, "E", "NW"),
  unit: fc.constantFrom(null, "2B", "302"),
});
const words = fc.constantFrom(
  ...[...streetTypes.keys(), ...directionals.keys()],
  ..."# & , . - / 12 0 1/2 PO BOX RR HWY FM CO ROAD APT ST OF THE 97006 OR TX MAIN".split(" "),
);
const printed = fc
  .tuple(
    fc.constantFrom("12", "00420", "1820-24", "123½", "N5755", "ONE"),
    fc.constantFrom("", "N.", "South", "NE"),
    fc.constantFrom("Main", "First", "O'Brien", "Van Buren", "Emerald Hills", "St James", "Mt. Vernon", "22"),
    fc.constantFrom(...streetTypes.keys()),
    fc.constantFrom("", "N.W.", "East"),
    fc.constantFrom("", "# 4", "Apt 2B", "Suite 100", "PO Box 7", ", Salem OR", ", Rear"),
  )
  .map((parts) => parts.filter((part) => part !== "").join(" "));

describe("parsing an address", () => {
  test("a formatted address is read as the parts that it was made of", () => {
    fc.assert(
      fc.property(street, (made) => {
        const isRoad = /^(?:FM|COUNTY)/.test(made.name);
        const parts = {
          ...made,
          numberHi: null,
          type: isRoad ? null : made.type,
          fraction: /^\d+$/.test(made.number) ? made.fraction : null,
          unitType: made.unit === null ? null : "APT",
        };
        expect(parseAddress(formatAddress(parts)!)).toMatchObject({...parts, status: "numbered"});
      }),
    );
  });

  test("the normal form of a printed address is its own normal form", () => {
    fc.assert(
      fc.property(printed, (line) => {
        const text = formatAddress(parseAddress(line))!;
        expect(formatAddress(parseAddress(text))).toBe(text);
      }),
      {numRuns: 300},
    );
  });

  test("no text makes it throw, and what it gives is upper case", () => {
    fc.assert(
      fc.property(fc.string({unit: "binary", maxLength: 400}), (line) => {
        const {name, city} = parseAddress(line);
        for (const part of [name, city]) if (part !== null) expect(part).toBe(part.toUpperCase());
      }),
    );
    fc.assert(fc.property(fc.array(words, {maxLength: 40}), (parts) => void parseAddress(parts.join(" "))));
  });

  test("S8: a hostile line of half a million pieces is read to its end, in capitals", () => {
    const pumps = [
      "1 ",
      "N ",
      "ST ",
      "# ",
      "1-1-",
      "A",
      "  ",
      ",",
      "APT 1 ",
      "SEC 1 ",
      "1/4 ",
      "NW 1/4 ",
      "& ",
      "HWY ",
      "½",
    ];
    for (const pump of pumps) {
      const line = `12 ${pump.repeat(500_000)}MAIN ST`;
      for (const text of [parseAddress(line).name ?? "", foldText(line)])
        expect(text).toBe(text.toUpperCase());
    }
  });
});

describe("formatting an address", () => {
  const parts = {
    number: "177",
    numberHi: null,
    fraction: null,
    pre: null,
    name: "OCEAN LANE",
    type: "DR",
    post: null,
  };

  test("a unit without designator has #", () => {
    expect(formatAddress({...parts, unitType: null, unit: "302"})).toBe("177 OCEAN LANE DR # 302");
  });
  test("the full address ends with city, state and ZIP", () => {
    const place = {city: "KEY BISCAYNE", state: "FL", zip: "33149"};
    expect(withPlace(formatAddress({...parts, unitType: null, unit: null}), place)).toBe(
      "177 OCEAN LANE DR, KEY BISCAYNE, FL 33149",
    );
  });
  test("nothing known is null", () => {
    const none = {...parts, number: null, name: null, unitType: null, unit: null};
    expect(withPlace(formatAddress(none), {city: null, state: null, zip: null})).toBeNull();
  });
});
