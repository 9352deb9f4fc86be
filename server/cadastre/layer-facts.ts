import type {ArcgisLayer} from "../../lib/arcgis/answer.ts";
import type {CallFailure, CountyCalls, Spending} from "./county-calls.ts";
import {createSingleFlight} from "./single-flight.ts";

/** A layer's own metadata, or how asking for them failed. */
export type LayerFacts = {readonly kind: "layer"; readonly layer: ArcgisLayer} | CallFailure;

/** What layers say of themselves, read once and kept. */
export type LayerFactsStore = {
  of(url: string, spending: Spending): Promise<LayerFacts>;
  /** The layer refused a query that its metadata allow: it may have been changed. */
  forget(url: string): void;
};

/** The date of the last edit is the vintage of many layers: after a day it is asked for again. */
const KEPT_MS = 24 * 3_600_000;

/** A store without any layer; a failure is not kept. */
export function createLayerFacts(
  calls: CountyCalls,
  now: () => number = () => performance.now(),
): LayerFactsStore {
  const known = new Map<string, {layer: ArcgisLayer; until: number}>();
  const flight = createSingleFlight<LayerFacts>();

  async function read(url: string, spending: Spending): Promise<LayerFacts> {
    const outcome = await calls.ask(url, {f: "json"}, spending);
    if (outcome.kind === "failed") return outcome;
    const {answer: layer} = outcome;
    if (layer.kind !== "layer")
      return {kind: "failed", status: "rejected", reason: `${layer.kind} in place of metadata`};
    known.set(url, {layer, until: now() + KEPT_MS});
    return {kind: "layer", layer};
  }

  return {
    async of(url, spending) {
      const kept = known.get(url);
      if (kept !== undefined && now() < kept.until) return {kind: "layer", layer: kept.layer};
      return flight(url, () => read(url, spending));
    },
    forget: (url) => void known.delete(url),
  };
}
