import {chmodSync, cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {filesBelow} from "@open-cattle/safe-files";
import {afterAll, beforeAll, expect, test} from "vitest";
import {stateServing} from "../../lib/storage/build-layout.ts";
import {buildFolder} from "../../lib/storage/data-folder.ts";
import {build} from "../../pipeline/publish/build.ts";
import {pointCurrentTo} from "../../pipeline/publish/publish.ts";
import type {RunningServer} from "../../server/commands/start.ts";
import {ask, type DeltaWorkshop, deltaWorkshop, rollNumbers} from "../delta/delta-workshop.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {byNumber, everyParcel} from "./known-county.ts";
import {chosenSeed, seeded} from "./misses.ts";
import {note, sizeOf} from "./table.ts";

const flips = sizeOf("B5", {push: 4, long: 1_000});
const part = stateServing("TX");

let shop: DeltaWorkshop;
let served: string;
let damaged: string;
let dir: string;
let server: RunningServer;
beforeAll(async () => {
  shop = deltaWorkshop(temporaryFolder(), everyParcel());
  const pins = rollNumbers(40);
  shop.roll(pins);
  served = (await build(shop.options())).buildId;
  server = await shop.start();
  shop.roll(pins, 2000);
  damaged = (await build(shop.options())).buildId;
  dir = buildFolder(shop.data, damaged);
  await pointCurrentTo(shop.data, served);
  await server.refresh();
});
afterAll(() => server.stop());

/** Publishes the build with one fault: it is refused, and the previous build keeps answering. */
async function expectRefused(what: string, damage: () => () => void): Promise<void> {
  const undo = damage();
  try {
    await pointCurrentTo(shop.data, damaged);
    await server.refresh();
    const {body} = await ask(shop, server, byNumber("100-A"));
    expect([what, body.metadata?.buildId, body.property?.totalMarketValue]).toEqual([what, served, 1000]);
    const ready = (await ask(shop, server, "/readyz")).body;
    expect([what, ready.reasons]).toEqual([what, [`build_refused:${damaged}`]]);
  } finally {
    undo();
  }
}

/** Changes the bytes of one file; returns a function that restores them. */
function changed(path: string, change: (bytes: Buffer) => Buffer): () => void {
  const full = join(dir, path);
  const before = readFileSync(full);
  chmodSync(full, 0o640);
  writeFileSync(full, change(Buffer.from(before)));
  return () => writeFileSync(full, before);
}

function moved(path: string, other: string): () => void {
  const [one, two, aside] = [join(dir, path), join(dir, other), join(dir, `${path}.aside`)];
  const swap = () => {
    renameSync(one, aside);
    renameSync(two, one);
    renameSync(aside, two);
  };
  swap();
  return swap;
}

const kinds: readonly (readonly [string, () => () => void])[] = [
  [
    "a file that lacks its last byte",
    () => changed(`${part}/records.arrow`, (bytes) => bytes.subarray(0, -1)),
  ],
  ["an empty file", () => changed(`${part}/parcel_ids.arrow`, () => Buffer.alloc(0))],
  ["two files in each other's place", () => moved(`${part}/addresses.arrow`, `${part}/parcel_ids.arrow`)],
  [
    "a file of another build",
    () => changed(`${part}/records.arrow`, () => ofServed(`${part}/records.arrow`)),
  ],
  ["a state of another build", () => stateOfServed()],
  ["a manifest of another build", () => changed("manifest.json", () => ofServed("manifest.json"))],
  ["a missing file", () => missing(`${part}/owners.arrow`)],
  ["a file too many", () => extra(`${part}/extra.arrow`)],
];

const ofServed = (path: string) => readFileSync(join(buildFolder(shop.data, served), path));

function stateOfServed(): () => void {
  const [here, aside] = [join(dir, part), join(dir, "..", "aside")];
  renameSync(here, aside);
  cpSync(join(buildFolder(shop.data, served), part), here, {recursive: true});
  return () => {
    rmSync(here, {recursive: true});
    renameSync(aside, here);
  };
}

function missing(path: string): () => void {
  const aside = join(shop.root, "aside");
  renameSync(join(dir, path), aside);
  return () => renameSync(aside, join(dir, path));
}

function extra(path: string): () => void {
  writeFileSync(join(dir, path), "x");
  return () => rmSync(join(dir, path));
}

test("B5: a build that is not as its manifest says is refused at the opening, and the old one goes on", async () => {
  for (const [what, damage] of kinds) await expectRefused(what, damage);
  note("B5", `${kinds.length} kinds of damaged builds`, "each refused at open, 0 wrong answers");
});

test(
  `B5: with any of ${flips} bits flipped a build is refused, and the old one goes on`,
  async () => {
    const seed = chosenSeed();
    const random = seeded(seed);
    const paths = (await filesBelow(dir)).filter((path) => path !== "manifest.json");
    for (let round = 0; round < flips; round++) {
      const path = paths[Math.floor(random() * paths.length)]!;
      await expectRefused(`${path}, round ${round}`, () =>
        changed(path, (bytes) => {
          bytes[Math.floor(random() * bytes.length)]! ^= 1 << Math.floor(random() * 8);
          return bytes;
        }),
      );
    }
    note(
      "B5",
      `${flips} single bits flipped in published files`,
      "each refused at open, 0 wrong answers",
      seed,
    );
  },
  flips * 2_000 + 60_000,
);

test("B5: damage does not travel: a damaged file is made anew and never linked into the next build", async () => {
  await pointCurrentTo(shop.data, damaged);
  const full = join(dir, part, "records.arrow");
  const whole = readFileSync(full);
  changed(`${part}/records.arrow`, (bytes) => {
    bytes[bytes.length >> 1]! ^= 1;
    return bytes;
  });
  const {buildId} = await build(shop.options({asOf: "2026-11-22"}));
  const next = join(buildFolder(shop.data, buildId), part);
  expect(readFileSync(join(next, "records.arrow")).equals(whole)).toBe(true);
  expect(readdirSync(next)).toEqual(readdirSync(join(dir, part)));
  await server.refresh();
  const {body} = await ask(shop, server, byNumber("100-A"));
  expect([body.metadata?.buildId, body.property?.totalMarketValue]).toEqual([buildId, 2000]);
});
