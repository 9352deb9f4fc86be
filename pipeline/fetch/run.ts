import {mkdir} from "node:fs/promises";
import {join} from "node:path";
import {messageOf, UserError} from "../../lib/errors.ts";
import type {FetchPace, FetchState} from "../../schemas/fetch-state.ts";
import type {Settings} from "../../schemas/settings.ts";
import {cureOf, FetchError, type FetchErrorKind, type RetryPolicy} from "./client/fetch-error.ts";
import {PoliteClient} from "./client/polite-client.ts";
import {inOrder, type PlannedSource, sameReports} from "./fetch-plan.ts";
import {FetchQueue, type QueueEntry} from "./fetch-queue.ts";
import {FetchPaces, type FetchStates, type Outcome} from "./fetch-states.ts";
import {withoutKey} from "./jobs/document.ts";
import type {Job, Tally} from "./jobs/job.ts";
import {RunBudget} from "./jobs/run-budget.ts";
import type {FetchSource} from "./jobs/source-address.ts";
import {askSource} from "./protocols/protocols.ts";
import {SnapshotFolder} from "./snapshots/snapshot-folder.ts";

type PullUnderWay = NonNullable<FetchState["under_way"]>;

/** Sources fetched concurrently, each at its host's rate. */
export const concurrentSources = 4;

/** Works through items in their order, as many at a time as sources are fetched. Rejects with the first fault. */
export async function eachConcurrently<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) await work(item, index);
  };
  await Promise.all(Array.from({length: concurrentSources}, worker));
}

const gib = 2 ** 30;
/** This program is younger. A clock with an empty battery begins in 1970, 2000 or the year of its board. */
const earliestNow = new Date("2026-01-01T00:00:00Z");

/** Receives the progress of each source. */
export type ProgressListener = {
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
  readonly listener: ProgressListener;
  readonly now?: () => Date;
  /** Overrides the retry policy. */
  readonly retries?: Partial<RetryPolicy>;
};

/**
 * Fetches the planned sources and returns their outcomes in plan order. No source stops another: a fault is the outcome of its own source
 * (`docs/design/fetching.md` section 1, rule 5). A source whose host asks to wait is retried after the others. Rejects with a `UserError`,
 * before anything is written, if the clock is older than this program.
 */
export async function runFetch(plan: readonly PlannedSource[], options: RunOptions): Promise<Outcome[]> {
  const {rawDir, settings, userAgent, signal, retries = {}, now = () => new Date()} = options;
  if (now() < earliestNow)
    throw new UserError(
      `The clock says ${now().toISOString().slice(0, 10)}, which is before this program was written: set it. Nothing was fetched, because all times would be wrong.`,
    );
  await mkdir(rawDir, {recursive: true});
  const time = AbortSignal.timeout(settings.CATTLE_FETCH_HOURS * 3_600_000);
  const budget = new RunBudget({
    signal: AbortSignal.any([signal, time]),
    fileBytes: settings.CATTLE_FETCH_FILE_GIB * gib,
    runBytes: settings.CATTLE_FETCH_GIB * gib,
    dir: rawDir,
  });
  await using client = new PoliteClient({userAgent, proxy: settings.CATTLE_PROXY, retries});
  const asked = plan.filter(({action}) => action === "ask");
  // Known at once: a source that is not asked waits for nothing, and ends nobody's share.
  const outcomes = new Map(
    plan.filter((each) => each.action !== "ask").map((planned) => [planned, notAsked(planned)]),
  );
  const paces = new FetchPaces(rawDir);
  const queue = new FetchQueue(inOrder(asked, settings.CATTLE_FETCH_HOURS), budget.signal);
  const work = async (entry: QueueEntry): Promise<void> => {
    for (let planned = entry.sources.shift(); planned !== undefined; planned = entry.sources.shift()) {
      // After a requeue that never got its turn, the earlier outcome stands.
      const earlier = entry.isOver ? outcomes.get(planned) : undefined;
      if (earlier !== undefined) {
        options.listener.ends(earlier);
        continue;
      }
      const {unlessGood} = planned.source;
      if (unlessGood !== null && isGood(outcomes, unlessGood)) {
        outcomes.set(planned, notAsked({...planned, action: "not due", because: sameReports(unlessGood)}));
        continue;
      }
      const othersWait = () => entry.sources.length > 0 || queue.othersWait;
      const attempt = await fetchOne(planned.source, {...options, budget, client, othersWait});
      outcomes.set(planned, attempt.outcome);
      const isRequeued = attempt.waitMs > 0 && queue.requeue(entry, planned, attempt.waitMs);
      if (attempt.outcome.status !== "not reached") await options.states.note(stateAfter(attempt, options));
      if (attempt.pace !== null) await paces.note(attempt.pace);
      if (isRequeued) return;
      options.listener.ends(attempt.outcome);
    }
  };
  const worker = async () => {
    for (let entry = await queue.next(); entry !== undefined; entry = await queue.next())
      await work(entry).finally(() => queue.end());
  };
  await Promise.all(Array.from({length: concurrentSources}, worker));
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
  return {source: source.id, status, reason: because, fault: null, ...nothing};
}

/** The result of one attempt at a source; `waitMs` is positive if its host asked to wait. */
type Attempt = {
  readonly outcome: Outcome;
  readonly askedAt: string;
  readonly waitMs: number;
  /** Measurements, if the attempt yielded anything. */
  readonly pace: FetchPace | null;
  /** True if pages of an unfinished pull came. */
  readonly hasPages: boolean;
  /** How far a pull of several nights is that used up its share of this one. */
  readonly underWay?: PullUnderWay;
};

async function fetchOne(
  source: FetchSource,
  options: RunOptions & {budget: RunBudget; client: PoliteClient; othersWait: () => boolean},
): Promise<Attempt> {
  const {listener, settings, now = () => new Date()} = options;
  const startMs = performance.now();
  const askedAt = now().toISOString();
  const key = source.key === null ? null : settings[source.key];
  using share = options.budget.share(settings.CATTLE_FETCH_HOURS, options.othersWait);
  listener.begins(source);
  let job: Job | null = null;
  let fault: FetchErrorKind | null = null;
  const attempt = (status: Outcome["status"], reason: string | null, tally?: Tally, waitMs = 0): Attempt => ({
    outcome: {
      ...{source: source.id, status, fault},
      // A service may echo the key in its messages.
      reason: reason === null ? null : withoutKey(reason, key),
      notes: (tally?.notes ?? []).map((note) => withoutKey(note, key)),
      losses: (tally?.losses ?? []).map((loss) => withoutKey(loss, key)),
      files: tally?.added ?? 0,
      unchanged: tally?.unchanged ?? 0,
      requests: job?.requests ?? 0,
      seconds: (performance.now() - startMs) / 1000,
      bytes: share.budget.bytesReceived,
    },
    ...{askedAt, waitMs, hasPages: job?.progress?.hasNew === true},
    pace:
      job === null || ((tally?.added ?? 0) === 0 && job.layer === undefined)
        ? null
        : paceOf(job, {askedAt, started: startMs, isWhole: status === "new"}),
  });
  try {
    await share.budget.checkRoom();
    job = {
      ...{source, now, requests: 0, client: options.client, budget: share.budget, key},
      folder: await SnapshotFolder.open(join(options.rawDir, source.kind, source.folder), now()),
      say: (text) => listener.says(source, withoutKey(text, key)),
    };
    const tally = await askSource(job);
    if (tally.partial !== null) return attempt("partial", tally.partial, tally);
    return attempt(tally.added > 0 ? "new" : "unchanged", null, tally);
  } catch (thrown) {
    const {kind, status, retryAfterMs} =
      thrown instanceof FetchError ? thrown : {kind: null, status: null, retryAfterMs: null};
    fault = kind;
    if (source.key !== null && (status === 401 || status === 403))
      return attempt(
        "key refused",
        `${messageOf(thrown)}: put a valid key into the file that ${source.key}_FILE names`,
      );
    // The run ended, or the disk was full, before the first request.
    if (kind === "limit" && (job?.requests ?? 0) === 0) return attempt("not reached", messageOf(thrown));
    const isOver = kind === "limit" && !options.signal.aborted;
    const underWay = isOver ? pullUnderWay(job?.progress, options.before.get(source.id)) : null;
    // A full disk is no share that was used up, and a person who stops a run leaves it partial.
    if (underWay !== null && (await hasRoom(share.budget)))
      return {...attempt("under way", underWayWords(underWay)), underWay};
    const waitMs = kind === "wait" ? (retryAfterMs ?? 0) : 0;
    if (kind === "limit") return attempt("partial", messageOf(thrown));
    const cure = kind === null ? null : cureOf({kind, status});
    const reason = [messageOf(thrown), cure].filter((each) => each !== null).join("; ");
    return attempt("failed", reason, undefined, waitMs);
  }
}

/** Nights beyond its plan after which a pull is behind it. */
const spareNights = 2;

/** How far a pull is whose share of the night is used up; null for one that brought nothing, or is behind its plan. */
function pullUnderWay(progress: Job["progress"], last: FetchState | undefined): PullUnderWay | null {
  if (progress === undefined || !progress.hasNew || !progress.counted) return null;
  const share = Math.min(1, progress.rows / progress.counted);
  const nights = (last?.under_way?.nights ?? 0) + 1;
  const planned = last?.under_way?.planned ?? Math.max(2, Math.ceil(1 / share));
  return nights > planned + spareNights ? null : {nights, planned, share};
}

function underWayWords({nights, planned, share}: PullUnderWay): string {
  return `night ${nights} of ${planned}, ${Math.floor(share * 100)} %`;
}

function hasRoom(budget: RunBudget): Promise<boolean> {
  return budget.checkRoom().then(
    () => true,
    () => false,
  );
}

function paceOf(
  {source, requests, layer, budget}: Job,
  {askedAt, started: startMs, isWhole}: {askedAt: string; started: number; isWhole: boolean},
): FetchPace {
  return {
    ...{source: source.id, measured_at: askedAt, by: "run", requests},
    seconds_per_request: (performance.now() - startMs) / 1000 / Math.max(requests, 1),
    bytes: isWhole ? budget.bytesReceived : null,
    rows: layer?.rows ?? null,
    page_rows: layer?.pageRows ?? null,
    bytes_per_row: layer?.bytesPerRow ?? null,
  };
}

function stateAfter(
  {outcome, askedAt, hasPages, underWay}: Attempt,
  {before}: Pick<RunOptions, "before">,
): FetchState {
  const {source, status, reason, fault, losses, files, bytes} = outcome;
  const last = before.get(source) ?? null;
  const isGood = status === "new" || status === "unchanged";
  const isOnSchedule = isGood || status === "under way";
  const idle = last?.nights_without_progress ?? 0;
  // Two runs of one day are one night.
  const isSameDay = idle > 0 && last?.last_asked.slice(0, 10) === askedAt.slice(0, 10);
  return {
    source,
    last_asked: askedAt,
    last_good: isGood ? askedAt : unlessFuture(last?.last_good ?? null, askedAt),
    last_new: files > 0 ? askedAt : (last?.last_new ?? null),
    status,
    reason,
    ...(fault === null ? {} : {fault}),
    losses: [...losses],
    failures: isOnSchedule ? 0 : (last?.failures ?? 0) + 1,
    nights_without_progress: isOnSchedule || files > 0 || hasPages ? 0 : isSameDay ? idle : idle + 1,
    ...(underWay === undefined ? {} : {under_way: underWay}),
    bytes,
  };
}

/** Ignores an instant after this run's, which was recorded under a wrong clock. */
function unlessFuture(moment: string | null, now: string): string | null {
  return moment !== null && moment <= now ? moment : null;
}
