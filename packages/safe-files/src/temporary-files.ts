import {createHash, randomBytes} from "node:crypto";
import {readdir, rm, stat} from "node:fs/promises";
import {join} from "node:path";
import {isProvenDead, ownIdentity} from "./process-identity.ts";

/**
 * Name of a temporary file: its writer's pid and start time, a digest of machine and boot, and a random
 * number.
 */
const temporaryFile = /^\.(\d+)-(\d*)-([0-9a-f]{8})-[0-9a-f]{8}\.new$/;
/** Grace period for a file whose writer can be proven neither dead nor alive. */
const unprovableMs = 24 * 3_600_000;

const ownProcess = ownIdentity();
const ownPlace = createHash("sha256")
  .update([ownProcess.host, ownProcess.bootId, ownProcess.pidNamespace].join("\n"))
  .digest("hex")
  .slice(0, 8);
const swept = new Map<string, Promise<unknown>>();

/** A new, unique name for a file that is renamed when it is complete. */
export function temporaryName(): string {
  return `.${ownProcess.pid}-${ownProcess.startTicks}-${ownPlace}-${randomBytes(4).toString("hex")}.new`;
}

/** Removes the unfinished files of dead processes in a folder, once per process and folder. Never rejects. */
export async function sweepTemporaryFiles(folder: string): Promise<void> {
  if (!swept.has(folder))
    swept.set(
      folder,
      removeTemporaryFiles(folder).catch(() => undefined),
    );
  await swept.get(folder);
}

/** Removes the unfinished files of dead processes in a folder, and returns their names. */
export async function removeTemporaryFiles(folder: string, now: number = Date.now()): Promise<string[]> {
  const removed: string[] = [];
  for (const name of await readdir(folder)) {
    if (!(await isAbandoned(folder, name, now))) continue;
    await rm(join(folder, name), {force: true});
    removed.push(name);
  }
  return removed.sort();
}

async function isAbandoned(folder: string, name: string, now: number): Promise<boolean> {
  const [, pid, startTicks = "", place] = temporaryFile.exec(name) ?? [];
  if (pid === undefined) return false;
  // On other systems than Linux a process cannot be proven dead.
  if (place === ownPlace && ownProcess.bootId !== "")
    return isProvenDead({...ownProcess, pid: Number(pid), startTicks}, ownProcess);
  const found = await stat(join(folder, name)).catch(() => null);
  return found !== null && Math.abs(now - found.mtimeMs) > unprovableMs;
}
