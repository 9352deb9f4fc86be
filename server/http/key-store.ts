import {hash, timingSafeEqual} from "node:crypto";
import {statSync} from "node:fs";
import type {Logger} from "pino";
import {messageOf} from "../../lib/errors.ts";
import type {ApiKeyRecord} from "../../schemas/api-key.ts";
import {readKeys} from "./api-keys.ts";

/** The keys that the server accepts. */
export type KeyStore = {
  /** The record of a key that is valid now, else null; takes the same time for any text. */
  find(key: string): ApiKeyRecord | null;
  /** False while the key file cannot be read; meanwhile the last good set stays in force. */
  healthy(): boolean;
  /** Looks at the file; reads it where it changed, or always when `force` is set. */
  refresh(force?: boolean): void;
  close(): void;
};

const NOBODY = Buffer.alloc(32);
const MOST_MS_BETWEEN_LOOKS = 5_000;

/** Keys that never change: for tests and for the command line. */
export function fixedKeyStore(
  records: readonly ApiKeyRecord[],
  now: () => Date = () => new Date(),
): KeyStore {
  const byDigest = indexByDigest(records);
  return {
    find: (key) => findKey(byDigest, key, now()),
    healthy: () => true,
    refresh: () => {},
    close: () => {},
  };
}

/**
 * The keys of a file, looked at every `pollMs` (5 s at most). A missing or bad file keeps the old set, is logged once
 * per change and shown by `healthy`. Never throws.
 */
export function openKeyStore(
  file: string,
  {log, pollMs, now = () => new Date()}: {log: Logger; pollMs: number; now?: () => Date},
): KeyStore {
  let byDigest = indexByDigest([]);
  let seen = "";
  let good = true;
  const refresh = (force = false) => {
    const mark = fileMark(file);
    if (mark === seen && !force) return;
    seen = mark;
    try {
      byDigest = indexByDigest(readKeys(file));
      good = true;
      log.info({keys: byDigest.size}, "keys read");
    } catch (error) {
      good = false;
      log.error({reason: messageOf(error)}, "key file refused: the old keys stay in force");
    }
  };
  refresh(true);
  const timer = setInterval(refresh, Math.min(pollMs, MOST_MS_BETWEEN_LOOKS)).unref();
  return {
    find: (key) => findKey(byDigest, key, now()),
    healthy: () => good,
    refresh,
    close: () => clearInterval(timer),
  };
}

/** A key's record with its digest and the instants (ms) between which it is valid. */
type Entry = {digest: Buffer; record: ApiKeyRecord; fromMs: number; beforeMs: number};

function indexByDigest(records: readonly ApiKeyRecord[]): Map<string, Entry> {
  return new Map(records.map((record) => [record.sha256, entryOf(record)]));
}

function entryOf(record: ApiKeyRecord): Entry {
  const {sha256, notBefore, notAfter} = record;
  return {
    digest: Buffer.from(sha256, "hex"),
    record,
    fromMs: Date.parse(notBefore),
    beforeMs: notAfter === null ? Number.POSITIVE_INFINITY : Date.parse(notAfter),
  };
}

/** The record is found by digest and confirmed in constant time: nothing that a caller can time depends on the key itself. */
function findKey(byDigest: Map<string, Entry>, key: string, now: Date): ApiKeyRecord | null {
  const digest = hash("sha256", key, "hex");
  const entry = byDigest.get(digest);
  const equal = timingSafeEqual(Buffer.from(digest, "hex"), entry?.digest ?? NOBODY);
  return equal && entry !== undefined && isValidAt(entry, now.getTime()) ? entry.record : null;
}

function isValidAt({fromMs, beforeMs}: Entry, ms: number): boolean {
  return fromMs <= ms && ms < beforeMs;
}

/** What tells one state of the file from the next; a file that cannot be looked at has its fault as a mark. */
function fileMark(file: string): string {
  try {
    const {ino, size, mtimeMs, ctimeMs} = statSync(file);
    return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  } catch (error) {
    return messageOf(error);
  }
}
