import type {CallFailure, CountyCalls, Spending} from "./county-calls.ts";
import type {LayerFacts} from "./county-reader.ts";

const EMPTY_KEPT_MS = 10 * 60_000;
const MAX_EMPTY = 50_000;

/** Remembers the questions to which a county gave a clean empty answer; failures never enter. */
type NegativeCache = {has(key: string): boolean; add(key: string): void};

/** The metadata of a layer, or the failure of the call for them. */
type FactsOutcome = {readonly kind: "layer"; readonly layer: LayerFacts} | CallFailure;

/** The date of the last edit is the vintage of many layers: metadata are read again after a day. */
const FACTS_KEPT_MS = 24 * 3_600_000;

/** Reads the metadata of layers and keeps them; a failure is not kept. */
export class LayerFactsStore {
  readonly #calls: CountyCalls;
  readonly #clock: () => number;
  readonly #known = new Map<string, {layer: LayerFacts; until: number}>();
  readonly #flight = createSingleFlight<FactsOutcome>();

  constructor(calls: CountyCalls, clock: () => number) {
    this.#calls = calls;
    this.#clock = clock;
  }

  /** Gives the metadata of the layer at this address. Rejects only for a fault of the reader. */
  async of(url: string, spending: Spending): Promise<FactsOutcome> {
    const kept = this.#known.get(url);
    if (kept !== undefined && this.#clock() < kept.until) return {kind: "layer", layer: kept.layer};
    return this.#flight(url, (gone) => this.#read(url, {...spending, gone}), spending.gone);
  }

  /** Drops the metadata of a layer that refused a query which they allow: it may have been changed. */
  forget(url: string): void {
    this.#known.delete(url);
  }

  async #read(url: string, spending: Spending): Promise<FactsOutcome> {
    const call = {url, form: {f: "json"}, kind: "layer", task: (body: Buffer) => ({body})} as const;
    const outcome = await this.#calls.ask(call, spending);
    if (outcome.kind === "layer")
      this.#known.set(url, {layer: outcome.layer, until: this.#clock() + FACTS_KEPT_MS});
    return outcome;
  }
}

/** Runs one call for all callers that give the same key at the same time; the call goes on when one of them is gone. */
type SingleFlight<Value> = (
  key: string,
  /** `gone` is aborted when every caller has gone: the call need not begin anything more. */
  call: (gone: AbortSignal) => Promise<Value>,
  /** Aborted when this caller goes. */
  caller?: AbortSignal,
) => Promise<Value>;

type Flight<Value> = {readonly result: Promise<Value>; readonly gone: AbortController; callers: number};

/** Makes a single flight that shares a result with the callers that came during the call, and then forgets it. */
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

/** Makes a cache of 50,000 questions for 10 minutes (`docs/design/reliability.md` section 5); the oldest make room. */
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
