import {readFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {parseAddress} from "../src/parse-address.ts";
import type {AddressContext, ParsedAddress} from "../src/parsed-address.ts";

/** The parts of an address as the file of cases prints them; absent ones are left out. */
function shown(address: ParsedAddress): string {
  const {number, numberHi, fraction, pre, name, type, post, unitType, unit, secondStreet} = address;
  const {city, state, zip, zipPlusFour, dropped, status} = address;
  const words = (parts: readonly (string | null)[], between = " ") =>
    parts.filter((part) => part !== null).join(between);
  const street = words([
    numberHi === null ? number : `${number}..${numberHi}`,
    fraction,
    pre,
    name && `'${name}'`,
    type,
    post,
  ]);
  const hasUnit = unitType !== null || unit !== null;
  const hasPlace = city !== null || state !== null || zip !== null;
  return words(
    [
      status,
      street || null,
      hasUnit ? `unit ${unitType ?? "-"} ${unit ?? "-"}` : null,
      secondStreet && `and ${secondStreet}`,
      hasPlace ? `in ${city ?? "-"}/${state ?? "-"}/${words([zip, zipPlusFour], "+") || "-"}` : null,
      dropped === 0 ? null : `${dropped} left out`,
    ],
    "; ",
  );
}

/** The context in braces behind a line: a state of two letters, a county. */
function contextOf(braces = ""): AddressContext {
  const [, state = null, county = null] = /^(?:([a-z]{2})(?: |$))?(.+)?$/i.exec(braces)!;
  return {state, county};
}

test("each address line has the parts that a person reads in it", () => {
  const cases = readFileSync(join(import.meta.dirname, "address-lines.txt"), "utf8")
    .split("\n")
    .filter((line) => !line.startsWith("#") && line.includes(" => "));
  const came = cases.map((each) => {
    const [asked] = each.split(" => ") as [string];
    const [, line, braces] = /^(.*?)(?: \{(.+)\})?$/.exec(asked)!;
    return `${asked} => ${shown(parseAddress(line!, contextOf(braces)))}`;
  });
  expect(came.length).toBeGreaterThan(200);
  expect(came).toEqual(cases);
});
