import {mkdirSync, mkdtempSync, rmSync} from "node:fs";
import {cpus, tmpdir} from "node:os";
import {join} from "node:path";
import {ownIdentity} from "@open-cattle/safe-files";
import {DeltaReader} from "../lib/delta/delta-folder.ts";
import {createFindMaker} from "../lib/delta/find-maker.ts";
import type {PlacedRecord} from "../lib/delta/overlay.ts";
import {DeltaWriter} from "../lib/delta/segment-writer.ts";
import type {Manifest} from "../schemas/manifest.ts";
import {GrowingView} from "../server/delta/delta-view.ts";
import {discoveryOf} from "../test/delta/fake-county.ts";
import {writeState} from "../test/server/parcels/state-fixture.ts";

// Prints the costs of the delta: storing one discovery or a batch, reading all segments at start, and finding one parcel among
// many.
const count = Number(process.argv[2] ?? 10_000);
const folder = join(mkdtempSync(join(tmpdir(), "cattle-delta-bench-")), "delta");
mkdirSync(folder);

const finds = Array.from({length: count}, (_, i) =>
  discoveryOf({
    id: `M${i}-${i % 7}`,
    situs: `${100 + i} ELM ST`,
    owner: `QUISTAD JUNE ${String.fromCharCode(65 + (i % 26))}`,
    lon: -97.7 + (i % 100) / 1000,
    lat: 30.3 + Math.floor(i / 100) / 1000,
  }),
);

async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const writer = new DeltaWriter({folder, writer: ownIdentity(), baseBuildId: ""});
await writer.append(finds[0]!.upsert);
const alone = await timed(async () => {
  for (let i = 0; i < 500; i++) await writer.append(finds[i]!.upsert);
});
const grouped = await timed(async () => {
  let next = 0;
  const one = async () => {
    while (next < count) await writer.append(finds[next++]!.upsert);
  };
  await Promise.all(Array.from({length: 64}, one));
});
await writer.close();

const noBuild = {states: {}, as_of_date: "2026-11-21"} as unknown as Manifest;
const records = createFindMaker();
const view = new GrowingView({manifest: noBuild, states: new Map()}, records);
const opening = await timed(async () => {
  const placed: PlacedRecord[] = [];
  await new DeltaReader(folder).poll((each) => void placed.push(each));
  await view.fold(placed);
});
const one = discoveryOf({id: "ONE"}).upsert;
const adding = await timed(() =>
  view.fold([{record: {...one, seq: count + 1, observedAt: new Date().toISOString()}, segment: "b", end: 1}]),
);
const [set] = view.sets("TX");
// The same finds beside a build that has each of their parcels.
const parcels = finds.map(({upsert}) => ({
  county: "48453",
  id: String(upsert.row["parcel_id"]),
  situs: "1 OAK ST",
}));
const state = await writeState(folder, "TX", {parcels});
const beside = new GrowingView({manifest: noBuild, states: new Map([["TX", state]])}, records);
const placedOf = (find: (typeof finds)[number], i: number) => {
  const record = {...find.upsert, seq: i + 1, observedAt: new Date(i).toISOString()};
  return {record, segment: "c", end: i + 1};
};
const merging = await timed(() => beside.fold(finds.slice(1).map(placedOf)));
const mergingOne = await timed(() => beside.fold([placedOf(finds[0]!, count)]));
const mergedRows = beside.beside(state).hidden?.size ?? 0;
await records.close();
const lookups = 10_000;
const finding = await timed(() => {
  for (let i = 0; i < lookups; i++) set!.ids.find(`M${i % count}${(i % count) % 7}`);
});
const around = await timed(() => {
  for (let i = 0; i < 1_000; i++) set!.points?.within({minX: -97.7, minY: 30.3, maxX: -97.69, maxY: 30.31});
});
rmSync(folder, {recursive: true});

const line = (what: string, figure: string) => process.stdout.write(`${what.padEnd(58)} ${figure}\n`);
line(`${cpus()[0]?.model ?? "?"}, Node ${process.version}`, new Date().toISOString().slice(0, 10));
line("stored one after the other", `${Math.round(500 / (alone / 1000)).toLocaleString("en-US")}/s`);
line("stored with 64 waiting", `${Math.round(count / (grouped / 1000)).toLocaleString("en-US")}/s`);
line(`segments read and ${count.toLocaleString("en-US")} parcels made findable`, `${Math.round(opening)} ms`);
line("one more parcel made findable", `${adding.toFixed(1)} ms`);
line(
  `${mergedRows.toLocaleString("en-US")} of them merged with rows of a build`,
  `${Math.round(merging)} ms`,
);
line("one more merged with a row of a build", `${mergingOne.toFixed(0)} ms`);
line("found by number", `${((finding / lookups) * 1000).toFixed(1)} us`);
line("searched by place", `${(around / 1_000).toFixed(2)} ms`);
