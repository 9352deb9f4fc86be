const newestShare = 0.2;

/** A mean in which the newest values count most, so that it follows a change within some ten values. */
export class RunningMean {
  #mean: number | null = null;

  add(value: number): void {
    this.#mean = this.#mean === null ? value : this.#mean + newestShare * (value - this.#mean);
  }

  /** Gives the mean; null before the first value. */
  value(): number | null {
    return this.#mean;
  }
}

type SlotLimits = {
  perHost: number;
  inAll: number;
  waitMs: number;
  /** Wait of the only call of a key: it is not the one that made the line. */
  onlyWaitMs: number;
  maxWaiting: number;
};

/** Budgets of `docs/design/reliability.md` section 5: 4 calls per host, 32 in all, 64 waiting at most 500 ms, the only one of its key 2 s. */
const budget: SlotLimits = {perHost: 4, inAll: 32, waitMs: 500, onlyWaitMs: 2_000, maxWaiting: 64};
/** The line is looked over so often, because a call that is no longer fresh makes room without an event. */
const lookMs = 100;

/** A slot that a call holds. */
export type Slot = {
  /** Notes that the county has answered: the slot now waits for the reader. */
  answered(): void;
  release(): void;
};

type Held = {readonly at: number; readonly keyId: string; answered: boolean};
type Host = {readonly slots: Set<Held>; readonly callMs: RunningMean; turns: number};
type Waiter = {readonly host: string; readonly keyId: string; readonly wake: (granted: boolean) => void};

/** The speed of what comes after the calls. */
type Pace = {
  /** Calls whose answers may meet at the reader. */
  readonly mostFresh: number;
  /** A call that has not been answered for so long will hardly meet the answers of those that go out now. */
  readonly freshMs: number;
  /** Time after which the next answer can be taken. */
  readonly turnMs: number;
};

/**
 * Bounds the calls under way per host and in all. A free slot goes to the key that holds the fewest, among equals in order, and a busy
 * host does not block others. A caller joins the line only when its turn is expected within the wait, and stays as long as slots come
 * free: a key that asks for more than there is waits behind itself, not in front of others.
 */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #now: () => number;
  readonly #hosts = new Map<string, Host>();
  readonly #held = new Set<Held>();
  #pace: Pace;
  #waiters: Waiter[] = [];
  /** Slots that came free until now. */
  #turns = 0;

  constructor(limits: SlotLimits = budget, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
    this.#pace = {mostFresh: limits.inAll, freshMs: 0, turnMs: 0};
  }

  /** Takes the present speed of the reader. */
  keepPace(pace: Pace): void {
    this.#pace = pace;
  }

  /** False when a caller would get no slot and could not wait for one. */
  hasRoom(host: string, keyId: string): boolean {
    if (this.#isFree(host)) return true;
    const {maxWaiting} = this.#limits;
    const own = this.#waiters.filter((waiter) => waiter.keyId === keyId).length;
    // No key takes the last places of the line.
    if (own >= maxWaiting - this.#waiters.length) return false;
    const lineMs = turnOf(keyId, this.#waiters) * this.#pace.turnMs;
    return Math.max(lineMs, this.#callsMs(host, keyId)) <= this.#patienceMs(keyId);
  }

  /**
   * Takes a slot; null at once when no turn is expected in time or too many callers wait already, later when the host
   * proves slower than expected or the caller went.
   */
  async take(host: string, {keyId, gone}: {keyId: string; gone?: AbortSignal}): Promise<Slot | null> {
    // Slots come free without an event, too, and are for those who wait.
    this.#wakeNext();
    if (this.#isFree(host)) return this.#occupy(host, keyId);
    if (gone?.aborted === true || !this.hasRoom(host, keyId)) return null;
    const {promise, resolve} = Promise.withResolvers<Slot | null>();
    const patienceMs = this.#patienceMs(keyId);
    // The slot is occupied at the moment it is granted: a caller that comes in between cannot take it.
    const wake = (granted: boolean) => resolve(granted ? this.#occupy(host, keyId) : null);
    const waiter: Waiter = {host, keyId, wake};
    this.#waiters.push(waiter);
    const leave = () => this.#wake(waiter, false);
    let turns = this.#turnsFor(host);
    const timers = [
      setInterval(() => this.#wakeNext(), lookMs),
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
    return taken < perHost && this.#held.size < inAll && this.#fresh() < this.#pace.mostFresh;
  }

  /** Slots that came free until now where this host waits for one. */
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

  /** The time until the calls under way leave a slot to one more caller of this host and key. */
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

  /** The age of the newest call tells whether slots come free at all. */
  #sinceNewest(slots: Iterable<Held>): number {
    return this.#now() - Math.max(...[...slots].map(({at}) => at));
  }

  #occupy(name: string, keyId: string): Slot {
    const host = this.#hosts.get(name) ?? {slots: new Set(), callMs: new RunningMean(), turns: 0};
    this.#hosts.set(name, host);
    const held: Held = {at: this.#now(), keyId, answered: false};
    host.slots.add(held);
    this.#held.add(held);
    const answered = () => {
      if (!held.answered) host.callMs.add(this.#now() - held.at);
      held.answered = true;
    };
    return {
      answered,
      release: () => {
        if (!this.#held.delete(held)) return;
        host.slots.delete(held);
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

/** The turn of one more waiter of a key, counted from 1: of each other key as many are served before it as of its own, and one. */
function turnOf(keyId: string, waiters: readonly Waiter[]): number {
  const counts = new Map([[keyId, 0]]);
  for (const waiter of waiters) counts.set(waiter.keyId, (counts.get(waiter.keyId) ?? 0) + 1);
  const turn = counts.get(keyId)! + 1;
  return [...counts].reduce(
    (sum, [other, count]) => sum + (other === keyId ? 0 : Math.min(count, turn)),
    turn,
  );
}
