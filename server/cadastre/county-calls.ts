import type {LayerMark} from "../../schemas/layer-health.ts";
import type {CadastreMetrics} from "./cadastre-metrics.ts";
import type {CountyReader, ReadKind, ReadKinds, ReadTask} from "./county-reader.ts";
import {RunningMean, type Slot, Slots} from "./slots.ts";
import type {Upstream} from "./upstream.ts";

const WINDOW_MS = 30_000;
const REST_MS = 30_000;
const MIN_FAILURES = 5;
const MIN_FAILURE_SHARE = 0.25;

/**
 * Circuit breaker of one host. It opens after 5 failures that make up at least a quarter of the calls in 30 s, stays open for 30 s, then
 * lets one probe through (`docs/design/reliability.md` section 5). The library opossum only supports a failure ratio, without the minimum
 * count.
 */
export class Breaker {
  readonly #now: () => number;
  /** Calls within the window, oldest first. */
  #calls: {at: number; failed: boolean}[] = [];
  #open = false;
  #openUntil = 0;
  #probing = false;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Returns the milliseconds until a call may go out. Once the rest is over only one caller gets 0: that call is the probe. */
  enter(): number {
    if (!this.#open) return 0;
    if (this.#now() < this.#openUntil) return this.#openUntil - this.#now();
    if (this.#probing) return REST_MS;
    this.#probing = true;
    return 0;
  }

  /** Records the outcome of a call that was let through. */
  leave(failed: boolean): void {
    if (this.#open) this.#endProbe(failed);
    else this.#count(failed);
  }

  /** Releases the probe: the call that was let through was never sent. */
  forget(): void {
    this.#probing = false;
  }

  /** Stays open for this long, as a server's `Retry-After` demands. */
  restFor(ms: number): void {
    this.#open = true;
    this.#probing = false;
    this.#openUntil = Math.max(this.#openUntil, this.#now() + ms);
  }

  state(): "closed" | "open" | "half_open" {
    if (!this.#open) return "closed";
    return this.#probing ? "half_open" : "open";
  }

  #endProbe(failed: boolean): void {
    // This call went out before the breaker opened and says nothing about the host's health now.
    if (!this.#probing) return;
    this.#open = false;
    this.#probing = false;
    this.#calls = [];
    if (failed) this.restFor(REST_MS);
  }

  #count(failed: boolean): void {
    const oldest = this.#now() - WINDOW_MS;
    this.#calls = [...this.#calls.filter(({at}) => at > oldest), {at: this.#now(), failed}];
    const failures = this.#calls.filter((call) => call.failed).length;
    if (failures >= MIN_FAILURES && failures / this.#calls.length >= MIN_FAILURE_SHARE) this.restFor(REST_MS);
  }
}

/** The remaining budget of one question. */
export type QuestionBudget = {
  /** Aborted when the question runs out of time. */
  readonly signal: AbortSignal;
  /** Aborted when nobody waits for the answer any more. */
  readonly gone: AbortSignal;
  /** Id of the calling key, for fair sharing of the slots. */
  readonly keyId: string;
  /** Calls left; each call takes one. */
  readonly calls: {left: number};
};

export type CallFailure = {
  readonly kind: "failed";
  readonly status: "unavailable" | "timeout" | "paused" | "rejected";
  /** Milliseconds until a retry makes sense; absent when unknown. */
  readonly retryAfterMs?: number;
  /** For the log; never contains a value of the question. */
  readonly reason: string;
  /** True when this server lacked room, time or calls for an answer, which says nothing of the layer. */
  readonly unread?: boolean;
  /** What the failure tells of the layer, where that is more than `status` tells. */
  readonly mark?: LayerMark;
  /** True when the service requires a token, which is no outage. */
  readonly needsToken?: boolean;
  /** True when the service refuses to be told how many rows to send, which is no outage. */
  readonly refusesPages?: boolean;
};

/** A form to post to a county, and how its answer is read. */
export type CountyCall<Kind extends ReadKind> = {
  readonly url: string;
  readonly form: Readonly<Record<string, string>>;
  readonly kind: Kind;
  /** Makes the reader's task once the body has arrived. */
  task(body: Buffer): ReadTask<Kind>;
};

type CountyCallsOptions = {
  readonly upstream: Upstream;
  readonly reader: CountyReader;
  readonly metrics: CadastreMetrics;
  readonly clock: () => number;
  /** Timeout of one call, in milliseconds. */
  readonly callMs?: number | undefined;
};

type Result<Kind extends ReadKind> = ReadKinds[Kind]["found"] | CallFailure;

/** A question has 8 s in all, a single call at most 5 (`docs/design/parcels.md` section 9). */
const CALL_MS = 5_000;
/** A repeated question gets further than one that ran out of calls, because the layer's metadata are cached by then. */
const AGAIN_MS = 5_000;
/** Bodies that the reader holds at a time: one being read, 8 waiting. */
const READER_ROOM = 9;
/** An answer is expected within this time, however fast counties are. */
const FRESH_MS = 1_000;
/** Assumed time to read one body until it has been measured. */
const USUAL_READ_MS = 150;

/** Calls counties through every guard: the question's budget, the publisher's breaker, a slot, and the reader of the answer. */
export class CountyCalls {
  readonly #options: CountyCallsOptions;
  readonly #slots: Slots;
  readonly #load = new ReaderLoad();
  /** By publisher. */
  readonly #breakers = new Map<string, Breaker>();

  constructor(options: CountyCallsOptions) {
    this.#options = options;
    this.#slots = new Slots(undefined, options.clock);
    this.#slots.keepPace(this.#load.pace());
  }

  /** False when a call to this address would be refused for lack of a slot. */
  hasRoom(url: string, keyId: string): boolean {
    return this.#slots.hasRoom(publisherOf(url), keyId);
  }

  /** Posts a form and has the answer read. Rejects only for a fault of the reader. */
  async ask<Kind extends ReadKind>(call: CountyCall<Kind>, spending: QuestionBudget): Promise<Result<Kind>> {
    if (spending.calls.left <= 0)
      return {
        kind: "failed",
        status: "timeout",
        retryAfterMs: AGAIN_MS,
        reason: "no call left",
        unread: true,
      };
    if (spending.gone.aborted) return nobodyWaits;
    spending.calls.left -= 1;
    const publisher = publisherOf(call.url);
    const breaker = this.#breakers.get(publisher) ?? new Breaker(this.#options.clock);
    this.#breakers.set(publisher, breaker);
    const rest = breaker.enter();
    if (rest > 0) return {kind: "failed", status: "paused", retryAfterMs: rest, reason: "breaker open"};
    const {signal, gone, keyId} = spending;
    const slot = await this.#slots.take(publisher, {keyId, gone: AbortSignal.any([signal, gone])});
    if (slot === null) {
      breaker.forget();
      return {kind: "failed", status: "paused", reason: "no slot", unread: true};
    }
    let outcome: Result<Kind> | null = null;
    // The slot is held until the answer has been read. That is the backpressure: a county cannot send faster than we read.
    try {
      outcome = await this.#sendAndRead(call, {publisher, slot, spending});
      return outcome;
    } finally {
      settle(breaker, outcome);
      this.#slots.keepPace(this.#load.pace());
      slot.release();
      this.#options.metrics.breaker(publisher, breaker.state());
    }
  }

  async #sendAndRead<Kind extends ReadKind>(
    {url, form, kind, task}: CountyCall<Kind>,
    {publisher, slot, spending: {signal, gone}}: {publisher: string; slot: Slot; spending: QuestionBudget},
  ): Promise<Result<Kind>> {
    const {upstream, reader, clock, callMs = CALL_MS} = this.#options;
    const sentAt = clock();
    const sent = await upstream.ask(url, form, AbortSignal.any([signal, AbortSignal.timeout(callMs)]));
    if (sent.kind === "failed") return sent;
    const readAt = clock();
    this.#load.called(readAt - sentAt);
    slot.answered();
    const waiting = AbortSignal.any([signal, gone]);
    if (waiting.aborted) return nobodyWaits;
    try {
      return await reader.read(kind, task(sent.body), {publisher, signal: waiting});
    } finally {
      this.#load.read(readAt, clock());
    }
  }
}

const nobodyWaits: CallFailure = {
  kind: "failed",
  status: "timeout",
  reason: "nobody waits",
  unread: true,
};

/** Measures how long calls take, and how long it takes to read their answers. */
export class ReaderLoad {
  readonly #callMs = new RunningMean();
  readonly #readMs = new RunningMean();
  #lastEnd = 0;

  called(ms: number): void {
    this.#callMs.add(ms);
  }

  /** Records when a body arrived and when it had been read. Its reading starts only after the previous body has been read. */
  read(receivedBytes: number, end: number): void {
    this.#readMs.add(end - Math.max(receivedBytes, this.#lastEnd));
    this.#lastEnd = end;
  }

  /** The slower the calls, the more of them may be under way: their answers still arrive one at a time. */
  pace() {
    const readMs = Math.max(1, this.#readMs.value() ?? USUAL_READ_MS);
    const callMs = this.#callMs.value() ?? 0;
    const maxFresh = READER_ROOM + Math.floor(callMs / readMs / 2);
    return {maxFresh, freshMs: Math.max(FRESH_MS, 2 * callMs), turnMs: readMs};
  }
}

/** Tells the breaker how a call ended. A body left unread for lack of room here says nothing about the county. */
function settle(breaker: Breaker, outcome: Result<ReadKind> | null): void {
  if (outcome === null) breaker.leave(true);
  else if (outcome.kind !== "failed" || outcome.needsToken === true || outcome.refusesPages === true)
    breaker.leave(false);
  else if (outcome.unread === true) breaker.forget();
  else {
    breaker.leave(true);
    if (outcome.retryAfterMs !== undefined) breaker.restFor(outcome.retryAfterMs);
  }
}

/**
 * Returns the publisher of a URL: its host or, on the hosts that Esri shares among thousands of publishers, host and first path segment.
 * One broken county then does not stop the calls to the others.
 */
export function publisherOf(url: string): string {
  const {host, pathname} = new URL(url);
  return /^services\d*\.arcgis\.com$/i.test(host) ? `${host}/${pathname.split("/")[1] ?? ""}` : host;
}
