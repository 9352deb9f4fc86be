import {tmpdir} from "node:os";
import {join} from "node:path";
import {FetchError} from "../client/fetch-error.ts";
import type {PoliteClient, Question, Reply} from "../client/polite-client.ts";
import {SnapshotFolder} from "../snapshots/snapshot-folder.ts";
import {RunBudget} from "./run-budget.ts";
import type {FetchSource} from "./source-address.ts";

/** Everything that a protocol needs to fetch one source. */
export type Job<S extends FetchSource = FetchSource> = {
  readonly source: S;
  readonly client: Pick<PoliteClient, "ask">;
  readonly folder: SnapshotFolder;
  /** The source's key; null if it needs none. */
  readonly key: string | null;
  readonly budget: RunBudget;
  readonly now: () => Date;
  /** Displays progress. */
  readonly say: (text: string) => void;
  /** True for a probe, which only requests the first of many items, and only the last weeks of a report's history. */
  readonly isProbe?: boolean;
  /** Number of requests sent. */
  requests: number;
  /** What a probed layer lacks. */
  losses?: readonly string[];
  /** How far a pull is: rows here, rows in all, and whether some came in this run. */
  progress?: {readonly rows: number; readonly counted: number | null; readonly hasNew: boolean};
  /** What was learnt about a layer: its rows, its page size and, if pages came, the compressed bytes per row. */
  layer?: {readonly rows: number | null; readonly pageRows: number; readonly bytesPerRow: number | null};
};

type ProbeParts = Pick<Job, "client" | "key" | "now"> & {readonly dir: string; readonly signal: AbortSignal};

/** A job that asks a source for little, shows no progress, and puts what comes below a temporary folder. */
export async function probeJob(
  source: FetchSource,
  {client, key, now, dir, signal}: ProbeParts,
): Promise<Job> {
  const limit = 2 ** 30;
  return {
    ...{source, client, key, now, requests: 0, isProbe: true},
    folder: await SnapshotFolder.open(join(dir, source.kind, source.folder), now()),
    budget: new RunBudget({signal, fileBytes: limit, runBytes: limit, dir: tmpdir()}),
    say: () => undefined,
  };
}

/** What a source yielded. */
export type Tally = {
  readonly added: number;
  readonly unchanged: number;
  /** What is missing and why; null for a complete answer. */
  readonly partial: string | null;
  /** Remarks on a complete answer, such as reports that were left out. */
  readonly notes?: readonly string[];
  /** What a whole answer lacks because the publisher no longer has it or does not say it, each with its cure where there is one. */
  readonly losses?: readonly string[];
};

export const nothingNew: Tally = {added: 0, unchanged: 0, partial: null};

/** Adds up tallies, in order. */
export function sumOf(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (sum, {added, unchanged, partial, notes = [], losses = []}) => ({
      added: sum.added + added,
      unchanged: sum.unchanged + unchanged,
      partial: sum.partial ?? partial,
      notes: [...(sum.notes ?? []), ...notes],
      losses: [...(sum.losses ?? []), ...losses],
    }),
    nothingNew,
  );
}

/** Returns the tally of a source that always has rows. Rejects if none came, though each answer alone could be right; a probe asks for one item. */
export function refuseNothing(job: Job, tally: Tally, reason: string): Tally {
  const isNothing = tally.added + tally.unchanged === 0 && tally.partial === null;
  if (isNothing && job.isProbe !== true) throw new FetchError("refused", reason);
  return tally;
}

/** Sends a request for the job's source, with its rate and hosts. Rejects like the client. */
export function ask<T>(job: Job, question: Question, take: (reply: Reply) => Promise<T>): Promise<T> {
  const {source, budget} = job;
  return job.client.ask(
    question,
    {
      hosts: source.hosts,
      rate: source.rate,
      timeoutMs: source.timeoutMs,
      signal: budget.signal,
      onRequest: () => {
        job.requests += 1;
      },
    },
    take,
  );
}

/** Returns the current time in whole seconds, as in meta files. */
export function instant(job: Pick<Job, "now">): string {
  return `${job.now().toISOString().slice(0, 19)}Z`;
}

/** Items in a row that a server does not answer, or forbids, before it is left alone. */
const maxUnanswered = 3;
/** Items that are forbidden each for itself; more are the server's doing. */
const maxForbidden = 3;

/** Which host an item is asked of, and the tally of one that it forbids. */
export type OwnForbidden<T> = {readonly hostOf: (item: T) => string; readonly tallyOf: (item: T) => Tally};

/**
 * Processes a source item by item and adds up the tallies. A failed item is counted and named in `partial`, and the others continue, until
 * several in a row went unanswered. If no item came, or the server asks to wait, a fault rejects; so do a refused key and the only item.
 * With `forbidden`, a 403 is the item's own if its host answers a later item, unless there are many; that of the only item is partial.
 */
export async function eachOf<T>(
  job: Job,
  allItems: readonly T[],
  work: (item: T) => Promise<Tally>,
  forbidden?: OwnForbidden<T>,
): Promise<Tally> {
  const items = job.isProbe === true ? allItems.slice(0, 1) : allItems;
  const tallies: Tally[] = [];
  let errors: FetchError[] = [];
  const own = new Map<FetchError, T>();
  const undecided = new Map<FetchError, T>();
  let unansweredInRow = 0;
  for (const [i, item] of items.entries()) {
    job.say(`${i} of ${items.length}`);
    try {
      tallies.push(await work(item));
      unansweredInRow = 0;
      for (const [fault, earlier] of undecided) {
        if (forbidden?.hostOf(earlier) !== forbidden?.hostOf(item)) continue;
        own.set(fault, earlier);
        undecided.delete(fault);
      }
    } catch (fault) {
      const isForbidden = fault instanceof FetchError && fault.status === 403 && forbidden !== undefined;
      if (isForbidden && allItems.length === 1 && job.isProbe !== true)
        return {...nothingNew, partial: fault.message};
      if (
        items.length === 1 ||
        !(fault instanceof FetchError) ||
        fault.status === 401 ||
        fault.kind === "wait"
      )
        throw fault;
      if (fault.kind === "limit") return endedEarly(tallies, fault);
      errors.push(fault);
      if (isForbidden) undecided.set(fault, item);
      unansweredInRow = fault.isTransient || fault.status === 403 ? unansweredInRow + 1 : 0;
      if (unansweredInRow === maxUnanswered) break;
    }
  }
  if (forbidden !== undefined && own.size <= maxForbidden) {
    tallies.push(...[...own.values()].map(forbidden.tallyOf));
    errors = errors.filter((fault) => !own.has(fault));
  }
  const [first] = errors;
  if (first === undefined) {
    const {added, unchanged, partial} = sumOf(tallies);
    const areAllLost = tallies.length > 1 && tallies.every((tally) => tally.partial !== null);
    // Each item was refused for what it is, none for what the server is.
    if (areAllLost && added + unchanged === 0)
      throw new FetchError("refused", `${items.length} of ${items.length} failed, the first: ${partial}`);
    return sumOf(tallies);
  }
  const left = items.length - tallies.length - errors.length;
  const notAsked = left === 0 ? "" : `; ${left} not asked, because the last ${maxUnanswered} went unanswered`;
  return endedEarly(
    tallies,
    new FetchError(
      first.kind,
      `${errors.length} of ${items.length} failed, the first: ${first.message}${notAsked}`,
      first,
    ),
  );
}

/** Sums up the items that came before a fault, which becomes the reason why they are partial. Throws the fault if no item came. */
function endedEarly(tallies: readonly Tally[], fault: FetchError): Tally {
  if (tallies.length === 0) throw fault;
  const sum = sumOf(tallies);
  return {...sum, partial: sum.partial ?? fault.message};
}
