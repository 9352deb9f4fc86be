import type {ArcgisLayer} from "../../lib/arcgis/answer.ts";
import type {CallFailure, CountyCalls, Spending} from "./county-calls.ts";
import {createSingleFlight} from "./single-flight.ts";

/** The metadata of a layer, or the failure of the call for them. */
type LayerFacts = {readonly kind: "layer"; readonly layer: ArcgisLayer} | CallFailure;

/** The date of the last edit is the vintage of many layers: metadata are read again after a day. */
const KEPT_MS = 24 * 3_600_000;

/** Reads the metadata of layers and keeps them; a failure is not kept. */
export class LayerFactsStore {
  readonly #calls: CountyCalls;
  readonly #clock: () => number;
  readonly #known = new Map<string, {layer: ArcgisLayer; until: number}>();
  readonly #flight = createSingleFlight<LayerFacts>();

  constructor(calls: CountyCalls, clock: () => number) {
    this.#calls = calls;
    this.#clock = clock;
  }

  /** Gives the metadata of the layer at this address; never throws. */
  async of(url: string, spending: Spending): Promise<LayerFacts> {
    const kept = this.#known.get(url);
    if (kept !== undefined && this.#clock() < kept.until) return {kind: "layer", layer: kept.layer};
    return this.#flight(url, () => this.#read(url, spending));
  }

  /** Drops the metadata of a layer that refused a query which they allow: it may have been changed. */
  forget(url: string): void {
    this.#known.delete(url);
  }

  async #read(url: string, spending: Spending): Promise<LayerFacts> {
    const outcome = await this.#calls.ask(url, {f: "json"}, spending);
    if (outcome.kind === "failed") return outcome;
    const {answer: layer} = outcome;
    if (layer.kind !== "layer")
      return {kind: "failed", status: "rejected", reason: `${layer.kind} in place of metadata`};
    this.#known.set(url, {layer, until: this.#clock() + KEPT_MS});
    return {kind: "layer", layer};
  }
}
