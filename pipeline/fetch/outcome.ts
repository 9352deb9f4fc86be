import type {FetchStatus} from "../../schemas/fetch-state.ts";

/** The end of one source in a run. */
export type Outcome = {
  readonly source: string;
  readonly status: FetchStatus;
  /** The reason of a partial, failed or absent answer; null for a whole one. */
  readonly reason: string | null;
  /** What a person should know beside it, such as reports that were left out. */
  readonly notes: readonly string[];
  readonly files: number;
  readonly unchanged: number;
  readonly requests: number;
  readonly seconds: number;
  /** Bytes that came, unpacked. */
  readonly bytes: number;
};

/** Gives the exit code of a run: 3 when a source was partial or failed, else 0. */
export function exitCodeOf(outcomes: readonly Pick<Outcome, "status">[]): number {
  return outcomes.some(({status}) => ["partial", "failed", "not reached"].includes(status)) ? 3 : 0;
}
