import type {CallFailure, CountyCalls, QuestionBudget} from "./county-calls.ts";
import type {LayerFacts} from "./county-reader.ts";

const EMPTY_KEPT_MS = 10 * 60_000;
const MAX_EMPTY = 50_000;

/** Remembers the questions that a county answered cleanly with no rows; failures are never cached. */
type NegativeCache = {has(key: string): boolean; add(key: string): void};

/** The metadata of a layer, or why they could not be read. */
type FactsOutcome = {readonly kind: "layer"; readonly layer: LayerFacts} | CallFailure;

/** For many layers the last-edit date is the vintage, so metadata are read again after a day. */
const FACTS_KEPT_MS = 24 * 3_600_000;

/** Reads and caches the metadata of layers; failures are not cached. */
export class LayerFactsStore {
  readonly #calls: CountyCalls;
  readonly #clock: () => number;
  readonly #known = new Map<string, {layer: LayerFacts; until: number}>();
  readonly #flight = createSingleFlight<FactsOutcome>();

  constructor(calls: CountyCalls, clock: () => number) {
    this.#calls = calls;
    this.#clock = clock;
  }

  /** Returns the metadata of the layer at this URL. Rejects only for a fault of the reader. */
  async of(url: string, spending: QuestionBudget): Promise<FactsOutcome> {
    const kept = this.#known.get(url);
    if (kept !== undefined && this.#clock() < kept.until) return {kind: "layer", layer: kept.layer};
    return this.#flight(url, (gone) => this.#read(url, {...spending, gone}), spending.gone);
  }

  /** Drops the metadata of a layer that refused a query which they allow: the layer may have changed. */
  forget(url: string): void {
    this.#known.delete(url);
  }

  async #read(url: string, spending: QuestionBudget): Promise<FactsOutcome> {
    const call = {url, form: {f: "json"}, kind: "layer", task: (body: Buffer) => ({body})} as const;
    const outcome = await this.#calls.ask(call, spending);
    if (outcome.kind === "layer")
      this.#known.set(url, {layer: outcome.layer, until: this.#clock() + FACTS_KEPT_MS});
    return outcome;
  }
}

/** Runs one call for all concurrent callers with the same key; the call continues when one of them leaves. */
type SingleFlight<Value> = (
  key: string,
  /** `gone` is aborted once every caller has left: the call need not start anything more. */
  call: (gone: AbortSignal) => Promise<Value>,
  /** Aborted when this caller leaves. */
  caller?: AbortSignal,
) => Promise<Value>;

type Flight<Value> = {readonly result: Promise<Value>; readonly gone: AbortController; callers: number};

/** Creates a single flight: callers that arrive during a call share its result, which is then forgotten. */
export function createSingleFlight<Value>(): SingleFlight<Value> {
  const flights = new Map<string, Flight<Value>>();

  function start(key: string, call: (gone: AbortSignal) => Promise<Value>): Flight<Value> {
    const gone = new AbortController();
    const result = call(gone.signal).finally(() => {
      if (flights.get(key) === flight) flights.delete(key);
    });
    const flight: Flight<Value> = {result, gone, callers: 0};
    flights.set(key, flight);
    return flight;
  }

  return async (key, call, caller) => {
    const known = flights.get(key);
    const flight = known === undefined || known.gone.signal.aborted ? start(key, call) : known;
    flight.callers += 1;
    const leave = () => {
      flight.callers -= 1;
      if (flight.callers === 0) flight.gone.abort();
    };
    if (caller?.aborted === true) leave();
    else caller?.addEventListener("abort", leave, {once: true});
    try {
      return await flight.result;
    } finally {
      caller?.removeEventListener("abort", leave);
    }
  };
}

/** Creates a cache of 50,000 questions for 10 minutes (`docs/design/reliability.md` section 5); the oldest are evicted. */
export function createNegativeCache(now: () => number = () => performance.now()): NegativeCache {
  const expiries = new Map<string, number>();
  return {
    has(key) {
      const expiry = expiries.get(key);
      if (expiry === undefined) return false;
      if (now() < expiry) return true;
      expiries.delete(key);
      return false;
    },
    add(key) {
      expiries.delete(key);
      if (expiries.size >= MAX_EMPTY) expiries.delete(expiries.keys().next().value!);
      expiries.set(key, now() + EMPTY_KEPT_MS);
    },
  };
}
