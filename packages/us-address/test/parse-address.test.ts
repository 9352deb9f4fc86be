import {describe, expect, test} from "vitest";
import {parseAddress} from "../src/parse-address.ts";
import type {ParsedAddress} from "../src/parsed-address.ts";
import {chooseType} from "../src/street-types.ts";
import {casesOf} from "./cases-of.ts";

/** number|pre|NAME|TYPE|post|unit, as the vectors print it; a unit without a value is its designator. */
function parts({number, numberHi, fraction, pre, name, type, post, unitType, unit}: ParsedAddress): string {
  const range = numberHi === null ? number : `${number}..${numberHi}`;
  const whole = fraction === null ? range : `${range} ${fraction}`;
  return [whole, pre, name, type, post, unit ?? unitType].map((part) => part ?? "-").join("|");
}

const vectors = casesOf<[string, string, string]>("parse-address-vectors.txt");

test.each(vectors)("%s: %s", (_, line, expected) => {
  expect(parts(parseAddress(line))).toBe(expected);
});

test.each([
  ["A70", "207-1104 CORYDON AVE", "1104|-|CORYDON|AVE|-|207"],
  ["A70", "300 - 55 NASSAU ST", "55|-|NASSAU|ST|-|300"],
])("%s, in Manitoba: %s", (_, line, expected) => {
  expect(parts(parseAddress(line, {state: "MB"}))).toBe(expected);
});

describe("statuses", () => {
  const statuses = casesOf<[string, string, string]>("parse-address-statuses.txt");
  test.each(statuses)("%s: %j is %s", (_, line, status) => {
    expect(parseAddress(line).status).toBe(status);
  });
});

describe("localities", () => {
  const localities = casesOf<[string, string, (string | null)[]]>("parse-address-localities.txt");
  test.each(localities)("%s: %j", (_, line, expected) => {
    const {city, state, zip} = parseAddress(line);
    expect([city, state, zip]).toEqual(expected);
  });

  test("the ZIP's four further digits are kept unless they are zeros", () => {
    expect(parseAddress("1 ELM ST, X, TX 78757-1234").zipPlusFour).toBe("1234");
    expect(parseAddress("1 ELM ST, X, TX 78757-0000").zipPlusFour).toBeNull();
  });

  test("without a comma the longest known place of the state is the city", () => {
    const isKnownPlace = (city: string) => ["MONTE", "LAKE MONTE", "BUREN"].includes(city);
    const address = parseAddress("610 EAST MAIN LAKE MONTE KS", {isKnownPlace});
    expect([address.name, address.city, address.state]).toEqual(["MAIN", "LAKE MONTE", "KS"]);
  });

  test("without state or ZIP a known place must follow a finished street", () => {
    const isKnownPlace = (city: string) => city === "BUREN" || city === "SALEM";
    expect(parseAddress("500 VAN BUREN", {isKnownPlace}).name).toBe("VAN BUREN");
    expect(parseAddress("500 VAN BUREN ST SALEM", {isKnownPlace}).city).toBe("SALEM");
    expect(parseAddress("12 E SALEM", {isKnownPlace}).name).toBe("SALEM");
    expect(parseAddress("12 HIGHWAY 7 SALEM", {isKnownPlace}).city).toBe("SALEM");
  });

  test.each([
    ["12 HIGHWAY 7 SALEM OR", "HIGHWAY 7", "SALEM", "OR"],
    ["12 4TH AVE N SALEM CT", "4TH", "SALEM", "CT"],
    ["12 QUILL BLVD LOT 4 SALEM MT", "QUILL", "SALEM", "MT"],
    ["12 OLD SALEM CT", "OLD SALEM", null, null],
  ])("%s: a code behind a known place is the state", (line, name, city, state) => {
    const address = parseAddress(line, {isKnownPlace: (place) => place === "SALEM"});
    expect([address.name, address.city, address.state]).toEqual([name, city, state]);
  });

  test.each([
    ["12 QUILL ST, DELAWARE", {state: "OH"}, "DELAWARE", null],
    ["12 QUILL ST DELAWARE", {state: "OH"}, "DELAWARE", null],
    ["12 QUILL ST, DELAWARE 43015", {}, "DELAWARE", null],
    ["12 QUILL ST, DOVER, DELAWARE", {state: "OH"}, "DOVER", "DE"],
    ["12 QUILL ST, DELAWARE", {state: "TX"}, null, "DE"],
  ])("%s with %o: the name of another state may be the town", (line, context, city, state) => {
    const isKnownPlace = (place: string, of: string | null) => place === "DELAWARE" && of === "OH";
    const address = parseAddress(line, {...context, isKnownPlace});
    expect([address.city, address.state]).toEqual([city, state]);
  });

  test("a known place has five words at most, and takes the directional before it", () => {
    const known = ["LAKE IN THE FAR HILLS", "PALM BEACH", "PARK", "MILL PARK"];
    const cityOf = (line: string) => parseAddress(line, {isKnownPlace: (city) => known.includes(city)}).city;
    expect(cityOf("610 EAST MAIN LAKE IN THE FAR HILLS KS")).toBe("LAKE IN THE FAR HILLS");
    expect(cityOf("9 OAK ST W PALM BEACH")).toBe("W PALM BEACH");
    expect(cityOf("9 W PALM BEACH")).toBeNull();
    expect(cityOf("12 QUILL PARK KS")).toBeNull();
    expect(cityOf("12 QUILL MILL PARK KS")).toBe("MILL PARK");
  });
});

test.each([
  ["of weak types the last", "CANYON CREST RIDGE", false, "RIDGE"],
  ["of weak types apart the last", "QUILL CREST MARDEN RIDGE", false, "RIDGE"],
  ["of weak types apart the first, where a town may follow", "QUILL CREST MARDEN RIDGE", true, "CREST"],
  ["of weak types in a row the last, where a town may follow", "CANYON CREST RIDGE", true, "RIDGE"],
  ["never the first word", "CREST QUILL RIDGE", true, "RIDGE"],
  ["a weak one right after a strong one", "WASHINGTON SQUARE VILLAGE", false, "VILLAGE"],
  ["a strong one, where a town may follow", "WASHINGTON SQUARE VILLAGE", true, "SQUARE"],
  ["a hard one before a weak one", "WASHINGTON ST VILLAGE", false, "ST"],
  ["no type of a second address", "MAIN ST 44 TER", false, "ST"],
  ["no type of a town", "MAIN ST TEMPLE TER", true, "ST"],
  ["no saint of a town", "QUILL ST LOUIS", true, undefined],
  ["a street called after no saint's town", "QUILL ST LOUIS", false, "ST"],
  ["no saint before a hard type", "OLD ST JAMES RD", false, "RD"],
  ["no saint behind a type", "STATE ST ST PAUL", false, "ST"],
])("the type of a street is %s: %s", (_, street, townFollows, expected) => {
  const words = street.split(" ");
  const choice = chooseType(words, 0, {end: words.length, townFollows});
  expect(choice === null ? undefined : words[choice.at]).toBe(expected);
});

test("A11: the street after & is the second street", () => {
  expect(parseAddress("3700-08 SALINA ST S & HALL AVE").secondStreet).toBe("HALL AVE");
});

const cornerLines: [string, string, string | null, string][] = [
  ["12 PARK ST TO STRAND PL APT 4", "PARK ST", "4", "STRAND PL"],
  ["12 PARK ST APT 4 TO STRAND PL", "PARK ST", "4", "STRAND PL"],
  ["301 QUILL AVE APT 9Z7 & MARDEN AVE", "QUILL AVE", "9Z7", "MARDEN AVE"],
  ["301 QUILL AVE & MARDEN AVE UNIT 3, ASHMERE, NY 12207", "QUILL AVE", "3", "MARDEN AVE"],
  ["967 QUILL ST N TO SOLAR AVE", "QUILL ST", null, "SOLAR AVE"],
  ["967 QUILL ST N, TO SOLAR AVE, ASHMERE, NY 12207", "QUILL ST", null, "SOLAR AVE"],
  ["100 MAIN ST AT OAK ST UNIT 5", "MAIN ST", "5", "OAK ST"],
  ["12 MAIN ST & OAK ST & ELM AVE", "MAIN ST", null, "OAK ST & ELM AVE"],
  ["100 MAIN ST & FRONT", "MAIN ST", null, "FRONT"],
  ["MAIN ST AND TOWER", "MAIN ST", null, "TOWER"],
];
test.each(cornerLines)("%s is on %s, unit %s, and the second street is %s", (line, street, unit, second) => {
  const {name, type, unit: found, secondStreet, dropped, notes} = parseAddress(line);
  expect([`${name} ${type}`, found, secondStreet, dropped]).toEqual([street, unit, second, 0]);
  expect(notes).toEqual(["second street not compared"]);
});

test("a TO inside a name begins no second street", () => {
  expect(parseAddress("12 BACK TO QUILL LN")).toMatchObject({name: "BACK TO QUILL", secondStreet: null});
  expect(parseAddress("12500 FARM TO MARKET RD 1826").secondStreet).toBeNull();
  expect(parseAddress("12 ELM ST, TO DALE, SALEM OR").secondStreet).toBeNull();
});

test("A49: the unit keeps its designator", () => {
  expect(parseAddress("155 Ocean Lane Dr Apt #1005")).toMatchObject({unitType: "APT", unit: "1005"});
});

test("a unit glued to its designator keeps both, and the town after it is not part of it", () => {
  const glued = {unitType: "STE", unit: "200", city: "SALEM", type: "ST"};
  expect(parseAddress("12 ELM ST STE200 SALEM OR 97301")).toMatchObject(glued);
  expect(parseAddress("12 ELM ST, LT7, SALEM, OR")).toMatchObject({
    unitType: "LOT",
    unit: "7",
    city: "SALEM",
  });
});

test("AVENUE OF THE keeps one word of the name when a town follows without a comma", () => {
  expect(parseAddress("1114 AVENUE OF THE STARS SALEM OR 97301").city).toBe("SALEM");
});

test("the town after a numbered road and its directional is not part of the road", () => {
  const address = parseAddress("900 HIGHWAY 50 W SALEM OR 97301");
  expect(address).toMatchObject({name: "HIGHWAY 50", post: "W", city: "SALEM"});
});

test("a code that ends a line is the state that the context names", () => {
  expect(parseAddress("500 QUILL MILL RD MA", {state: "MA"})).toMatchObject({state: "MA", city: null});
  expect(parseAddress("12 BROADWAY PORTLAND OR", {state: "OR"}).state).toBe("OR");
  expect(parseAddress("202 QUILL ST S TO WASHINGTON", {state: "NY"}).state).toBeNull();
});

test("A50: a box after a street is noted", () => {
  expect(parseAddress("100 MAIN ST PO BOX 12").notes).toEqual(["box left out"]);
});

const leftOut = casesOf<[string, string[], number]>("parse-address-left-out.txt");
test.each(leftOut)("%s is noted as %j, with %d words dropped", (line, notes, dropped) => {
  expect(parseAddress(line)).toMatchObject({notes, dropped});
});

test.each([
  ["12 ELM ST, AUSTIN, TRAVIS COUNTY, TX 78704", "AUSTIN", "TRAVIS"],
  ["12, Elm Street, Austin, Travis County, Texas, 78704, United States", "AUSTIN", "TRAVIS"],
  ["12 ELM ST, ORLEANS PARISH, NEW ORLEANS LA", "NEW ORLEANS", "ORLEANS"],
  ["12 ELM ST, AUSTIN, TRAVIS CO., TX", "AUSTIN", "TRAVIS"],
  ["12 ELM ST, AUSTIN, COUNTY OF TRAVIS, TX", "AUSTIN", "TRAVIS"],
  ["12 ELM ST, MESA COUNTY, CO", "MESA COUNTY", null],
])("%s has the city %s and the county %s", (line, city, county) => {
  expect(parseAddress(line)).toMatchObject({city, county, dropped: 0});
});

test("the five counties of New York City have no ranges", () => {
  expect(parseAddress("112-16 QUEENS BLVD", {county: "QUEENS", state: "NY"}).number).toBe("112-16");
  expect(parseAddress("112-16 QUEENS BLVD", {county: "36081"}).numberHi).toBeNull();
  expect(parseAddress("112-16 QUEENS BLVD", {county: "RICHMOND", state: "VA"}).numberHi).toBe(116);
});

describe("forms beside the vectors", () => {
  const forms = casesOf<[string, string]>("parse-address-forms.txt");
  test.each(forms)("%s", (line, expected) => {
    expect(parts(parseAddress(line))).toBe(expected);
  });
});

test.each(casesOf<[string, string, string]>("parse-address-towns.txt"))(
  "%s is the street %s in %s",
  (line, street, town) => {
    const address = parseAddress(line);
    expect([parts(address), address.city ?? "-"]).toEqual([street, town]);
  },
);
