import {readdirSync, readFileSync, statSync} from "node:fs";
import {join} from "node:path";
import fc from "fast-check";
import {beforeAll, describe, expect, it} from "vitest";
import {encodeLine} from "../../../lib/delta/segment-files.ts";
import {continueReading, initialState} from "../../../lib/delta/segment-reader.ts";
import {DeltaWriter} from "../../../lib/delta/segment-writer.ts";
import type {DeltaRecord} from "../../../schemas/delta-record.ts";
import {note, sizeOf} from "../../crash/table.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {find, writer} from "./records.ts";

const RECORDS = 20;
let bytes: Buffer;
let truth: DeltaRecord[];

async function writeSegment(folder: string, count: number): Promise<DeltaRecord[]> {
  const persisted: DeltaRecord[] = [];
  const delta = new DeltaWriter({
    folder,
    writer,
    baseBuildId: "20261121-3f9c1a",
    onPersisted: ({record}) => persisted.push(record),
  });
  await Promise.all(
    Array.from({length: count}, (_, i) => delta.append(find(`301-22-${i}`, {APN: String(i)}))),
  );
  await delta.close();
  return persisted;
}

function readAll(segment: Buffer) {
  return continueReading(initialState, segment);
}

/** Ends of the complete lines of the whole segment. */
function lineEnds(segment: Buffer): number[] {
  return [...segment.entries()].filter(([, byte]) => byte === 10).map(([at]) => at + 1);
}

beforeAll(async () => {
  const folder = temporaryFolder();
  truth = await writeSegment(folder, RECORDS);
  const [name] = readdirSync(folder);
  expect(statSync(join(folder, name!)).mode & 0o777).toBe(0o600);
  bytes = readFileSync(join(folder, name!));
});

const flips = sizeOf("D3", {push: 3_000, long: 30_000});
const several = sizeOf("D3B", {push: 200, long: 10_000});

describe("a delta segment", () => {
  it("reads back what was written, in order, with one gapless sequence", () => {
    const {records, state} = readAll(bytes);
    expect(records.map(({record}) => record)).toEqual(truth);
    expect(truth.map(({seq}) => seq)).toEqual(Array.from({length: RECORDS}, (_, i) => i + 1));
    expect(state).toMatchObject({badLines: 0, ended: true, records: RECORDS, validBytes: bytes.length});
  });

  it("D2: cut at every byte length gives exactly the complete lines and never a throw", () => {
    const ends = readAll(bytes).records.map(({end}) => end);
    for (let length = 0; length <= bytes.length; length++) {
      const {records, state} = readAll(bytes.subarray(0, length));
      expect(records.length).toBe(ends.filter((end) => end <= length).length);
      expect(state.badLines).toBe(0);
    }
    note("D2", `cut at each of ${bytes.length} byte lengths`, "exactly the complete lines");
  });

  it(
    "D3: no altered record is returned, all others are, and the damage is counted",
    () => {
      const lines = lineEnds(bytes);
      const last = lines.at(-2)!;
      fc.assert(
        fc.property(fc.nat({max: bytes.length - 1}), fc.nat({max: 7}), (at, bit) => {
          const damaged = Buffer.from(bytes);
          damaged[at]! ^= 1 << bit;
          const {records, state} = readAll(damaged);
          const returned = records.map(({record}) => record);
          for (const record of returned) expect(truth).toContainEqual(record);
          // A flipped line feed joins two lines, and so loses two.
          expect(returned.length).toBeGreaterThanOrEqual(RECORDS - 2);
          if (returned.length < RECORDS && at < last - 1) expect(state.badLines).toBeGreaterThan(0);
        }),
        {numRuns: flips},
      );
      note("D3", `${flips} single bits flipped`, "0 altered records returned, damage counted");
    },
    flips * 10 + 600_000,
  );

  it(
    "D3: of several damaged bytes at once no record comes back altered",
    () => {
      fc.assert(
        fc.property(
          fc.array(fc.tuple(fc.nat({max: bytes.length - 1}), fc.nat({max: 255})), {
            minLength: 2,
            maxLength: 40,
          }),
          (changes) => {
            const damaged = Buffer.from(bytes);
            for (const [at, value] of changes) damaged[at] = value;
            for (const {record} of readAll(damaged).records) expect(truth).toContainEqual(record);
          },
        ),
        {numRuns: several},
      );
      note("D3", `${several} times several bytes changed`, "0 altered records returned");
    },
    several * 10 + 600_000,
  );

  it("D3: zeroed sectors, NUL tails and garbage tails alter nothing", () => {
    for (let from = 0; from < bytes.length; from += 512) {
      const zeroed = Buffer.from(bytes).fill(0, from, Math.min(from + 512, bytes.length));
      for (const {record} of readAll(zeroed).records) expect(truth).toContainEqual(record);
    }
    for (const tail of [Buffer.alloc(4096), Buffer.from("garbage\n{}\n"), Buffer.from([255, 254, 10])]) {
      const {records, state} = readAll(Buffer.concat([bytes, tail]));
      expect(records.map(({record}) => record)).toEqual(truth);
      expect(state.badLines).toBeGreaterThan(0);
    }
  });

  it("reads on from where it stopped, at any cut, to the same records", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({max: bytes.length}), {maxLength: 6}), (cuts) => {
        let state = initialState;
        const records: DeltaRecord[] = [];
        for (const upTo of [...cuts.sort((a, b) => a - b), bytes.length]) {
          if (upTo < state.validBytes) continue;
          const step = continueReading(state, bytes.subarray(state.validBytes, upTo));
          state = step.state;
          records.push(...step.records.map(({record}) => record));
        }
        expect(records).toEqual(truth);
        expect(state).toEqual(readAll(bytes).state);
      }),
      {numRuns: 200},
    );
  });

  it("counts a missing line as damage by the gap in its sequence", () => {
    const ends = readAll(bytes).records.map(({end}) => end);
    const gap = Buffer.concat([bytes.subarray(0, ends[4]), bytes.subarray(ends[5])]);
    expect(readAll(gap).state.badLines).toBe(1);
  });

  it("refuses a header of a later format", () => {
    const header = {
      kind: "header",
      format: 99,
      writer,
      baseBuildId: "x",
      startedAt: "2026-11-21T00:00:00.000Z",
    } as const;
    expect(readAll(encodeLine(header)).state.header).toBeNull();
  });
});
