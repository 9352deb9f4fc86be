import {describe, expect, test} from "vitest";
import {headedRows, nearestHeader} from "../../../../pipeline/market/signals/lists/headed-rows.ts";
import {gridLines, type ListTable} from "../../../../pipeline/market/signals/lists/list-tables.ts";
import type {ListSource} from "../../../../schemas/list-source.ts";
import {casesOf} from "../../../cases-of.ts";

const map = (columns: Record<string, string[]>, optional: string[] = []) =>
  ({columns, optional}) as unknown as ListSource;
const list = map({name: ["Firm", "Licensee"], city: ["City"], phone: ["Phone"]}, ["phone"]);

const grid = (text: string, kind: ListTable["kind"] = "sheet"): ListTable => ({
  kind,
  lines: gridLines(text.split("\n").map((line) => line.split("|"))),
});
/** A page whose pieces stand where they stand in the text, two or more spaces apart. */
const page = (text: string): ListTable => ({
  kind: "page",
  lines: text.split("\n").map((line) =>
    [...line.matchAll(/\S+(?: \S+)*/g)].map(({0: text, index}) => ({
      text,
      from: index,
      to: index + text.length,
    })),
  ),
});
/** The fields of each row, or why it is damaged. */
const read = (table: Parameters<typeof headedRows>[0], by = list) =>
  headedRows(table, by)?.rows.map(({fields, fault}) => fault?.reason ?? fields) ?? null;

describe("the header of a grid", () => {
  test.each<[string, string, (object | string)[] | null]>(
    casesOf<[string, string, (object | string)[] | null]>("headed-rows.txt"),
  )("%s", (_, text, expected) => {
    expect(read(grid(text))).toEqual(expected);
  });

  test("may take two lines, the upper name above one or several lower ones", () => {
    const two = map({name: ["Firm Name"], city: ["Firm City"], phone: ["Phone"]});
    expect(read(grid("Firm|Firm|\nName|City|Phone\nElm|Oak|555"), two)).toEqual([
      {name: "Elm", city: "Oak", phone: "555"},
    ]);
    const spanned = map({name: ["Firm Name"], city: ["Firm City"]});
    expect(read(grid("Firm||\nName|City\nElm|Oak"), spanned)).toEqual([{name: "Elm", city: "Oak"}]);
  });

  test("is found within sixty lines", () => {
    const below = (titles: number) => read(grid(`${"title\n".repeat(titles)}Firm|City\nElm|Oak`));
    expect([below(59), below(60)]).toEqual([[{name: "Elm", city: "Oak"}], null]);
  });

  test("is not found for a map without any of its columns", () => {
    expect(headedRows(grid("Firm|City"), list)).toMatchObject({found: new Set(["name", "city"]), rows: []});
    expect(read(grid("a|b\n1|2"), map({name: ["Firm"]}, ["name"]))).toBeNull();
  });

  test("calls a strict line damaged if its length differs from the header, ignoring trailing empty cells", () => {
    const strict = (line: string) => read(grid(`Firm|City|x\n${line}`, "text"));
    expect(strict("Elm|Oak|1")).toEqual([{name: "Elm", city: "Oak"}]);
    expect(strict("Elm|Oak|1||")).toEqual([{name: "Elm", city: "Oak"}]);
    expect(strict("Elm|Oak")).toEqual(["unread_line"]);
    expect(strict("Elm|Oak|1|2")).toEqual(["unread_line"]);
    expect(read(grid("Firm|City|x\nElm|Oak|1|2"))).toEqual([{name: "Elm", city: "Oak"}]);
  });
});

describe("a page, whose columns have places and no borders", () => {
  test("assigns a piece to the header that it overlaps most, else to the one with the nearest edge", () => {
    const text = [
      "Firm                City      Phone",
      "  Elm Yards         Oak       555",
      "Ash Yards of the West  Fir",
      "                            x",
    ];
    expect(read(page(text.join("\n")))).toEqual([
      {name: "Elm Yards", city: "Oak", phone: "555"},
      {name: "Ash Yards of the West", city: "Fir"},
      {phone: "x"},
    ]);
    // Two pieces below one header are one cell.
    expect(read(page("Firm                City\nElm  Yards          Oak"))).toEqual([
      {name: "Elm Yards", city: "Oak"},
    ]);
    expect(read(page("Firm      City\nElm       Oak\n     Firm      City"))).toEqual([
      {name: "Elm", city: "Oak"},
      "header_again",
    ]);
  });

  test("may have a header in two lines, the lower continuing the upper", () => {
    const two = map({name: ["Firm Name"], city: ["City"], phone: ["Phone"]});
    expect(read(page("Firm      City\nName                Phone\nElm       Oak       555"), two)).toEqual([
      {name: "Elm", city: "Oak", phone: "555"},
    ]);
    expect(read(page("          City      Phone\nFirm Name\nElm       Oak       555"), two)).toEqual([
      {name: "Elm", city: "Oak", phone: "555"},
    ]);
  });
});

test("takes the first line with most of a map's names as nearest header, without empty cells", () => {
  const tables = [grid("about firms\nFirm|x\n|Firm||Town"), grid("City|Town|Firm\nCity|b|Phone")];
  expect(nearestHeader(tables, list)).toEqual(["City", "Town", "Firm"]);
  expect(nearestHeader([grid("a|b\nc|d")], list)).toEqual(["a", "b"]);
  expect(nearestHeader([], list)).toEqual([]);
});
