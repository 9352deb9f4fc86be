import {unreadLine} from "@open-cattle/usda-reports/values";
import {describe, expect, test} from "vitest";
import type {SignalContent} from "../../../../pipeline/market/documents/file-content.ts";
import type {SignalInput} from "../../../../pipeline/market/signals/reading.ts";
import {
  arraysIn,
  errorIn,
  Row,
  type TableRules,
  tableReader,
} from "../../../../pipeline/market/signals/signal-reader.ts";

const shape = {
  needs: [["date", "day"], ["price"]],
  expected: "date and price",
};

function input(content: SignalContent): SignalInput {
  return {file: {path: "market/x/file"} as never, content};
}
/** The records that are read out of a content. */
function recordsOf(content: SignalContent, more: Partial<TableRules> = {}): unknown[] {
  const records: unknown[] = [];
  const columns = ({record}: Row) => {
    records.push(record);
    return null;
  };
  tableReader("diesel", {...shape, ...more, columns})(input(content));
  return records;
}
const read = (body: unknown, more: Partial<TableRules> = {}) => recordsOf({kind: "json", body}, more);

const good = {Date: "2026-11-01", PRICE: 3};
const other = {id: 1};

describe("the rows of a body", () => {
  test.each<[string, unknown, unknown[]]>([
    ["are a list itself", [good, other], [good, other]],
    ["are one member deep", {rows: [good]}, [good]],
    ["are two members deep", {response: {data: [good]}}, [good]],
    [
      "are the list with a row that fits, not the longest one",
      {a: [other, other, other], b: [other, good]},
      [other, good],
    ],
    ["are the longest of those with one", {a: [good], b: [good, good]}, [good, good]],
    ["are none where every list is empty", {a: []}, []],
    ["are none where a list is empty beside one of other things", {a: [other], b: []}, []],
    ["leave out what is no record", [good, null, 1, [good]], [good]],
    ["are known by any of their names", [{Day: "2026-11-01", price: 3}], [{Day: "2026-11-01", price: 3}]],
  ])("%s", (_, body, expected) => {
    expect(read(body)).toEqual(expected);
  });

  test.each<[string, unknown, string]>([
    [
      "of three members deep",
      {a: {b: {c: [good]}}},
      "got a JSON object with a; expected a list with date and price.",
    ],
    ["of words alone", {list: ["a", "b"]}, "got a JSON object with list"],
    ["of other records", [other, {name: 2}], "members id; expected date and price."],
    ["of an error", {error: {message: "no such series"}}, "the source reported an error: no such series"],
    ["of an error in its rows", [{error: "bad request"}], "the source reported an error: bad request"],
  ])("are refused if they are %s", (_, body, message) => {
    expect(() => read(body)).toThrow(`market/x/file: ${message}`);
  });

  test("are those of a special shape, or those of a list in the body", () => {
    expect(read({a: [other]}, {records: () => [good]})).toEqual([good]);
    expect(read([good], {records: () => undefined})).toEqual([good]);
  });

  test("are refused for a table with other columns, naming fourteen of them", () => {
    const wide = Object.fromEntries(Array.from({length: 20}, (_, i) => [`c${i + 1}`, ""]));
    expect(() => recordsOf({kind: "table", body: [wide]})).toThrow(
      /columns c1, .*, c14; expected date and price/,
    );
    expect(recordsOf({kind: "table", body: []})).toEqual([]);
  });
});

test("finds a list itself or some members deep, but not inside lists", () => {
  const body = {a: [1], b: {c: [2], d: {e: [3]}}, f: [[4]]};
  expect([0, 1, 2, 3].map((depth) => arraysIn(body, depth))).toEqual([
    [],
    [[1], [[4]]],
    [[1], [2], [[4]]],
    [[1], [2], [3], [[4]]],
  ]);
  expect(arraysIn([1], 0)).toEqual([[1]]);
});

test.each<[unknown, string | null]>([
  [{error: "no key"}, "no key"],
  [{errors: ["a", "b"]}, "a; b"],
  [{error: ["a"]}, "a"],
  [{Error: {ErrorMessage: "late"}}, "late"],
  [{error: {message: "late"}}, "late"],
  [{error: {code: 3}}, null],
  [{message: "gone"}, "gone"],
  [{ErrorMessage: "gone"}, "gone"],
  [{status: 404, detail: "no such page"}, "no such page"],
  [{status: 404, title: "Not Found"}, "Not Found"],
  [{status: 404}, null],
  [{detail: "a part"}, null],
  [{Results: {Error: "no rows"}}, "no rows"],
  [{Results: {Error: {message: "no rows"}}}, "no rows"],
  [{Results: {}}, null],
  [[], null],
  ["text", null],
])("the error of %j is %s", (body, expected) => {
  expect(errorIn(body)).toBe(expected);
});

describe("a row", () => {
  const row = new Row({
    CWP_NAME: " Yard ",
    Empty: "",
    "No.": "12",
    Word: "many",
    State: "Texas",
    Day: "2026-11-01",
  });

  test("finds cells by folded names, the first with a value", () => {
    expect(row.text("empty", "cwpname")).toBe("Yard");
    expect([row.lower("cwpname"), row.lower("empty")]).toEqual(["yard", null]);
    expect([row.has("none", "empty"), row.has("none")]).toEqual([true, false]);
    expect([row.number("word", "empty", "no"), row.number("word")]).toEqual([12, null]);
    expect([row.state("state"), row.state("word"), row.date("day"), row.date("word")]).toEqual([
      "TX",
      null,
      "2026-11-01",
      null,
    ]);
  });

  test("has its required date, or is rejected", () => {
    expect(row.day("none", "day")).toBe("2026-11-01");
    expect(() => row.day("word")).toThrow("expected a date, got word many");
    expect(() => row.day("none")).toThrow("expected a date, got none missing");
  });
});

describe("a reader of tables", () => {
  const columns = (read: Row) => ({
    ...{signal: "price", key: read.text("key")!, valid_from: read.day("date"), area_type: null, area: null},
  });
  const records = [
    {date: "2026-11-01", price: "1", key: "a"},
    {date: "2026-11-01", price: "2", key: "a"},
    {date: "late", price: "3", key: "b"},
    {[unreadLine]: "3 cells in line 5"},
  ];
  const readBy = (options: object) =>
    tableReader("diesel", {...shape, ...options, columns})(input({kind: "table", body: records}));

  test("rejects rows and lines with position and text, and quarantines them unless they must not be published", () => {
    const {rows, rejected} = readBy({});
    expect(rows.map(({key, source_date}) => [key, source_date])).toEqual([
      ["a", "2026-11-01"],
      ["a", "2026-11-01"],
    ]);
    expect(rejected).toEqual([
      {reason: "bad_date", detail: "expected a date, got date late", ordinal: 3, raw: records[2]},
      {reason: "unread_line", detail: "3 cells in line 5", ordinal: 4, raw: records[3]},
    ]);
    expect(readBy({keepsRaw: false}).rejected.map(({raw}) => raw)).toEqual([null, null]);
  });

  test("counts parts of other rows as merged, and rows that are no signals under their name", () => {
    const kind = (row: Row) => (row.text("price") === "1" ? null : "other");
    const {rows, merged, otherAccepted, notes} = tableReader("diesel", {
      ...shape,
      columns: kind,
      counted: () => 6,
    })(input({kind: "table", body: records.slice(0, 3)}));
    expect([rows, merged, otherAccepted, notes]).toEqual([[], 1, 2, {other: 2, counted_rows_absent: 5}]);
  });

  test("keeps rows of one key and day apart by an identity, if the table gives one", () => {
    const keys = (identity: (row: Row) => unknown) => readBy({identity}).rows.map(({key}) => key);
    expect(keys((row) => row.text("price"))).toEqual(["a", "a#2"]);
    expect(keys((row) => row.text("key"))).toEqual(["a", "a"]);
  });
});
