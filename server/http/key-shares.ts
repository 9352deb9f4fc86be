/**
 * Requests in flight by key. A key may have as many as the process has room for more: one that asks without end fills half of it, two
 * fill two thirds, and there is always room for a key that has none.
 */
export class KeysInFlight {
  readonly #most: number;
  readonly #counts = new Map<string, number>();
  #all = 0;

  constructor(most: number) {
    this.#most = most;
  }

  all(): number {
    return this.#all;
  }

  of(keyId: string): number {
    return this.#counts.get(keyId) ?? 0;
  }

  hasRoom(keyId: string): boolean {
    return this.of(keyId) < this.#most - this.#all;
  }

  enter(keyId: string): void {
    this.#counts.set(keyId, this.of(keyId) + 1);
    this.#all += 1;
  }

  leave(keyId: string): void {
    const left = this.of(keyId) - 1;
    if (left === 0) this.#counts.delete(keyId);
    else this.#counts.set(keyId, left);
    this.#all -= 1;
  }
}

/**
 * Requests that each key may always make in a second: twice the pace of 120 a minute. A loop that is slow because of the machine, or of
 * another key that asks on and on, stays slow however little this one gets. What comes of very many keys is bounded in flight.
 */
const trickle = 4;

/**
 * The share of each key in a second. It has no bound until the process is slow. In a slow second the share is half of what the busiest key
 * asked for or was given, down to a trickle; in each other second it grows to four times as much. So the keys that ask most are refused
 * first, and a key that asks for a trickle never.
 */
export class KeysPerSecond {
  readonly #counts = new Map<string, number>();
  #second = 0;
  #share = Number.POSITIVE_INFINITY;

  /** Counts a request; false where its key had its share of this second. */
  admits(keyId: string, {second, isSlow}: {second: number; isSlow: boolean}): boolean {
    if (second !== this.#second) this.#begin(second, isSlow);
    const count = (this.#counts.get(keyId) ?? 0) + 1;
    this.#counts.set(keyId, count);
    return count <= this.#share;
  }

  #begin(second: number, isSlow: boolean): void {
    const busiest = Math.max(0, ...this.#counts.values());
    const grown = this.#share * 4 ** (second - this.#second);
    if (isSlow) this.#share = Math.max(trickle, Math.floor(Math.min(this.#share, busiest) / 2));
    else this.#share = grown < busiest ? grown : Number.POSITIVE_INFINITY;
    this.#counts.clear();
    this.#second = second;
  }
}
