import {join} from "node:path";
import {expect, test} from "vitest";
import {stagePart} from "../../../pipeline/parts/stage-part.ts";
import {fileWithoutRows} from "../../../schemas/build-report.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

test("a state whose file has more rows than were taken, rejected and merged cannot be published, and says which", async () => {
  const [read, short] = ["a", "b"].map((name) => ({
    ...fileWithoutRows(`parcels/us-az-one/${name}.csv`, "us-az-one", "read", null),
    account: undefined,
  }));
  const files = [read!, {...short!, rowsIn: 7, accepted: 5, merged: 1}];
  const part = {name: "AZ", files: [], entries: [], delta: null, base: null, inputsSha256: ""};
  const folder = temporaryFolder();
  const staged = await stagePart(
    part as never,
    {asOf: "2026-08-23", sample: false, base: null} as never,
    {stages: {buildState: async () => ({files, rows: 5})}, acceptances: []} as never,
    {outDir: join(folder, "out"), tempDir: join(folder, "temp")},
  );
  expect(staged).toMatchObject({facts: null, reports: files, mayPass: false});
  expect(staged.failure).toBe("parcels/us-az-one/b.csv: rows in and rows out do not add up.");
});
