import {watch} from "node:fs";

/** Writes come in bursts, our own included: one poll per burst is enough. */
const HINT_MS = 50;

/** Calls `changed` shortly after a write to the folder. Where the system has no such events, polling does it alone. */
export function watchFolder(folder: string, changed: () => void): {close(): void} {
  let soon: NodeJS.Timeout | undefined;
  const now = () => {
    soon = undefined;
    changed();
  };
  const later = () => {
    soon ??= setTimeout(now, HINT_MS).unref();
  };
  try {
    const watcher = watch(folder, {persistent: false}, later).on("error", () => undefined);
    const close = () => {
      clearTimeout(soon);
      watcher.close();
    };
    return {close};
  } catch {
    return {close: () => undefined};
  }
}
