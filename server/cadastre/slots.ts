export type Slots = {
  /** Takes a slot and gives its release, or null when none came free in time or too many wait already. */
  take(host: string): Promise<(() => void) | null>;
};

export type SlotLimits = {perHost: number; inAll: number; waitMs: number; maxWaiting: number};

/** Budgets of `docs/design/reliability.md` section 5: 4 calls per host, 32 in all, 64 waiting at most 500 ms. */
export const slotLimits: SlotLimits = {perHost: 4, inAll: 32, waitMs: 500, maxWaiting: 64};

type Waiter = {host: string; wake: (granted: boolean) => void};

/** Bounds the calls under way per host and in all; who waits is served in order, a busy host does not block others. */
export function createSlots(limits: SlotLimits = slotLimits): Slots {
  const taken = new Map<string, number>();
  let all = 0;
  let waiters: Waiter[] = [];

  function isFree(host: string): boolean {
    return all < limits.inAll && (taken.get(host) ?? 0) < limits.perHost;
  }

  function occupy(host: string): () => void {
    all += 1;
    taken.set(host, (taken.get(host) ?? 0) + 1);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      all -= 1;
      const left = taken.get(host)! - 1;
      if (left === 0) taken.delete(host);
      else taken.set(host, left);
      wakeNext();
    };
  }

  function wakeNext(): void {
    const next = waiters.find(({host}) => isFree(host));
    if (next === undefined) return;
    waiters = waiters.filter((waiter) => waiter !== next);
    next.wake(true);
  }

  return {
    async take(host) {
      if (isFree(host)) return occupy(host);
      if (waiters.length >= limits.maxWaiting) return null;
      const {promise, resolve} = Promise.withResolvers<(() => void) | null>();
      // The slot is occupied at the moment it is granted: a caller that comes in between cannot take it.
      const waiter: Waiter = {host, wake: (granted) => resolve(granted ? occupy(host) : null)};
      waiters.push(waiter);
      const timer = setTimeout(() => {
        waiters = waiters.filter((each) => each !== waiter);
        waiter.wake(false);
      }, limits.waitMs);
      const slot = await promise;
      clearTimeout(timer);
      return slot;
    },
  };
}
