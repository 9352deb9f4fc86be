import {copyFile} from "node:fs/promises";
import {join} from "node:path";
import {expect, test} from "vitest";
import {readManifest} from "../../../lib/storage/manifest-file.ts";
import {stagePart} from "../../../pipeline/parts/stage-part.ts";
import {build} from "../../../pipeline/publish/build.ts";
import {fileWithoutRows} from "../../../schemas/build-report.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {openWorkshop, parcels, testStages} from "../publish/workshop.ts";

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

test("a state of which one source lost too many rows is made again without its file, and published with a warning", async () => {
  const shop = openWorkshop(temporaryFolder());
  const kept = join(shop.root, "kept.csv");
  // The stage of a state has the last good rows in place of a file that is left out.
  const stages: typeof testStages = {
    ...testStages,
    waves: [],
    buildState: ({files, ...input}) =>
      testStages.buildState({
        ...input,
        files: files.map(({fault, ...file}) => (fault === undefined ? file : {...file, absolutePath: kept})),
      }),
  };
  const night = async (day: string, one: number, two: number) => {
    await shop.put("parcels/us-az-one/a.csv", parcels("04013", one));
    await shop.put("parcels/us-az-two/a.csv", parcels("04021", two));
    return build(shop.options({asOf: `2026-08-${day}`, stages}));
  };
  await night("20", 100, 100);
  await copyFile(join(shop.raw, "parcels/us-az-one/a.csv"), kept);
  const result = await night("21", 60, 101);
  if (result.outcome !== "published") throw new Error(JSON.stringify(result));
  const {counties} = (await readManifest(join(shop.data.builds, result.buildId))).states["AZ"]!;
  expect(counties.map(({county_key, rows}) => [county_key, rows])).toEqual([
    ["04013", 100],
    ["04021", 101],
  ]);
  const lost = result.gates.find(({gate, status}) => gate === "county-rows" && status !== "pass");
  expect(lost).toMatchObject({part: "AZ", status: "warn", figure: 0.4});
});
