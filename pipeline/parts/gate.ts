import type {Acceptance, GateResult} from "../../schemas/manifest.ts";
import {acceptAdvice} from "../results/report-counts.ts";

/** Gates that no acceptance overrides (starred in `docs/design/reliability.md` section 2.3). */
const absoluteGates: readonly string[] = ["duplicates", "delta-merged", "read-back", "sources-registered"];

type Thresholds = {readonly warnAt: number | null; readonly failAt: number | null};

/** Judges a figure that is bad when high: it warns or fails above a threshold, not at it. */
export function judge(
  part: string,
  gate: string,
  figure: number,
  {warnAt, failAt, detail = null}: Thresholds & {detail?: string | null},
): GateResult {
  const status =
    failAt !== null && figure > failAt ? "fail" : warnAt !== null && figure > warnAt ? "warn" : "pass";
  const rounded = Math.round(figure * 1e6) / 1e6;
  return {
    part,
    gate,
    status,
    figure: rounded,
    warn_at: warnAt,
    fail_at: failAt,
    detail: status === "pass" ? null : detail,
  };
}

/** Judges a fault count: a single fault fails the gate. */
export function judgeFaults(part: string, gate: string, count: number, detail?: string): GateResult {
  return judge(part, gate, count, {warnAt: null, failAt: 0, detail: detail ?? null});
}

/** The result of a gate that has nothing, or too little, to compare with. */
export function skipped(part: string, gate: string, detail: string): GateResult {
  return {part, gate, status: "skipped", figure: null, warn_at: null, fail_at: null, detail};
}

/** Turns failures that a person accepted into `accepted`; the absolute gates stay failed. */
export function applyAcceptances(results: GateResult[], acceptances: readonly Acceptance[]): GateResult[] {
  return results.map((result) => {
    const accepted = acceptances.some(({part, gate}) => part === result.part && gate === result.gate);
    return accepted && result.status === "fail" && !absoluteGates.includes(result.gate)
      ? {...result, status: "accepted"}
      : result;
  });
}

/** Formats a result in one line, a failure with the remedy: `TX rows: 0.031 (fails above 0.02)`. */
export function gateText({part, gate, status, figure, fail_at, detail}: GateResult): string {
  const limit = fail_at === null ? "" : ` (fails above ${fail_at})`;
  const shown = `${part} ${gate}: ${figure ?? "-"}${limit}${detail === null ? "" : `: ${detail}`}`;
  if (status !== "fail") return shown;
  return absoluteGates.includes(gate)
    ? `${shown}. No acceptance overrides this gate.`
    : `${shown}. ${acceptAdvice(part, gate)}`;
}

/** The part of gates that are about no market and no state. */
const BUILD = "BUILD";
const deltaDamage = "delta-damage";

/** True if a person accepted the damage of segments that no record assigns to a state. */
export function acceptsDamage(acceptances: readonly Acceptance[]): boolean {
  return acceptances.some(({part, gate}) => part === BUILD && gate === deltaDamage);
}

/** Judges the damage of segments that no record assigns to a state; empty if there is none. */
export function damageGates(
  damage: readonly {segment: string; lines: number}[],
  acceptances: readonly Acceptance[],
): GateResult[] {
  if (damage.length === 0) return [];
  const lines = damage.reduce((sum, each) => sum + each.lines, 0);
  const shown = damage.map(({segment, lines}) => `${segment}: ${lines} damaged lines, of no known state`);
  return applyAcceptances([judgeFaults(BUILD, deltaDamage, lines, shown.join(", "))], acceptances);
}

/** The failed gates of the whole build, as a part that was held back: what they are about was not taken into the build. */
export function heldBackByBuild(gates: readonly GateResult[]): {part: string; because: string}[] {
  return gates
    .filter(({part, status}) => part === BUILD && status === "fail")
    .map((gate) => ({part: BUILD, because: gateText(gate)}));
}

/** Relative loss from `before` to `now`: negative for growth, and 0 if there was nothing before. */
export function loss(before: number, now: number): number {
  return before === 0 ? 0 : (before - now) / before;
}
