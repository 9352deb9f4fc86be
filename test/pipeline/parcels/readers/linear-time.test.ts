import {describe, expect, it} from "vitest";
import {sampleRows} from "../../../../packages/parcel-files/test/sample-rows.ts";
import {stage} from "./staging.ts";
import {delimitedOf} from "./write-formats.ts";

// Delimited text and JSON of parcels are read in the build's own process. Each case here is a few megabytes that once took
// minutes, or all memory, because time or memory of a reader grew faster than the file; now it would exceed the test's time
// limit.

const reasonOf = async (files: Readonly<Record<string, string>>) =>
  (await stage(files)).reason(Object.keys(files)[0]!);
const repeat = (count: number, text: (i: number) => string) =>
  Array.from({length: count}, (_, i) => text(i)).join();

describe("a file of parcels is refused by name", () => {
  it("with a hundred thousand columns of one name", async () => {
    expect(await reasonOf({"p.csv": `${repeat(100_000, () => "a")}\n1`})).toMatch(
      /p\.csv: 100000 columns; at most 5000 are read/,
    );
  });

  it("with another name of a cell in each row", async () => {
    expect(await reasonOf({"p.json": `[${repeat(300_000, (i) => `{"a${i}":1}`)}]`})).toMatch(
      /p\.json: more than 5000 column names/,
    );
  });

  it("with a row that takes far more memory than its bytes", async () => {
    expect(await reasonOf({"p.json": `[{"a":[${repeat(12_000_000, () => "[]")}]}]`})).toMatch(
      /p\.json: one JSON value of more than 33554432 bytes/,
    );
  });

  it("with lists in lists without end", async () => {
    const deep = `{"parcel_no":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`;
    expect(await reasonOf({"p.json": `[${deep}]`})).toMatch(/p\.json: /);
  });
});

it("reads rows shorter than the list of names in memory proportional to their bytes", async () => {
  const names = repeat(4_000, (i) => `"n${i}"`);
  const staged = await stage({
    "p.json": `{"fields":["parcel_no",${names}],"rows":[["1"],${repeat(100_000, () => "[]")}]}`,
  });
  expect(staged.reason("p.json")).toMatch(/no column .* of us-tx-sample; its columns are parcel_no, n0, n1/);
});

it("puts files with few rows into one table, in order", async () => {
  const ids = Array.from({length: 40}, (_, i) => `A-${10 + i}`);
  const fileOf = (parcel_no: string) => delimitedOf([{...sampleRows[0]!, parcel_no}], ",");
  const {db, rows} = await stage(Object.fromEntries(ids.map((id) => [`${id}.csv`, fileOf(id)])));
  const [tables] = await db.rows<{n: number}>("SELECT count(*)::INTEGER AS n FROM duckdb_tables()");
  expect(tables?.n).toBe(1);
  expect((await rows()).map(({parcel_no}) => parcel_no)).toEqual(ids);
});
