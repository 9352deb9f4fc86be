import {randomBytes} from "node:crypto";
import type {Stats} from "node:fs";
import {type FileHandle, readdir, rm, stat} from "node:fs/promises";
import {dirname, join} from "node:path";
import {messageOf} from "./file-fault.ts";
import {openForeign} from "./foreign-file.ts";
import {asIdentity, isProvenDead, type ProcessIdentity} from "./process-identity.ts";
import {syncFolder, writeNew} from "./whole-file.ts";

/** A lock or lease as found on disk. */
export type OwnedFile<T> = {
  readonly stats: Stats;
  /** Null when the file cannot be read or is not of the form that is asked. */
  readonly value: T | null;
  /** Why `value` is null. */
  readonly fault: string | null;
  /** True for an empty file and for one that is not JSON: its writer was interrupted. */
  readonly torn: boolean;
};

/** Upper bound for the time that writing such a file takes. */
const writingMs = 60_000;
const leftover = /\.(new|dead)$/;

/** A new name beside a lock or lease, for a process that creates (`new`) or removes (`dead`) that file. */
export function siblingPath(path: string, ending: "new" | "dead"): string {
  return `${path}.${process.pid}-${randomBytes(4).toString("hex")}.${ending}`;
}

/**
 * Writes a value as JSON under a new name beside `path`, syncs file and folder, and returns the name; `path`
 * itself is never half written. Throws when the disk refuses, and leaves nothing behind.
 */
export async function writeBeside(path: string, value: unknown): Promise<string> {
  const beside = siblingPath(path, "new");
  try {
    await writeNew(beside, `${JSON.stringify(value)}\n`, {mode: 0o600});
    await syncFolder(dirname(beside));
    return beside;
  } catch (error) {
    await rm(beside, {force: true});
    throw error;
  }
}

/**
 * Reads a lock or lease; null when it is absent. A damaged or unreadable file is returned as a value, never
 * thrown.
 */
export async function readOwnedFile<T>(
  path: string,
  as: (json: unknown) => T | null,
): Promise<OwnedFile<T> | null> {
  const file = await openOrFault(path);
  if (file === null) return null;
  if ("fault" in file) return {...file, value: null, torn: false};
  try {
    const stats = await file.stat();
    return {stats, ...parsed(await file.readFile("utf8").catch(faultOf), as)};
  } finally {
    await file.close();
  }
}

/**
 * True for a torn file that is too old to be still in the making; the absolute difference also covers a clock
 * that was set back.
 */
export function isStaleTorn({torn, stats}: Pick<OwnedFile<unknown>, "torn" | "stats">, now: number): boolean {
  return torn && Math.abs(now - stats.mtimeMs) > writingMs;
}

/** Removes the temporary files that dead processes left beside locks and leases, and returns their names. */
export async function sweepLeftovers(folder: string, now: number): Promise<string[]> {
  const swept: string[] = [];
  for (const name of (await namesIn(folder)).filter((each) => leftover.test(each))) {
    const file = await readOwnedFile(join(folder, name), ownerOf);
    if (file === null) continue;
    if (!isStaleTorn(file, now) && (file.value === null || !isProvenDead(file.value))) continue;
    await rm(join(folder, name), {force: true});
    swept.push(name);
  }
  return swept;
}

/** The process that a lock is, or that a lease names. */
function ownerOf(value: unknown): ProcessIdentity | null {
  return asIdentity(value) ?? asIdentity((value as {process?: unknown} | null)?.process);
}

/** The names in a folder, sorted; empty when it is absent. */
export async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names.sort();
}

async function openOrFault(path: string): Promise<FileHandle | {stats: Stats; fault: string} | null> {
  try {
    return await openForeign(path);
  } catch (error) {
    // Another process may create the file between the two calls; for us it was absent.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    const stats = await stat(path).catch(() => null);
    return stats === null ? null : {stats, fault: messageOf(error)};
  }
}

/** The reason why a file could not be read. */
type Unread = {fault: string};

function faultOf(error: unknown): Unread {
  return {fault: messageOf(error)};
}

function parsed<T>(text: string | Unread, as: (json: unknown) => T | null): Omit<OwnedFile<T>, "stats"> {
  if (typeof text !== "string") return {value: null, fault: text.fault, torn: false};
  const json = jsonOf(text);
  if (json === undefined) return {value: null, fault: text === "" ? "empty" : "no JSON", torn: true};
  const value = as(json);
  return {value, fault: value === null ? "not of this version" : null, torn: false};
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
