import type {NextFunction, RequestHandler, Response} from "express";
import {RateLimiterMemory, RateLimiterRes} from "rate-limiter-flexible";
import type {Settings} from "../schemas/settings.ts";
import {exchangeOf} from "./exchange.ts";
import type {Metrics} from "./metrics.ts";
import {Problem} from "./problem.ts";

const MINUTE = 60;
const DAY = 86_400;

/**
 * Counts a request against its key: per minute, and owner searches per day too. The draft RateLimit fields stand on
 * every answer after this step. Buckets belong to this process: the configured figures are divided by the processes.
 */
export function rateLimits(settings: Settings, metrics: Metrics): RequestHandler {
  const everything = bucket("default", settings.CATTLE_RATE_PER_MINUTE, MINUTE, settings.CATTLE_PROCESSES);
  const ownerSearch = bucket(
    "owner-search",
    settings.CATTLE_OWNER_SEARCH_PER_DAY,
    DAY,
    settings.CATTLE_PROCESSES,
  );
  return async (_request, response, next) => {
    const {key, endpoint} = exchangeOf(response);
    const keyId = key?.id ?? "";
    const state = await everything.take(keyId);
    if (endpoint?.scope !== "owner-search") return pass(response, next, {keyId, states: [state]});
    return pass(response, next, {keyId, states: [state, await ownerSearch.take(keyId)]});
  };

  function pass(
    response: Response,
    next: NextFunction,
    {keyId, states}: {keyId: string; states: readonly BucketState[]},
  ): void {
    response.setHeader("RateLimit-Policy", states.map(({policy}) => policy).join(", "));
    response.setHeader("RateLimit", states.map(describe).join(", "));
    const spent = states.find(({refused}) => refused);
    if (spent === undefined) {
      next();
      return;
    }
    metrics.limited(keyId);
    throw new Problem("rate-limited", `The limit "${spent.name}" of this key is used up.`, {
      retryAfterSeconds: spent.seconds,
    });
  }
}

type BucketState = {name: string; policy: string; refused: boolean; left: number; seconds: number};

function describe({name, left, seconds}: BucketState): string {
  return `"${name}";r=${left};t=${seconds}`;
}

function bucket(name: string, configured: number, window: number, processes: number) {
  const points = Math.max(1, Math.floor(configured / processes));
  const limiter = new RateLimiterMemory({keyPrefix: name, points, duration: window});
  const policy = `"${name}";q=${points};w=${window}`;
  const stateOf = (refused: boolean, {msBeforeNext, remainingPoints}: RateLimiterRes): BucketState => ({
    name,
    policy,
    refused,
    left: Math.max(0, remainingPoints),
    seconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  });
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
