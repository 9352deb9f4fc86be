import {describe, expect, test} from "vitest";
import {UserError} from "../../../../lib/errors.ts";
import {
  gridLines,
  type ListContent,
  type ListTable,
} from "../../../../pipeline/market/signals/lists/list-tables.ts";
import {
  phoneOf,
  timeIn,
  websiteOf,
  weekdaysIn,
  zipOf,
} from "../../../../pipeline/market/signals/lists/list-values.ts";
import {readList, requireAccepted} from "../../../../pipeline/market/signals/lists/read-list.ts";
import type {ListSource} from "../../../../schemas/list-source.ts";

test.each<[(text: string) => unknown, string, unknown]>([
  [phoneOf, "(402) 555-0133", "+14025550133"],
  [phoneOf, "1-402-555-0133", "+14025550133"],
  [phoneOf, "402.555.0133 ext. 5", "+14025550133"],
  [phoneOf, "402-555-0133 x12", "+14025550133"],
  [phoneOf, "402-555-0133 or 402-555-0134", "+14025550133"],
  [phoneOf, "402-555-0133 / 0134", "+14025550133"],
  [phoneOf, "Barn 402-555-0133", null],
  [phoneOf, "402-155-0133", null],
  [phoneOf, "102-555-0133", null],
  [phoneOf, "555-0133", null],
  [phoneOf, "2-402-555-0133", null],
  [phoneOf, "N/A", null],
  [websiteOf, "example.org", "https://example.org/"],
  [websiteOf, "HTTP://www.example.org:8080/a?b#c", "https://www.example.org:8080/a?b#c"],
  [websiteOf, "https://example.org/a b", null],
  [websiteOf, "someone@example.org", null],
  [websiteOf, "none yet", null],
  [websiteOf, "localhost", null],
  [zipOf, "68801-1234", "68801"],
  [zipOf, "6880", "06880"],
  [zipOf, "6880.0", "06880"],
  [zipOf, "688", null],
  [zipOf, "688011", null],
  [zipOf, "00000", null],
  [weekdaysIn, "Fridays, Mon & tues.", ["monday", "tuesday", "friday"]],
  [weekdaysIn, "Weds", ["wednesday"]],
  [weekdaysIn, "m, th", []],
  [weekdaysIn, "bi-weekly on Monday", []],
  [weekdaysIn, "last Thursday", []],
  [weekdaysIn, "", []],
  [timeIn, "Tues 10 a.m.", "10:00"],
  [timeIn, "12:30 PM", "12:30"],
  [timeIn, "12 am", "00:00"],
  [timeIn, "1.15 p m", "13:15"],
  [timeIn, "NOON", "12:00"],
  [timeIn, "09:00", "09:00"],
  [timeIn, "13:30", "13:30"],
  [timeIn, "10:00", null],
  [timeIn, "12:00", null],
  [timeIn, "23:59", "23:59"],
  [timeIn, "24:00", null],
  [timeIn, "13:60", null],
  [timeIn, "13 pm", null],
  [timeIn, "0 am", null],
  [timeIn, "9:60 am", null],
  [timeIn, "10 am, again 10:00 a.m.", "10:00"],
  [timeIn, "10 am or noon", null],
  [timeIn, "by phone", null],
])("%o of %j is %j", (read, text, expected) => {
  expect(read(text)).toEqual(expected);
});

const mapOf = (id: string, changes: object = {}): ListSource =>
  ({
    ...{id, match: [], general: false, optional: [], requires: [], accept: {minRows: 2, maxRejectShare: 0.5}},
    ...{columns: {name: ["Firm"], city: ["City"]}, ...changes},
  }) as unknown as ListSource;
const contentOf = (...tables: [name: string, text: string, kind?: "web"][]): ListContent => ({
  lines: tables.flatMap(([, text]) => text.split("\n")),
  tables: [
    {kind: "sheet", name: "other", lines: gridLines([["no", "header"]])},
    ...tables.map(
      ([name, text, kind]): ListTable => ({
        kind: kind ?? "sheet",
        name,
        lines: gridLines(text.split("\n").map((line) => line.split("|"))),
      }),
    ),
  ],
});
const firms = contentOf(["2026", "Firm|City|Phone\nElm|Oak|555"]);
const chosen = (lists: ListSource[], path = "market/dealers/firms.csv", content = firms) => {
  const {list, rows} = readList(lists, {path}, content);
  return [list.id, rows.map(({fields, fault}) => fault?.reason ?? fields)];
};
const elm = {name: "Elm", city: "Oak"};

describe("the map of a list", () => {
  test("is selected by the longest id or prefix that starts the file's name or folder", () => {
    const lists = [mapOf("ne"), mapOf("ne-dealers"), mapOf("ks", {match: ["Kansas"]})];
    expect(chosen(lists, "market/dealers/ne-dealers-2026.csv")[0]).toBe("ne-dealers");
    expect(chosen(lists.toReversed(), "market/dealers/ne-dealers/a.csv")[0]).toBe("ne-dealers");
    expect(chosen(lists, "market/dealers/KANSAS-firms.csv")[0]).toBe("ks");
    // The folders of side and feed do not select a map.
    expect(
      chosen([
        mapOf("market"),
        mapOf("dealers"),
        mapOf("b", {columns: {name: ["Firm"], city: ["City"], phone: ["Phone"]}}),
      ])[0],
    ).toBe("b");
    expect(() =>
      chosen([mapOf("ne", {columns: {name: ["Gone"]}}), mapOf("b")], "market/dealers/ne.csv"),
    ).toThrow(UserError);
  });

  test("is else the one that reads most columns, preferring a specific one to a general one", () => {
    const [few, most] = [mapOf("few", {columns: {name: ["Firm"]}}), mapOf("most")];
    expect([chosen([few, most])[0], chosen([most, few])[0]]).toEqual(["most", "most"]);
    const general = mapOf("general", {general: true});
    expect([chosen([general, most])[0], chosen([most, general])[0]]).toEqual(["most", "most"]);
    expect(() => chosen([mapOf("a", {columns: {name: ["Gone"]}})])).toThrow(UserError);
    expect(() => chosen([mapOf("a", {general: true, columns: {name: ["Gone"], city: ["City"]}})])).toThrow(
      /Firm, City, Phone.*Gone/,
    );
    expect(() => chosen([])).toThrow(UserError);
  });
});

describe("the rows of a list", () => {
  const list = [mapOf("a")];
  const two = (kind?: "web") =>
    contentOf(["one", "Firm|City\nElm|Oak", kind], ["two", "Firm|City\nAsh|Fir", kind]);

  test("come from all tables of a page, or from one sheet, which the map names if several fit", () => {
    expect(chosen(list, undefined, two("web"))[1]).toEqual([elm, {name: "Ash", city: "Fir"}]);
    expect(() => chosen(list, undefined, two())).toThrow(UserError);
    expect(chosen([mapOf("a", {sheet: "two"})], undefined, two())[1]).toEqual([{name: "Ash", city: "Fir"}]);
  });

  test("get a fault if they lack a required field, unless they already have one", () => {
    const content = contentOf(["s", "Firm|City\nElm|\n|Oak\nElm|Oak\nFirm|City"]);
    expect(chosen([mapOf("a", {requires: ["name", "city"]})], undefined, content)[1]).toEqual([
      "no_city",
      "no_name",
      elm,
      "header_again",
    ]);
  });

  test("are the lines that match the map's pattern, if it has one", () => {
    const lines = [mapOf("a", {lines: "^(?<name>\\w+) of (?<city>\\w+)(?<phone> \\d+)?$"})];
    expect(chosen(lines, undefined, contentOf(["s", "Dealers\nELM of Oak\nAsh of Fir 5"]))[1]).toEqual([
      "no_row",
      {name: "ELM", city: "Oak"},
      {name: "Ash", city: "Fir", phone: " 5"},
    ]);
    expect(() => chosen(lines, undefined, firms)).toThrow(UserError);
  });

  test("are refused if there are fewer, or more rejected ones, than the map allows", () => {
    const read = {list: mapOf("a"), found: new Set<never>(), rows: []};
    const accept = (accepted: number, rejected: number) => () =>
      requireAccepted(read, {path: "p", accepted, rejected});
    expect(accept(2, 0)).not.toThrow();
    expect(accept(1, 0)).toThrow(UserError);
    expect(accept(2, 2)).not.toThrow();
    expect(accept(2, 3)).toThrow(UserError);
  });
});
