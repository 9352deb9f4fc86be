import type {RequestHandler} from "express";
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
    const buckets = endpoint?.scope === "owner-search" ? [everything, ownerSearch] : [everything];
    const states = [];
    for (const one of buckets) states.push({one, state: await one.take(keyId)});
    response.setHeader("RateLimit-Policy", states.map(({one}) => one.policy).join(", "));
    response.setHeader("RateLimit", states.map(({one, state}) => one.describe(state)).join(", "));
    const spent = states.find(({state}) => state.refused);
    if (spent === undefined) return next();
    metrics.limited(keyId);
    throw new Problem("rate-limited", `The limit "${spent.one.name}" of this key is used up.`, {
      retryAfterSeconds: spent.state.seconds,
    });
  };
}

type BucketState = {refused: boolean; left: number; seconds: number};

function bucket(name: string, configured: number, window: number, processes: number) {
  const points = Math.max(1, Math.floor(configured / processes));
  const limiter = new RateLimiterMemory({keyPrefix: name, points, duration: window});
  return {
    name,
    policy: `"${name}";q=${points};w=${window}`,
    describe: ({left, seconds}: BucketState) => `"${name}";r=${left};t=${seconds}`,
    async take(keyId: string): Promise<BucketState> {
      const {refused, result} = await consume(limiter, keyId);
      const seconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000));
      return {refused, left: Math.max(0, result.remainingPoints), seconds};
    },
  };
}

/** The library rejects with the bucket's state when it is empty. */
async function consume(
  limiter: RateLimiterMemory,
  keyId: string,
): Promise<{refused: boolean; result: RateLimiterRes}> {
  try {
    return {refused: false, result: await limiter.consume(keyId)};
  } catch (error) {
    if (error instanceof RateLimiterRes) return {refused: true, result: error};
    throw error;
  }
}
