import {join} from "node:path";
import {copyWhole, makeOwnFolder, privateFolder} from "@open-cattle/safe-files";
import {Counter, Gauge, Histogram, type Registry} from "prom-client";
import type {NonFileEntry, SegmentReading} from "../../lib/delta/delta-folder.ts";
import {messageOf} from "../../lib/errors.ts";
import type {Log} from "../system/json-log.ts";

/** Delta metrics of one process. */
export type DeltaMetrics = {
  appended(persisted: boolean): void;
  flushed(batch: {records: number; seconds: number}): void;
  damaged(lines: number): void;
  poisoned(): void;
  /** Sets the gauges for the records that the build has not merged, and for the segments by state. */
  held(facts: {records: number; oldestMs: number; bytes: number; live: number; retired: number}): void;
};

/** Adds the delta's metrics to a registry. */
export function createDeltaMetrics(registry: Registry): DeltaMetrics {
  const registers = [registry];
  const counter = (name: string, help: string) => new Counter({name, help, registers});
  const gauge = (name: string, help: string) => new Gauge({name, help, registers});
  const appends = counter("delta_appends_total", "Records stored");
  const failures = counter("delta_append_failures_total", "Records answered without being stored");
  const bad = counter("delta_bad_lines_total", "Damaged lines found in segments");
  const poisoned = counter("delta_poisoned_segments_total", "Segments given up after a failed write or sync");
  const batches = new Histogram({
    name: "delta_batch_records",
    help: "Records of one flush",
    buckets: [1, 4, 16, 64, 256, 1024],
    registers,
  });
  const syncs = new Histogram({
    name: "delta_sync_seconds",
    help: "Time of one flush",
    buckets: [0.0005, 0.001, 0.005, 0.02, 0.1, 1],
    registers,
  });
  const records = gauge("delta_unmerged_records", "Parcels that the served build does not hold");
  const bytes = gauge("delta_unmerged_bytes", "Bytes of live segments");
  const age = gauge("delta_oldest_unmerged_seconds", "Age of the oldest of them");
  const segments = new Gauge({
    name: "delta_segments",
    help: "Segments by state",
    labelNames: ["state"],
    registers,
  });
  return {
    appended: (persisted) => (persisted ? appends : failures).inc(),
    flushed(batch) {
      batches.observe(batch.records);
      syncs.observe(batch.seconds);
    },
    damaged: (lines) => bad.inc(lines),
    poisoned: () => poisoned.inc(),
    held(facts) {
      records.set(facts.records);
      bytes.set(facts.bytes);
      age.set(facts.oldestMs / 1000);
      segments.set({state: "live"}, facts.live);
      segments.set({state: "retired"}, facts.retired);
    },
  };
}

/**
 * Returns a function that reports each damaged line once: in the log, in the metric, and by keeping a copy of the segment. A file with a
 * segment's name that is no segment is only logged.
 */
export function watchDamage(
  folder: string,
  {log, damaged}: {log: Log; damaged: (lines: number) => void},
): (readings: readonly SegmentReading[], strange: readonly NonFileEntry[]) => Promise<void> {
  /** Number of bad lines reported so far, by segment. */
  const reported = new Map<string, number>();
  const reportedStrange = new Set<string>();
  return async (readings, strange) => {
    for (const {path, fault} of strange) {
      if (!reportedStrange.has(path)) log.error({path, fault}, "no delta segment: it is not opened");
      reportedStrange.add(path);
    }
    for (const {file, state} of readings) {
      const fresh = state.badLines - (reported.get(file.name) ?? 0);
      if (fresh <= 0) continue;
      reported.set(file.name, state.badLines);
      damaged(fresh);
      log.error({segment: file.name, badLines: state.badLines}, "damaged delta segment");
      await keepCopy(file.path, join(folder, "quarantine"), file.name).catch((error: unknown) => {
        log.error({segment: file.name, reason: messageOf(error)}, "no copy of the damaged segment was kept");
      });
    }
  };
}

async function keepCopy(path: string, folder: string, name: string): Promise<void> {
  makeOwnFolder(folder, privateFolder);
  await copyWhole(path, join(folder, name)).catch((error: NodeJS.ErrnoException) => {
    // Another process made the copy first.
    if (error.code !== "EEXIST") throw error;
  });
}
