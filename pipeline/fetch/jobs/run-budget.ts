import {freeBytes} from "../../parts/preflight.ts";
import {FetchError} from "../client/fetch-error.ts";

/** Disk space left free for the build and everything else. */
const keptFreeBytes = 2 ** 30;

/** Maximum share of a run's time for a single source while others wait. */
export const shareOfTime = 1 / 2;
/** The same of a run's bytes. */
const shareOfBytes = 1 / 2;

/** The run that a source gets a share of. */
type SharedRun = {readonly run: RunBudget; readonly othersWait: () => boolean};

/** Limits of a run, or of one source in it: time, bytes, file size, and free disk space. */
export class RunBudget {
  readonly signal: AbortSignal;
  readonly fileBytes: number;
  readonly #dir: string;
  readonly #runBytes: number;
  readonly #of: SharedRun | null;
  #bytesLeft: number;
  /** Bytes received so far, decompressed. */
  bytesReceived = 0;

  constructor({
    signal,
    fileBytes,
    runBytes,
    dir,
    of = null,
  }: {signal: AbortSignal; fileBytes: number; runBytes: number; dir: string; of?: SharedRun | null}) {
    this.signal = signal;
    this.fileBytes = fileBytes;
    this.#runBytes = runBytes;
    this.#bytesLeft = runBytes;
    this.#dir = dir;
    this.#of = of;
  }

  /** Returns the limits of one source in a run of `runHours`; dispose of them when it ends. They only apply while other sources wait. */
  share(runHours: number, othersWait: () => boolean): {budget: RunBudget; [Symbol.dispose](): void} {
    const end = new AbortController();
    const hours = runHours * shareOfTime;
    const over = new FetchError("limit", `the source's share of the run's time (${hours} h) is used up`);
    const shareMs = Math.min(hours * 3_600_000, 2 ** 31 - 1);
    const timer = setInterval(() => othersWait() && end.abort(over), shareMs);
    const budget = new RunBudget({
      signal: AbortSignal.any([this.signal, end.signal]),
      fileBytes: this.fileBytes,
      runBytes: this.#runBytes * shareOfBytes,
      dir: this.#dir,
      of: {run: this, othersWait},
    });
    return {budget, [Symbol.dispose]: () => clearInterval(timer)};
  }

  /** Counts received bytes. Throws a `FetchError` when the run, or the source's share of it, has used up its bytes. */
  countBytes(bytes: number): void {
    this.#of?.run.countBytes(bytes);
    this.bytesReceived += bytes;
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft >= 0 || this.#of?.othersWait() === false) return;
    const owner = this.#of === null ? "the bytes of the run" : "all bytes of the source's share of the run";
    throw new FetchError("limit", `${owner} are used up (CATTLE_FETCH_GIB)`);
  }

  /** Throws a `FetchError` unless the disk has room for this many bytes plus 1 GiB. */
  async checkRoom(bytes = 0): Promise<void> {
    const free = await freeBytes(this.#dir);
    if (free >= bytes + keptFreeBytes) return;
    const mib = (n: number) => `${Math.ceil(n / 2 ** 20)} MiB`;
    throw new FetchError("limit", `${mib(free)} free on the disk, ${mib(bytes + keptFreeBytes)} are needed`);
  }
}
