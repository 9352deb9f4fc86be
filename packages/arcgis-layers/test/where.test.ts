import fc from "fast-check";
import {describe, expect, it} from "vitest";
import {type Comparison, fits, sendableText, whereClause} from "../src/where.ts";

/** Parses the clauses of the builder as a server does, into comparisons with their literals. */
function parseWhere(clause: string): {field: string; literal: string}[] {
  const found: {field: string; literal: string}[] = [];
  let at = 0;
  const pattern = /(?:(?:UPPER\((\w+)\)|(\w+)) (?:LIKE|=)) ('(?:[^']|'')*'|-?[\d.e+-]+)(?: AND |$)/y;
  while (at < clause.length) {
    pattern.lastIndex = at;
    const match = pattern.exec(clause);
    if (match === null) throw new Error(`not the builder's: ${clause.slice(at)}`);
    found.push({field: match[1] ?? match[2]!, literal: match[3]!});
    at = pattern.lastIndex;
  }
  return found;
}

const injections = [
  "x' OR '1'='1",
  "'; DROP TABLE parcels --",
  "a%' OR 1=1 --",
  "''",
  "\\'",
  "1=1",
  "O'SHEA",
  "ＡＮＤ 1=1",
];

describe("whereClause", () => {
  it("writes quoted comparisons joined by AND", () => {
    const comparisons: Comparison[] = [
      {field: "APN", op: "equals", value: "301-22-014B"},
      {field: "ST_NAME", op: "startsWith", value: "O'Shea"},
      {field: "OWNER", op: "contains", value: "harlow"},
      {field: "OWNER", op: "containsWord", value: "NUNARBEN"},
      {field: "HOUSE", op: "equalsNumber", value: 12},
    ];
    expect(whereClause(comparisons)).toBe(
      "APN = '301-22-014B' AND UPPER(ST_NAME) LIKE 'O''SHEA%' AND UPPER(OWNER) LIKE '%HARLOW%' AND UPPER(OWNER) LIKE '%NU_ARBEN%' AND HOUSE = 12",
    );
  });

  it("asks for no function where the pattern has no letter", () => {
    expect(whereClause([{field: "SITUS", op: "startsWith", value: "101 "}])).toBe("SITUS LIKE '101%'");
    expect(whereClause([{field: "SITUS", op: "contains", value: "101a"}])).toBe("UPPER(SITUS) LIKE '%101A%'");
  });

  it("names fields of joined tables", () => {
    expect(whereClause([{field: "gis.SDE.Parcels.PIN", op: "equals", value: "12-034"}])).toBe(
      "gis.SDE.Parcels.PIN = '12-034'",
    );
    expect(whereClause([{field: "Parcels..PIN", op: "equals", value: "12-034"}])).toBeNull();
  });

  it("asks for the letters and digits of a number, whatever stands between them", () => {
    const spelled: Comparison = {field: "APN", op: "spells", value: "12034B"};
    expect(whereClause([spelled])).toBe("UPPER(APN) LIKE '1%2%0%3%4%B'");
    expect(whereClause([{...spelled, value: "1%34567"}])).toBeNull();
    expect(fits(spelled, {apn: "12-034.b "})).toBe(true);
    expect(fits(spelled, {apn: "12-0345B"})).toBe(false);
  });

  it("asks for one of several parts of a cell", () => {
    const oneOf: Comparison = {field: "SITUS", op: "containsOneOf", value: ["12", "-", "o'b"]};
    expect(whereClause([oneOf, {field: "APN", op: "contains", value: "7"}])).toBe(
      "(SITUS LIKE '%12%' OR SITUS LIKE '%-%' OR UPPER(SITUS) LIKE '%O''B%') AND APN LIKE '%7%'",
    );
    expect(whereClause([{...oneOf, value: ["12"]}])).toBe("SITUS LIKE '%12%'");
    expect(whereClause([{...oneOf, value: []}])).toBeNull();
    expect(whereClause([{...oneOf, value: ["12", "%"]}])).toBeNull();
    expect(fits(oneOf, {situs: "8-10 ELM"})).toBe(true);
    expect(fits(oneOf, {situs: "8 ELM"})).toBe(false);
  });

  it("S2: holds exactly the builder's comparisons for any value, literals intact", () => {
    const value = fc.oneof(fc.string({unit: "binary"}), fc.constantFrom(...injections));
    fc.assert(
      fc.property(
        fc.array(fc.record({op: fc.constantFrom("equals", "startsWith", "contains"), value}), {
          minLength: 1,
          maxLength: 8,
        }),
        (parts) => {
          const comparisons = parts.map(
            ({op, value: text}, i) => ({field: `F${i}`, op, value: text}) as Comparison,
          );
          const clause = whereClause(comparisons);
          if (clause === null) return;
          const parsed = parseWhere(clause);
          expect(parsed.map(({field}) => field)).toEqual(comparisons.map(({field}) => field));
          for (const [i, {literal}] of parsed.entries()) {
            const sent = literal.slice(1, -1).replaceAll("''", "'").replace(/^%|%$/g, "");
            expect(sent.toUpperCase()).toBe(sendable(parts[i]!.op, parts[i]!.value).toUpperCase());
          }
        },
      ),
      {numRuns: 10_000},
    );
  });

  it("refuses foreign field names, too many comparisons and numbers that are not finite", () => {
    expect(whereClause([{field: "APN) OR (1", op: "equals", value: "1"}])).toBeNull();
    expect(whereClause([{field: "APN", op: "equalsNumber", value: Number.NaN}])).toBeNull();
    expect(
      whereClause(Array.from({length: 9}, () => ({field: "A", op: "equals", value: "1"}) as const)),
    ).toBeNull();
    expect(whereClause([])).toBeNull();
  });

  it("refuses control characters, lone surrogates and long text", () => {
    for (const text of ["a\u0000b", "a\nb", "\uD800", "x".repeat(101), "", "%%__"])
      expect(sendableText(text)).toBeNull();
  });
});

describe("fits", () => {
  const attributes = {Apn: " r-1b ", HOUSE: "12", OWNER: "Nuñarbez, INEZ", NONE: null, ZERO: 0};
  it.each([
    ["APN", "equals", "R-1B", true],
    ["apn", "equals", "R-1", false],
    ["APN", "startsWith", "r-1", true],
    ["APN", "startsWith", "1B", false],
    ["APN", "contains", "1b", true],
    ["APN", "contains", "%1_b", true],
    ["APN", "equals", "%R-1B", false],
    ["OWNER", "containsWord", "NUNARBEZ", true],
    ["OWNER", "contains", "NUNARBEZ", false],
    ["HOUSE", "equalsNumber", 12, true],
    ["HOUSE", "equalsNumber", 1, false],
    ["ZERO", "equalsNumber", 0, true],
    ["NONE", "equalsNumber", 0, false],
    ["NONE", "equals", "null", false],
    ["LOST", "contains", "undefined", false],
  ] as const)("a row with %s %s %s: %s", (field, op, value, expected) => {
    expect(fits({field, op, value} as Comparison, attributes)).toBe(expected);
  });

  it("does not take a dotless i for the I of another number", () => {
    expect(fits({field: "A", op: "equals", value: "I1"}, {A: "ı1"})).toBe(false);
  });
});

it.each([
  ["a%b_c", "abc"],
  [` ${"x".repeat(100)} `, "x".repeat(100)],
  ["e\u0301", "é"],
])("sends %j as %j", (value, sent) => {
  expect(sendableText(value)).toBe(sent);
});

it("takes eight comparisons and a field of 64 letters", () => {
  const of = (field: string) => ({field, op: "equals", value: "1"}) as const;
  expect(whereClause(Array.from({length: 8}, () => of("A")))).not.toBeNull();
  expect(whereClause([of("A".repeat(64))])).not.toBeNull();
  expect(whereClause([of("A".repeat(65))])).toBeNull();
});

function sendable(op: string, value: string): string {
  return op === "equals" && /^[A-Za-z0-9 _.\-/]{1,40}$/.test(value) ? value : sendableText(value)!;
}
