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
