import {messageOf} from "../../lib/errors.ts";
import type {Bounds} from "./bounds.ts";
import {AskFault} from "./client/ask-fault.ts";
import type {PoliteClient, Question, Reply} from "./client/polite-client.ts";
import type {FetchSource} from "./fetch-source.ts";
import type {SnapshotFolder} from "./snapshots/snapshot-folder.ts";

/** All that a protocol needs for one source. */
export type Job<S extends FetchSource = FetchSource> = {
  readonly source: S;
  readonly client: Pick<PoliteClient, "ask">;
  readonly folder: SnapshotFolder;
  /** The source's key; null where it needs none. */
  readonly key: string | null;
  readonly bounds: Bounds;
  readonly now: () => Date;
  /** Shows how far the work is. */
  readonly say: (text: string) => void;
  /** True for a probe, which asks for the first of many items alone, and of a report's history for the last weeks. */
  readonly isProbe?: boolean;
  /** Requests that were sent. */
  requests: number;
  /** What was learnt of a layer: its rows, the rows of a page, and the packed bytes of a row where pages came. */
  layer?: {readonly rows: number | null; readonly pageRows: number; readonly bytesPerRow: number | null};
};

/** The files that a source gave. */
export type Tally = {
  readonly added: number;
  readonly unchanged: number;
  /** The missing part with its reason; null for a whole answer. */
  readonly partial: string | null;
  /** What a person should know of a whole answer, such as reports that were left out. */
  readonly notes?: readonly string[];
};

export const nothingNew: Tally = {added: 0, unchanged: 0, partial: null};

/** Sums up tallies in their order. */
export function sumOf(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (sum, {added, unchanged, partial, notes = []}) => ({
      added: sum.added + added,
      unchanged: sum.unchanged + unchanged,
      partial: sum.partial ?? partial,
      notes: [...(sum.notes ?? []), ...notes],
    }),
    nothingNew,
  );
}

/** Asks a question of the job's source, at its pace and of its hosts. Rejects as the client does. */
export function ask<T>(job: Job, question: Question, take: (reply: Reply) => Promise<T>): Promise<T> {
  const {source, bounds} = job;
  return job.client.ask(
    question,
    {
      hosts: source.hosts,
      rate: source.rate,
      timeoutMs: source.timeoutMs,
      signal: bounds.signal,
      onRequest: () => {
        job.requests += 1;
      },
    },
    take,
  );
}

/** Gives the moment in whole seconds, as metas have it. */
export function instant(job: Pick<Job, "now">): string {
  return `${job.now().toISOString().slice(0, 19)}Z`;
}

/**
 * Does the work of a source item by item and sums up what it gained. An item that is refused is counted, named in `partial`,
 * and the others go on; one that is alone, and the first in a probe, is the source itself, and its refusal rejects. A server that cannot
 * be reached, a key that is refused and a run that is over end the source: rejects.
 */
export async function eachOf<T>(
  job: Job,
  allItems: readonly T[],
  work: (item: T) => Promise<Tally>,
): Promise<Tally> {
  const items = job.isProbe === true ? allItems.slice(0, 1) : allItems;
  const tallies: Tally[] = [];
  const refused: string[] = [];
  for (const [i, item] of items.entries()) {
    job.say(`${i} of ${items.length}`);
    try {
      tallies.push(await work(item));
    } catch (fault) {
      if (items.length === 1 || !isOfItem(fault)) throw fault;
      refused.push(messageOf(fault));
    }
  }
  const sum = sumOf(tallies);
  if (refused.length === 0) return sum;
  return {
    ...sum,
    partial: sum.partial ?? `${refused.length} of ${items.length} were refused, the first: ${refused[0]}`,
  };
}

function isOfItem(fault: unknown): boolean {
  return fault instanceof AskFault && fault.isRefusal && fault.status !== 401 && fault.status !== 403;
}
