import {hash, timingSafeEqual} from "node:crypto";
import {statSync} from "node:fs";
import {messageOf} from "../../lib/errors.ts";
import {readKeys} from "../../lib/keys/api-keys.ts";
import type {ApiKeyRecord} from "../../schemas/api-key.ts";
import type {Log} from "../system/json-log.ts";

/** The keys that the server accepts. */
export type KeyStore = {
  /** Returns the record of a currently valid key, or null; takes the same time for any input. */
  find(key: string): ApiKeyRecord | null;
  /** False while the key file cannot be read; the last good set stays in force meanwhile. */
  healthy(): boolean;
  /** Re-reads the file if it has changed, or always with `force`. */
  refresh(force?: boolean): void;
  close(): void;
};

const NOBODY = Buffer.alloc(32);
const MAX_POLL_MS = 5_000;

const noKeysYet = 'no keys yet: create one with "cattle keys create"';

/**
 * Opens a key file and polls it every `pollMs` (at least every 5 s). While the file is missing or bad the previous keys stay in force; that
 * is logged once per change and shown by `healthy`. Never throws.
 */
export function openKeyStore(
  file: string,
  {log, pollMs, now = () => new Date()}: {log: Log; pollMs: number; now?: () => Date},
): KeyStore {
  let byDigest = indexByDigest([]);
  let seen = "";
  let good = true;
  let seenKeys = false;
  const refresh = (force = false) => {
    const mark = fileMark(file);
    if (mark === seen && !force) return;
    seen = mark;
    try {
      byDigest = indexByDigest(readKeys(file));
      good = true;
      seenKeys = true;
      log.info({keys: byDigest.size}, "keys read");
    } catch (error) {
      good = false;
      const words = seenKeys ? "key file refused: the old keys stay in force" : noKeysYet;
      log.error({reason: messageOf(error)}, words);
    }
  };
  refresh(true);
  const timer = setInterval(refresh, Math.min(pollMs, MAX_POLL_MS)).unref();
  return {
    find: (key) => findKey(byDigest, key, now()),
    healthy: () => good,
    refresh,
    close: () => clearInterval(timer),
  };
}

/** A key's record, with its digest and validity period (ms). */
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

/** Looks a key up by digest and confirms it in constant time: no timing depends on the key itself. */
function findKey(byDigest: Map<string, Entry>, key: string, now: Date): ApiKeyRecord | null {
  const digest = hash("sha256", key, "hex");
  const entry = byDigest.get(digest);
  const equal = timingSafeEqual(Buffer.from(digest, "hex"), entry?.digest ?? NOBODY);
  return equal && entry !== undefined && isValidAt(entry, now.getTime()) ? entry.record : null;
}

function isValidAt({fromMs, beforeMs}: Entry, ms: number): boolean {
  return fromMs <= ms && ms < beforeMs;
}

/** A fingerprint that changes with the file; for a file that cannot be examined it is the error. */
function fileMark(file: string): string {
  try {
    const {ino, size, mtimeMs, ctimeMs} = statSync(file);
    return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  } catch (error) {
    return messageOf(error);
  }
}
