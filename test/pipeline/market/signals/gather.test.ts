import fc from "fast-check";
import {expect, test} from "vitest";
import {diesel} from "../../../../pipeline/market/feeds/diesel.ts";
import {references} from "../../../../pipeline/market/feeds/references.ts";
import type {ReadSignalFile, SignalValues} from "../../../../pipeline/market/signals/reading.ts";
import {contextOf, gathered, listFile} from "./read-text.ts";

const price = (valid_from: string, values: object = {}): SignalValues => {
  const of = {signal: "diesel", key: "3", area_type: "padd", area: "3", source_date: valid_from};
  return {...of, valid_from, price_usd_per_gal: 3.5, ...values};
};
const read = (table: "diesel" | "references", rows: SignalValues[]) => ({
  ...{table, rows, rejected: [], merged: 0, otherAccepted: 0, notes: {}, remark: null},
});
const prices = (path: string, retrievedAt: string, ...rows: SignalValues[]): ReadSignalFile => ({
  file: {...listFile(`diesel/${path}`), retrievedAt},
  reading: read("diesel", rows),
});

test("rejects a row with a value that does not fit its column, and one after the as-of date", async () => {
  const file = prices(
    "a",
    "2026-11-20T06:00:00Z",
    price("2026-11-09"),
    price("2026-11-10", {price_usd_per_gal: 4000}),
    price("2026-02-30"),
    price("2026-11-11", {valid_to: "soon"}),
    price("2026-11-23"),
  );
  const {rows, kept} = await gathered(diesel, "diesel", [file]);
  expect(rows.map((row) => row["valid_from"])).toEqual(["2026-11-09"]);
  expect(kept).toEqual([
    {reject_reason: "after_as_of", detail: "of 2026-11-23, after the as-of date 2026-11-21"},
    {reject_reason: "unfit_value", detail: "price_usd_per_gal: expected DECIMAL(6,3), got another value"},
    {reject_reason: "unfit_value", detail: "valid_from: expected DATE, got another value"},
    {reject_reason: "unfit_value", detail: "valid_to: expected DATE, got another value"},
  ]);
});

test("keeps per key and day the row with the later source date, else of the later fetch, in any file order", async () => {
  const arbitraryFile = fc.record({
    hour: fc.integer({min: 10, max: 12}),
    rows: fc.array(fc.record({day: fc.integer({min: 1, max: 3}), dated: fc.integer({min: 4, max: 6})}), {
      maxLength: 4,
    }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryFile, {maxLength: 3}), async (made) => {
      const files = made.map(({hour, rows}, place) =>
        prices(
          `file-${place}`,
          `2026-11-20T${hour}:00:00Z`,
          ...rows.map(({day, dated}, n) =>
            price(`2026-11-0${day}`, {source_date: `2026-11-0${dated}`, region_name: `${place}.${n}`}),
          ),
        ),
      );
      // Computed by comparing every row with every other of its day.
      const all = files.flatMap(({file, reading: {rows}}) =>
        rows.map((row, n) => ({row, rank: `${row.source_date} ${file.retrievedAt} ${file.path} ${n}`})),
      );
      const wanted = all.filter(
        ({row, rank}) => !all.some((other) => other.row.valid_from === row.valid_from && other.rank > rank),
      );
      const {rows} = await gathered(diesel, "diesel", files.toReversed());
      expect(rows.map((row) => row["region_name"]).sort()).toEqual(
        wanted.map(({row}) => row["region_name"]).sort(),
      );
    }),
    {numRuns: 12},
  );
});

test("gives a row the source named by its reader, else that of its feed", async () => {
  const pointer = (key: string, source: object) => ({
    ...{signal: "reference", key, valid_from: "2026-11-01", area_type: "nation", area: "US"},
    ...source,
  });
  const rows = [pointer("US/a", {source_id: "state-brand-inspection-agencies"}), pointer("US/b", {})];
  const file = {file: listFile("references/list.csv"), reading: read("references", rows)};
  const made = await gathered(references, "references", [file]);
  expect(made.rows.map((row) => row["source_id"])).toEqual([
    "state-brand-inspection-agencies",
    "editorial-market-reference-sources",
  ]);
});

test("gives a state its own region's price, or its district's if its own is past its window", async () => {
  const row = (key: string, valid_from: string) => ({
    signal: "diesel",
    key,
    valid_from,
    source_date: valid_from,
    price_usd_per_gal: 3.5,
  });
  const regionOf = async (...rows: object[]) => {
    const lines = await contextOf(diesel, rows as Record<string, unknown>[], "2026-11-21");
    return lines
      .filter(({key}) => key === "CA")
      .map(({item}) => item && [item.key_type, item.key, item.values]);
  };
  const values = (week_date: string) => ({price_usd_per_gal: 3.5, change_week_usd_per_gal: null, week_date});
  expect(await regionOf(row("5", "2026-11-16"), row("CA", "2026-11-16"))).toEqual([
    ["padd", "CA", values("2026-11-16")],
  ]);
  expect(await regionOf(row("5", "2026-11-16"), row("CA", "2026-11-02"))).toEqual([
    ["padd", "5", values("2026-11-16")],
  ]);
});
