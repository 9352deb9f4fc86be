const WINDOW_MS = 30_000;
const REST_MS = 30_000;
const LEAST_FAILURES = 5;
const LEAST_SHARE = 0.25;

export type Breaker = {
  /** Milliseconds until a call may go out; 0: now. Of several callers after the rest, one gets 0: the probe. */
  enter(): number;
  /** Reports how a call that was let through ended. */
  leave(failed: boolean): void;
  /** A call that was let through was not sent: a probe is given back. */
  forget(): void;
  /** Rests for this long, as a server asked by `Retry-After`. */
  restFor(ms: number): void;
  state(): "closed" | "open" | "half_open";
};

/**
 * Breaker of one host: opens at 5 failures that are a quarter of the calls of 30 s, rests 30 s, then lets one probe through
 * (`docs/design/reliability.md` section 5; opossum counts by percentage and volume of calls, not of failures, and cannot say this).
 */
export function createBreaker(now: () => number = () => performance.now()): Breaker {
  let calls: {at: number; failed: boolean}[] = [];
  let openUntil = 0;
  let probing = false;
  let open = false;

  function rest(ms: number): void {
    open = true;
    probing = false;
    openUntil = Math.max(openUntil, now() + ms);
  }

  function isTooBad(): boolean {
    const failures = calls.filter(({failed}) => failed).length;
    return failures >= LEAST_FAILURES && failures / calls.length >= LEAST_SHARE;
  }

  return {
    enter() {
      if (!open) return 0;
      if (now() < openUntil) return openUntil - now();
      if (probing) return REST_MS;
      probing = true;
      return 0;
    },
    leave(failed) {
      if (open) {
        // A call that went out before the breaker opened says nothing on the host's health now.
        if (!probing) return;
        if (failed) rest(REST_MS);
        else {
          open = false;
          probing = false;
          calls = [];
        }
        return;
      }
      const oldest = now() - WINDOW_MS;
      calls = [...calls.filter(({at}) => at > oldest), {at: now(), failed}];
      if (isTooBad()) rest(REST_MS);
    },
    forget() {
      probing = false;
    },
    restFor: rest,
    state: () => (!open ? "closed" : probing ? "half_open" : "open"),
  };
}
