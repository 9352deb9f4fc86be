import {expect, test} from "vitest";
import {proposeCodedFields} from "../src/coded-fields.ts";

const cells = (of: (row: number) => string) => Array.from({length: 40}, (_, row) => of(row));
const columns = [
  {name: "PIN", samples: cells((row) => `12-${100 + row}`)},
  {name: "PCITY", samples: cells((row) => `0${1 + (row % 2)}`)},
  {name: "LANDUSE", samples: cells((row) => ["110", "510"][row % 2]!)},
];
const coded = new Map([
  ["PCITY", new Map(Object.entries({"01": "ASPERVILLE", "02": "BRANDON"}))],
  ["LANDUSE", new Map(Object.entries({110: "FARM", 510: "HOUSE | OTHER"}))],
]);

test("the words of a layer's codes tell what a column is, and are read; the code of a use stays beside its word", () => {
  const {fields, use} = proposeCodedFields(columns, coded, {state: "TN"});
  expect(fields).toEqual({
    city: {from: "PCITY", transform: ["codes:01=ASPERVILLE|02=BRANDON"]},
    use_description: {from: "LANDUSE", transform: ["codes:110=FARM|510=HOUSE / OTHER"]},
  });
  expect(use?.codeFrom).toBe("LANDUSE");
});
