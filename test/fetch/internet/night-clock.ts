import {subscribe} from "node:diagnostics_channel";
import {syncBuiltinESMExports} from "node:module";
import timers from "node:timers/promises";
import {isMainThread} from "node:worker_threads";
import {ProxyAgent} from "undici";

// A clock that a played night runs by, loaded with --import before the program: where the program waits, the clock moves on to the end of
// the wait, and nobody sleeps. It stands still while a request is on its way, so that an answer never comes too late because a machine is
// slow. Pauses, shares of a night and answers' times of hours pass in seconds, and the rates of the registry hold as they are shipped.

/** Seconds that hosts take for an answer, by the beginning of host and path; the longest beginning counts. */
type AnswerTimes = Readonly<Record<string, number>>;

type Wait = {readonly at: number; readonly ring: () => void; readonly isDeadline: boolean};

/** Timers of this length are limits of a run, a source or an answer: the clock passes them, and never runs towards them. */
const deadlineMs = 60_000;
/** Limits of hours are those of a run. They pass as many times faster as the played layers have fewer pages than the real ones. */
const hourMs = 3_600_000;
const pagesShare = Number(process.env["PLAYED_SHARE"] ?? 1);
/** Turns of the event loop without a request that say that nothing else is going on. */
const quietTurns = 8;

/** Real milliseconds after which a host that says nothing has been silent for as long as the program waits for an answer. */
const silenceMs = 2000;
const longestSilenceMs = 60_000;
/** Header with the clock's milliseconds at which the program sent a request, before its host took its time. */
const playedAt = "x-played-at";

const waits = new Set<Wait>();
const onTheirWay = new Set<object>();
let now = 0;
let turnsLeft = 0;

function after(ms: number, ring: () => void, isDeadline = false): Wait {
  const wait = {at: now + (ms < hourMs ? ms : ms * pagesShare), ring, isDeadline};
  waits.add(wait);
  look();
  return wait;
}

/** Moves the clock to the next end of a wait, once the event loop has been quiet for some turns. */
function look(): void {
  const isRunning = turnsLeft > 0;
  turnsLeft = quietTurns;
  if (!isRunning) setImmediate(turn);
}

function turn(): void {
  turnsLeft -= 1;
  if (process.getActiveResourcesInfo().some((name) => /^(FSReq|FileHandle|WriteWrap)/.test(name)))
    turnsLeft = quietTurns;
  if (onTheirWay.size > 0) turnsLeft = 0;
  else if (turnsLeft === 0 && [...waits].some(({isDeadline}) => !isDeadline)) {
    ringNext();
    turnsLeft = quietTurns;
  }
  if (turnsLeft > 0) setImmediate(turn);
}

function ringNext(): void {
  const [first, ...others] = waits;
  const next = others.reduce((least, wait) => (wait.at < least.at ? wait : least), first!);
  now = Math.max(now, next.at);
  waits.delete(next);
  next.ring();
}

function sleep<T>(ms = 0, value?: T, {signal}: {signal?: AbortSignal | undefined} = {}): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      waits.delete(wait);
      reject(new DOMException("The operation was aborted", "AbortError"));
    };
    if (signal?.aborted === true)
      return void reject(new DOMException("The operation was aborted", "AbortError"));
    const wait = after(ms, () => {
      signal?.removeEventListener("abort", stop);
      resolve(value as T);
    });
    signal?.addEventListener("abort", stop, {once: true});
  });
}

function everyLong(work: () => void, ms: number): NodeJS.Timeout {
  const handle = realSetInterval(() => undefined, 2 ** 31 - 1).unref();
  const again = () => {
    longIntervals.set(
      handle,
      after(
        ms,
        () => {
          again();
          work();
        },
        true,
      ),
    );
  };
  again();
  return handle;
}

const {setInterval: realSetInterval, clearInterval: realClearInterval} = globalThis;
const realTimeout = AbortSignal.timeout;
const longIntervals = new Map<unknown, Wait>();

function takeClock(): void {
  timers.setTimeout = sleep as typeof timers.setTimeout;
  syncBuiltinESMExports();
  performance.now = () => now;
  globalThis.setInterval = ((work: () => void, ms = 0) =>
    ms < deadlineMs ? realSetInterval(work, ms) : everyLong(work, ms)) as typeof setInterval;
  globalThis.clearInterval = ((handle: NodeJS.Timeout | undefined) => {
    const wait = longIntervals.get(handle);
    if (wait !== undefined) waits.delete(wait);
    longIntervals.delete(handle);
    realClearInterval(handle);
  }) as typeof clearInterval;
  AbortSignal.timeout = (ms) => {
    if (ms < deadlineMs) return realTimeout.call(AbortSignal, ms);
    const controller = new AbortController();
    after(ms, () => controller.abort(new DOMException("The operation timed out", "TimeoutError")), true);
    return controller.signal;
  };
}

/** Lets each request wait for as long as its host takes, and remembers those that are on their way. */
function delayRequests(times: AnswerTimes): void {
  const beginnings = Object.keys(times).sort((a, b) => b.length - a.length);
  const {dispatch} = ProxyAgent.prototype;
  ProxyAgent.prototype.dispatch = function (options, handler) {
    const place = String(options.origin).replace("https://", "") + options.path;
    const beginning = beginnings.find((each) => place.startsWith(each));
    const seconds = beginning === undefined ? 0.5 : times[beginning]!;
    const headers = {...options.headers, [playedAt]: String(now)};
    after(seconds * 1000, () =>
      dispatch.call(this, {...options, headers, headersTimeout: silenceMs}, handler),
    );
    return true;
  };
  const isRequest = ({method}: {method?: string}) => method !== "CONNECT";
  subscribe("undici:request:create", (message) => {
    const {request} = message as {request: {method?: string}};
    if (isRequest(request)) onTheirWay.add(request);
  });
  for (const end of ["undici:request:trailers", "undici:request:error"])
    subscribe(end, (message) => {
      const {request, error} = message as {request: object; error?: {code?: string}};
      if (error?.code === "UND_ERR_HEADERS_TIMEOUT") now += longestSilenceMs;
      onTheirWay.delete(request);
      look();
    });
}

if (isMainThread) {
  // Programs that this one starts have clocks of their own.
  delete process.env["NODE_OPTIONS"];
  takeClock();
  delayRequests(JSON.parse(process.env["PLAYED_TIMES"] ?? "{}") as AnswerTimes);
}
