import {expect, test} from "vitest";
import {parsedJson} from "../../../pipeline/market/documents/json-values.ts";

test("reads NaN and Infinity as unknown, but not as words of a text", () => {
  const file = {path: "market/mars/a.json"};
  expect(parsedJson(file, '[{"a": NaN, "b": -Infinity, "c": "NaN, too"}, [NaN]]')).toEqual([
    {a: null, b: null, c: "NaN, too"},
    [null],
  ]);
  expect(parsedJson(file, '{"a": NaN, "b": "steady, NaN, higher"}')).toEqual({
    a: null,
    b: "steady, NaN, higher",
  });
  expect(parsedJson(file, '{"a":NaN}\n{"a":2}\n')).toEqual([{a: null}, {a: 2}]);
});

test("reads JSON lines as a list if most are objects, else reports where the text breaks", () => {
  const file = {path: "market/mars/a.json"};
  expect(parsedJson(file, '{"a":1}\r\n\n{"a":2}\n')).toEqual([{a: 1}, {a: 2}]);
  expect(parsedJson(file, '{"a":1}\n[2]\n')).toEqual([{a: 1}, {"(unread line)": "line 2: [2]"}]);
  expect(parsedJson(file, `{"a":1}\n${"y".repeat(300)}`)).toEqual([
    {a: 1},
    {"(unread line)": `line 2: ${"y".repeat(200)}`},
  ]);
  for (const text of ['{"a":1}\nx\ny\n', 'x\n{"a":1}\n{"a":2}\n', '{"a":1', "[1]\n[2]\n", ""])
    expect(() => parsedJson(file, text)).toThrow(/^market\/mars\/a\.json: not valid JSON, perhaps cut off: /);
});
