import {randomBytes} from "node:crypto";
import type {Stats} from "node:fs";
import {type FileHandle, readdir, rm, stat} from "node:fs/promises";
import {dirname, join} from "node:path";
import {z} from "zod";
import {ProcessIdentity} from "../../schemas/delta-record.ts";
import {Lease} from "../../schemas/lease.ts";
import {syncFolder} from "../delta/segment-files.ts";
import {messageOf} from "../errors.ts";
import {openForeign} from "../storage/foreign-file.ts";
import {writeNew} from "../storage/whole-file.ts";
import {isProvenDead} from "./process-identity.ts";

/** A lock or lease as it is on the disk. */
export type RunFile<T> = {
  readonly stats: Stats;
  /** Null when the text is not one of this schema or cannot be read. */
  readonly value: T | null;
  /** The reason for a value of null. */
  readonly fault: string | null;
  /** True for an empty text and for one that is no JSON: its writer was cut off. */
  readonly torn: boolean;
};

/** No process needs longer between the first and the last byte of such a file. */
const writingMs = 60_000;
const remains = /\.(new|dead)$/;

/** A new name beside a file of `run/` for a process that makes (`new`) or removes (`dead`) that file. */
export function besideOf(path: string, ending: "new" | "dead"): string {
  return `${path}.${process.pid}-${randomBytes(4).toString("hex")}.${ending}`;
}

/**
 * Writes a value as JSON to a new name beside `path`, syncs it with its folder and gives that name: `path` itself never
 * holds half a text. Throws when the disk refuses, and then nothing is left.
 */
export async function writeBeside(path: string, value: unknown): Promise<string> {
  const beside = besideOf(path, "new");
  try {
    await writeNew(beside, `${JSON.stringify(value)}\n`, {mode: 0o600});
    await syncFolder(dirname(beside));
    return beside;
  } catch (error) {
    await rm(beside, {force: true});
    throw error;
  }
}

/** Reads a lock or lease; null when it is absent. A damaged or unreadable one is a value, never thrown. */
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

/** True for a file that was cut off so long ago that nobody is writing it any more, also by a clock that was set back. */
export function isForsaken({torn, stats}: Pick<RunFile<unknown>, "torn" | "stats">, now: number): boolean {
  return torn && Math.abs(now - stats.mtimeMs) > writingMs;
}

/** Removes what dead processes left on their way to a lock or lease, and gives the names. */
export async function sweepRemains(run: string, now: number): Promise<string[]> {
  const swept: string[] = [];
  for (const name of (await namesIn(run)).filter((each) => remains.test(each))) {
    const file = await readRunFile(join(run, name), z.union([ProcessIdentity, Lease]));
    if (file === null) continue;
    const owner = file.value !== null && "process" in file.value ? file.value.process : file.value;
    if (!isForsaken(file, now) && (owner === null || !isProvenDead(owner))) continue;
    await rm(join(run, name), {force: true});
    swept.push(name);
  }
  return swept;
}

/** The names in `run/`, sorted; an absent folder counts as empty. */
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
    // A file that another process makes between the two calls was absent all the same.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    const stats = await stat(path).catch(() => null);
    return stats === null ? null : {stats, fault: messageOf(error)};
  }
}

/** A text that could not be read. */
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
