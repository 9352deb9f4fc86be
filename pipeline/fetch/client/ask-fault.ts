import {setTimeout as sleep} from "node:timers/promises";

const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** The tries after the first: their number, the pause before the first of them, and the longest wait that a server may ask for. */
export type Patience = {readonly retries: number; readonly firstPauseMs: number; readonly mostWaitMs: number};

/** The ways in which asking a source ends without an answer. */
type FaultKind =
  /** The server answered with a status that is no success. */
  | "status"
  /** The connection failed, was cut, or was silent for too long. */
  | "connection"
  /** The answer, or the place it leads to, is not one that may be taken. */
  | "refused"
  /** The server asks to wait longer than a request may hold up the others. */
  | "wait"
  /** The time or the room of the run, or of the source's share of it, is used up. */
  | "bounds";

/** The fault of a request. Its message holds host and path of the address, and never a query or a key. */
export class AskFault extends Error {
  override name = "AskFault";
  readonly kind: FaultKind;
  readonly status: number | null;
  readonly retryAfterMs: number | null;

  constructor(
    kind: FaultKind,
    message: string,
    {status = null, retryAfterMs = null}: {status?: number | null; retryAfterMs?: number | null} = {},
  ) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }

  /** True where the server answered and the same request would be answered so again: another question may do better. */
  get isRefusal(): boolean {
    return this.kind !== "bounds" && this.kind !== "wait" && !this.passes;
  }

  /** True where the same request may succeed later: cut connections, 202 (not ready yet), 429, 502, 503 and 504. */
  get passes(): boolean {
    return this.kind === "connection" || (this.kind === "status" && passing.has(this.status ?? 0));
  }
}

const passing: ReadonlySet<number> = new Set([202, 429, 502, 503, 504]);
const mostWaitMs = 6 * 3_600_000;

/** Gives the wait that a `Retry-After` header asks for (seconds, or a date), at most six hours; null without one. */
export function retryAfterMs(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), mostWaitMs);
}

/**
 * Does work, and does it again after a passing fault, with pauses that double and have jitter. Rejects with the last fault, also when
 * the signal ends a pause, and with a fault of the kind `wait` where the server asks for more time than `mostWaitMs`.
 */
export async function withRetries<T>(
  work: () => Promise<T>,
  {retries, firstPauseMs, mostWaitMs}: Patience,
  signal: AbortSignal,
): Promise<T> {
  for (let tried = 0; ; tried++) {
    let fault: unknown;
    try {
      return await work();
    } catch (thrown) {
      fault = thrown;
    }
    if (!(fault instanceof AskFault) || !fault.passes || signal.aborted) throw fault;
    if ((fault.retryAfterMs ?? 0) > mostWaitMs) throw waiting(fault);
    if (tried >= retries) throw fault;
    await sleep(firstPauseMs * 2 ** tried * (1 + Math.random()), null, {signal}).catch(() => {
      throw fault;
    });
  }
}

function waiting({message, status, retryAfterMs}: AskFault): AskFault {
  const minutes = Math.ceil((retryAfterMs ?? 0) / 60_000);
  return new AskFault("wait", `${message}, asks to wait ${minutes} min`, {status, retryAfterMs});
}

/**
 * Gives the reason for which an address may not be asked, or null. Only hosts that the entry names are asked, by https; http is
 * for a mirror on this machine.
 */
export function refusalOfAddress(address: URL, hosts: ReadonlySet<string>): string | null {
  if (address.username !== "" || address.password !== "") return "credentials in the address";
  if (!hosts.has(address.host)) return `host ${address.host} is not named by the entry`;
  if (address.protocol === "https:") return null;
  if (address.protocol === "http:" && loopback.has(address.hostname)) return null;
  return `${address.protocol} in place of https:`;
}

/** Gives an address as messages show it, without its query. */
export function shownAddress(address: URL): string {
  return `${address.host}${address.pathname}`;
}
