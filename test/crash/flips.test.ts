import {
  chmodSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import {basename, join, relative} from "node:path";
import {expect, test} from "vitest";
import {stateServing} from "../../lib/storage/build-layout.ts";
import {buildFolder} from "../../lib/storage/data-folder.ts";
import {leaseState} from "../../pipeline/commands/run-check.ts";
import {build} from "../../pipeline/publish/build.ts";
import {ask, deltaWorkshop, type TestBody, until} from "../delta/delta-workshop.ts";
import {geojson, row, square} from "../pipeline/parcels/invented-source.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {byNumber, everyParcel, ownerOf} from "./known-county.ts";
import {chosenSeed, seeded} from "./misses.ts";
import {note, sizeOf} from "./table.ts";

const flips = sizeOf("B11", {push: 30, long: 2_000});
const lookups = "/public/land-agent/property";
const parcels = 40;

const numberOf = (i: number) => `${100 + i}-A`;

/** A request for each kind of lookup and many rows. */
const questions = Array.from({length: parcels / 2}, (_, i) => {
  const [ring = []] = square(2 * i, 0).coordinates;
  const [lon, lat] = ring[0]!;
  return [
    byNumber(numberOf(i)),
    `${lookups}/address-lookup?state=TX&address=${100 + 2 * i}+Oak+St`,
    `${lookups}/location-search?latitude=${lat! + 0.0006}&longitude=${lon! + 0.0006}&radius=${i % 2}`,
    `${lookups}/owner-search?state=TX&owner=${i % 4 === 0 ? "HARLOWE" : ownerOf(numberOf(2 * i)).split(" ")[1]}`,
  ];
}).flat();

/** The county's file with outlines: adjacent parcels, each with its own owner. */
const countyFile = geojson(
  Array.from({length: parcels}, (_, i) => ({
    properties: row(numberOf(i), {
      SITUS: `${100 + i} OAK ST`,
      OWNER: `${ownerOf(numberOf(i)).split(" ")[1]} ${i % 3 === 0 ? "HARLOW" : "DALE"}`,
    }),
    geometry: square(i, 0),
  })),
);

/** The part of an answer that depends only on the data. */
const partOf = ({property, properties}: Partial<TestBody> & {properties?: unknown}) =>
  JSON.stringify(property ?? properties);

/** Flips one bit of a mapped file; a second call flips it back. */
function turnBit(path: string, at: number, bit: number): void {
  const file = openSync(path, "r+");
  const byte = Buffer.alloc(1);
  readSync(file, byte, 0, 1, at);
  byte[0]! ^= 1 << bit;
  writeSync(file, byte, 0, 1, at);
  closeSync(file);
}

type Count = {flips: number; refused: number; wrong: number};

/** A server over a build with 40 parcels whose county has none, the state's mapped files, and its answers to all requests. */
async function servedState() {
  const shop = deltaWorkshop(temporaryFolder(), {...everyParcel(), parcels: {get: () => undefined}});
  shop.roll([numberOf(0)]);
  const raw = join(shop.root, "raw/parcels/us-tx-invented");
  writeFileSync(join(raw, "a.geojson"), countyFile);
  renameSync(join(raw, "a.csv.meta.json"), join(raw, "a.geojson.meta.json"));
  rmSync(join(raw, "a.csv"));
  const {buildId} = await build(shop.options());
  const folder = join(buildFolder(shop.data, buildId), stateServing("TX"));
  const paths = readdirSync(folder).map((name) => join(folder, name));
  for (const path of paths) chmodSync(path, 0o640);
  const server = await shop.start();
  const answers = async () => {
    const told = [];
    for (const path of questions) told.push(await ask(shop, server, path));
    return told.map(({status, body}) => ({status, part: partOf(body)}));
  };
  return {shop, server, paths, answers};
}

/** Flips a bit of a file, sends all requests, and counts refused and wrong answers. */
async function countWith(
  {path, random}: {path: string; random: () => number},
  {
    answers,
    right,
    count,
  }: {answers: Served["answers"]; right: Awaited<ReturnType<Served["answers"]>>; count: Count},
): Promise<void> {
  const [at, bit] = [Math.floor(random() * statSync(path).size), Math.floor(random() * 8)];
  turnBit(path, at, bit);
  const told = await answers();
  turnBit(path, at, bit);
  count.flips += 1;
  for (const [i, {status, part}] of told.entries()) {
    if (status === 503) count.refused += 1;
    else if (status !== right[i]!.status || part !== right[i]!.part) count.wrong += 1;
  }
}

const servedFiles = [
  "addresses.arrow",
  "boundaries.arrow",
  "checksums.arrow",
  "columns.arrow",
  "owners.arrow",
  "parcel_ids.arrow",
  "parcels.flatbush",
  "provenance.arrow",
  "records.arrow",
];

type Served = Awaited<ReturnType<typeof servedState>>;

test(
  `B11: any of ${flips} bits that turns over in a mapped file of a state leaves each answer right, or makes it a 503`,
  async () => {
    const {server, paths, answers} = await servedState();
    const right = await answers();
    expect(right.filter(({status}) => status !== 200)).toEqual([]);
    const seed = chosenSeed();
    const random = seeded(seed);
    const counts = new Map(paths.map((path): [string, Count] => [path, {flips: 0, refused: 0, wrong: 0}]));
    for (let round = 0; round < flips; round++) {
      const path = paths[round % paths.length]!;
      await countWith({path, random}, {answers, right, count: counts.get(path)!});
    }
    await server.stop();
    const all = [...counts].map(([path, count]) => ({name: basename(path), ...count}));
    const said = all.map(({name, refused, wrong}) => `${name} ${wrong} wrong, ${refused} refused`);
    note(
      "B11",
      `${flips} bits turned over under a mapping, ${questions.length} answers each`,
      said.join("; "),
      seed,
    );
    expect(all.filter(({wrong}) => wrong > 0)).toEqual([]);
    expect(all.map(({name}) => name).sort()).toEqual(servedFiles);
    expect(all.reduce((sum, {refused}) => sum + refused, 0)).toBeGreaterThan(0);
  },
  flips * 5_000 + 60_000,
);

test("B11: a record with a wrong byte is a 503, its neighbours are answered, and readiness, status and doctor name the file", async () => {
  const {shop, server, paths, answers} = await servedState();
  const path = paths.find((each) => each.endsWith("records.arrow"))!;
  turnBit(path, readFileSync(path).indexOf("104-A"), 0);
  const question = byNumber("104-A");
  const told = await answers();
  const refused = told.flatMap(({status}, i) => (status === 200 ? [] : [questions[i]]));
  expect(refused).toContain(question);
  expect(refused).not.toContain(byNumber("105-A"));
  const {body} = await ask(shop, server, question);
  expect(body).toMatchObject({type: "/problems/build-unavailable"});
  const name = relative(shop.data.root, path);
  const ready = (await ask(shop, server, "/readyz")).body;
  expect(ready.status).toBe("degraded");
  expect(ready.reasons).toContain(`file_damaged:${name}`);
  await until(async () => (await leaseState(shop.data)).fault);
  expect((await leaseState(shop.data)).found).toContain(`${name} is damaged: a server met it`);
  await server.stop();
});
