import {hash, randomBytes} from "node:crypto";
import {isIP} from "node:net";
import ipaddr from "ipaddr.js";
import {RateLimiterMemory, RateLimiterRes} from "rate-limiter-flexible";
import type {Settings} from "../../schemas/settings.ts";
import type {Log} from "../system/json-log.ts";
import type {Metrics} from "../system/metrics.ts";
import {Problem} from "./problem-document.ts";
import type {Facts, Incoming, Step} from "./step.ts";

export type AnonymousCalls = {
  /**
   * Rejects with the refusal of a call without a valid key: 403, or 429 and connection close after too many refusals from the client's
   * address within a minute. The 429s are not logged individually; one warning names the address.
   */
  refuse(request: Incoming, facts: Facts): Promise<never>;
};

const MINUTE = 60;
const DAY = 86_400;

/** Requests of files per minute and key: readers of tables ask for many ranges. */
const FILES_PER_MINUTE = 600;

/** The limits of a key's requests. */
export type AccessLimits = {
  /** Counts a request per minute and for owner searches also per day. */
  readonly requests: Step;
  /** Counts a request of a file, in a bucket of its own. */
  readonly files: Step;
  /** Counts an owner search that another request asked for; throws the 429 of a key that has used up its day. */
  takeOwnerSearch(keyId: string): Promise<void>;
};

/**
 * Counts requests against their key; an excess is 429. From these steps on every answer has the draft RateLimit headers. Buckets are per
 * process, so the configured limits are divided by the number of processes.
 */
export function rateLimits(settings: Settings, metrics: Metrics): AccessLimits {
  const {CATTLE_RATE_PER_MINUTE, CATTLE_OWNER_SEARCH_PER_DAY, CATTLE_PROCESSES: processes} = settings;
  const everything = bucket("default", CATTLE_RATE_PER_MINUTE, MINUTE, processes);
  const ownerSearch = bucket("owner-search", CATTLE_OWNER_SEARCH_PER_DAY, DAY, processes);
  const files = bucket("files", FILES_PER_MINUTE, MINUTE, processes);
  const takeSearch = async (keyId: string): Promise<BucketState> => {
    const state = await ownerSearch.take(keyId);
    metrics.ownerSearch({keyId, refused: state.refused});
    return state;
  };
  const refuseSpent = (keyId: string, states: readonly BucketState[]) => {
    const refusal = spentBucket(states);
    if (refusal === null) return;
    metrics.limited(keyId);
    throw refusal;
  };
  const step =
    (take: (keyId: string, endpoint: Facts["endpoint"]) => Promise<BucketState[]>): Step =>
    async (_request, response, next) => {
      const {key, endpoint, headers} = response.locals;
      const keyId = key?.id ?? "";
      const states = await take(keyId, endpoint);
      headers.push("RateLimit-Policy", listed(states, "policy"), "RateLimit", listed(states, "state"));
      refuseSpent(keyId, states);
      next();
    };
  return {
    requests: step(async (keyId, endpoint) => {
      const states = [await everything.take(keyId)];
      if (endpoint?.scope === "owner-search") states.push(await takeSearch(keyId));
      return states;
    }),
    files: step(async (keyId) => [await files.take(keyId)]),
    takeOwnerSearch: async (keyId) => refuseSpent(keyId, [await takeSearch(keyId)]),
  };
}

/** A bucket after a request: its two header values, and the seconds until it refills. */
type BucketState = {
  name: keyof typeof countedThings;
  points: number;
  window: number;
  policy: string;
  state: string;
  refused: boolean;
  seconds: number;
};

function listed(states: readonly BucketState[], text: "policy" | "state"): string {
  return states.map((one) => one[text]).join(", ");
}

function spentBucket(states: readonly BucketState[]): Problem | null {
  const spent = states.find(({refused}) => refused);
  if (spent === undefined) return null;
  const {name, points, window, seconds} = spent;
  const period = window === DAY ? "day" : "minute";
  const detail = `${points} ${countedThings[name]} a ${period} are used up; try again in ${seconds} s.`;
  return new Problem("rate-limited", detail, {retryAfterSeconds: seconds});
}

const countedThings = {default: "requests", "owner-search": "owner searches", files: "requests of files"};

function bucket(name: keyof typeof countedThings, configured: number, window: number, processes: number) {
  const points = Math.max(1, Math.floor(configured / processes));
  const limiter = new RateLimiterMemory({keyPrefix: name, points, duration: window});
  const policy = `"${name}";q=${points};w=${window}`;
  const stateOf = (refused: boolean, {msBeforeNext, remainingPoints}: RateLimiterRes): BucketState => {
    const seconds = secondsLeft(msBeforeNext, window);
    const state = `"${name}";r=${Math.max(0, remainingPoints)};t=${seconds}`;
    return {name, points, window, policy, state, refused, seconds};
  };
  return {
    /** The library rejects with the bucket's state when the bucket is empty. */
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

/** Until the bucket refills, which its window bounds: the library reckons by a clock that may have been set back meanwhile. */
function secondsLeft(msBeforeNext: number, window: number): number {
  return Math.min(window, Math.max(1, Math.ceil(msBeforeNext / 1000)));
}

/** Counts calls without a valid key by client address: `request.ip`, which a trusted proxy sets. */
export function anonymousCalls(
  {CATTLE_REFUSALS_PER_MINUTE, CATTLE_PROCESSES}: Settings,
  {log, metrics}: {log: Log; metrics: Metrics},
): AnonymousCalls {
  const points = Math.max(1, Math.floor(CATTLE_REFUSALS_PER_MINUTE / CATTLE_PROCESSES));
  const limiter = new RateLimiterMemory({keyPrefix: "anonymous", points, duration: MINUTE});
  const salt = randomBytes(16).toString("hex");
  return {
    async refuse({ip = ""}, facts) {
      const network = networkOf(ip);
      const spent = await limiter.consume(bucketOf(network, salt)).then(() => null, refusedState);
      if (spent === null) throw accessDenied();
      facts.logged = false;
      metrics.limited("anonymous");
      if (spent.consumedPoints === points + 1) log.warn({address: network}, "flood without a valid key");
      throw new Problem("rate-limited", "Too many calls without valid access from this address.", {
        retryAfterSeconds: secondsLeft(spent.msBeforeNext, MINUTE),
        headers: {Connection: "close"},
      });
    },
  };
}

/** The identical refusal for every access problem. */
export function accessDenied(): Problem {
  return new Problem(
    "access-denied",
    "This deployment requires API access, and the call lacks valid access. Send a key in the header X-API-Key.",
  );
}

/** The library rejects with the bucket's state when the bucket is empty. */
function refusedState(error: unknown): RateLimiterRes {
  if (error instanceof RateLimiterRes) return error;
  throw error;
}

/** IPv4 address or IPv6 /64, each counted as one client; `unknown` when a proxy passes something that is no address. */
function networkOf(ip: string): string {
  if (isIP(ip) === 0) return "unknown";
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/64`)}/64`;
}

/** Hashes a network into one of 4,096 buckets, which bounds memory. The salt keeps anyone from choosing a victim's bucket. */
function bucketOf(network: string, salt: string): string {
  return hash("sha256", salt + network, "hex").slice(0, 3);
}
