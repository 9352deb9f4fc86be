const newestShare = 0.2;

/** A mean in which the newest values count most, so that it follows a change within some ten values. */
export class RunningMean {
  #mean: number | null = null;

  add(value: number): void {
    this.#mean = this.#mean === null ? value : this.#mean + newestShare * (value - this.#mean);
  }

  /** Gives the mean; null before the first value. */
  value(): number | null {
    return this.#mean;
  }
}
