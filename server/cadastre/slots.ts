const newestShare = 0.2;

/** Exponential moving average that follows a change within about ten values. */
export class RunningMean {
  #mean: number | null = null;

  add(value: number): void {
    this.#mean = this.#mean === null ? value : this.#mean + newestShare * (value - this.#mean);
  }

  /** Returns the mean; null before the first value. */
  value(): number | null {
    return this.#mean;
  }
}

type SlotLimits = {
  perHost: number;
  inAll: number;
  waitMs: number;
  /** Longer wait for a key with no other calls, since that key did not cause the queue. */
  onlyWaitMs: number;
  maxWaiting: number;
};

/** `docs/design/reliability.md` section 5: 4 calls per host, 32 in all, 64 waiting for at most 500 ms, a key's only call 2 s. */
const budget: SlotLimits = {perHost: 4, inAll: 32, waitMs: 500, onlyWaitMs: 2_000, maxWaiting: 64};
/** The queue is polled this often, because a call that stops being fresh makes room without an event. */
const pollMs = 100;

/** A slot held by a call. */
export type Slot = {
  /** Notes that the county has answered: the slot now waits for the reader. */
  answered(): void;
  release(): void;
};

type Held = {readonly at: number; readonly keyId: string; answered: boolean};
type Host = {readonly slots: Set<Held>; readonly callMs: RunningMean; turns: number};
type Waiter = {readonly host: string; readonly keyId: string; readonly wake: (granted: boolean) => void};

/** How fast the reader works off the answers. */
type Pace = {
  /** Maximum number of calls whose answers may arrive at the reader together. */
  readonly maxFresh: number;
  /** A call unanswered for this long is unlikely to coincide with the answers of calls that go out now. */
  readonly freshMs: number;
  /** Time the reader takes per answer. */
  readonly turnMs: number;
};

/**
 * Limits concurrent calls per host and in total. A free slot goes to the key that holds the fewest, ties in order of arrival, and a busy
 * host does not block others. A caller queues only if its turn is expected within the wait, and then stays as long as slots keep coming
 * free. A key that asks for too much waits behind itself, not in front of others.
 */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #now: () => number;
  readonly #hosts = new Map<string, Host>();
  readonly #held = new Set<Held>();
  #pace: Pace;
  #waiters: Waiter[] = [];
  /** Slots released so far. */
  #turns = 0;

  constructor(limits: SlotLimits = budget, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
    this.#pace = {maxFresh: limits.inAll, freshMs: 0, turnMs: 0};
  }

  /** Sets the reader's current pace. */
  keepPace(pace: Pace): void {
    this.#pace = pace;
  }

  /** False when a caller would get no slot and could not queue for one. */
  hasRoom(host: string, keyId: string): boolean {
    if (this.#isFree(host)) return true;
    const {maxWaiting} = this.#limits;
    const own = this.#waiters.filter((waiter) => waiter.keyId === keyId).length;
    // No key may fill the queue: the more it is full, the fewer places one key may hold.
    if (own >= maxWaiting - this.#waiters.length) return false;
    const lineMs = turnOf(keyId, this.#waiters) * this.#pace.turnMs;
    return Math.max(lineMs, this.#callsMs(host, keyId)) <= this.#patienceMs(keyId);
  }

  /**
   * Takes a slot. Resolves to null at once when no turn is expected in time or the queue is full, and later when the host turns out slower
   * than expected or the caller leaves.
   */
  async take(host: string, {keyId, gone}: {keyId: string; gone?: AbortSignal}): Promise<Slot | null> {
    // Slots may have come free without an event; they belong to those already waiting.
    this.#wakeNext();
    if (this.#isFree(host)) return this.#occupy(host, keyId);
    if (gone?.aborted === true || !this.hasRoom(host, keyId)) return null;
    const {promise, resolve} = Promise.withResolvers<Slot | null>();
    const patienceMs = this.#patienceMs(keyId);
    // Occupied in the moment of granting, so that a caller who arrives in between cannot take it.
    const wake = (granted: boolean) => resolve(granted ? this.#occupy(host, keyId) : null);
    const waiter: Waiter = {host, keyId, wake};
    this.#waiters.push(waiter);
    const leave = () => this.#wake(waiter, false);
    let turns = this.#turnsFor(host);
    const timers = [
      setInterval(() => this.#wakeNext(), pollMs),
      setInterval(() => {
        if (this.#turnsFor(host) === turns) leave();
        turns = this.#turnsFor(host);
      }, patienceMs),
    ];
    gone?.addEventListener("abort", leave, {once: true});
    const slot = await promise;
    for (const timer of timers) clearInterval(timer);
    gone?.removeEventListener("abort", leave);
    return slot;
  }

  #isFree(host: string): boolean {
    const {perHost, inAll} = this.#limits;
    const taken = this.#hosts.get(host)?.slots.size ?? 0;
    return taken < perHost && this.#held.size < inAll && this.#fresh() < this.#pace.maxFresh;
  }

  /** Slots released so far that could have served this host. */
  #turnsFor(name: string): number {
    const host = this.#hosts.get(name);
    return host !== undefined && host.slots.size >= this.#limits.perHost ? host.turns : this.#turns;
  }

  #fresh(): number {
    const oldest = this.#now() - this.#pace.freshMs;
    let fresh = 0;
    for (const {at, answered} of this.#held) if (answered || at > oldest) fresh += 1;
    return fresh;
  }

  #patienceMs(keyId: string): number {
    const {waitMs, onlyWaitMs} = this.#limits;
    const hasOthers = [...this.#held, ...this.#waiters].some((call) => call.keyId === keyId);
    return hasOthers ? waitMs : onlyWaitMs;
  }

  /** Estimated time until a slot comes free for one more caller of this host and key. */
  #callsMs(name: string, keyId: string): number {
    const {perHost, inAll} = this.#limits;
    if (this.#held.size >= inAll) return this.#sinceNewest(this.#held);
    const host = this.#hosts.get(name);
    if (host === undefined || host.slots.size < perHost) return 0;
    const ofHost = turnOf(
      keyId,
      this.#waiters.filter((waiter) => waiter.host === name),
    );
    const hostMs = ofHost * ((host.callMs.value() ?? 0) / perHost);
    return Math.max(hostMs, this.#sinceNewest(host.slots));
  }

  /** The age of the newest call shows whether slots come free at all. */
  #sinceNewest(slots: Iterable<Held>): number {
    return this.#now() - Math.max(...[...slots].map(({at}) => at));
  }

  #occupy(name: string, keyId: string): Slot {
    const host = this.#hosts.get(name) ?? {slots: new Set(), callMs: new RunningMean(), turns: 0};
    this.#hosts.set(name, host);
    const heldSlot: Held = {at: this.#now(), keyId, answered: false};
    host.slots.add(heldSlot);
    this.#held.add(heldSlot);
    const answered = () => {
      if (!heldSlot.answered) host.callMs.add(this.#now() - heldSlot.at);
      heldSlot.answered = true;
    };
    return {
      answered,
      release: () => {
        if (!this.#held.delete(heldSlot)) return;
        host.slots.delete(heldSlot);
        host.turns += 1;
        this.#turns += 1;
        answered();
        this.#wakeNext();
      },
    };
  }

  #wakeNext(): void {
    const slotsOf = (keyId: string) => [...this.#held].filter((held) => held.keyId === keyId).length;
    const [next] = this.#waiters
      .filter((waiter) => this.#isFree(waiter.host))
      .map((waiter) => ({waiter, slots: slotsOf(waiter.keyId)}))
      .sort((a, b) => a.slots - b.slots);
    if (next !== undefined) this.#wake(next.waiter, true);
  }

  #wake(waiter: Waiter, granted: boolean): void {
    this.#waiters = this.#waiters.filter((each) => each !== waiter);
    waiter.wake(granted);
  }
}

/** Position of one more waiter of this key under round-robin, from 1: every other key is served at most as often before it. */
function turnOf(keyId: string, waiters: readonly Waiter[]): number {
  const counts = new Map([[keyId, 0]]);
  for (const waiter of waiters) counts.set(waiter.keyId, (counts.get(waiter.keyId) ?? 0) + 1);
  const turn = counts.get(keyId)! + 1;
  return [...counts].reduce(
    (sum, [other, count]) => sum + (other === keyId ? 0 : Math.min(count, turn)),
    turn,
  );
}
