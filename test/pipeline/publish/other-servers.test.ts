import {cpSync, mkdirSync, readdirSync, readFileSync, truncateSync} from "node:fs";
import {readFile, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {ownIdentity} from "@open-cattle/safe-files";
import fc from "fast-check";
import {afterEach, beforeEach, expect, test, vi} from "vitest";
import {DeltaWriter} from "../../../lib/delta/segment-writer.ts";
import {readManifest} from "../../../lib/storage/manifest-file.ts";
import {main} from "../../../pipeline/cli.ts";
import {readDeltaInputs} from "../../../pipeline/parts/delta-inputs.ts";
import {build} from "../../../pipeline/publish/build.ts";
import {DeltaUpsert} from "../../../schemas/delta-record.ts";
import {chosenSeed} from "../../crash/misses.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {find, holds, storeIn} from "./finds.ts";
import {makeWorkshop, parcels, type Workshop} from "./workshop.ts";

let shop: Workshop;
let east: string;
let west: string;
beforeEach(async () => {
  shop = await makeWorkshop();
  [east, west] = [join(shop.root, "east"), join(shop.root, "west")];
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 60));
  await shop.put("parcels/us-ut-one/a.csv", parcels("49011", 50));
});
afterEach(async () => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
  await shop.remove();
});

const both = () => ({deltaFolders: [east, west]});
const has = (buildId: string, state: string, parcelId: string) => holds(shop.data, buildId, state, parcelId);

/** Names and bytes of all segments of a folder, including retired ones. */
const bytesOf = (folder: string) =>
  readdirSync(folder, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), "latin1")]);

test("includes the discoveries of two other servers, and leaves their folders unchanged", async () => {
  await storeIn(shop.data.delta, [find("AZ", "04013", "HERE")]);
  await storeIn(east, [find("AZ", "04013", "EAST"), find("UT", "49011", "BOTH")]);
  await storeIn(west, [find("UT", "49011", "BOTH", "THE LATER OWNER")]);
  const before = [bytesOf(east), bytesOf(west)];
  const {buildId, delta} = await build(shop.options(both()));
  const found = [
    ["AZ", "HERE"],
    ["AZ", "EAST"],
    ["UT", "BOTH"],
  ] as const;
  for (const [state, id] of found) expect([id, await has(buildId, state, id)]).toEqual([id, true]);
  expect([bytesOf(east), bytesOf(west)]).toEqual(before);
  expect(delta.map(({rowsIn, accepted, merged}) => [rowsIn, accepted, merged])).toEqual([
    [1, 1, 0],
    [2, 1, 1],
    [1, 1, 0],
  ]);
  const {states} = await readManifest(join(shop.data.builds, buildId));
  expect(states["UT"]?.rows).toBe(51);
  expect(states["UT"]?.delta).toHaveLength(3);
});

test("keeps a discovery when its server's folder is no longer given, without duplicating it when given again", async () => {
  await storeIn(east, [find("AZ", "04013", "EAST")]);
  await build(shop.options(both()));
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 61));
  const without = await build(shop.options());
  expect(await has(without.buildId, "AZ", "EAST")).toBe(true);
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 62));
  const again = await build(shop.options({deltaFolders: [east, east, west]}));
  const {states} = await readManifest(join(shop.data.builds, again.buildId));
  expect(states["AZ"]?.rows).toBe(63);
});

test("keeps old watermarks of other servers in a state held back, and takes their discoveries once it is cured", async () => {
  await build(shop.options(both()));
  await storeIn(east, [find("AZ", "04013", "EAST"), find("UT", "49011", "EAST2")]);
  await shop.put("parcels/us-az-one/b.csv", "!fail\n");
  const held = await build(shop.options(both()));
  const {states} = await readManifest(join(shop.data.builds, held.buildId));
  expect([states["AZ"]?.delta, states["UT"]?.delta.length]).toEqual([[], 1]);
  await shop.drop("parcels/us-az-one/b.csv");
  const cured = await build(shop.options(both()));
  expect([await has(cured.buildId, "AZ", "EAST"), await has(cured.buildId, "UT", "EAST2")]).toEqual([
    true,
    true,
  ]);
});

test("a damaged line in another server's segment stops the state, until it is accepted or a sound copy is given", async () => {
  await storeIn(
    east,
    ["E1", "E2", "E3"].map((id) => find("AZ", "04013", id)),
  );
  await build(shop.options());
  const sound = join(shop.root, "sound");
  cpSync(east, sound, {recursive: true});
  const path = join(east, readdirSync(east)[0]!);
  await writeFile(path, (await readFile(path, "utf8")).replace('"parcelId":"E2"', '"parcelId":"EX"'));
  const held = await build(shop.options(both()));
  expect(held.heldBack[0]?.because).toMatch(/AZ delta-damage: 1/);
  expect(held.delta[0]).toMatchObject({rowsIn: 3, accepted: 2, rejected: 1});
  const cured = await build(shop.options({deltaFolders: [east, sound]}));
  expect([cured.heldBack, await has(cured.buildId, "AZ", "E2")]).toEqual([[], true]);
});

test("the server that found a parcel retires its segment when it publishes the build that has it", async () => {
  const home = await makeWorkshop();
  try {
    await storeIn(home.data.delta, [find("AZ", "04013", "EAST")]);
    const {buildId} = await build(shop.options({deltaFolders: [home.data.delta]}));
    cpSync(join(shop.data.builds, buildId), join(home.data.builds, buildId), {recursive: true});
    vi.spyOn(process.stdout, "write").mockImplementation(() => true);
    expect(await main(["publish", buildId, "--out", home.data.root])).toBe(0);
    expect(readdirSync(home.data.delta)).toEqual(["retired"]);
  } finally {
    await home.remove();
  }
});

test("refuses a missing folder, or a whole data folder, before reading anything", async () => {
  let said = "";
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    said += String(text);
    return true;
  });
  const words = ["build", "--raw", shop.raw, "--out", shop.data.root, "--delta"];
  expect(await main([...words, join(shop.root, "no")])).toBe(2);
  mkdirSync(shop.data.delta, {recursive: true});
  expect(await main([...words, shop.data.root])).toBe(2);
  expect(said).toMatch(/no is not an existing folder.*is a data folder; name .*data\/delta/s);
});

const finds = fc.array(
  fc.record({server: fc.nat(2), state: fc.constantFrom("AZ", "UT"), parcel: fc.nat(3), rotate: fc.boolean()}),
  {maxLength: 12},
);

test("finds the same as a plain scan for random discoveries of three servers, with copies and truncated copies", async () => {
  await fc.assert(
    fc.asyncProperty(finds, fc.integer({min: 0, max: 400}), fc.boolean(), async (steps, cut, turned) => {
      const root = temporaryFolder();
      const servers = [0, 1, 2].map((server) => join(root, String(server)));
      for (const folder of servers) mkdirSync(folder);
      const writers = servers.map(
        (folder) => new DeltaWriter({folder, writer: ownIdentity(), baseBuildId: ""}),
      );
      for (const {server, state, parcel, rotate} of steps) {
        const stored = await writers[server]!.append(
          find(state, state === "AZ" ? "04013" : "49011", `M${parcel}`),
        );
        expect(stored).toBe(true);
        if (rotate) await writers[server]!.rotate("");
      }
      for (const writer of writers) await writer.close();
      const [copy, old] = [join(root, "copy"), join(root, "old")];
      cpSync(servers[1]!, copy, {recursive: true});
      cpSync(servers[2]!, old, {recursive: true});
      for (const name of readdirSync(old)) {
        const path = join(old, name);
        truncateSync(path, Math.max(0, readFileSync(path).length - cut));
      }
      const folders = [...servers, copy, old];
      const read = await readDeltaInputs(turned ? folders.toReversed() : folders, null);
      const newest = plainScan(servers);
      const got = [...read.states.values()].flatMap(({records}) => records.map(({record}) => record));
      expect(new Set(got.map(text))).toEqual(new Set([...newest.values()].map(text)));
      expect(got).toHaveLength(newest.size);
      for (const {rowsIn, accepted, rejected, merged} of read.counts)
        expect(accepted + rejected + merged).toBe(rowsIn);
      expect(read.counts.reduce((sum, {accepted}) => sum + accepted, 0)).toBe(newest.size);
      expect(read.marksOf("AZ").map(({segment, bytes}) => [segment, bytes])).toEqual(
        servers
          .flatMap((folder) =>
            readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).length] as const),
          )
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      );
    }),
    {seed: chosenSeed(), numRuns: 60},
  );
});

const text = (record: DeltaUpsert) => JSON.stringify(record);

/** The newest record of each parcel, found by reading every line of every segment. */
function plainScan(folders: readonly string[]): Map<string, DeltaUpsert> {
  const all = folders.flatMap((folder) =>
    readdirSync(folder).flatMap((segment) =>
      readFileSync(join(folder, segment), "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => ({segment, record: (JSON.parse(line) as {rec: {kind: string}}).rec}))
        .filter(({record}) => record.kind === "upsert")
        .map(({segment, record}) => ({segment, record: DeltaUpsert.parse(record)})),
    ),
  );
  const order = ({record, segment}: (typeof all)[number]) =>
    `${record.observedAt} ${String(record.seq).padStart(9, "0")} ${segment}`;
  all.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  return new Map(all.map(({record}) => [`${record.key.county} ${record.key.parcelId}`, record]));
}
