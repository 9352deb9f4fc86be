import {expect, test} from "vitest";
import {otherReadings} from "../src/other-readings.ts";
import {parseAddress} from "../src/parse-address.ts";

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

test.each<[line: string, towns: string[], reading: string]>([
  ["744 OAK FOREST, ASHMERE", [], "744|-|OAK FOREST|-|-|- ASHMERE"],
  ["744 OAK HGTS, ASHMERE", [], "744|-|OAK HGTS|-|-|- ASHMERE"],
  ["744 OAK FOREST APT 4", [], "744|-|OAK FOREST|-|-|4"],
  ["744 QUILL RIDGE N", [], "744|-|QUILL RIDGE|-|N|-"],
  ["1025 S TERRACE, ASHMERE", [], "1025|S|TERRACE|-|-|- ASHMERE"],
  ["120 COURT", [], "120|-|COURT|-|-|-"],
  ["26825 WEST UNION RD NW", [], "26825|-|WEST UNION|RD|NW|-"],
  ["102 LOCHMERE EAST, ASHMERE", [], "102|-|LOCHMERE EAST|-|-|- ASHMERE"],
  ["505 STATE S & QUILL AVE", [], "505|-|STATE|-|S|-"],
  ["2406 MARDEN C, ASHMERE", [], "2406|-|MARDEN|-|-|C ASHMERE"],
  ["5221 S QUELL ASHMERE", ["ASHMERE"], "5221|S|QUELL|-|-|- ASHMERE"],
  ["123-45 67TH AVE, ASHMERE", [], "123-45|-|67TH|AVE|-|- ASHMERE"],
  ["12 STRAND, ASHMERE", [], "12|-|THE STRAND|-|-|- ASHMERE"],
  ["12 THE STRAND, ASHMERE", [], "12|-|STRAND|-|-|- ASHMERE"],
  ["31 N AVE, ASHMERE", [], "31|-|NORTH|AVE|-|- ASHMERE"],
  ["1234 E 400 N, ASHMERE", [], "1234|E|COUNTY ROAD 400|-|N|- ASHMERE"],
  ["1234 E COUNTY ROAD 400 N", [], "1234|E|400|-|N|-"],
  ["28 NEW MEXICO 14, ASHMERE", [], "28|-|HIGHWAY 14|-|-|- ASHMERE"],
  ["28 NEW MEXICO 14, ASHMERE", [], "28|-|STATE ROAD 14|-|-|- ASHMERE"],
  ["2 WESTVIEW DR, ASHMERE", [], "2|W|VIEW|DR|-|- ASHMERE"],
  ["2 WEST VIEW DR, ASHMERE", [], "2|-|WESTVIEW|DR|-|- ASHMERE"],
  ["378 SOUTH WEST QUILL ST, ASHMERE", [], "378|S|WEST QUILL|ST|-|- ASHMERE"],
  ["12 AVENUE OF AMERICAS, ASHMERE", [], "12|-|AVENUE OF THE AMERICAS|-|-|- ASHMERE"],
  ["12 MLK BLVD, ASHMERE", [], "12|-|DR MARTIN LUTHER KING JR|BLVD|-|- ASHMERE"],
  ["12 DR DALE HARLOW BLVD, ASHMERE", [], "12|-|DALE HARLOW JR|BLVD|-|- ASHMERE"],
  ["20 B COURT ST, ASHMERE", [], "20B|-|COURT|ST|-|- ASHMERE"],
  ["14–28 30TH DR, ASHMERE", [], "14-28|-|30TH|DR|-|- ASHMERE"],
  ["813 TOWN SIDE, ASHMERE", [], "813|-|TOWN SIDE|-|-|- ASHMERE"],
])("%s has another reading", (line, towns, reading) => {
  expect(readingsOf(line, towns)).toContain(reading);
});

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
