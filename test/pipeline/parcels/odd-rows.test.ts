import {expect, test} from "vitest";
import {parquetRows} from "./parquet-rows.ts";
import {built, csv, invented, rawFiles, row} from "./raw-folder.ts";

const entry = invented({
  fields: {
    owner_raw: {from: "OWNER"},
    market_value: {from: "VALUE", transform: ["money"]},
    year_built: {from: "BUILT"},
    stories: {from: "FLOORS"},
    transfer_date: {from: "SOLD", transform: ["mdy"]},
  },
});
const good = {BUILT: "1990", FLOORS: "2", SOLD: "01/02/2020"};

type Facts = {
  parcel_id: string;
  acres: number | null;
  market_value: number | null;
  year_built: number | null;
  stories: number | null;
  sold: string | null;
};
const columns = "parcel_id, acres, market_value, year_built, stories, transfer_date::VARCHAR AS sold, flags";

async function read(text: string) {
  const {files, outDir} = await built(await rawFiles({"a.csv": text}), [entry]);
  const rows = await parquetRows<Facts & {flags: string[]}>(outDir, "parcels", columns);
  return {files, rows: new Map(rows.map((each) => [each.parcel_id, each]))};
}

test("does not take a repeated header line or a line of totals for parcels", async () => {
  const lines = csv([row("10-1", good), row("10-2", good)]).split("\n");
  const total = '"TOTAL","","","2,000","4","","","",""';
  const {files, rows} = await read([...lines.slice(0, 2), lines[0], lines[2], total].join("\n"));
  expect([...rows.keys()].sort()).toEqual(["10-1", "10-2"]);
  expect(files[0]).toMatchObject({rowsIn: 4, accepted: 2, rejected: {non_parcel: 2}});
});

test("calls numbers with a decimal comma unknown instead of reading ten or a hundred times as much", async () => {
  const {rows} = await read(
    csv([
      row("20-1", {...good, ACRES: "2,5", VALUE: "1.000,50"}),
      row("20-2", {...good, ACRES: "1,250.5", VALUE: "$1,250,000"}),
      row("20-3", {...good, ACRES: "12,50", VALUE: "1,00"}),
    ]),
  );
  const facts = [...rows.values()].map(({parcel_id, acres, market_value}) => [
    parcel_id,
    acres,
    market_value,
  ]);
  expect(facts.sort()).toEqual([
    ["20-1", null, null],
    ["20-2", 1250.5, 1_250_000],
    ["20-3", null, null],
  ]);
  expect(rows.get("20-1")!.flags).toContain("bad_number");
});

test("calls impossible years and days unknown: a spreadsheet's day zero, a future year, a negative count", async () => {
  const {rows} = await read(
    csv([
      row("30-1", {...good, BUILT: "19900", SOLD: "12/30/1899"}),
      row("30-2", {...good, BUILT: "2099", FLOORS: "-1"}),
      row("30-3", {...good, BUILT: "2027"}),
    ]),
  );
  const facts = [...rows.values()].map(({parcel_id, year_built, stories, sold}) => [
    parcel_id,
    year_built,
    stories,
    sold,
  ]);
  expect(facts.sort()).toEqual([
    ["30-1", null, 2, null],
    ["30-2", null, null, "2020-01-02"],
    ["30-3", 2027, 2, "2020-01-02"],
  ]);
});
