import {expect, test} from "vitest";
import {
  carriedPath,
  MARKET,
  marketServing,
  partOfPath,
  stateServing,
  stateTablePath,
  tableOfPath,
  tablePath,
  yearPath,
} from "../../../lib/storage/build-layout.ts";
import {describedFile} from "../../../schemas/described-files.ts";

const ofMarket = [
  tablePath("barns"),
  tablePath("signals/drought"),
  yearPath("price_rows", 2026),
  `${marketServing}/barns.arrow`,
];
const ofTexas = [
  stateTablePath("parcels", "TX"),
  stateTablePath("boundaries", "TX"),
  stateTablePath("parcel_provenance", "TX"),
  stateTablePath("parcel_rejects", "TX"),
  `${stateServing("TX")}/records.arrow`,
  carriedPath("TX"),
];

test("every path of the layout is a file that FORMAT.md describes", () => {
  const unknown = [...ofMarket, ...ofTexas].filter((path) => describedFile(path) === undefined);
  expect(unknown).toEqual([]);
});

test("a path tells its part; the files of the whole build have none", () => {
  expect(ofMarket.map(partOfPath)).toEqual(ofMarket.map(() => MARKET));
  expect(ofTexas.map(partOfPath)).toEqual(ofTexas.map(() => "TX"));
  expect(["manifest.json", "report.html"].map(partOfPath)).toEqual([null, null]);
});

test("a path tells its table, without state and year", () => {
  const paths = [
    tablePath("barns"),
    tablePath("signals/drought"),
    yearPath("price_rows", 2026),
    stateTablePath("parcels", "TX"),
  ];
  expect(paths.map(tableOfPath)).toEqual(["barns", "signals/drought", "price_rows", "parcels"]);
});
