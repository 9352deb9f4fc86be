import {expect, test} from "vitest";
import {otherReadings} from "../src/other-readings.ts";
import {parseAddress} from "../src/parse-address.ts";
import {casesOf} from "./cases-of.ts";

/** Other readings of a line as `number|pre|NAME|type|post|unit` and the town. */
function readingsOf(line: string, towns: readonly string[] = []): string[] {
  const address = {...parseAddress(line), raw: line};
  return otherReadings(address, (name) => towns.includes(name)).map(
    ({number, pre, name, type, post, unit, city}) =>
      [[number, pre, name, type, post, unit].map((part) => part ?? "-").join("|"), city ?? ""]
        .join(" ")
        .trim(),
  );
}

test.each(casesOf<[string, string[], string]>("other-readings.txt"))(
  "%s has another reading",
  (line, towns, reading) => {
    expect(readingsOf(line, towns)).toContain(reading);
  },
);

test("a town at the end of a line has five words at most", () => {
  const [five, six] = ["BAY OF THE FAR HILLS", "OLD BAY OF THE FAR HILLS"];
  const towns = readingsOf(`5221 QUELL MARDEN ${six}`, [five, six]).map((reading) =>
    reading.split(" ").slice(1),
  );
  expect(towns.some((words) => words.join(" ").endsWith(`OLD ${five}`))).toBe(false);
  expect(readingsOf(`5221 QUELL MARDEN ${five}`, [five])).toContain(`5221|-|QUELL MARDEN|-|-|- ${five}`);
});

test("a line without a street has no other reading", () => {
  expect(readingsOf("PO BOX 12")).toEqual([]);
});
