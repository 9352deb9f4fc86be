import {mkdir} from "node:fs/promises";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {messageOf} from "../../lib/errors.ts";
import type {FetchPace, FetchState} from "../../schemas/fetch-state.ts";
import type {Settings} from "../../schemas/settings.ts";
import {AskFault, type Patience} from "./client/ask-fault.ts";
import {PoliteClient} from "./client/polite-client.ts";
import {type PlannedSource, sameReports} from "./fetch-plan.ts";
import {FetchPaces, type FetchStates, type Outcome} from "./fetch-states.ts";
import {withoutKey} from "./jobs/document.ts";
import type {Job, Tally} from "./jobs/job.ts";
import {Bounds} from "./jobs/run-budget.ts";
import type {FetchSource} from "./jobs/source-address.ts";
import {askSource} from "./protocols/protocols.ts";
import {SnapshotFolder} from "./snapshots/snapshot-folder.ts";

/** Maximum wait for a host's `Retry-After` when no other source is being fetched. */
const maxLastWaitMs = 10 * 60_000;
/** How often a source is requeued because its host asked to wait. */
const maxReturns = 3;

/** Sources of one folder; fetched one at a time, because each starts by tidying up the folder. */
type Waiting = {
  readonly sources: PlannedSource[];
  /** When the first source's host may be contacted again, by `performance.now`. */
  readonly notBefore: number;
  /** How often the first source has been requeued. */
  readonly returns: number;
};

/** Sources whose turn it is. `isOver`: the run has ended, or the host's wait is longer than anything else left to do. */
type Turn = Waiting & {readonly isOver: boolean};

/** The queue of a run's sources. A source whose host asks to wait is requeued while the others continue. */
class Turns {
  readonly #waiting: Waiting[];
  readonly #signal: AbortSignal;
  #asking = 0;

  constructor(plan: readonly PlannedSource[], signal: AbortSignal) {
    const folderOf = ({side, unit}: FetchSource) => `${side}/${unit}`;
    // A source beside another is decided when that one has ended.
    const folders = Map.groupBy(plan, ({source}) => {
      const other = plan.find((each) => each.source.id === source.unlessGood);
      return folderOf(other?.source ?? source);
    });
    this.#waiting = [...folders.values()].map((group) => {
      const sources = group.toSorted(
        (a, b) => Number(a.source.unlessGood !== null) - Number(b.source.unlessGood !== null),
      );
      return {sources, notBefore: 0, returns: 0};
    });
    this.#signal = signal;
  }

  /** True while sources are queued. */
  get othersWait(): boolean {
    return this.#waiting.length > 0;
  }

  /** Takes the queue entry that may start first, waiting until it may; undefined when none is left. Must be followed by `end`. */
  async next(): Promise<Turn | undefined> {
    this.#waiting.sort((a, b) => a.notBefore - b.notBefore);
    const turn = this.#waiting.shift();
    if (turn === undefined) return undefined;
    const isOver = !(await this.#mayBegin(turn.notBefore));
    this.#asking += 1;
    return {...turn, isOver};
  }

  /** Ends a turn that was taken. */
  end(): void {
    this.#asking -= 1;
  }

  /** Requeues a turn, including its current source. Returns false if it has been requeued often enough. */
  putBack({sources, returns}: Waiting, first: PlannedSource, waitMs: number): boolean {
    if (returns >= maxReturns) return false;
    const notBefore = performance.now() + waitMs;
    this.#waiting.push({sources: [first, ...sources], notBefore, returns: returns + 1});
    return true;
  }

  /** Waits until a moment. False if the run ends first, or if the moment is too far away and nothing else is being fetched. */
  async #mayBegin(notBefore: number): Promise<boolean> {
    for (;;) {
      if (this.#signal.aborted) return false;
      const wait = notBefore - performance.now();
      if (wait <= 0) return true;
      if (this.#asking === 0 && wait > maxLastWaitMs) return false;
      await sleep(Math.min(wait, 1000), undefined, {signal: this.#signal}).catch(() => undefined);
    }
  }
}

/** Sources fetched concurrently, each at its host's rate. */
export const sourcesAtOnce = 4;
const gib = 2 ** 30;

/** Receives the progress of each source. */
export type Watcher = {
  begins(source: FetchSource): void;
  says(source: FetchSource, text: string): void;
  ends(outcome: Outcome): void;
};

export type RunOptions = {
  readonly rawDir: string;
  readonly settings: Settings;
  readonly states: FetchStates;
  readonly before: ReadonlyMap<string, FetchState>;
  readonly userAgent: string;
  /** Ends the run early; what was fetched stays. */
  readonly signal: AbortSignal;
  readonly watcher: Watcher;
  readonly now?: () => Date;
  /** Overrides the retry policy. */
  readonly patience?: Partial<Patience>;
};

/**
 * Fetches the planned sources and returns their outcomes in plan order. No source stops another: a fault is the outcome of its own source
 * (`docs/design/fetching.md` section 1, rule 5). A source whose host asks to wait is retried after the others.
 */
export async function runFetch(plan: readonly PlannedSource[], options: RunOptions): Promise<Outcome[]> {
  const {rawDir, settings, userAgent, signal, patience = {}} = options;
  await mkdir(rawDir, {recursive: true});
  const time = AbortSignal.timeout(settings.CATTLE_FETCH_HOURS * 3_600_000);
  const bounds = new Bounds({
    signal: AbortSignal.any([signal, time]),
    fileBytes: settings.CATTLE_FETCH_FILE_GIB * gib,
    runBytes: settings.CATTLE_FETCH_GIB * gib,
    dir: rawDir,
  });
  await using client = new PoliteClient({userAgent, proxy: settings.CATTLE_PROXY, retries: patience});
  const outcomes = new Map<PlannedSource, Outcome>();
  const paces = new FetchPaces(rawDir);
  const turns = new Turns(plan, bounds.signal);
  const work = async (turn: Turn): Promise<void> => {
    for (let planned = turn.sources.shift(); planned !== undefined; planned = turn.sources.shift()) {
      // After a requeue that never got its turn, the earlier outcome stands.
      const said = turn.isOver ? outcomes.get(planned) : undefined;
      if (said !== undefined) {
        options.watcher.ends(said);
        continue;
      }
      const {unlessGood} = planned.source;
      if (planned.action === "ask" && unlessGood !== null && isGood(outcomes, unlessGood)) {
        outcomes.set(planned, notAsked({...planned, action: "not due", because: sameReports(unlessGood)}));
        continue;
      }
      const othersWait = () => turn.sources.length > 0 || turns.othersWait;
      const asked = planned.action === "ask";
      const ended = asked ? await fetchOne(planned.source, {...options, bounds, client, othersWait}) : null;
      outcomes.set(planned, ended?.outcome ?? notAsked(planned));
      if (ended === null) continue;
      const isPutBack = ended.waitMs > 0 && turns.putBack(turn, planned, ended.waitMs);
      if (ended.outcome.status !== "not reached") await options.states.note(stateAfter(ended, options));
      if (ended.pace !== null) await paces.note(ended.pace);
      if (isPutBack) return;
      options.watcher.ends(ended.outcome);
    }
  };
  const worker = async () => {
    for (let turn = await turns.next(); turn !== undefined; turn = await turns.next())
      await work(turn).finally(() => turns.end());
  };
  await Promise.all(Array.from({length: sourcesAtOnce}, worker));
  return plan.map((planned) => outcomes.get(planned)!);
}

/** True if a source has answered in full in this run. */
function isGood(outcomes: ReadonlyMap<PlannedSource, Outcome>, id: string): boolean {
  return [...outcomes.values()].some(
    ({source, status}) => source === id && (status === "new" || status === "unchanged"),
  );
}

/** The outcome of a source that is not fetched, from its plan. */
export function notAsked({source, action, because}: PlannedSource): Outcome {
  const status = action === "ask" ? "not due" : action;
  const nothing = {notes: [], losses: [], files: 0, unchanged: 0, requests: 0, seconds: 0, bytes: 0};
  return {source: source.id, status, reason: because, ...nothing};
}

/** The result of one attempt at a source; `waitMs` is positive if its host asked to wait. */
type Ended = {
  readonly outcome: Outcome;
  readonly askedAt: string;
  readonly waitMs: number;
  /** Measurements, if the attempt yielded anything. */
  readonly pace: FetchPace | null;
};

async function fetchOne(
  source: FetchSource,
  options: RunOptions & {bounds: Bounds; client: PoliteClient; othersWait: () => boolean},
): Promise<Ended> {
  const {watcher, settings, now = () => new Date()} = options;
  const started = performance.now();
  const askedAt = now().toISOString();
  const key = source.key === null ? null : settings[source.key];
  using share = options.bounds.share(settings.CATTLE_FETCH_HOURS, options.othersWait);
  watcher.begins(source);
  let job: Job | null = null;
  const ended = (status: Outcome["status"], reason: string | null, tally?: Tally, waitMs = 0): Ended => ({
    outcome: {
      ...{source: source.id, status},
      // A service may echo the key in its messages.
      reason: reason === null ? null : withoutKey(reason, key),
      notes: (tally?.notes ?? []).map((note) => withoutKey(note, key)),
      losses: (tally?.losses ?? []).map((loss) => withoutKey(loss, key)),
      files: tally?.added ?? 0,
      unchanged: tally?.unchanged ?? 0,
      requests: job?.requests ?? 0,
      seconds: (performance.now() - started) / 1000,
      bytes: share.bounds.taken,
    },
    ...{askedAt, waitMs},
    pace:
      job === null || ((tally?.added ?? 0) === 0 && job.layer === undefined)
        ? null
        : paceOf(job, {askedAt, started, isWhole: status === "new"}),
  });
  try {
    await share.bounds.checkRoom();
    job = {
      ...{source, now, requests: 0, client: options.client, bounds: share.bounds, key},
      folder: await SnapshotFolder.open(join(options.rawDir, source.side, source.unit)),
      say: (text) => watcher.says(source, withoutKey(text, key)),
    };
    const tally = await askSource(job);
    if (tally.partial !== null) return ended("partial", tally.partial, tally);
    return ended(tally.added > 0 ? "new" : "unchanged", null, tally);
  } catch (thrown) {
    const {kind, status, retryAfterMs} =
      thrown instanceof AskFault ? thrown : {kind: null, status: null, retryAfterMs: null};
    if (source.key !== null && (status === 401 || status === 403))
      return ended(
        "key refused",
        `${messageOf(thrown)}: put a valid key into the file that ${source.key}_FILE names`,
      );
    // The run ended, or the disk was full, before the first request.
    if (kind === "bounds" && (job?.requests ?? 0) === 0) return ended("not reached", messageOf(thrown));
    const waitMs = kind === "wait" ? (retryAfterMs ?? 0) : 0;
    return ended(kind === "bounds" ? "partial" : "failed", messageOf(thrown), undefined, waitMs);
  }
}

function paceOf(
  {source, requests, layer, bounds}: Job,
  {askedAt, started, isWhole}: {askedAt: string; started: number; isWhole: boolean},
): FetchPace {
  return {
    ...{source: source.id, measured_at: askedAt, by: "run", requests},
    seconds_per_request: (performance.now() - started) / 1000 / Math.max(requests, 1),
    bytes: isWhole ? bounds.taken : null,
    rows: layer?.rows ?? null,
    page_rows: layer?.pageRows ?? null,
    bytes_per_row: layer?.bytesPerRow ?? null,
  };
}

function stateAfter({outcome, askedAt}: Ended, {before}: Pick<RunOptions, "before">): FetchState {
  const {source, status, reason, losses, files, bytes} = outcome;
  const last = before.get(source) ?? null;
  const isGood = status === "new" || status === "unchanged";
  return {
    source,
    last_asked: askedAt,
    last_good: isGood ? askedAt : believed(last?.last_good ?? null, askedAt),
    last_new: files > 0 ? askedAt : (last?.last_new ?? null),
    status,
    reason,
    losses: [...losses],
    failures: isGood ? 0 : (last?.failures ?? 0) + 1,
    bytes,
  };
}

/** Ignores an instant after this run's, which was recorded under a wrong clock. */
function believed(moment: string | null, now: string): string | null {
  return moment !== null && moment <= now ? moment : null;
}
