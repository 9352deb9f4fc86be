import {RateLimiterMemory, RateLimiterRes} from "rate-limiter-flexible";
import type {Settings} from "../../schemas/settings.ts";
import type {Metrics} from "./metrics.ts";
import {Problem} from "./problem.ts";
import type {Step} from "./step.ts";

const MINUTE = 60;
const DAY = 86_400;

/**
 * Counts a request against its key: per minute, an owner search also per day. One too many is 429. Every answer
 * from this step on has the draft RateLimit fields. Buckets belong to this process, so the configured figures are divided by
 * the number of processes.
 */
export function rateLimits(settings: Settings, metrics: Metrics): Step {
  const {CATTLE_RATE_PER_MINUTE, CATTLE_OWNER_SEARCH_PER_DAY, CATTLE_PROCESSES: processes} = settings;
  const everything = bucket("default", CATTLE_RATE_PER_MINUTE, MINUTE, processes);
  const ownerSearch = bucket("owner-search", CATTLE_OWNER_SEARCH_PER_DAY, DAY, processes);
  return async (_request, response, next) => {
    const {key, endpoint, headers} = response.locals;
    const keyId = key?.id ?? "";
    const states = [await everything.take(keyId)];
    if (endpoint?.scope === "owner-search") states.push(await ownerSearch.take(keyId));
    headers.push("RateLimit-Policy", listed(states, "policy"), "RateLimit", listed(states, "state"));
    const refusal = spentBucket(states);
    if (refusal === null) return next();
    metrics.limited(keyId);
    throw refusal;
  };
}

/** A bucket after a request: its two header texts, and the seconds until it is full again. */
type BucketState = {name: string; policy: string; state: string; refused: boolean; seconds: number};

function listed(states: readonly BucketState[], text: "policy" | "state"): string {
  return states.map((one) => one[text]).join(", ");
}

function spentBucket(states: readonly BucketState[]): Problem | null {
  const spent = states.find(({refused}) => refused);
  if (spent === undefined) return null;
  return new Problem("rate-limited", `The limit "${spent.name}" of this key is used up.`, {
    retryAfterSeconds: spent.seconds,
  });
}

function bucket(name: string, configured: number, window: number, processes: number) {
  const points = Math.max(1, Math.floor(configured / processes));
  const limiter = new RateLimiterMemory({keyPrefix: name, points, duration: window});
  const policy = `"${name}";q=${points};w=${window}`;
  const stateOf = (refused: boolean, {msBeforeNext, remainingPoints}: RateLimiterRes): BucketState => {
    const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
    const state = `"${name}";r=${Math.max(0, remainingPoints)};t=${seconds}`;
    return {name, policy, state, refused, seconds};
  };
  return {
    /** The library rejects with the bucket's state when it is empty. */
    take: (keyId: string): Promise<BucketState> =>
      limiter.consume(keyId).then(
        (result) => stateOf(false, result),
        (error: unknown) => {
          if (error instanceof RateLimiterRes) return stateOf(true, error);
          throw error;
        },
      ),
  };
}
