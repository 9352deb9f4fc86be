import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import {join} from "node:path";
import {ownIdentity} from "@open-cattle/safe-files";
import {describe, expect, it} from "vitest";
import {DeltaReader, listSegments} from "../../../lib/delta/delta-folder.ts";
import {Overlay, type PlacedRecord} from "../../../lib/delta/overlay.ts";
import {continueReading, initialState} from "../../../lib/delta/segment-reader.ts";
import {DeltaWriter} from "../../../lib/delta/segment-writer.ts";
import {repairSegment} from "../../../pipeline/publish/segments.ts";
import type {DeltaRecord} from "../../../schemas/delta-record.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {find, writer} from "./records.ts";

function openWriter(folder: string, identity = writer) {
  return new DeltaWriter({folder, writer: identity, baseBuildId: "20261121-3f9c1a"});
}

function placed(parcelId: string, observedAt: string, seq: number, segment: string): PlacedRecord {
  return {record: {...find(parcelId), observedAt, seq} as DeltaRecord, segment, end: seq * 100};
}

describe("the delta reader", () => {
  it("gives each record once, from every process and after a segment was retired", async () => {
    const folder = temporaryFolder();
    const [one, two] = [openWriter(folder), openWriter(folder)];
    const reader = new DeltaReader(folder);
    const seen: string[] = [];
    const poll = async () => {
      await reader.poll(({record}) => {
        if (record.kind === "upsert") seen.push(record.key.parcelId);
      });
    };
    await Promise.all([one.append(find("a")), two.append(find("b"))]);
    await poll();
    await one.append(find("c"));
    await one.close();
    mkdirSync(join(folder, "retired"));
    const [first] = readdirSync(folder).filter((name) => name.endsWith(".ndjson"));
    renameSync(join(folder, first!), join(folder, "retired", first!));
    await poll();
    await poll();
    await two.close();
    expect(seen.sort()).toEqual(["a", "b", "c"]);
    expect(reader.segments().every(({state}) => state.badLines === 0)).toBe(true);
  });

  it("reads a long segment in pieces, of which one may be shorter than a line", async () => {
    const folder = temporaryFolder();
    const delta = openWriter(folder);
    for (let i = 0; i < 20; i++) await delta.append(find(`p${i}`, {note: "x".repeat(i * 40)}));
    await delta.close();
    const reader = new DeltaReader(folder, {chunkBytes: 100});
    const ends: number[] = [];
    await reader.poll(({end}) => ends.push(end));
    expect(ends).toHaveLength(20);
    expect(reader.segments()).toMatchObject([{state: {ended: true, badLines: 0, records: 20}}]);
  });

  it("reads nothing where there is no folder, and leaves other files alone", async () => {
    const absent = new DeltaReader(join(temporaryFolder(), "absent"));
    await absent.poll(() => expect.unreachable());
    expect(absent.segments()).toEqual([]);
    const folder = temporaryFolder();
    writeFileSync(join(folder, "notes.ndjson"), "{}\n");
    expect(await listSegments(folder)).toEqual([]);
  });
});

describe("the overlay", () => {
  it("keeps the newest by time, then sequence, then segment, in any order of arrival", () => {
    const records = [
      placed("1", "2026-11-21T00:00:00.000Z", 1, "a"),
      placed("1", "2026-11-21T00:00:00.000Z", 2, "a"),
      placed("1", "2026-11-21T00:00:00.000Z", 2, "b"),
    ];
    for (const order of [records, records.toReversed()]) {
      const overlay = new Overlay();
      for (const record of order) overlay.fold(record);
      expect([...overlay.parcels()]).toMatchObject([{segment: "b", record: {seq: 2}}]);
    }
  });

  it("has the same position after the same records in any order, and another one after others", () => {
    const records = ["1", "2", "3"].map((id, i) => placed(id, "2026-11-21T00:00:00.000Z", i + 1, "a"));
    const positionOf = (some: PlacedRecord[]) => {
      const overlay = new Overlay();
      for (const record of some) overlay.fold(record);
      return overlay.position();
    };
    expect(positionOf(records.toReversed())).toBe(positionOf([...records, records[0]!]));
    expect(positionOf(records.slice(1))).not.toBe(positionOf(records.slice(0, 2)));
  });

  it("takes nothing in that the build has merged, by the state's own watermark", () => {
    const overlay = new Overlay((state) => new Map(state === "AZ" ? [["a", 100]] : []));
    overlay.fold(placed("1", "2026-11-21T00:00:00.000Z", 1, "a"));
    overlay.fold(placed("2", "2026-11-21T00:00:00.000Z", 2, "a"));
    expect([...overlay.parcels()].map(({end}) => end)).toEqual([200]);
  });
});

describe("repairSegment", () => {
  async function tornSegment(identity: typeof writer): Promise<string> {
    const folder = temporaryFolder();
    const delta = openWriter(folder, identity);
    for (const id of ["1", "2"]) await delta.append(find(id));
    await delta.close();
    const [name] = readdirSync(folder);
    const path = join(folder, name!);
    const {records} = continueReading(initialState, readFileSync(path));
    truncateSync(path, records.at(-1)!.end);
    appendFileSync(path, '{"crc":"00000000","rec":{"kind":"ups');
    return folder;
  }

  it("cuts the torn tail of a dead writer, ends the segment and keeps a copy", async () => {
    const folder = await tornSegment({...ownIdentity(), startTicks: "0"});
    const [file] = await listSegments(folder);
    expect(await repairSegment(file!, folder)).toMatchObject({kind: "repaired", records: 2, badLines: 0});
    expect(continueReading(initialState, readFileSync(file!.path)).state).toMatchObject({
      ended: true,
      badLines: 0,
      records: 2,
    });
    expect(readdirSync(join(folder, "quarantine"))).toEqual([file!.name]);
    expect(await repairSegment(file!, folder)).toEqual({kind: "whole"});
  });

  it("keeps the first copy of a segment whose repair was killed behind its cut", async () => {
    const folder = await tornSegment({...ownIdentity(), startTicks: "0"});
    const [file] = await listSegments(folder);
    const before = readFileSync(file!.path);
    await repairSegment(file!, folder);
    // What a killed repair leaves: the tail is cut, and there is no end yet.
    const {records} = continueReading(initialState, readFileSync(file!.path));
    truncateSync(file!.path, records.at(-1)!.end);
    expect((await repairSegment(file!, folder)).kind).toBe("repaired");
    expect(readFileSync(join(folder, "quarantine", file!.name)).equals(before)).toBe(true);
    expect(continueReading(initialState, readFileSync(file!.path)).state).toMatchObject({
      ended: true,
      records: 2,
    });
  });

  it("leaves a segment alone whose writer may live", async () => {
    const folder = await tornSegment(ownIdentity());
    const [file] = await listSegments(folder);
    const before = readFileSync(file!.path);
    expect(await repairSegment(file!, folder)).toEqual({kind: "writer_not_proven_dead"});
    expect(readFileSync(file!.path).equals(before)).toBe(true);
  });
});
