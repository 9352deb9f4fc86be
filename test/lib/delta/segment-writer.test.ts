import {readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {describe, expect, it} from "vitest";
import {type SegmentFiles, segmentFiles} from "../../../lib/delta/segment-files.ts";
import {continueReading, initialState} from "../../../lib/delta/segment-reader.ts";
import {DeltaWriter, type DeltaWriterOptions} from "../../../lib/delta/segment-writer.ts";
import {note} from "../../crash/table.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {find, writer} from "./records.ts";

function openWriter(folder: string, more: Partial<DeltaWriterOptions> = {}) {
  return new DeltaWriter({folder, writer, baseBuildId: "20261121-3f9c1a", ...more});
}

function idsIn(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => continueReading(initialState, readFileSync(join(folder, name))).records)
    .map(({record}) => (record.kind === "upsert" ? record.key.parcelId : ""));
}

type Fault = {at: number; code: "EIO" | "ENOSPC" | "short"};

/** The real files with a fault at call number `at`, which count calls and notice a sync after a failed one. */
function failing(fault: Fault): SegmentFiles & {calls: () => number; syncedAgain: () => boolean} {
  let calls = 0;
  let again = false;
  const due = () => ++calls === fault.at;
  const failure = () => Object.assign(new Error(fault.code), {code: fault.code});
  return {
    calls: () => calls,
    syncedAgain: () => again,
    async create(path) {
      if (due() && fault.code !== "short") throw failure();
      const real = await segmentFiles.create(path);
      let failedSync = false;
      return {
        async append(bytes) {
          if (!due()) return real.append(bytes);
          if (fault.code !== "short") throw failure();
          return real.append(bytes.subarray(0, Math.max(1, bytes.length >> 1)));
        },
        async datasync() {
          again ||= failedSync;
          if (due() && fault.code !== "short") {
            failedSync = true;
            throw failure();
          }
          await real.datasync();
        },
        close: () => real.close(),
      };
    },
    remove: (path) => segmentFiles.remove(path),
    async syncFolder(folder) {
      if (due() && fault.code !== "short") throw failure();
      await segmentFiles.syncFolder(folder);
    },
  };
}

describe("the delta writer", () => {
  it.each(["EIO", "ENOSPC", "short"] as const)(
    "D4: with %s at any call, acknowledged records stay and no sync is repeated",
    async (code) => {
      for (let at = 1; at <= 40; at++) {
        const folder = temporaryFolder();
        const files = failing({at, code});
        let clock = 0;
        const delta = openWriter(folder, {files, elapsedMs: () => clock});
        const acknowledged: string[] = [];
        for (let i = 0; i < 6; i++) {
          const ids = [`${i}-a`, `${i}-b`];
          const stored = await Promise.all(ids.map((id) => delta.append(find(id))));
          acknowledged.push(...ids.filter((_, k) => stored[k]));
          clock += 60_000;
        }
        await delta.close();
        expect(files.syncedAgain()).toBe(false);
        expect(idsIn(folder)).toEqual(expect.arrayContaining(acknowledged));
        if (code !== "short" && at <= files.calls()) expect(acknowledged.length).toBeGreaterThanOrEqual(8);
        if (at <= files.calls()) continue;
        note("D4", `${code} at each of ${files.calls()} calls`, "no acknowledgement lost, no second sync");
        return;
      }
    },
  );

  it("is not writable after a fault, and again once a new segment took a record", async () => {
    const folder = temporaryFolder();
    let clock = 0;
    const delta = openWriter(folder, {files: failing({at: 1, code: "ENOSPC"}), elapsedMs: () => clock});
    expect(await delta.append(find("1"))).toBe(false);
    expect(delta.writable()).toBe(false);
    expect(await delta.append(find("2"))).toBe(false);
    clock += 100;
    expect(await delta.append(find("3"))).toBe(true);
    expect(delta.writable()).toBe(true);
    await delta.close();
  });

  it("stores again after its pause, also when the clock of the machine was set back by days meanwhile", async () => {
    let day = new Date("2026-11-21T00:00:00Z");
    let elapsed = 0;
    const delta = openWriter(temporaryFolder(), {
      files: failing({at: 1, code: "ENOSPC"}),
      now: () => day,
      elapsedMs: () => elapsed,
    });
    expect(await delta.append(find("1"))).toBe(false);
    day = new Date("2026-11-18T00:00:00Z");
    elapsed = 100;
    expect(await delta.append(find("2"))).toBe(true);
    await delta.close();
  });

  it("D4: leaves no segment of tries that stored nothing, and every one that took a record", async () => {
    const folder = temporaryFolder();
    let left = 4;
    const full = Object.assign(new Error("ENOSPC"), {code: "ENOSPC"});
    const files: SegmentFiles = {
      ...segmentFiles,
      async create(path) {
        const real = await segmentFiles.create(path);
        return {
          ...real,
          async append(bytes) {
            if (left-- <= 0) throw full;
            return real.append(bytes);
          },
        };
      },
    };
    let elapsed = 0;
    const delta = openWriter(folder, {files, elapsedMs: () => elapsed});
    expect([await delta.append(find("1")), await delta.append(find("2"))]).toEqual([true, true]);
    for (let n = 0; n < 20; n++) {
      // Each try gets one call further: to the header, the guard, the record.
      left = n % 3;
      elapsed += 60_000;
      expect([n, await delta.append(find(`later-${n}`))]).toEqual([n, false]);
    }
    expect(idsIn(folder)).toEqual(["1", "2"]);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it("tells the overlay before the caller", async () => {
    const order: string[] = [];
    const delta = openWriter(temporaryFolder(), {onPersisted: () => order.push("overlay")});
    await delta.append(find("1")).then(() => order.push("caller"));
    await delta.close();
    expect(order).toEqual(["overlay", "caller"]);
  });

  it("drops the raw attributes of a record that is too long for a line, and refuses one that is too long without them", async () => {
    const folder = temporaryFolder();
    const delta = openWriter(folder);
    expect(await delta.append(find("1", {note: "x".repeat(300_000)}))).toBe(true);
    expect(await delta.append(find("y".repeat(300_000)))).toBe(false);
    await delta.close();
    const [segment] = readdirSync(folder);
    const [stored] = continueReading(initialState, readFileSync(join(folder, segment!))).records;
    expect(stored!.record).toMatchObject({rawDropped: true});
    expect(stored!.record).not.toHaveProperty("raw");
  });

  it("rotates by size and on adopting a build, each segment closed with its count", async () => {
    const folder = temporaryFolder();
    const delta = openWriter(folder, {maxSegmentBytes: 1});
    for (const id of ["1", "2"]) await delta.append(find(id));
    await delta.rotate("20261122-aaaaaa");
    await delta.append(find("3"));
    await delta.close();
    const states = readdirSync(folder).map(
      (name) => continueReading(initialState, readFileSync(join(folder, name))).state,
    );
    expect(states).toHaveLength(3);
    expect(states.every(({ended, badLines, records}) => ended && badLines === 0 && records === 1)).toBe(true);
    expect(
      states
        .map(({header}) => header?.baseBuildId)
        .sort()
        .at(-1),
    ).toBe("20261122-aaaaaa");
  });

  it("never lets observedAt run backwards", async () => {
    const times = ["2026-11-21T00:00:02Z", "2026-11-21T00:00:01Z"];
    const seen: string[] = [];
    let clock = new Date(times[0]!);
    const delta = openWriter(temporaryFolder(), {
      now: () => clock,
      onPersisted: ({record}) => seen.push(record.observedAt),
    });
    await delta.append(find("1"));
    clock = new Date(times[1]!);
    await delta.append(find("2"));
    await delta.close();
    expect(seen).toEqual(["2026-11-21T00:00:02.000Z", "2026-11-21T00:00:02.000Z"]);
  });

  it("believes a clock again that was years ahead and was set right, in a new segment", async () => {
    const folder = temporaryFolder();
    const seen: string[] = [];
    let clock = new Date("2028-01-01T00:00:00Z");
    const delta = openWriter(folder, {
      now: () => clock,
      onPersisted: ({record}) => seen.push(record.observedAt),
    });
    await delta.append(find("1"));
    clock = new Date("2026-11-21T00:00:00Z");
    await delta.append(find("2"));
    await delta.append(find("3"));
    await delta.close();
    expect(seen).toEqual([
      "2028-01-01T00:00:00.000Z",
      "2026-11-21T00:00:00.000Z",
      "2026-11-21T00:00:00.000Z",
    ]);
    expect(readdirSync(folder)).toHaveLength(2);
  });
});
