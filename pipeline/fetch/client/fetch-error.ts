import {setTimeout as sleep} from "node:timers/promises";

const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Retry policy: number of retries, first pause, pause after a 500, and the longest wait that a server may ask for. */
export type RetryPolicy = {
  readonly retries: number;
  readonly firstPauseMs: number;
  readonly serverErrorPauseMs: number;
  readonly maxWaitMs: number;
};

/** Why a request ended without an answer; what the run does next depends on it, never on the message. */
export type FetchErrorKind =
  /** The server answered with an error status. */
  | "status"
  /** The host was not found, or no connection to it could be made. */
  | "unreached"
  /** The connection failed or was cut. */
  | "connection"
  /** The server stayed silent for too long, or sent too slowly. */
  | "timeout"
  /** The answer, or a redirect target, must not be accepted. */
  | "refused"
  /** The answer is larger than what is read into memory. */
  | "too_large"
  /** The source no longer is what its registry entry describes. */
  | "moved"
  /** The server asks for a wait too long to hold up the other sources. */
  | "wait"
  /** The time or the bytes of the run, or of the source's share of it, are used up, or the disk is full. */
  | "limit";

type FaultFacts = {status?: number | null; retryAfterMs?: number | null; code?: string | null};

/** A request that failed, with a code. Its message contains host and path of the URL, but never a query or a key. */
export class FetchError extends Error {
  override name = "FetchError";
  readonly kind: FetchErrorKind;
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  /** The code of the system or of OpenSSL for a connection that failed, such as `ENOTFOUND`. */
  readonly code: string | null;

  constructor(
    kind: FetchErrorKind,
    message: string,
    {status = null, retryAfterMs = null, code = null}: FaultFacts = {},
  ) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.code = code;
  }

  /** True if the server would answer the same request the same way again; a different request may succeed. */
  get isRefusal(): boolean {
    return this.kind !== "limit" && this.kind !== "wait" && !this.isTransient;
  }

  /** True if the same request may succeed later: failed or slow connections, 202 (not ready yet), 429, 502, 503 and 504. */
  get isTransient(): boolean {
    return (
      this.kind === "unreached" ||
      this.kind === "connection" ||
      this.kind === "timeout" ||
      (this.kind === "status" && transientStatuses.has(this.status ?? 0))
    );
  }
}

/** Advice for the operator on a fault that cost a whole source; null where the message of the fault gives it already. */
export function cureOf({kind, status}: Pick<FetchError, "kind" | "status">): string | null {
  if (kind === "moved") return null;
  if (kind === "refused") return "open it in a browser; if it stays so, correct the entry";
  if (status === 401 || status === 403)
    return "this machine is not let in: ask through another network (CATTLE_PROXY), or bring the file by hand (cattle add)";
  if (status === 404 || status === 410)
    return "the address is gone: put the publisher's new one into the entry";
  return "it is asked again in the next run";
}

const transientStatuses: ReadonlySet<number> = new Set([202, 429, 502, 503, 504]);

/**
 * Runs `work` and retries it after transient faults, with exponential backoff and jitter; a 500 once, as publishers advise. Rejects with the last fault, also when the signal
 * aborts a pause, and with a `wait` fault if the server asks for more time than `maxWaitMs`.
 */
export async function withRetries<T>(
  work: () => Promise<T>,
  {retries, firstPauseMs, serverErrorPauseMs, maxWaitMs, isPartible}: RetryPolicy & {isPartible?: boolean},
  signal: AbortSignal,
): Promise<T> {
  let hasFailedInside = false;
  for (let retry = 0; ; retry++) {
    let fault: unknown;
    try {
      return await work();
    } catch (thrown) {
      fault = thrown;
    }
    if (!(fault instanceof FetchError) || signal.aborted) throw fault;
    if (fault.status === 500 && !hasFailedInside) {
      hasFailedInside = true;
      await pauseFor(serverErrorPauseMs, fault, signal);
      continue;
    }
    if (!fault.isTransient || (isPartible === true && fault.kind === "timeout")) throw fault;
    if ((fault.retryAfterMs ?? 0) > maxWaitMs) throw askedToWait(fault);
    if (retry >= retries) throw fault;
    await pauseFor(firstPauseMs * 2 ** retry * (1 + Math.random()), fault, signal);
  }
}

async function pauseFor(ms: number, fault: FetchError, signal: AbortSignal): Promise<void> {
  await sleep(ms, null, {signal}).catch(() => {
    throw fault;
  });
}

function askedToWait({message, status, retryAfterMs}: FetchError): FetchError {
  const minutes = Math.ceil((retryAfterMs ?? 0) / 60_000);
  return new FetchError("wait", `${message}, asks us to wait ${minutes} min`, {status, retryAfterMs});
}

/**
 * Returns why a URL must not be requested, or null. Only https and hosts named by the entry are allowed; http only for a mirror on this
 * machine.
 */
export function refusalOfAddress(address: URL, hosts: ReadonlySet<string>): string | null {
  if (address.username !== "" || address.password !== "") return "credentials in the address";
  if (!hosts.has(address.host))
    return `host ${address.host} is not named by the entry (if it is the publisher's, add it to hosts)`;
  if (address.protocol === "https:") return null;
  if (address.protocol === "http:" && loopback.has(address.hostname)) return null;
  return `${address.protocol} in place of https:`;
}

/** Formats a URL for messages, without its query. */
export function shownAddress(address: URL): string {
  return `${address.host}${address.pathname}`;
}
