import {setTimeout as sleep} from "node:timers/promises";
import type {PlannedSource} from "./fetch-plan.ts";
import type {FetchSource} from "./jobs/source-address.ts";

/** Maximum wait for a host's `Retry-After` when no other source is being fetched. */
const maxLastWaitMs = 10 * 60_000;
/** How often a source is requeued because its host asked to wait. */
const maxReturns = 3;

/** Sources of one folder; fetched one at a time, because each starts by tidying up the folder. */
type Waiting = {
  readonly sources: PlannedSource[];
  /** When the first source's host may be contacted again, by `performance.now`. */
  readonly notBefore: number;
  /** How often the first source has been requeued. */
  readonly returns: number;
};

/** Sources whose turn it is. `isOver`: the run has ended, or the host's wait is longer than anything else left to do. */
export type QueueEntry = Waiting & {readonly isOver: boolean};

/** The queue of a run's sources. A source whose host asks to wait is requeued while the others continue. */
export class FetchQueue {
  readonly #waiting: Waiting[];
  readonly #signal: AbortSignal;
  #asking = 0;

  constructor(plan: readonly PlannedSource[], signal: AbortSignal) {
    const folderOf = ({kind, folder}: FetchSource) => `${kind}/${folder}`;
    // A source beside another is decided when that one has ended.
    const folders = Map.groupBy(plan, ({source}) => {
      const other = plan.find((each) => each.source.id === source.unlessGood);
      return folderOf(other?.source ?? source);
    });
    this.#waiting = [...folders.values()].map((group) => {
      const sources = group.toSorted(
        (a, b) => Number(a.source.unlessGood !== null) - Number(b.source.unlessGood !== null),
      );
      return {sources, notBefore: 0, returns: 0};
    });
    this.#signal = signal;
  }

  /** True while sources are queued. */
  get othersWait(): boolean {
    return this.#waiting.length > 0;
  }

  /** Takes the queue entry that may start first, waiting until it may; undefined when none is left. Must be followed by `end`. */
  async next(): Promise<QueueEntry | undefined> {
    this.#waiting.sort((a, b) => a.notBefore - b.notBefore);
    const entry = this.#waiting.shift();
    if (entry === undefined) return undefined;
    const isOver = !(await this.#mayBegin(entry.notBefore));
    this.#asking += 1;
    return {...entry, isOver};
  }

  /** Ends a turn that was taken. */
  end(): void {
    this.#asking -= 1;
  }

  /** Requeues a turn, including its current source. Returns false if it has been requeued often enough. */
  requeue({sources, returns}: Waiting, first: PlannedSource, waitMs: number): boolean {
    if (returns >= maxReturns) return false;
    const notBefore = performance.now() + waitMs;
    this.#waiting.push({sources: [first, ...sources], notBefore, returns: returns + 1});
    return true;
  }

  /** Waits until a moment. False if the run ends first, or if the moment is too far away and nothing else is being fetched. */
  async #mayBegin(notBefore: number): Promise<boolean> {
    for (;;) {
      if (this.#signal.aborted) return false;
      const wait = notBefore - performance.now();
      if (wait <= 0) return true;
      if (this.#asking === 0 && wait > maxLastWaitMs) return false;
      await sleep(Math.min(wait, 1000), undefined, {signal: this.#signal}).catch(() => undefined);
    }
  }
}
