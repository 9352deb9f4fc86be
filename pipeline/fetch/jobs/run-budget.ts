import {freeBytes} from "../../parts/preflight.ts";
import {AskFault} from "../client/ask-fault.ts";

/** Disk space left free for the build and everything else. */
const keptFreeBytes = 2 ** 30;

/** Maximum share of a run's time and bytes for a single source; the rest is left to the others. */
const shareOfTime = 1 / 2;
const shareOfBytes = 1 / 2;

/** The run that a source gets a share of. */
type Whole = {readonly run: Bounds; readonly othersWait: () => boolean};

/** Limits of a run, or of one source in it: time, bytes, file size, and free disk space. */
export class Bounds {
  readonly signal: AbortSignal;
  readonly fileBytes: number;
  readonly #dir: string;
  readonly #runBytes: number;
  readonly #of: Whole | null;
  #bytesLeft: number;
  /** Bytes received so far, decompressed. */
  taken = 0;

  constructor({
    signal,
    fileBytes,
    runBytes,
    dir,
    of = null,
  }: {signal: AbortSignal; fileBytes: number; runBytes: number; dir: string; of?: Whole | null}) {
    this.signal = signal;
    this.fileBytes = fileBytes;
    this.#runBytes = runBytes;
    this.#bytesLeft = runBytes;
    this.#dir = dir;
    this.#of = of;
  }

  /** Returns the limits of one source in a run of `runHours`; dispose of them when it ends. They only apply while other sources wait. */
  share(runHours: number, othersWait: () => boolean): {bounds: Bounds; [Symbol.dispose](): void} {
    const end = new AbortController();
    const hours = runHours * shareOfTime;
    const over = new AskFault("bounds", `the source's share of the run's time (${hours} h) is used up`);
    const shareMs = Math.min(hours * 3_600_000, 2 ** 31 - 1);
    const timer = setInterval(() => othersWait() && end.abort(over), shareMs);
    const bounds = new Bounds({
      signal: AbortSignal.any([this.signal, end.signal]),
      fileBytes: this.fileBytes,
      runBytes: this.#runBytes * shareOfBytes,
      dir: this.#dir,
      of: {run: this, othersWait},
    });
    return {bounds, [Symbol.dispose]: () => clearInterval(timer)};
  }

  /** Counts received bytes. Throws an `AskFault` when the run, or the source's share of it, has used up its bytes. */
  take(bytes: number): void {
    this.#of?.run.take(bytes);
    this.taken += bytes;
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft >= 0 || this.#of?.othersWait() === false) return;
    const whose = this.#of === null ? "the bytes of the run" : "all bytes of the source's share of the run";
    throw new AskFault("bounds", `${whose} are used up (CATTLE_FETCH_GIB)`);
  }

  /** Throws an `AskFault` unless the disk has room for this many bytes plus 1 GiB. */
  async checkRoom(bytes = 0): Promise<void> {
    const free = await freeBytes(this.#dir);
    if (free >= bytes + keptFreeBytes) return;
    const mib = (n: number) => `${Math.ceil(n / 2 ** 20)} MiB`;
    throw new AskFault("bounds", `${mib(free)} free on the disk, ${mib(bytes + keptFreeBytes)} are needed`);
  }
}
