import type {CallFailure, CountyCalls, Spending} from "./county-calls.ts";
import type {LayerFacts} from "./county-reader.ts";
import {createSingleFlight} from "./single-flight.ts";

/** The metadata of a layer, or the failure of the call for them. */
type FactsOutcome = {readonly kind: "layer"; readonly layer: LayerFacts} | CallFailure;

/** The date of the last edit is the vintage of many layers: metadata are read again after a day. */
const KEPT_MS = 24 * 3_600_000;

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
      this.#known.set(url, {layer: outcome.layer, until: this.#clock() + KEPT_MS});
    return outcome;
  }
}
