import {expect, test} from "vitest";
import table from "../data/field-synonyms.json" with {type: "json"};

const {columns, roles, sets, words} = table;

test("the table of synonyms names lists of words that it has, and says something of each role", () => {
  const named = [
    ...Object.values(roles).flatMap((names) =>
      names.flatMap((name) => name.match(/(?<=\{)\w*(?=\})/g) ?? []),
    ),
    ...Object.values(sets).flatMap((texts) => texts.flatMap((text) => text.replaceAll("?", "").split(" "))),
  ];
  expect(named.filter((name) => !(name in words))).toEqual([]);
  expect([words, roles, sets].flatMap(Object.values).filter((list) => list.length === 0)).toEqual([]);
  expect(Object.values(sets).flat().join(" ")).toMatch(/^[a-z0-9? ]+$/);
});

test("each field that is filled by its name has names, and is read in a way that there is", () => {
  expect(Object.keys(columns).filter((role) => !(role in roles || role in sets))).toEqual([]);
  expect(new Set(Object.values(columns))).toEqual(new Set(["text", "number", "money", "date"]));
});
