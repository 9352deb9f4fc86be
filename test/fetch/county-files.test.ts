import {afterEach, beforeEach, expect, test} from "vitest";
import {loadParcelSources} from "../../lib/registry/parcel-sources.ts";
import {zipOf} from "../../packages/parcel-files/test/write-zip.ts";
import {addressesOf, sourceOfParcels} from "../../pipeline/fetch/jobs/source-address.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import {ParcelSource} from "../../schemas/parcel-source.ts";
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
  expect(files.map(({path, meta}) => [path, meta?.url, meta?.complete, meta?.source_files])).toEqual(
    ["04003", "04023"].map((county) => [
      `parcels/us-az-archives/lots_${county}_lp_20261120T053000Z.zip`,
      `${server.origin}/lots_${county}_lp.zip`,
      true,
      3,
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

/** Three counties' archives, a mirror at which two of them are, and the publisher's list of these. */
function mirroredSource() {
  const {cadence: _, ...entry} = countyEntry(server.origin, quickRate);
  return sourceOfParcels(
    ParcelSource.parse({
      ...entry,
      ...{id: "us-az-archives", protocol: "http", format: "csv"},
      coverage: {country: "US", state: "AZ", counties: ["04003", "04019", "04023"], countyFrom: "FIPS"},
      url: `${server.origin}/own/lots_{county}_lp.zip`,
      mirror: `${server.origin}/mirror/lots_{county}_lp.zip`,
      fileList: `${server.origin}/resources?limit=1`,
      newerEdition: "a newer edition is out",
    }),
  )!;
}

/** Plays a list of two files, on two pages, and a mirror that has them. */
function playMirror() {
  const resource = (county: string) => ({resource: `https://elsewhere.example/lots_${county}_lp.zip`});
  server.on("/own", (_, reply) => void reply.writeHead(403).end());
  server.on("/resources", ({query}, reply) => {
    const isFirst = query.get("page") === null;
    const body = isFirst
      ? {next: `${server.origin}/resources?page=2`, results: [resource("04003")]}
      : {next: null, results: [resource("04023")]};
    reply.writeHead(200, {"content-type": "application/json"}).end(JSON.stringify(body));
  });
  for (const county of ["04003", "04023"])
    server.on(
      `/mirror/lots_${county}_lp.zip`,
      file(() => zipOf({"lots.csv": `FIPS,PARCEL_ID\n${county},1\n`})),
    );
}

test("takes all counties from the mirror after one 403, and asks for no file that the list lacks", async () => {
  playMirror();
  const rawDir = temporaryFolder();
  const [outcome] = await night([mirroredSource()], {rawDir});
  expect(outcome).toMatchObject({
    ...{status: "new", files: 2, losses: ["a newer edition is out"]},
    notes: ["absent: 1 county file not in the list"],
  });
  expect(server.of("/own").map(({path}) => path)).toEqual(["/own/lots_04003_lp.zip"]);
  const files = await listRawFiles(rawDir);
  expect(files.map(({meta}) => [new URL(meta!.url!).pathname, meta!.source_files])).toEqual([
    ["/mirror/lots_04003_lp.zip", 2],
    ["/mirror/lots_04023_lp.zip", 2],
  ]);
});

test("asks for each county's file where the list cannot be read, and says what that costs", async () => {
  playMirror();
  server.on("/resources", (_, reply) => void reply.writeHead(404).end());
  const [outcome] = await night([mirroredSource()], {rawDir: temporaryFolder()});
  expect(outcome).toMatchObject({status: "partial", files: 2});
  expect(outcome!.reason).toMatch(/^1 of 3 failed, the first: .*lots_04019_lp\.zip: status 404$/);
  expect(outcome!.losses.at(-1)).toMatch(/^which county files exist is unknown, so each is asked for/);
});

test.each([
  ["the files of another edition", {resource: "https://elsewhere.example/plots_04003.zip"}],
  ["members without an address", {name: "lots_04003_lp.zip"}],
  ["null", null],
])("asks for each county's file where the list has %s", async (_, resource) => {
  playMirror();
  const body = JSON.stringify({next: null, results: [resource]});
  server.on("/resources", (__, reply) => void reply.end(body));
  const [outcome] = await night([mirroredSource()], {rawDir: temporaryFolder()});
  expect(outcome).toMatchObject({status: "partial", files: 2, notes: []});
  expect(outcome!.losses.at(-1)).toMatch(/so each is asked for: the list of files has none of them$/);
});

test("the shipped entry of Texas has mirror and list of the same edition as its own address", () => {
  const {url, mirror, fileList} = loadParcelSources().find(({id}) => id === "us-tx-archives")!;
  const [, collection] = new URL(url!).pathname.split("/");
  expect(new URL(mirror!).pathname).toBe(`/data.tnris.org${new URL(url!).pathname}`);
  expect(new URL(fileList!).searchParams.get("collection_id")).toBe(collection);
  const {hosts} = sourceOfParcels(loadParcelSources().find(({id}) => id === "us-tx-archives")!)!;
  expect([...hosts].sort()).toEqual(["api.tnris.org", "data.geographic.texas.gov", "s3.amazonaws.com"]);
});
