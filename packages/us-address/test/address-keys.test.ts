import {describe, expect, test} from "vitest";
import {addressKeys, exactKeys, foldedKeys, otherClassKeys} from "../src/address-keys.ts";
import {parseAddress} from "../src/parse-address.ts";

function keysOf(line: string): string[] {
  return addressKeys(parseAddress(line), line).map(({key}) => key);
}

/** True when a key of a query is one of a row's keys. */
function reaches(query: string, row: string): boolean {
  const keys = keysOf(row);
  const parts = parseAddress(query);
  return [...exactKeys(parts), ...otherClassKeys(parts), ...foldedKeys(query)].some((key) =>
    keys.includes(key),
  );
}

describe("keys of an address", () => {
  test("a number and a name make one key", () => {
    expect(addressKeys(parseAddress("1218 LORIMAR RD"))).toEqual([{key: "1218|LORIMAR", form: 1}]);
  });
  test("a range has a key for each of its numbers of one parity", () => {
    expect(keysOf("1820-1824 MARKET ST")).toEqual(["1820|MARKET", "1822|MARKET", "1824|MARKET"]);
  });
  test("letters and fractions have the key of the plain number", () => {
    expect(keysOf("123A ELM ST")[0]).toBe("123|ELM");
    expect(keysOf("123 1/2 ELM ST")[0]).toBe("123|ELM");
    expect(keysOf("112-15 QUEENS BLVD")[0]).toBe("112-15|QUEENS");
  });
  test("a legal situs is its folded text", () => {
    expect(keysOf("SE17-19-10W")).toEqual(["=SE17 19 10W"]);
  });
  test.each(["NEWPORT RD", "PO BOX 12", "RR 12 BOX 44", ""])(
    "%j has no key: it is never an answer",
    (line) => {
      expect(keysOf(line)).toEqual([]);
    },
  );
});

describe("candidates of a query", () => {
  test.each([
    ["1218 LORIMAR RD", "1218 LORIMAR RD"],
    ["310 HWY 16", "310 STATE HWY 16"],
    ["310 US HWY 16", "310 HWY 16"],
    ["1822 MARKET ST", "1820-1824 MARKET ST"],
    ["123 ELM ST", "123A ELM ST"],
    ["sunset", "SUNSET"],
  ])("%s reaches %s", (query, row) => {
    expect(reaches(query, row)).toBe(true);
  });
  test("two classes of one road number are two roads", () => {
    expect(reaches("310 US HWY 16", "310 STATE HWY 16")).toBe(false);
  });
});
