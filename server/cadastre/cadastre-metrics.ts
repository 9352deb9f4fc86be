import {Counter, Gauge, type Registry} from "prom-client";
import type {CadastreStatus} from "../../schemas/parcel-answer.ts";

/** The metrics of the cadastre client. Labels are county keys and hosts of the registry, never values of a question. */
export type CadastreMetrics = {
  /** Counts a question that went to a county, by its outcome. */
  asked(county: string, outcome: CadastreStatus): void;
  /** Sets the state of a host's breaker. */
  breaker(host: string, state: "closed" | "half_open" | "open"): void;
};

const breakerValues = {closed: 0, half_open: 1, open: 2} as const;

/** Adds the cadastre's metrics to a registry. */
export function createCadastreMetrics(registry: Registry): CadastreMetrics {
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
  return {
    asked: (county, outcome) => calls.inc({county, outcome}),
    breaker: (host, state) => breakers.set({host}, breakerValues[state]),
  };
}

/** No-op metrics. */
export const noCadastreMetrics: CadastreMetrics = {asked: () => undefined, breaker: () => undefined};
