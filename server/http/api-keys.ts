import {createHash, randomBytes} from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import {dirname} from "node:path";
import {crc32} from "node:zlib";
import {UsageError, UserError} from "../../lib/errors.ts";
import {ApiKeyFile, ApiKeyRecord, Scope} from "../../schemas/api-key.ts";

const KEY = /^cattle_([0-9a-f]{64})([0-9a-f]{8})$/;

/** A new key: `cattle_`, 256 random bits in hex, and the CRC-32 of that hex text, so that scanners know a real one. */
export function newKey(random: (size: number) => Buffer = randomBytes): string {
  const secret = random(32).toString("hex");
  return `cattle_${secret}${checksum(secret)}`;
}

/** True for a text of the form of a key with the right checksum, known or not. */
export function hasKeyForm(text: string): boolean {
  const parts = KEY.exec(text);
  return parts !== null && checksum(parts[1]!) === parts[2];
}

/** The only form in which a key is stored. */
export function keyDigest(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** The records of a key file. Throws a `UserError` for an absent, unreadable or malformed one; no digest is repeated. */
export function readKeys(file: string): ApiKeyRecord[] {
  if (!existsSync(file)) throw new UserError(`${file}: no key file. Make a key with "cattle keys create".`);
  const parsed = ApiKeyFile.safeParse(parseJson(file));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new UserError(`${file}: not a key file, at ${issue?.path.join(".")}: ${issue?.message}.`);
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
  /** ISO instants; from now and without end when absent. */
  notBefore?: string;
  notAfter?: string;
  now?: () => Date;
};

/** Adds a key to the file, which is made where it is absent. The key itself is returned here and never again. */
export function createKey(
  file: string,
  {label = "", scopes = Scope.options, notBefore, notAfter, now = () => new Date()}: NewKeyOptions = {},
): {key: string; record: ApiKeyRecord} {
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
  changeKeys(file, (records) => [...records, record]);
  return {key, record};
}

/** Ends the validity of a key now; its record stays, for the logs that name it. Throws a `UserError` for an unknown id. */
export function revokeKey(file: string, id: string, now: () => Date = () => new Date()): ApiKeyRecord {
  const records = readKeys(file);
  const record = records.find((candidate) => candidate.id === id);
  if (record === undefined)
    throw new UserError(`${file}: no key with the id "${id}". See "cattle keys list".`);
  const ended = {...record, notAfter: earlier(record.notAfter, now().toISOString())};
  changeKeys(file, (all) => all.map((other) => (other.id === id ? ended : other)));
  return ended;
}

/** `valid`, `not yet` or `ended` at an instant. */
export function keyState({notBefore, notAfter}: ApiKeyRecord, now: Date): "valid" | "not yet" | "ended" {
  if (notAfter !== null && Date.parse(notAfter) <= now.getTime()) return "ended";
  return Date.parse(notBefore) <= now.getTime() ? "valid" : "not yet";
}

function checksum(secret: string): string {
  return crc32(secret).toString(16).padStart(8, "0");
}

function parseJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    // The parser's own message would repeat a piece of the file.
    throw new UserError(
      `${file}: not readable as JSON (${error instanceof SyntaxError ? "syntax" : error}).`,
    );
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
  if (Number.isNaN(time))
    throw new UsageError(`${option}: "${text}" came, an ISO date or instant was expected.`);
  return new Date(time).toISOString();
}

function secondsOf(date: Date): string {
  return date.toISOString().replace(/\.\d{3}Z$/, "Z");
}

function earlier(one: string | null, other: string): string {
  return one !== null && Date.parse(one) <= Date.parse(other) ? one : other;
}

/** Writes a new file and renames it. The new file is the lock too: a second command at the same moment is refused. */
function changeKeys(file: string, change: (records: ApiKeyRecord[]) => ApiKeyRecord[]): void {
  const beside = `${file}.new`;
  const descriptor = openBeside(beside);
  try {
    const records = existsSync(file) ? readKeys(file) : [];
    writeSync(descriptor, `${JSON.stringify(change(records), null, 2)}\n`);
    fsyncSync(descriptor);
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, {force: true});
    throw error;
  } finally {
    closeSync(descriptor);
  }
  syncFolder(dirname(file));
}

function openBeside(beside: string): number {
  try {
    return openSync(beside, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new UserError(`${beside} exists: another "cattle keys" is at work, or one died. Then remove it.`);
  }
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
