import {expect, test} from "vitest";
import {isUnread} from "../../../pipeline/results/report-counts.ts";
import {parquetRows} from "./parquet-rows.ts";
import {built, csv, invented, rawFiles, row} from "./raw-folder.ts";

const numbers = (from: number, to: number) => Array.from({length: to - from}, (_, i) => `1-${from + i}`);
const file = (pins: readonly string[], cells: Record<string, unknown> = {}) =>
  csv(pins.map((pin) => row(pin, cells)));
/** A build of an older file and of a newer one with this meta. */
async function editions(
  older: string,
  newer: string,
  meta: Record<string, unknown> = {complete: true, replaces: true},
) {
  const files = [
    ...(await rawFiles({"a.csv": older}, {retrieved_at: "2026-03-01T00:00:00Z", complete: true})),
    ...(await rawFiles({"b.csv": newer}, {retrieved_at: "2026-09-01T00:00:00Z", ...meta})),
  ];
  const state = await built(files, [invented()]);
  const rows = await parquetRows(state.outDir, "parcels", "parcel_id, market_value::INTEGER AS value");
  return {state, ids: rows.map(({parcel_id}) => parcel_id).toSorted(), rows, reports: state.files};
}

test("a newer complete file replaces the older one: parcels that only that one has are retired", async () => {
  const {ids, rows, reports, state} = await editions(
    file(numbers(0, 40), {VALUE: "1"}),
    file([...numbers(2, 40), "2-1"], {VALUE: "2"}),
  );
  expect(ids).toEqual([...numbers(2, 40), "2-1"].toSorted());
  expect(new Set(rows.map(({value}) => value))).toEqual(new Set([2]));
  expect(reports[0]).toMatchObject({accepted: 0, rejected: {replaced: 38, retired: 2}});
  expect(reports[1]).toMatchObject({accepted: 39, rejected: {}});
  expect(reports[1]!.reason).toBe(
    "retired, because only older files of us-tx-invented have them: 2 of county 48453.",
  );
  expect(state.counties[0]!.complete).toBe(true);
});

test("without the word both files count, and the other county's parcels stay", async () => {
  expect((await editions(file(["1-1", "1-2"]), file(["1-2", "1-3"]), {})).ids).toEqual(["1-1", "1-2", "1-3"]);
  const files = [
    ...(await rawFiles(
      {"a.csv": csv([row("1-1", {FIPS: "48453"}), row("5-1", {FIPS: "48209"})])},
      {retrieved_at: "2026-03-01T00:00:00Z"},
    )),
    ...(await rawFiles(
      {"b.csv": csv([row("1-2", {FIPS: "48453"})])},
      {retrieved_at: "2026-09-01T00:00:00Z", replaces: true},
    )),
  ];
  const entry = invented({coverage: {country: "US", state: "TX", counties: "all", countyFrom: "FIPS"}});
  const {outDir} = await built(files, [entry]);
  const rows = await parquetRows(outDir, "parcels", "parcel_id");
  expect(rows.map(({parcel_id}) => parcel_id).toSorted()).toEqual(["1-2", "5-1"]);
});

test("two files with half of their numbers in common, neither of them complete, look like two editions", async () => {
  const reasons = async (older: readonly string[], newer: readonly string[], complete?: true) => {
    const meta = complete === undefined ? {} : {complete};
    const files = [
      // The later file comes first by name.
      ...(await rawFiles({"b.csv": file(older)}, {retrieved_at: "2026-03-01T00:00:00Z"})),
      ...(await rawFiles({"a.csv": file(newer)}, {retrieved_at: "2026-09-01T00:00:00Z", ...meta})),
    ];
    const {files: reports} = await built(files, [invented()]);
    return reports.map(({reason}) => reason);
  };
  expect(
    await reasons(
      numbers(100, 140),
      numbers(120, 160).map((pin) => `0${pin}`),
    ),
  ).toEqual([
    expect.stringMatching(/^two_editions: 20 of 40 parcels are also in .*b\.csv.* add it with --replace\.$/),
    null,
  ]);
  for (const newer of [numbers(121, 161), numbers(121, 140)])
    expect(await reasons(numbers(100, 140), newer), "fewer than half, or than 20 parcels").toEqual([
      null,
      null,
    ]);
  expect(await reasons(numbers(100, 140), numbers(120, 160), true)).toEqual([null, null]);
  expect(await reasons(numbers(100, 140), numbers(100, 150)), "no parcel of the older alone").toEqual([
    null,
    null,
  ]);
});

test("the stated vintage tells which file is newer, whenever it was fetched", async () => {
  const {ids} = await editions(file(["1-1"], {YEAR: "2026"}), file(["1-2"], {YEAR: "2024"}));
  expect(ids).toEqual(["1-1", "1-2"]);
});

test.each([
  ["a zero in front", (i: number) => `84000001${100 + i}`, (i: number) => `084000001${100 + i}`],
  ["separators", (i: number) => `84000001${100 + i}`, (i: number) => `840-00001-${100 + i}`],
])("a re-formatted number is the same parcel: %s", async (_, before, after) => {
  const pins = (form: (i: number) => string) => file(Array.from({length: 60}, (__, i) => form(i)));
  const {ids, reports} = await editions(pins(before), pins(after));
  expect(ids).toEqual(Array.from({length: 60}, (__, i) => after(i)).toSorted());
  expect(reports[0]!.rejected).toEqual({replaced: 60});
  expect(reports[1]).toMatchObject({accepted: 60, rejected: {}, reason: null});
});

test("of two numbers that are alike but for their separators each is a parcel of its own", async () => {
  const {ids, reports} = await editions(file(["143-6", "14-36", "2-1"]), file(["143-6", "2-1"]));
  expect([ids, reports[0]!.rejected]).toEqual([["143-6", "2-1"], {replaced: 2, retired: 1}]);
});

test("a number that the newer row has among its other ids is no retired one", async () => {
  const withAlt = (pin: string, ALT: string) => csv([row(pin, {ALT}), row("3-3", {ALT: ""})]);
  const files = [
    ...(await rawFiles({"a.csv": withAlt("77", "")}, {retrieved_at: "2026-03-01T00:00:00Z", complete: true})),
    ...(await rawFiles(
      {"b.csv": withAlt("R-5", "77")},
      {retrieved_at: "2026-09-01T00:00:00Z", replaces: true},
    )),
  ];
  const state = await built(files, [invented({ids: {raw: "PIN", alt: ["ALT"]}})]);
  expect(state.files.map(({rejected}) => rejected)).toEqual([{replaced: 2}, {}]);
});

test("a file without more than the entry's share of a county's parcels does not replace the older one", async () => {
  const {ids, reports} = await editions(file(numbers(0, 40)), file(numbers(0, 30)));
  expect(ids).toEqual(numbers(0, 40).toSorted());
  expect(reports[1]).toMatchObject({accepted: 0, rejected: {county_refused: 30}});
  expect(reports[1]!.reason).toMatch(
    /shrunk: 10 of 40 parcels of county 48453 would retire; expected at most 10 %/,
  );
  expect(isUnread(reports[1]!)).toBe(true);
});
