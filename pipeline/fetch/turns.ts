import {setTimeout as sleep} from "node:timers/promises";
import type {PlannedSource} from "./plan.ts";

/** The longest wait for a host that asked to wait when no other source is being asked. */
const mostLastWaitMs = 10 * 60_000;
/** Times that a source is put back because its host asked to wait. */
const mostReturns = 3;

/** Sources of one folder, which are asked one after the other because each of them tidies it up first. */
export type Turn = {
  readonly sources: PlannedSource[];
  /** Moment from which the host of the first may be asked again, by `performance.now`. */
  readonly notBefore: number;
  /** Times that the first was put back. */
  readonly returns: number;
  /** True where its host asked to wait longer than anybody is left to be asked. */
  readonly isOver: boolean;
};

/** The line of the sources of a run: one whose host asks to wait goes back into it, and the others go on. */
export class Turns {
  readonly #waiting: Turn[];
  readonly #signal: AbortSignal;
  #asking = 0;

  constructor(plan: readonly PlannedSource[], signal: AbortSignal) {
    const folders = Map.groupBy(plan, ({source}) => `${source.side}/${source.unit}`);
    this.#waiting = [...folders.values()].map((sources) => ({
      sources,
      notBefore: 0,
      returns: 0,
      isOver: false,
    }));
    this.#signal = signal;
  }

  /** True while sources are not yet taken. */
  get othersWait(): boolean {
    return this.#waiting.length > 0;
  }

  /** Takes the turn that may begin first, when it may; undefined when none is left. To be followed by `end`. */
  async next(): Promise<Turn | undefined> {
    const earliest = Math.min(...this.#waiting.map(({notBefore}) => notBefore));
    const index = this.#waiting.findIndex(({notBefore}) => notBefore === earliest);
    const [turn] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (turn === undefined) return undefined;
    const isOver = !(await this.#mayBegin(turn.notBefore));
    this.#asking += 1;
    return {...turn, isOver};
  }

  /** Ends a turn that was taken. */
  end(): void {
    this.#asking -= 1;
  }

  /** Puts a turn back, its first source included. Gives false for one that was put back often enough. */
  putBack({sources, returns}: Turn, first: PlannedSource, waitMs: number): boolean {
    if (returns >= mostReturns) return false;
    const notBefore = performance.now() + waitMs;
    this.#waiting.push({sources: [first, ...sources], notBefore, returns: returns + 1, isOver: false});
    return true;
  }

  /** Waits until a moment; false where it is too far away once nothing else is being asked. When the run is over, sources say so. */
  async #mayBegin(notBefore: number): Promise<boolean> {
    for (;;) {
      const wait = notBefore - performance.now();
      if (wait <= 0 || this.#signal.aborted) return true;
      if (this.#asking === 0 && wait > mostLastWaitMs) return false;
      await sleep(Math.min(wait, 1000), undefined, {signal: this.#signal}).catch(() => undefined);
    }
  }
}
