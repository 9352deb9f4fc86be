import {messageOf} from "../../lib/errors.ts";
import {type HeldLease, holdLease, sweepRun} from "../../lib/process/run-folder.ts";
import type {DataFolder} from "../../lib/storage/data-folder.ts";
import type {Log} from "../system/json-log.ts";

/** Delay before retrying to write a lease. */
const RETRY_MS = 5_000;

/** Removes the leases of dead servers and returns this server's lease, which names no build yet. Never rejects. */
export async function openServedLease(data: DataFolder, log: Log): Promise<ServedLease> {
  let swept: string[] = [];
  try {
    swept = await sweepRun(data);
    if (swept.length > 0) log.info({swept}, "leases of dead servers removed");
  } catch (error) {
    log.error({reason: messageOf(error)}, "the leases cannot be swept");
  }
  return new ServedLease(data, log, swept.length > 0);
}

/** The lease on the served build. Without it garbage collection may delete the files. That only degrades: they stay mapped. */
class ServedLease {
  /** True if a process here ended without removing what it had in `run/`: killed, crashed, or without power. */
  readonly afterCrash: boolean;
  readonly #lease: HeldLease;
  readonly #log: Log;
  readonly #timer: NodeJS.Timeout;
  /** The build that the lease should name, and the one that it names on disk. */
  #wanted: string | null = null;
  #named: string | null = null;
  #damaged: readonly string[] = [];
  #failed = false;
  #writing: Promise<void> | null = null;

  constructor(data: DataFolder, log: Log, afterCrash: boolean) {
    this.afterCrash = afterCrash;
    this.#lease = holdLease(data);
    this.#log = log;
    this.#timer = setInterval(() => this.#writeOn(), RETRY_MS).unref();
  }

  /** Makes the lease name another build soon; a failed write is retried. */
  moveTo(buildId: string): void {
    this.#wanted = buildId;
    this.#damaged = [];
    this.#writeOn();
  }

  /** Makes the lease list the damaged files of its build, for `status` and `doctor`. */
  nameDamaged(paths: readonly string[]): void {
    this.#damaged = paths;
    this.#named = null;
    this.#writeOn();
  }

  /** Returns `lease_not_written` if the last attempt to write the lease failed. */
  reasons(): string[] {
    return this.#failed ? ["lease_not_written"] : [];
  }

  /** Settles when the lease has been written or the first attempt has failed. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  /** Removes the lease. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    await this.#lease.release();
  }

  #writeOn(): void {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
    });
  }

  async #write(): Promise<void> {
    for (let wanted = this.#wanted; wanted !== null && wanted !== this.#named; wanted = this.#wanted) {
      try {
        const damaged = this.#damaged;
        await this.#lease.moveTo({
          build_id: wanted,
          ...(damaged.length === 0 ? {} : {damaged: [...damaged]}),
        });
        // Damage found in the meantime is written in another round.
        if (damaged === this.#damaged) this.#named = wanted;
        this.#failed = false;
      } catch (error) {
        if (!this.#failed) this.#log.error({reason: messageOf(error)}, "the lease cannot be written");
        this.#failed = true;
        return;
      }
    }
  }
}
