import {mkdirSync, readdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {Registry} from "prom-client";
import {expect, test} from "vitest";
import type {SegmentReading} from "../../../lib/delta/delta-folder.ts";
import {createCadastreMetrics} from "../../../server/cadastre/cadastre-metrics.ts";
import {createDeltaMetrics, watchDamage} from "../../../server/discoveries/delta-metrics.ts";
import {openLog} from "../../../server/system/json-log.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

test("figures of the delta are in the metrics: stored and failed, flushes, age in seconds, segments by state", async () => {
  const registry = new Registry();
  const metrics = createDeltaMetrics(registry);
  for (const persisted of [true, true, false]) metrics.appended(persisted);
  metrics.flushed({records: 3, seconds: 0.004});
  metrics.damaged(5);
  metrics.poisoned();
  metrics.held({records: 7, oldestMs: 90_000, bytes: 800, live: 2, retired: 1});
  const lines = (await registry.metrics()).split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      ...["delta_appends_total 2", "delta_append_failures_total 1", "delta_bad_lines_total 5"],
      ...["delta_poisoned_segments_total 1", "delta_unmerged_records 7", "delta_unmerged_bytes 800"],
      ...[
        "delta_oldest_unmerged_seconds 90",
        'delta_segments{state="live"} 2',
        'delta_segments{state="retired"} 1',
      ],
      ...[
        'delta_batch_records_bucket{le="1"} 0',
        'delta_batch_records_bucket{le="4"} 1',
        "delta_batch_records_sum 3",
      ],
      ...['delta_sync_seconds_bucket{le="0.001"} 0', 'delta_sync_seconds_bucket{le="0.005"} 1'],
    ]),
  );
});

test("questions to counties are counted by outcome, and a host's breaker is a number", async () => {
  const registry = new Registry();
  const metrics = createCadastreMetrics(registry);
  metrics.asked("48041", "found");
  metrics.asked("48041", "found");
  const states = ["closed", "half_open", "open"] as const;
  for (const state of states) metrics.breaker(`${state}.example.org`, state);
  const lines = (await registry.metrics()).split("\n");
  expect(lines).toContain('cadastre_calls_total{county="48041",outcome="found"} 2');
  expect(lines.filter((line) => line.startsWith("cadastre_breaker_state{"))).toEqual(
    states.map((state, value) => `cadastre_breaker_state{host="${state}.example.org"} ${value}`),
  );
});

/** Reads a folder with one segment that has so many bad lines, and tells what was reported. */
function watched() {
  const folder = temporaryFolder();
  const path = join(folder, "a.jsonl");
  writeFileSync(path, "damaged\n");
  const [counted, logged]: [number[], string[]] = [[], []];
  const log = openLog("error", (line: string) => void logged.push(JSON.parse(line).msg));
  const watch = watchDamage(folder, {log, damaged: (lines) => void counted.push(lines)});
  const reading = (badLines: number) =>
    ({file: {name: "a.jsonl", path}, state: {badLines}}) as SegmentReading;
  return {folder, counted, logged, read: (badLines: number) => watch([reading(badLines)], []), watch};
}

test("each damaged line is counted once, and the segment is kept beside as it was found first", async () => {
  const {folder, counted, logged, read} = watched();
  for (const bad of [0, 2, 2, 5]) await read(bad);
  expect(counted).toEqual([2, 3]);
  expect(logged).toEqual(["damaged delta segment", "damaged delta segment"]);
  const quarantine = join(folder, "quarantine");
  expect(readdirSync(quarantine)).toEqual(["a.jsonl"]);
  expect(readFileSync(join(quarantine, "a.jsonl"), "utf8")).toBe("damaged\n");
});

test("a copy that cannot be kept is told, and the damage is counted all the same", async () => {
  const {folder, counted, logged, read} = watched();
  writeFileSync(join(folder, "quarantine"), "in the way");
  await read(1);
  expect([counted, logged]).toEqual([
    [1],
    ["damaged delta segment", "no copy of the damaged segment was kept"],
  ]);
});

test("what has the name of a segment and is none is told once", async () => {
  const {folder, logged, watch} = watched();
  const path = join(folder, "strange.jsonl");
  mkdirSync(path);
  for (let i = 0; i < 2; i++) await watch([], [{path, fault: "a folder"}]);
  expect(logged).toEqual(["no delta segment: it is not opened"]);
});
