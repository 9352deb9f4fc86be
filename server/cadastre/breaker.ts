const WINDOW_MS = 30_000;
const REST_MS = 30_000;
const LEAST_FAILURES = 5;
const LEAST_SHARE = 0.25;

/**
 * The breaker of one host: it opens at 5 failures that are a quarter of the calls of 30 s, rests 30 s, then lets one probe
 * through (`docs/design/reliability.md` section 5). The library opossum counts shares of calls only and cannot do this.
 */
export class Breaker {
  readonly #now: () => number;
  /** Calls of the window, oldest first. */
  #calls: {at: number; failed: boolean}[] = [];
  #open = false;
  #openUntil = 0;
  #probing = false;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Gives the milliseconds until a call may go out. After the rest only one caller gets 0: it sends the probe. */
  enter(): number {
    if (!this.#open) return 0;
    if (this.#now() < this.#openUntil) return this.#openUntil - this.#now();
    if (this.#probing) return REST_MS;
    this.#probing = true;
    return 0;
  }

  /** Takes the end of a call that was let through. */
  leave(failed: boolean): void {
    if (this.#open) this.#endProbe(failed);
    else this.#count(failed);
  }

  /** Gives a probe back: the call that was let through was not sent. */
  forget(): void {
    this.#probing = false;
  }

  /** Rests for this long, as a server demands by `Retry-After`. */
  restFor(ms: number): void {
    this.#open = true;
    this.#probing = false;
    this.#openUntil = Math.max(this.#openUntil, this.#now() + ms);
  }

  state(): "closed" | "open" | "half_open" {
    if (!this.#open) return "closed";
    return this.#probing ? "half_open" : "open";
  }

  #endProbe(failed: boolean): void {
    // A call that went out before the breaker opened is no sign of the host's health now.
    if (!this.#probing) return;
    this.#open = false;
    this.#probing = false;
    this.#calls = [];
    if (failed) this.restFor(REST_MS);
  }

  #count(failed: boolean): void {
    const oldest = this.#now() - WINDOW_MS;
    this.#calls = [...this.#calls.filter(({at}) => at > oldest), {at: this.#now(), failed}];
    const failures = this.#calls.filter((call) => call.failed).length;
    if (failures >= LEAST_FAILURES && failures / this.#calls.length >= LEAST_SHARE) this.restFor(REST_MS);
  }
}
