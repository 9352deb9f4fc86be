import type {Generation} from "../generation/generation.ts";
import {send} from "./reply.ts";
import type {Outgoing, Step} from "./step.ts";

/** The state that the readiness answer tells. */
export type Readiness = {
  generation: Generation | null;
  draining: boolean;
  mapping: "mmap" | "copied";
  /** Names of the faults that leave reads working; empty when all is well. */
  reasons: readonly string[];
};

/** `/healthz`: 200 while the event loop runs. */
export const healthz: Step = (_request, response) => {
  response.locals.route = "/healthz";
  sendState(response, 200, {status: "ok"});
};

/** `/readyz`: 200 with the build and its reasons; 503 without a build or while the server drains. */
export function readyz(readiness: () => Readiness): Step {
  return (_request, response) => {
    response.locals.route = "/readyz";
    const {generation, draining, mapping, reasons} = readiness();
    const ready = generation !== null && !draining;
    const status = reasons.length === 0 ? "ready" : "degraded";
    sendState(response, ready ? 200 : 503, {
      status: ready ? status : "not_ready",
      build_id: generation?.buildId ?? null,
      as_of_date: generation?.asOf ?? null,
      mapping,
      reasons,
    });
  };
}

function sendState(response: Outgoing, status: 200 | 503, value: unknown): void {
  const headers = ["Content-Type", "application/json; charset=utf-8", "Cache-Control", "no-store"];
  if (status === 503) headers.push("Retry-After", "5");
  send(response, {status, headers, body: JSON.stringify(value)});
}
