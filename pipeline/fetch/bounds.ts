import {freeBytes} from "../publish/preflight.ts";
import {AskFault} from "./client/ask-fault.ts";

/** Room that is left free on the disk for the build and for everybody else. */
const keptFreeBytes = 2 ** 30;

/** The bounds of a run: its time, its bytes, the size of a file, and the room on the disk. */
export class Bounds {
  readonly signal: AbortSignal;
  readonly fileBytes: number;
  readonly #dir: string;
  #bytesLeft: number;

  constructor({
    signal,
    fileBytes,
    runBytes,
    dir,
  }: {signal: AbortSignal; fileBytes: number; runBytes: number; dir: string}) {
    this.signal = signal;
    this.fileBytes = fileBytes;
    this.#bytesLeft = runBytes;
    this.#dir = dir;
  }

  /** Counts bytes that came. Throws an `AskFault` when the run has used up its bytes. */
  take(bytes: number): void {
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft < 0)
      throw new AskFault("bounds", "the bytes of the run are used up (CATTLE_FETCH_GIB)");
  }

  /** Throws an `AskFault` where the disk has not room for so many bytes and a GiB more. */
  async checkRoom(bytes = 0): Promise<void> {
    const free = await freeBytes(this.#dir);
    if (free >= bytes + keptFreeBytes) return;
    const mib = (n: number) => `${Math.ceil(n / 2 ** 20)} MiB`;
    throw new AskFault("bounds", `${mib(free)} free on the disk, ${mib(bytes + keptFreeBytes)} are needed`);
  }
}
