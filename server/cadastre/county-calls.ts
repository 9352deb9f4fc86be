import type {CadastreMetrics} from "./cadastre-metrics.ts";
import type {CountyReader, ReadKind, ReadKinds, ReadTask} from "./county-reader.ts";
import {RunningMean, type Slot, Slots} from "./slots.ts";
import type {Upstream} from "./upstream.ts";

const WINDOW_MS = 30_000;
const REST_MS = 30_000;
const LEAST_FAILURES = 5;
const LEAST_SHARE = 0.25;

/**
 * The breaker of one host: it opens at 5 failures that are a quarter of the calls of 30 s, rests 30 s, then lets one probe
 * through (`docs/design/reliability.md` section 5). The library opossum counts shares of calls only and cannot do this.
 */
export class Breaker {
  readonly #now: () => number;
  /** Calls of the window, oldest first. */
  #calls: {at: number; failed: boolean}[] = [];
  #open = false;
  #openUntil = 0;
  #probing = false;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Gives the milliseconds until a call may go out. After the rest only one caller gets 0: it sends the probe. */
  enter(): number {
    if (!this.#open) return 0;
    if (this.#now() < this.#openUntil) return this.#openUntil - this.#now();
    if (this.#probing) return REST_MS;
    this.#probing = true;
    return 0;
  }

  /** Takes the end of a call that was let through. */
  leave(failed: boolean): void {
    if (this.#open) this.#endProbe(failed);
    else this.#count(failed);
  }

  /** Gives a probe back: the call that was let through was not sent. */
  forget(): void {
    this.#probing = false;
  }

  /** Rests for this long, as a server demands by `Retry-After`. */
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
    // A call that went out before the breaker opened is no sign of the host's health now.
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
    if (failures >= LEAST_FAILURES && failures / this.#calls.length >= LEAST_SHARE) this.restFor(REST_MS);
  }
}

/** The budget that is left to one question. */
export type Spending = {
  /** Ends the question when its time is over. */
  readonly signal: AbortSignal;
  /** Aborted when nobody waits for the question any more. */
  readonly gone: AbortSignal;
  /** Id of the key that asks: each gets its share of the slots. */
  readonly keyId: string;
  /** Calls that are left; each call takes one. */
  readonly calls: {left: number};
};

export type CallFailure = {
  readonly kind: "failed";
  readonly status: "unavailable" | "timeout" | "paused" | "rejected";
  /** Milliseconds after which a new try makes sense; absent when nobody knows. */
  readonly retryAfterMs?: number;
  /** For the log; it never holds a value of the question. */
  readonly reason: string;
  /** True when the answer was not read for want of room or time here. */
  readonly unread?: boolean;
};

/** A form for a county, and what is read in its answer. */
export type CountyCall<Kind extends ReadKind> = {
  readonly url: string;
  readonly form: Readonly<Record<string, string>>;
  readonly kind: Kind;
  /** Gives the task for the body, when the body has come. */
  task(body: Buffer): ReadTask<Kind>;
};

type CountyCallsOptions = {
  readonly upstream: Upstream;
  readonly reader: CountyReader;
  readonly metrics: CadastreMetrics;
  readonly clock: () => number;
  /** Time of one call, milliseconds. */
  readonly callMs?: number | undefined;
};

type Result<Kind extends ReadKind> = ReadKinds[Kind]["found"] | CallFailure;

/** `docs/design/parcels.md` section 9: of the 8 s of a question, one call has at most 5. */
const CALL_MS = 5_000;
/** A question that ran out of calls gets further when it comes again: the layer's metadata are known by then. */
const AGAIN_MS = 5_000;
/** Bodies that the reader takes at one time: one is read, 8 wait. */
const READER_ROOM = 9;
/** Time within which an answer is expected, however fast counties are. */
const FRESH_MS = 1_000;
/** Time to read one body, until it was measured. */
const USUAL_READ_MS = 150;

/** Calls counties through every guard: the budget of the question, the publisher's breaker, a slot, the reader of the answer. */
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

  /** False when a call to this address would be refused for want of a slot. */
  hasRoom(url: string, keyId: string): boolean {
    return this.#slots.hasRoom(tenantOf(url), keyId);
  }

  /** Sends a form and has the answer read. Rejects only for a fault of the reader. */
  async ask<Kind extends ReadKind>(call: CountyCall<Kind>, spending: Spending): Promise<Result<Kind>> {
    if (spending.calls.left <= 0)
      return {kind: "failed", status: "timeout", retryAfterMs: AGAIN_MS, reason: "no call left"};
    if (spending.gone.aborted) return nobodyWaits;
    spending.calls.left -= 1;
    const publisher = tenantOf(call.url);
    const breaker = this.#breakers.get(publisher) ?? new Breaker(this.#options.clock);
    this.#breakers.set(publisher, breaker);
    const rest = breaker.enter();
    if (rest > 0) return {kind: "failed", status: "paused", retryAfterMs: rest, reason: "breaker open"};
    const {signal, gone, keyId} = spending;
    const slot = await this.#slots.take(publisher, {keyId, gone: AbortSignal.any([signal, gone])});
    if (slot === null) {
      breaker.forget();
      return {kind: "failed", status: "paused", reason: "no slot"};
    }
    let outcome: Result<Kind> | null = null;
    // The slot is held until the answer was read: a county cannot send faster than it is read.
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
    {publisher, slot, spending: {signal, gone}}: {publisher: string; slot: Slot; spending: Spending},
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

/** Measures how long calls take and how long their reading takes. */
export class ReaderLoad {
  readonly #callMs = new RunningMean();
  readonly #readMs = new RunningMean();
  #lastEnd = 0;

  called(ms: number): void {
    this.#callMs.add(ms);
  }

  /** Takes a body that came and was read at these times; until the one before it was read it waited. */
  read(came: number, end: number): void {
    this.#readMs.add(end - Math.max(came, this.#lastEnd));
    this.#lastEnd = end;
  }

  /** Calls that take long may be more, because their answers come one after the other. */
  pace() {
    const readMs = Math.max(1, this.#readMs.value() ?? USUAL_READ_MS);
    const callMs = this.#callMs.value() ?? 0;
    const mostFresh = READER_ROOM + Math.floor(callMs / readMs / 2);
    return {mostFresh, freshMs: Math.max(FRESH_MS, 2 * callMs), turnMs: readMs};
  }
}

/** Tells the breaker how a call ended; a body that we did not read for want of room says nothing about the county. */
function settle(breaker: Breaker, outcome: Result<ReadKind> | null): void {
  if (outcome === null) breaker.leave(true);
  else if (outcome.kind !== "failed") breaker.leave(false);
  else if (outcome.unread === true) breaker.forget();
  else {
    breaker.leave(true);
    if (outcome.retryAfterMs !== undefined) breaker.restFor(outcome.retryAfterMs);
  }
}

/**
 * The publisher at an address: the host, and on the hosts that Esri shares among thousands of publishers also the
 * publisher's folder, so that one broken county does not stop the calls to the others.
 */
export function tenantOf(url: string): string {
  const {host, pathname} = new URL(url);
  return /^services\d*\.arcgis\.com$/i.test(host) ? `${host}/${pathname.split("/")[1] ?? ""}` : host;
}
