import {Counter, Gauge, type Registry} from "prom-client";
import {LayerMark} from "../../schemas/layer-health.ts";
import type {CadastreStatus} from "../../schemas/parcel-answer.ts";
import {LayerMemory} from "./layer-memory.ts";

/** The metrics of the cadastre client. Labels are county keys, layers and hosts of the registry, never values of a question. */
export type CadastreMetrics = {
  /** Counts a question that went to a county, by its outcome. */
  asked(county: string, outcome: CadastreStatus): void;
  /** Counts an answer of a layer, or its failure to give one. */
  layer(id: string, mark: LayerMark): void;
  /** Sets the state of a host's breaker. */
  breaker(host: string, state: "closed" | "half_open" | "open"): void;
};

const breakerValues = {closed: 0, half_open: 1, open: 2} as const;

/** Adds the cadastre's metrics to a registry, with the health of the layers that `memory` knows. */
export function createCadastreMetrics(registry: Registry, memory = new LayerMemory()): CadastreMetrics {
  const registers = [registry];
  const calls = new Counter({
    name: "cadastre_calls_total",
    help: "Questions put to a county's own service",
    labelNames: ["county", "outcome"],
    registers,
  });
  const breakers = new Gauge({
    name: "cadastre_breaker_state",
    help: "Breaker of a county's host: 0 closed, 1 half open, 2 open",
    labelNames: ["host"],
    registers,
  });
  const layers = new Counter({
    name: "cadastre_layer_calls_total",
    help: "Questions put to one layer, by how it answered",
    labelNames: ["layer", "mark"],
    registers,
  });
  new Gauge({
    name: "cadastre_layers",
    help: "Layers that were asked or probed, by how they answered last",
    labelNames: ["mark"],
    registers,
    collect() {
      for (const mark of LayerMark.options) this.set({mark}, memory.count(mark));
    },
  });
  new Gauge({
    name: "cadastre_layer_bad",
    help: "1 for each layer with three failures running and no good answer for 24 hours",
    labelNames: ["layer"],
    registers,
    collect() {
      this.reset();
      for (const layer of memory.bad()) this.set({layer}, 1);
    },
  });
  return {
    layer: (layer, mark) => layers.inc({layer, mark}),
    asked: (county, outcome) => calls.inc({county, outcome}),
    breaker: (host, state) => breakers.set({host}, breakerValues[state]),
  };
}

/** No-op metrics. */
export const noCadastreMetrics: CadastreMetrics = {
  asked: () => undefined,
  layer: () => undefined,
  breaker: () => undefined,
};
