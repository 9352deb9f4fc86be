import {setTimeout as sleep} from "node:timers/promises";
import {Problem} from "../http/problem-document.ts";

/** Bounds of one process and of one key, so that readers of tables take nothing from questions. */
const bounds = {
  transfers: {process: 16, key: 4},
  bytesPerSecond: {process: 50 * 2 ** 20, key: 25 * 2 ** 20},
};
/** A peer slower than this for a whole window is cut. */
const slow = {bytesPerSecond: 16 * 1024, windowMs: 30_000};

/** Readers of tables ask for many ranges at once: so many of a key wait so long for their turn. */
const waiting = {perKey: 64, ms: 10_000};

type OfKey = {running: number; readonly pace: Pace; readonly queue: (() => void)[]};

/** Counts the transfers that run and spreads their bytes over time. */
export class Transfers {
  #running = 0;
  readonly #byKey = new Map<string, OfKey>();
  readonly #pace = new Pace(bounds.bytesPerSecond.process);
  readonly #waitMs: number;

  constructor({waitMs = waiting.ms} = {}) {
    this.#waitMs = waitMs;
  }

  /** Begins a transfer when the process and the key have room; rejects with a 429 when none came in time. */
  async begin(keyId: string): Promise<Transfer> {
    const ofKey = this.#byKey.get(keyId) ?? {
      running: 0,
      pace: new Pace(bounds.bytesPerSecond.key),
      queue: [],
    };
    this.#byKey.set(keyId, ofKey);
    if (!this.#hasRoom(ofKey) || ofKey.queue.length > 0) await this.#turn(ofKey);
    else this.#enter(ofKey);
    return new Transfer([this.#pace, ofKey.pace], () => this.#leave(keyId, ofKey));
  }

  #hasRoom({running}: OfKey): boolean {
    return this.#running < bounds.transfers.process && running < bounds.transfers.key;
  }

  #enter(ofKey: OfKey): void {
    this.#running += 1;
    ofKey.running += 1;
  }

  #leave(keyId: string, ofKey: OfKey): void {
    this.#running -= 1;
    ofKey.running -= 1;
    for (const each of this.#byKey.values()) if (this.#hasRoom(each)) each.queue.shift()?.();
    if (ofKey.running === 0 && ofKey.queue.length === 0) this.#byKey.delete(keyId);
  }

  /** Waits in the key's queue; the one who leaves enters for the first of it. */
  #turn(ofKey: OfKey): Promise<void> {
    if (ofKey.queue.length >= waiting.perKey) return Promise.reject(tooMany());
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        this.#enter(ofKey);
        resolve();
      };
      const timer = setTimeout(() => {
        ofKey.queue.splice(ofKey.queue.indexOf(begin), 1);
        reject(tooMany());
      }, this.#waitMs);
      ofKey.queue.push(begin);
    });
  }
}

function tooMany(): Problem {
  const {key, process} = bounds.transfers;
  const detail = `${key} transfers of a key run at once, ${process} of all keys; wait for one to end.`;
  return new Problem("rate-limited", detail, {retryAfterSeconds: 1});
}

/** One transfer: waits until its next bytes may go, and knows when its peer is too slow. */
export class Transfer implements Disposable {
  readonly #paces: readonly Pace[];
  readonly #end: () => void;
  #windowFrom = performance.now();
  #windowBytes = 0;

  constructor(paces: readonly Pace[], end: () => void) {
    this.#paces = paces;
    this.#end = end;
  }

  /** Resolves when so many bytes may be sent. */
  async admit(bytes: number): Promise<void> {
    const waits = this.#paces.map((pace) => pace.take(bytes));
    const ms = Math.max(...waits);
    if (ms > 1) await sleep(ms);
  }

  /** Notes bytes that the peer has taken; false when it took too few in the last window. */
  taken(bytes: number, nowMs = performance.now()): boolean {
    this.#windowBytes += bytes;
    const ms = nowMs - this.#windowFrom;
    if (ms < slow.windowMs) return true;
    const isFast = this.#windowBytes / (ms / 1000) >= slow.bytesPerSecond;
    this.#windowFrom = nowMs;
    this.#windowBytes = 0;
    return isFast;
  }

  [Symbol.dispose](): void {
    this.#end();
  }
}

/** Spreads bytes evenly: each amount books the time that it takes at the pace. */
class Pace {
  readonly #bytesPerMs: number;
  #bookedUntilMs = 0;

  constructor(bytesPerSecond: number) {
    this.#bytesPerMs = bytesPerSecond / 1000;
  }

  /** Books bytes and returns how long to wait for them, ms. */
  take(bytes: number): number {
    const now = performance.now();
    const from = Math.max(now, this.#bookedUntilMs);
    this.#bookedUntilMs = from + bytes / this.#bytesPerMs;
    return from - now;
  }
}
