import {type ArcgisAnswer, readAnswer} from "../../lib/arcgis/answer.ts";
import {type Breaker, createBreaker} from "./breaker.ts";
import type {CadastreMetrics} from "./cadastre-metrics.ts";
import {refusalOfJson} from "./json-guard.ts";
import {createSlots, type Slots} from "./slots.ts";
import type {Upstream, UpstreamOutcome} from "./upstream.ts";

/** What one question may still spend. */
export type Spending = {
  /** Ends the question: its time in all. */
  readonly signal: AbortSignal;
  /** Calls that are left; each call takes one. */
  calls: number;
};

export type CallFailure = {
  readonly kind: "failed";
  readonly status: "unavailable" | "timeout" | "paused" | "rejected";
  /** When to come again, milliseconds; absent where nobody knows. */
  readonly retryAfterMs?: number;
  /** For the log; never what was asked. */
  readonly reason: string;
};

export type CallOutcome = {readonly kind: "answer"; readonly answer: ArcgisAnswer} | CallFailure;

/** Calls to counties with every guard around them. */
export type CountyCalls = {
  /** Sends a form and reads the answer; never throws. */
  ask(url: string, form: Readonly<Record<string, string>>, spending: Spending): Promise<CallOutcome>;
};

export type CountyCallsOptions = {
  readonly upstream: Upstream;
  readonly metrics: CadastreMetrics;
  readonly now?: () => number;
  readonly slots?: Slots;
  /** Time of one call, milliseconds. */
  readonly callMs?: number;
};

/** `docs/design/parcels.md` section 9: of the 8 s of a question, one call has at most 5. */
const CALL_MS = 5_000;
/** A question that ran out of calls finds more done when it is asked again: the layer's metadata are known by then. */
const AGAIN_MS = 5_000;

/** Calls through the budget of the question, the host's breaker, a slot and the check of the text, in this order. */
export function createCountyCalls(options: CountyCallsOptions): CountyCalls {
  const {upstream, metrics, now = () => performance.now(), slots = createSlots(), callMs = CALL_MS} = options;
  const breakers = new Map<string, Breaker>();

  async function send(
    {tenant, breaker}: {tenant: string; breaker: Breaker},
    ask: () => Promise<UpstreamOutcome>,
  ): Promise<CallOutcome> {
    const release = await slots.take(tenant);
    if (release === null) {
      breaker.forget();
      return {kind: "failed", status: "paused", reason: "no slot"};
    }
    try {
      const outcome = read(await ask());
      breaker.leave(outcome.kind === "failed");
      if (outcome.kind === "failed" && outcome.retryAfterMs !== undefined)
        breaker.restFor(outcome.retryAfterMs);
      return outcome;
    } finally {
      release();
      metrics.breaker(tenant, breaker.state());
    }
  }

  return {
    async ask(url, form, spending) {
      if (spending.calls <= 0)
        return {kind: "failed", status: "timeout", retryAfterMs: AGAIN_MS, reason: "no call left"};
      spending.calls -= 1;
      const tenant = tenantOf(url);
      const breaker = breakers.get(tenant) ?? createBreaker(now);
      breakers.set(tenant, breaker);
      const rest = breaker.enter();
      if (rest > 0) return {kind: "failed", status: "paused", retryAfterMs: rest, reason: "breaker open"};
      const signal = AbortSignal.any([spending.signal, AbortSignal.timeout(callMs)]);
      return send({tenant, breaker}, () => upstream.ask(url, form, signal));
    },
  };
}

/**
 * Who stands behind an address: the host, and on the hosts that Esri shares among thousands of publishers the publisher's folder, so
 * that a broken county does not rest the others there.
 */
export function tenantOf(url: string): string {
  const {host, pathname} = new URL(url);
  return /^services\d*\.arcgis\.com$/i.test(host) ? `${host}/${pathname.split("/")[1] ?? ""}` : host;
}

function read(outcome: UpstreamOutcome): CallOutcome {
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
