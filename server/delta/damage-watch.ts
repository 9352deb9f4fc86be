import {constants} from "node:fs";
import {copyFile, mkdir} from "node:fs/promises";
import {join} from "node:path";
import type {Logger} from "pino";
import type {SegmentReading} from "../../lib/delta/delta-folder.ts";
import {messageOf} from "../../lib/errors.ts";

/** Gives a function that reports each damaged line once: in the log, in the metric, and by a copy of the segment. */
export function watchDamage(
  folder: string,
  {log, damaged}: {log: Logger; damaged: (lines: number) => void},
): (readings: readonly SegmentReading[]) => Promise<void> {
  /** Bad lines that were reported, by segment. */
  const told = new Map<string, number>();
  return async (readings) => {
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
  await copyFile(path, join(folder, name), constants.COPYFILE_EXCL).catch((error: NodeJS.ErrnoException) => {
    // Another process was first.
    if (error.code !== "EEXIST") throw error;
  });
}
