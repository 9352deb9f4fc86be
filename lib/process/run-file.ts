import {randomBytes} from "node:crypto";
import type {Stats} from "node:fs";
import {type FileHandle, readdir, rm, stat} from "node:fs/promises";
import {dirname, join} from "node:path";
import {z} from "zod";
import {ProcessIdentity} from "../../schemas/delta-record.ts";
import {Lease} from "../../schemas/lease.ts";
import {messageOf} from "../errors.ts";
import {openForeign} from "../system/foreign-file.ts";
import {isProvenDead} from "../system/process-identity.ts";
import {syncFolder} from "../system/sync-folder.ts";
import {writeNew} from "../system/whole-file.ts";

/** A lock or lease as found on disk. */
export type RunFile<T> = {
  readonly stats: Stats;
  /** Null when the file cannot be read or does not match the schema. */
  readonly value: T | null;
  /** Why `value` is null. */
  readonly fault: string | null;
  /** True for an empty file and for one that is not JSON: its writer was interrupted. */
  readonly torn: boolean;
};

/** Upper bound for the time that writing such a file takes. */
const writingMs = 60_000;
const leftover = /\.(new|dead)$/;

/** A new name beside a file of `run/`, for a process that creates (`new`) or removes (`dead`) that file. */
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
export async function readRunFile<T>(path: string, schema: z.ZodType<T>): Promise<RunFile<T> | null> {
  const file = await openOrFault(path);
  if (file === null) return null;
  if ("fault" in file) return {...file, value: null, torn: false};
  try {
    const stats = await file.stat();
    return {stats, ...parsed(await file.readFile("utf8").catch(faultOf), schema)};
  } finally {
    await file.close();
  }
}

/**
 * True for a torn file that is too old to be still in the making; the absolute difference also covers a clock
 * that was set back.
 */
export function isStaleTorn({torn, stats}: Pick<RunFile<unknown>, "torn" | "stats">, now: number): boolean {
  return torn && Math.abs(now - stats.mtimeMs) > writingMs;
}

/** Removes the temporary files that dead processes left beside locks and leases, and returns their names. */
export async function sweepLeftovers(run: string, now: number): Promise<string[]> {
  const swept: string[] = [];
  for (const name of (await namesIn(run)).filter((each) => leftover.test(each))) {
    const file = await readRunFile(join(run, name), z.union([ProcessIdentity, Lease]));
    if (file === null) continue;
    const owner = file.value !== null && "process" in file.value ? file.value.process : file.value;
    if (!isStaleTorn(file, now) && (owner === null || !isProvenDead(owner))) continue;
    await rm(join(run, name), {force: true});
    swept.push(name);
  }
  return swept;
}

/** The names in `run/`, sorted; empty when the folder is absent. */
export async function namesIn(run: string): Promise<string[]> {
  const names = await readdir(run).catch((error: NodeJS.ErrnoException) => {
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

function parsed<T>(text: string | Unread, schema: z.ZodType<T>): Omit<RunFile<T>, "stats"> {
  if (typeof text !== "string") return {value: null, fault: text.fault, torn: false};
  const json = jsonOf(text);
  if (json === undefined) return {value: null, fault: text === "" ? "empty" : "no JSON", torn: true};
  const {data, success} = schema.safeParse(json);
  return success
    ? {value: data, fault: null, torn: false}
    : {value: null, fault: "not of this version", torn: false};
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
