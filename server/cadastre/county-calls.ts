import {type ArcgisAnswer, readAnswer} from "../../lib/arcgis/answer.ts";
import {Breaker} from "./breaker.ts";
import type {CadastreMetrics} from "./cadastre-metrics.ts";
import {refusalOfJson} from "./json-guard.ts";
import {Slots} from "./slots.ts";
import type {Upstream, UpstreamOutcome} from "./upstream.ts";

/** The budget that is left to one question. */
export type Spending = {
  /** Ends the question when its time is over. */
  readonly signal: AbortSignal;
  /** Calls that are left; each call takes one. */
  calls: number;
};

export type CallFailure = {
  readonly kind: "failed";
  readonly status: "unavailable" | "timeout" | "paused" | "rejected";
  /** Milliseconds after which a new try makes sense; absent when nobody knows. */
  readonly retryAfterMs?: number;
  /** For the log; it never holds a value of the question. */
  readonly reason: string;
};

type CallOutcome = {readonly kind: "answer"; readonly answer: ArcgisAnswer} | CallFailure;

type CountyCallsOptions = {
  readonly upstream: Upstream;
  readonly metrics: CadastreMetrics;
  readonly clock: () => number;
  /** Time of one call, milliseconds. */
  readonly callMs?: number | undefined;
};

/** `docs/design/parcels.md` section 9: of the 8 s of a question, one call has at most 5. */
const CALL_MS = 5_000;
/** A question that ran out of calls gets further when it comes again: the layer's metadata are known by then. */
const AGAIN_MS = 5_000;

/** Calls counties through every guard: the budget of the question, the tenant's breaker, a slot, the check of the text. */
export class CountyCalls {
  readonly #options: CountyCallsOptions;
  readonly #slots = new Slots();
  /** By tenant. */
  readonly #breakers = new Map<string, Breaker>();

  constructor(options: CountyCallsOptions) {
    this.#options = options;
  }

  /** Sends a form and reads the answer; never throws. */
  async ask(url: string, form: Readonly<Record<string, string>>, spending: Spending): Promise<CallOutcome> {
    if (spending.calls <= 0)
      return {kind: "failed", status: "timeout", retryAfterMs: AGAIN_MS, reason: "no call left"};
    spending.calls -= 1;
    const {upstream, clock, callMs = CALL_MS} = this.#options;
    const tenant = tenantOf(url);
    const breaker = this.#breakers.get(tenant) ?? new Breaker(clock);
    this.#breakers.set(tenant, breaker);
    const rest = breaker.enter();
    if (rest > 0) return {kind: "failed", status: "paused", retryAfterMs: rest, reason: "breaker open"};
    const signal = AbortSignal.any([spending.signal, AbortSignal.timeout(callMs)]);
    return this.#send({tenant, breaker}, () => upstream.ask(url, form, signal));
  }

  async #send(
    {tenant, breaker}: {tenant: string; breaker: Breaker},
    call: () => Promise<UpstreamOutcome>,
  ): Promise<CallOutcome> {
    const release = await this.#slots.take(tenant);
    if (release === null) {
      breaker.forget();
      return {kind: "failed", status: "paused", reason: "no slot"};
    }
    try {
      const outcome = checkedOutcome(await call());
      breaker.leave(outcome.kind === "failed");
      if (outcome.kind === "failed" && outcome.retryAfterMs !== undefined)
        breaker.restFor(outcome.retryAfterMs);
      return outcome;
    } finally {
      release();
      this.#options.metrics.breaker(tenant, breaker.state());
    }
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

function checkedOutcome(outcome: UpstreamOutcome): CallOutcome {
  if (outcome.kind === "failed") return outcome;
  const refused = refusalOfJson(outcome.text);
  if (refused !== null) return {kind: "failed", status: "rejected", reason: refused};
  try {
    const answer = readAnswer(outcome.text);
    if (answer.kind !== "error") return {kind: "answer", answer};
    return {kind: "failed", status: "unavailable", reason: `error ${answer.code ?? ""} in a 200`.trim()};
  } catch {
    return {kind: "failed", status: "rejected", reason: "no ArcGIS answer"};
  }
}
