import {mkdir} from "node:fs/promises";
import {join} from "node:path";
import type {Logger} from "pino";
import type {SegmentReading, StrangeSegment} from "../../lib/delta/delta-folder.ts";
import {messageOf} from "../../lib/errors.ts";
import {copyWhole} from "../../lib/storage/whole-file.ts";

/**
 * Gives a function that reports each damaged line once: in the log, in the metric, and by a copy of the segment. What is no segment but
 * has the name of one is told in the log.
 */
export function watchDamage(
  folder: string,
  {log, damaged}: {log: Logger; damaged: (lines: number) => void},
): (readings: readonly SegmentReading[], strange: readonly StrangeSegment[]) => Promise<void> {
  /** Bad lines that were reported, by segment. */
  const told = new Map<string, number>();
  const toldStrange = new Set<string>();
  return async (readings, strange) => {
    for (const {path, fault} of strange) {
      if (!toldStrange.has(path)) log.error({path, fault}, "no delta segment: it is not opened");
      toldStrange.add(path);
    }
    for (const {file, state} of readings) {
      const fresh = state.badLines - (told.get(file.name) ?? 0);
      if (fresh <= 0) continue;
      told.set(file.name, state.badLines);
      damaged(fresh);
      log.error({segment: file.name, badLines: state.badLines}, "damaged delta segment");
      await keepCopy(file.path, join(folder, "quarantine"), file.name).catch((error: unknown) => {
        log.error({segment: file.name, reason: messageOf(error)}, "no copy of the damaged segment was kept");
      });
    }
  };
}

async function keepCopy(path: string, folder: string, name: string): Promise<void> {
  await mkdir(folder, {recursive: true, mode: 0o700});
  await copyWhole(path, join(folder, name)).catch((error: NodeJS.ErrnoException) => {
    // Another process was first.
    if (error.code !== "EEXIST") throw error;
  });
}
