import {createHash, randomBytes} from "node:crypto";
import {realpath, rm} from "node:fs/promises";
import {dirname} from "node:path";
import {crc32} from "node:zlib";
import {readForeignSync, writeWhole} from "@open-cattle/safe-files";
import {ApiKeyFile, ApiKeyRecord, Scope} from "../../schemas/api-key.ts";
import {isUserError, messageOf, UsageError, UserError} from "../errors.ts";
import {lockRun} from "../process/run-folder.ts";
import {dataFolder} from "../storage/data-folder.ts";

/** Generates a key: `cattle_`, 256 random bits in hex, and the CRC-32 of that hex text, by which secret scanners recognise it. */
export function newKey(random: (size: number) => Buffer = randomBytes): string {
  const secret = random(32).toString("hex");
  return `cattle_${secret}${checksum(secret)}`;
}

/** Hashes a key; keys are stored in no other form. */
export function keyDigest(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** Reads a key file. Throws a `UserError` if it is missing, unreadable or malformed, or has an id twice. */
export function readKeys(file: string): ApiKeyRecord[] {
  const text = keyText(file);
  if (text === null) throw new UserError(`${file}: no key file. Make a key with "cattle keys create".`);
  return parsedKeys(file, text);
}

/** Returns the text of a key file, or null if it is missing. Any other fault is thrown as a `UserError`. */
function keyText(file: string): string | null {
  try {
    return readForeignSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw isUserError(error) ? error : new UserError(`${file}: cannot be read: ${messageOf(error)}.`);
  }
}

function parsedKeys(file: string, text: string): ApiKeyRecord[] {
  const parsed = ApiKeyFile.safeParse(parseJson(file, text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.length ? `, at ${issue.path.join(".")}` : "";
    throw new UserError(`${file}: not a key file${place}: ${issue?.message}. Restore it from the backup.`);
  }
  const ids = parsed.data.map(({id}) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new UserError(`${file}: the id "${twice}" is given twice.`);
  return parsed.data;
}

type NewKeyOptions = {
  label?: string;
  /** Every scope when absent. */
  scopes?: readonly string[];
  /** ISO instants; by default from now on and without end. */
  notBefore?: string;
  notAfter?: string;
  now?: () => Date;
};

/**
 * Adds a key to the file, creating it if necessary. The key is returned once its record is on disk, and never again. Rejects with a
 * `UserError` if the disk fails or another command holds the lock.
 */
export async function createKey(
  file: string,
  {label = "", scopes = Scope.options, notBefore, notAfter, now = () => new Date()}: NewKeyOptions = {},
): Promise<{key: string; record: ApiKeyRecord}> {
  const key = newKey();
  const sha256 = keyDigest(key);
  const record = checkedRecord({
    id: `key-${sha256.slice(0, 10)}`,
    sha256,
    scopes: [...new Set(scopes)],
    notBefore: notBefore === undefined ? secondsOf(now()) : instant(notBefore, "--not-before"),
    notAfter: notAfter === undefined ? null : instant(notAfter, "--not-after"),
    label,
  });
  await changeKeys(file, (records) => [...records, record]);
  return {key, record};
}

/**
 * Ends a key's validity now; its record stays because logs refer to it. Rejects with a `UserError` for an unknown id, and like `createKey`.
 * The revocation is on disk when this resolves.
 */
export async function revokeKey(
  file: string,
  id: string,
  now: () => Date = () => new Date(),
): Promise<ApiKeyRecord> {
  const records = await changeKeys(file, (all) => {
    if (!all.some((record) => record.id === id))
      throw new UsageError(`${file}: no key with the id "${id}". See "cattle keys list".`);
    return all.map((record) =>
      record.id === id ? {...record, notAfter: earlier(record.notAfter, now().toISOString())} : record,
    );
  });
  return records.find((record) => record.id === id)!;
}

/** State of a key at an instant. */
export function keyState({notBefore, notAfter}: ApiKeyRecord, now: Date): "valid" | "not yet" | "ended" {
  if (notAfter !== null && Date.parse(notAfter) <= now.getTime()) return "ended";
  return Date.parse(notBefore) <= now.getTime() ? "valid" : "not yet";
}

function checksum(secret: string): string {
  return crc32(secret).toString(16).padStart(8, "0");
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message would quote part of the file.
    throw new UserError(`${file}: not readable as JSON (syntax). Restore it from the backup.`);
  }
}

function checkedRecord(record: unknown): ApiKeyRecord {
  const parsed = ApiKeyRecord.safeParse(record);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UserError(`The key cannot be made, at ${issue?.path.join(".")}: ${issue?.message}.`);
}

function instant(text: string, option: string): string {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new UsageError(`${option}: expected an ISO date or instant, got "${text}".`);
  return new Date(time).toISOString();
}

function secondsOf(date: Date): string {
  return date.toISOString().replace(/\.\d{3}Z$/, "Z");
}

function earlier(one: string | null, other: string): string {
  return one !== null && Date.parse(one) <= Date.parse(other) ? one : other;
}

/** Rewrites the whole file under a lock; returns the records now on disk. Of a link the target is written, which other servers read too. */
async function changeKeys(
  link: string,
  change: (records: ApiKeyRecord[]) => ApiKeyRecord[],
): Promise<ApiKeyRecord[]> {
  const file = await realpath(link).catch(() => link);
  const release = await lockRun(dataFolder(dirname(file)), "keys");
  try {
    // An earlier version used this name as its lock; a crashed command may have left it behind.
    await rm(`${file}.new`, {force: true});
    const text = keyText(file);
    const changed = change(text === null ? [] : parsedKeys(file, text));
    await writeWhole(file, `${JSON.stringify(changed, null, 2)}\n`, {mode: 0o600, replaces: true});
    return changed;
  } finally {
    await release();
  }
}
