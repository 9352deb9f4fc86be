import {expect, test} from "vitest";
import {FileError} from "../src/parcel-file.ts";
import {readRows} from "./read-rows.ts";
import {sampleRows} from "./sample-rows.ts";
import {flatgeobufOf} from "./write-flatgeobuf.ts";

const contentsOf = (content: Buffer) => readRows("parcels.fgb", content, ["parcel_no", "account"]);
const ids = sampleRows.map(({parcel_no, account}) => ({parcel_no, account: String(account)}));

test.each([false, true])(
  "reads the features of a file, behind its index (%s), and tells what it skipped",
  async (index) => {
    const file = flatgeobufOf(sampleRows, {index});
    const {cells, geometry, account} = await contentsOf(file);
    expect(cells).toEqual(ids);
    expect(geometry.map(({lon}) => lon === null)).toEqual([false, false, true]);
    // Three leaves and a root of 40 bytes each.
    const skipped = index ? 160 : 0;
    expect(account?.bytes).toEqual({read: file.length - skipped, skipped: {spatial_index: skipped}});
  },
);

test("reads a file that does not say how many features it has", async () => {
  expect((await contentsOf(flatgeobufOf(sampleRows, {features: 0}))).cells).toEqual(ids);
});

test.each([
  ["fgx", 3, "not FlatGeobuf, in spite of its name"],
  ["fgb", 4, "FlatGeobuf of version 4; version 3 is read"],
])("refuses a file that begins with %s and version %i", async (letters, version, message) => {
  const file = flatgeobufOf(sampleRows);
  file.write(letters, "latin1");
  file[3] = version;
  await expect(contentsOf(file)).rejects.toThrow(FileError);
  await expect(contentsOf(file)).rejects.toThrow(message);
});

test("refuses a file with fewer features than its header states, and one that ends within a feature", async () => {
  await expect(contentsOf(flatgeobufOf(sampleRows, {features: 4}))).rejects.toThrow(
    "3 features; 4 were expected",
  );
  await expect(contentsOf(flatgeobufOf(sampleRows).subarray(0, -1))).rejects.toThrow(FileError);
});
