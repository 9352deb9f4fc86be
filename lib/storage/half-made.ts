import {createHash, randomBytes} from "node:crypto";
import {readdir, rm, stat} from "node:fs/promises";
import {join} from "node:path";
import {isProvenDead, ownIdentity} from "../process/process-identity.ts";

/** Name of a file in the making: the process and its start, the machine with its boot, and a number. */
const halfMade = /^\.(\d+)-(\d*)-([0-9a-f]{8})-[0-9a-f]{8}\.new$/;
/** A file whose writer can be proven neither dead nor alive is removed after a day. */
const unprovableMs = 24 * 3_600_000;

const own = ownIdentity();
const ownPlace = createHash("sha256")
  .update([own.host, own.bootId, own.pidNamespace].join("\n"))
  .digest("hex")
  .slice(0, 8);
const looked = new Map<string, Promise<unknown>>();

/** A name, which is new each time, for a file that gets its own name when it is whole. */
export function halfMadeName(): string {
  return `.${own.pid}-${own.startTicks}-${ownPlace}-${randomBytes(4).toString("hex")}.new`;
}

/** Removes what dead processes left half made in a folder, at the first call for it in this process. Never rejects. */
export async function sweepHalfMade(folder: string): Promise<void> {
  if (!looked.has(folder))
    looked.set(
      folder,
      removeHalfMade(folder).catch(() => undefined),
    );
  await looked.get(folder);
}

/** Removes the files of dead processes in a folder, and gives their names. */
export async function removeHalfMade(folder: string, now: number = Date.now()): Promise<string[]> {
  const removed: string[] = [];
  for (const name of await readdir(folder)) {
    if (!(await isLeftOver(folder, name, now))) continue;
    await rm(join(folder, name), {force: true});
    removed.push(name);
  }
  return removed.sort();
}

async function isLeftOver(folder: string, name: string, now: number): Promise<boolean> {
  const [, pid, startTicks = "", place] = halfMade.exec(name) ?? [];
  if (pid === undefined) return false;
  // Off Linux nothing proves that a process is dead.
  if (place === ownPlace && own.bootId !== "")
    return isProvenDead({...own, pid: Number(pid), startTicks}, own);
  const found = await stat(join(folder, name)).catch(() => null);
  return found !== null && Math.abs(now - found.mtimeMs) > unprovableMs;
}
