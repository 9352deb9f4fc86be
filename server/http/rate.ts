import {RateLimiterMemory, RateLimiterRes} from "rate-limiter-flexible";
import type {Settings} from "../../schemas/settings.ts";
import type {Exchange} from "./exchange.ts";
import type {Metrics} from "./metrics.ts";
import {Problem} from "./problem.ts";

const MINUTE = 60;
const DAY = 86_400;

/**
 * Counts a request against its key: per minute, and owner searches per day too. The draft RateLimit fields stand on
 * every answer after this step. Buckets belong to this process: the configured figures are divided by the processes.
 */
export function rateLimits(settings: Settings, metrics: Metrics): (exchange: Exchange) => Promise<void> {
  const everything = bucket("default", settings.CATTLE_RATE_PER_MINUTE, MINUTE, settings.CATTLE_PROCESSES);
  const ownerSearch = bucket(
    "owner-search",
    settings.CATTLE_OWNER_SEARCH_PER_DAY,
    DAY,
    settings.CATTLE_PROCESSES,
  );
  return async (exchange) => {
    const keyId = exchange.key?.id ?? "";
    const states = [await everything.take(keyId)];
    if (exchange.endpoint?.scope === "owner-search") states.push(await ownerSearch.take(keyId));
    exchange.headers.push("RateLimit-Policy", listed(states, "policy"), "RateLimit", listed(states, "state"));
    const spent = states.find(({refused}) => refused);
    if (spent === undefined) return;
    metrics.limited(keyId);
    throw new Problem("rate-limited", `The limit "${spent.name}" of this key is used up.`, {
      retryAfterSeconds: spent.seconds,
    });
  };
}

/** A bucket after a request: its two header texts, and the seconds until it is full again. */
type BucketState = {name: string; policy: string; state: string; refused: boolean; seconds: number};

function listed(states: readonly BucketState[], text: "policy" | "state"): string {
  return states.map((one) => one[text]).join(", ");
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
