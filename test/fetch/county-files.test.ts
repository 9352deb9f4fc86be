import {afterEach, beforeEach, expect, test} from "vitest";
import {loadParcelSources} from "../../lib/registry/parcel-sources.ts";
import {addressesOf, sourceOfParcels} from "../../pipeline/fetch/jobs/source-address.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import {ParcelSource} from "../../schemas/parcel-source.ts";
import {zipOf} from "../pipeline/parcels/readers/write-zip.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {night, quickRate} from "./fetched.ts";
import {file, ReplayServer} from "./replay-server.ts";
import {countyEntry} from "./world-registry.ts";

let server: ReplayServer;
beforeEach(async () => {
  server = await ReplayServer.start();
});
afterEach(() => server.stop());

test("fetches each county's archive of a publisher; reports a missing one, and leaves the others unchanged", async () => {
  const rawDir = temporaryFolder();
  for (const county of ["04003", "04023"])
    server.on(
      `/lots_${county}_lp.zip`,
      file(() => zipOf({"lots.csv": `FIPS,PARCEL_ID\n${county},1\n`})),
    );
  const {cadence: _, ...entry} = countyEntry(server.origin, quickRate);
  const source = sourceOfParcels(
    ParcelSource.parse({
      ...entry,
      ...{id: "us-az-archives", protocol: "http", format: "csv"},
      coverage: {country: "US", state: "AZ", counties: ["04003", "04019", "04023"], countyFrom: "FIPS"},
      url: `${server.origin}/lots_{county}_lp.zip`,
    }),
  )!;
  const now = new Date("2026-11-20T05:30:00Z");
  const [first] = await night([source], {rawDir, now});
  expect(first).toMatchObject({status: "partial", files: 2, requests: 3});
  expect(first!.reason).toMatch(/^1 of 3 failed, the first: .*lots_04019_lp\.zip: status 404$/);
  const files = await listRawFiles(rawDir);
  expect(files.map(({path, meta}) => [path, meta?.url, meta?.complete])).toEqual(
    ["04003", "04023"].map((county) => [
      `parcels/us-az-archives/lots_${county}_lp_20261120T053000Z.zip`,
      `${server.origin}/lots_${county}_lp.zip`,
      true,
    ]),
  );
  const [second] = await night([source], {rawDir, now: new Date("2026-11-21T05:30:00Z")});
  expect(second).toMatchObject({files: 0, unchanged: 2});
  expect(server.seen.slice(-3).map(({status}) => status)).toEqual([304, 404, 304]);
});

test("lists an archive for each Texas county except the 21 licensed only to its government", () => {
  const entry = loadParcelSources().find(({id}) => id === "us-tx-archives")!;
  const addresses = addressesOf(sourceOfParcels(entry)!);
  expect(addresses).toHaveLength(254 - 21);
  expect(addresses[0]).toMatch(/^https:\/\/data\.geographic\.texas\.gov\/.*_48001_lp\.zip$/);
  expect(addresses.filter((address) => /_(48069|48129|48487)_/.test(address))).toEqual([]);
  expect(sourceOfParcels(entry)!.bulkRefusal).toBeNull();
});
