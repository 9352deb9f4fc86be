import {expect, test} from "vitest";
import {built, csv, invented, rawFiles, row} from "./raw-folder.ts";

const entry = invented({
  fields: {
    situs_raw: {from: "SITUS"},
    city: {from: "CITY"},
    owner_raw: {from: "OWNER"},
    market_value: {from: "VALUE", transform: ["money"]},
  },
});

/** A hundred rows, the fourth changed by `change`. */
function table(change: (cells: Record<string, unknown>) => Record<string, unknown>): string {
  const rows = Array.from({length: 120}, (_, i) => {
    const {PIN, SITUS, OWNER, VALUE, ACRES, YEAR} = row(`12-${1000 + i}`);
    const cells = {PIN, SITUS, CITY: "AUSTIN", OWNER, VALUE, ACRES, YEAR, TOWN: "PARIS", REGION: "TX"};
    return i === 3 ? change(cells) : cells;
  });
  return csv(rows);
}

/** Shifts the cells one column to the right from a column on. */
function shifted(cells: Record<string, unknown>, from: number): Record<string, unknown> {
  const names = Object.keys(cells);
  const values = Object.values(cells);
  const moved = [...values.slice(0, from), "", ...values.slice(from, -1)];
  return Object.fromEntries(names.map((name, i) => [name, moved[i]]));
}

const rejected = async (text: string) =>
  (await built(await rawFiles({"a.csv": text}), [entry])).files[0]!.rejected;

test("rejects a row whose cells are shifted by one column, with its reason", async () => {
  expect(await rejected(table((cells) => cells))).toEqual({});
  const right = table((cells) => ({...cells, CITY: "78701", OWNER: "125,000", VALUE: "HARLOW DALE M"}));
  expect(await rejected(right)).toEqual({shifted_row: 1});
  const fromTheId = table((cells) => ({...shifted(cells, 0), PIN: "SEE NOTE 4 OF THE ROLL"}));
  expect(await rejected(fromTheId)).toEqual({shifted_row: 1});
});

test("does not infer a shift from one sign: a number for a city, or an unusual parcel number", async () => {
  expect(await rejected(table((cells) => ({...cells, CITY: "78701"})))).toEqual({});
  expect(await rejected(table((cells) => ({...cells, PIN: "R123456"})))).toEqual({});
});

test.each(["(1,200)", "-500", "1200 EST"])(
  "keeps a row with an unusual number and a price of %s",
  async (VALUE) => {
    expect(await rejected(table((cells) => ({...cells, PIN: "12-1003A", VALUE})))).toEqual({});
  },
);

test("keeps the rows of owners abroad, whose towns and states are numbers", async () => {
  const fields = {...entry.fields, mail_city: {from: "TOWN"}, mail_state: {from: "REGION"}};
  const text = table((cells) => ({...cells, TOWN: "75008", REGION: "00", VALUE: "-500"}));
  const {files, rows} = await built(await rawFiles({"a.csv": text}), [{...entry, fields}]);
  expect([files[0]!.rejected, rows]).toEqual([{}, 120]);
});

test("rejects a parcel number with a control character", async () => {
  expect(await rejected(table((cells) => ({...cells, PIN: "12-\u00071003"})))).toEqual({
    control_character: 1,
  });
});
