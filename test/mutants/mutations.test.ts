import {expect, test} from "vitest";
import {boundary, mutationsOf, watched} from "./mutations.ts";

const changed = (source: string) =>
  mutationsOf(source).map(
    ({start, length, text}) => source.slice(0, start) + text + source.slice(start + length),
  );

test("S10: changes operators, conditions, defaults, numbers, methods and separators, one at a time", () => {
  expect(changed("a === b;")).toEqual(["a !== b;"]);
  expect(changed("c(a ?? b);")).toContain("c(a);");
  expect(changed("const d = a ? b : c;")).toEqual(["const d = false ? b : c;", "const d = true ? b : c;"]);
  expect(changed("const d = [40, 3];")).toEqual([
    "const d = [36, 3];",
    "const d = [41, 3];",
    "const d = [40, 4];",
  ]);
  expect(changed("const d = a.every(f);")).toEqual(["const d = a.some(f);"]);
  expect(changed("const d = a.filter(f);")).toEqual(["const d = a;"]);
  expect(changed('const d = a.join(" ");')).toEqual(['const d = a.join("|");']);
  expect(changed("f();")).toEqual([";"]);
});

test("changes the words of SQL within texts", () => {
  expect(changed("const d = `SELECT a WHERE b IS NULL AND c >= 4`;")).toEqual([
    "const d = `SELECT a WHERE b IS NOT NULL AND c >= 4`;",
    "const d = `SELECT a WHERE b IS NULL OR c >= 4`;",
    "const d = `SELECT a WHERE b IS NULL AND c < 4`;",
    "const d = `SELECT a WHERE b IS NULL AND c > 4`;",
    "const d = `SELECT a WHERE b IS NULL AND c >= 5`;",
  ]);
});

test("moves each bound by one step: comparisons and numbers, in SQL too", () => {
  const moved = (source: string) =>
    mutationsOf(source)
      .filter(({kind}) => kind === boundary)
      .map(({start, length, text}) => source.slice(0, start) + text + source.slice(start + length));
  expect(moved("a < b;")).toEqual(["a <= b;"]);
  expect(moved("a <= b;")).toEqual(["a < b;"]);
  expect(moved("a > 12;")).toEqual(["a >= 12;", "a > 13;"]);
  expect(moved("a >= b;")).toEqual(["a > b;"]);
  expect(moved("const d = `WHERE a < 90`;")).toEqual([
    "const d = `WHERE a <= 90`;",
    "const d = `WHERE a < 91`;",
  ]);
});

test("leaves types, imports, messages of errors, joined texts, signs of a comparison and limits of time and size alone", () => {
  for (const source of [
    "type A = 1 | 2;",
    'import {a} from "./b.ts";',
    'throw new Error(a + " b".trim());',
    'const d = a + "b";',
    "const limitMs = 5_000;",
    "const d = a.toString();",
  ])
    expect(changed(source), source).toEqual([]);
  expect(changed("const d = a < b ? -1 : 1;").every((text) => text.endsWith("? -1 : 1;"))).toBe(true);
});

test("a call tells when the code of a change runs: before its statement, before an arrow function's value, and not at load", () => {
  const at = (source: string, part: string) =>
    watched(source, [{start: source.indexOf(part), length: part.length}], (place) => `call(${place})`);
  expect(at("function f(a) { if (a > 1) return 2; }", "1").text).toBe(
    "function f(a) { call(0); if (a > 1) return 2; }",
  );
  expect(at("function f(a) { if (a) { return 2; } }", "2").text).toBe(
    "function f(a) { if (a) { call(0); return 2; } }",
  );
  expect(at("const f = (a) => a > 1;", "1").text).toBe("const f = (a) => (call(0), a > 1);");
  expect(at("class A { f() { return this.g(() => 7); } }", "7").text).toBe(
    "class A { f() { return this.g(() => (call(0), 7)); } }",
  );
  expect(at("const b = [7];", "7")).toEqual({text: "const b = [7];", atLoad: [0]});
});
