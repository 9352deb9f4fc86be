type SlotLimits = {perHost: number; inAll: number; waitMs: number; maxWaiting: number};

/** Budgets of `docs/design/reliability.md` section 5: 4 calls per host, 32 in all, 64 waiting at most 500 ms. */
const budget: SlotLimits = {perHost: 4, inAll: 32, waitMs: 500, maxWaiting: 64};

type Waiter = {host: string; wake: (granted: boolean) => void};

/** Bounds the calls under way per host and in all. Waiters are served in order, but a busy host does not block others. */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #taken = new Map<string, number>();
  #takenInAll = 0;
  #waiters: Waiter[] = [];

  constructor(limits: SlotLimits = budget) {
    this.#limits = limits;
  }

  /** Takes a slot and gives its release; null when no slot came free in time or too many callers wait already. */
  async take(host: string): Promise<(() => void) | null> {
    if (this.#isFree(host)) return this.#occupy(host);
    if (this.#waiters.length >= this.#limits.maxWaiting) return null;
    const {promise, resolve} = Promise.withResolvers<(() => void) | null>();
    // The slot is occupied at the moment it is granted: a caller that comes in between cannot take it.
    const waiter: Waiter = {host, wake: (granted) => resolve(granted ? this.#occupy(host) : null)};
    this.#waiters.push(waiter);
    const timer = setTimeout(() => this.#wake(waiter, false), this.#limits.waitMs);
    const slot = await promise;
    clearTimeout(timer);
    return slot;
  }

  #isFree(host: string): boolean {
    return this.#takenInAll < this.#limits.inAll && (this.#taken.get(host) ?? 0) < this.#limits.perHost;
  }

  #occupy(host: string): () => void {
    this.#takenInAll += 1;
    this.#taken.set(host, (this.#taken.get(host) ?? 0) + 1);
    let released = false;
    return () => {
      if (!released) this.#free(host);
      released = true;
    };
  }

  #free(host: string): void {
    this.#takenInAll -= 1;
    const left = this.#taken.get(host)! - 1;
    if (left === 0) this.#taken.delete(host);
    else this.#taken.set(host, left);
    const next = this.#waiters.find((waiter) => this.#isFree(waiter.host));
    if (next !== undefined) this.#wake(next, true);
  }

  #wake(waiter: Waiter, granted: boolean): void {
    this.#waiters = this.#waiters.filter((each) => each !== waiter);
    waiter.wake(granted);
  }
}
