/** Milliseconds without a request after which a reader has ended. */
const idleMs = 60_000;
/** Milliseconds for which a reader that never pauses keeps a build that serves no more. */
const longestMs = 3_600_000;

type Reading = {readonly buildId: string; readonly lastMs: number; readonly outdatedMs: number | null};

/**
 * The build that each key reads through `current`. Readers of Parquet follow the redirect anew for each range, so a swap between two ranges
 * would give them bytes of two builds.
 */
export class ReaderBuilds {
  readonly #readings = new Map<string, Reading>();
  readonly #now: () => number;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** The build for a request of a key: the one that it is reading, else the one that serves. */
  of(keyId: string, servedId: string): string {
    const now = this.#now();
    for (const [id, {lastMs}] of this.#readings) if (now - lastMs >= idleMs) this.#readings.delete(id);
    const before = this.#readings.get(keyId);
    const isOutdated = before !== undefined && before.buildId !== servedId;
    const outdatedMs = isOutdated ? (before.outdatedMs ?? now) : null;
    const stays = outdatedMs !== null && now - outdatedMs < longestMs;
    const buildId = stays ? before!.buildId : servedId;
    this.#readings.set(keyId, {buildId, lastMs: now, outdatedMs: stays ? outdatedMs : null});
    return buildId;
  }

  /** Ends the reading of a key, whose build is gone. */
  end(keyId: string): void {
    this.#readings.delete(keyId);
  }
}
