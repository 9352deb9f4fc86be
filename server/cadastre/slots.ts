import {RunningMean} from "./running-mean.ts";

type SlotLimits = {perHost: number; inAll: number; waitMs: number; maxWaiting: number};

/** Budgets of `docs/design/reliability.md` section 5: 4 calls per host, 32 in all, 64 waiting at most 500 ms. */
const budget: SlotLimits = {perHost: 4, inAll: 32, waitMs: 500, maxWaiting: 64};
/** A call that has not answered for so long will hardly meet the answers of calls that go out now. */
const freshMs = 1_000;
/** The line is looked over so often, because a call that is no longer fresh makes room without an event. */
const lookMs = 100;

/** A slot that a call holds. */
export type Slot = {
  /** Notes that the county has answered: the slot now waits for the reader. */
  answered(): void;
  release(): void;
};

type Held = {readonly at: number; answered: boolean};
type Host = {readonly slots: Set<Held>; readonly heldMs: RunningMean};
type Waiter = {readonly host: string; readonly wake: (granted: boolean) => void};

/**
 * Bounds the calls under way per host and in all. Waiters are served in order, but a busy host does not block others. A
 * caller joins the line only when its turn is expected within the wait, as measured by how long slots were held.
 */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #now: () => number;
  readonly #hosts = new Map<string, Host>();
  /** Of the calls that were answered. */
  readonly #heldMs = new RunningMean();
  readonly #held = new Set<Held>();
  #mostFresh: number;
  #waiters: Waiter[] = [];

  constructor(limits: SlotLimits = budget, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
    this.#mostFresh = limits.inAll;
  }

  /** Allows so many calls whose answers may meet at the reader. */
  allowFresh(most: number): void {
    this.#mostFresh = Math.max(1, Math.min(this.#limits.inAll, most));
  }

  /**
   * Takes a slot; null at once when no turn is expected in time or too many callers wait already, later when no slot came
   * free or the caller went.
   */
  async take(host: string, gone?: AbortSignal): Promise<Slot | null> {
    if (this.#isFree(host)) return this.#occupy(host);
    if (this.#waiters.length >= this.#limits.maxWaiting || gone?.aborted === true) return null;
    if (this.#expectedMs(host) > this.#limits.waitMs) return null;
    const {promise, resolve} = Promise.withResolvers<Slot | null>();
    // The slot is occupied at the moment it is granted: a caller that comes in between cannot take it.
    const waiter: Waiter = {host, wake: (granted) => resolve(granted ? this.#occupy(host) : null)};
    this.#waiters.push(waiter);
    const leave = () => this.#wake(waiter, false);
    const timer = setTimeout(leave, this.#limits.waitMs);
    const look = setInterval(() => this.#wakeNext(), lookMs);
    gone?.addEventListener("abort", leave, {once: true});
    const slot = await promise;
    clearTimeout(timer);
    clearInterval(look);
    gone?.removeEventListener("abort", leave);
    return slot;
  }

  #isFree(host: string): boolean {
    const {perHost, inAll} = this.#limits;
    const taken = this.#hosts.get(host)?.slots.size ?? 0;
    return taken < perHost && this.#held.size < inAll && this.#fresh() < this.#mostFresh;
  }

  #fresh(): number {
    const oldest = this.#now() - freshMs;
    let fresh = 0;
    for (const {at, answered} of this.#held) if (answered || at > oldest) fresh += 1;
    return fresh;
  }

  /** The time until one more caller of this host gets its turn; 0 while nothing was measured. */
  #expectedMs(name: string): number {
    const ofAll = (this.#waiters.length + 1) * ((this.#heldMs.value() ?? 0) / this.#mostFresh);
    const host = this.#hosts.get(name);
    const {perHost} = this.#limits;
    if (host === undefined || host.slots.size < perHost) return ofAll;
    // The newest of the host's calls tells whether its slots come free at all.
    const newest = Math.max(...[...host.slots].map(({at}) => at));
    const heldMs = Math.max(host.heldMs.value() ?? 0, this.#now() - newest);
    const ofHost = this.#waiters.filter((waiter) => waiter.host === name).length;
    return Math.max(ofAll, (ofHost + 1) * (heldMs / perHost));
  }

  #occupy(name: string): Slot {
    const host = this.#hosts.get(name) ?? {slots: new Set(), heldMs: new RunningMean()};
    this.#hosts.set(name, host);
    const held: Held = {at: this.#now(), answered: false};
    host.slots.add(held);
    this.#held.add(held);
    return {
      answered() {
        held.answered = true;
      },
      release: () => {
        if (!this.#held.delete(held)) return;
        host.slots.delete(held);
        const ms = this.#now() - held.at;
        host.heldMs.add(ms);
        if (held.answered) this.#heldMs.add(ms);
        this.#wakeNext();
      },
    };
  }

  #wakeNext(): void {
    const next = this.#waiters.find((waiter) => this.#isFree(waiter.host));
    if (next !== undefined) this.#wake(next, true);
  }

  #wake(waiter: Waiter, granted: boolean): void {
    this.#waiters = this.#waiters.filter((each) => each !== waiter);
    waiter.wake(granted);
  }
}
