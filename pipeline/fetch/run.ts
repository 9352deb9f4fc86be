import {mkdir} from "node:fs/promises";
import {join} from "node:path";
import {messageOf} from "../../lib/errors.ts";
import type {FetchState} from "../../schemas/fetch-state.ts";
import type {Settings} from "../../schemas/settings.ts";
import {Bounds} from "./bounds.ts";
import {AskFault} from "./client/ask-fault.ts";
import {PoliteClient} from "./client/polite-client.ts";
import {withoutKey} from "./document.ts";
import type {FetchSource} from "./fetch-source.ts";
import type {FetchStates} from "./fetch-states.ts";
import type {Gain, Job} from "./job.ts";
import type {Outcome} from "./outcome.ts";
import type {PlannedSource} from "./plan.ts";
import {askSource} from "./protocols/protocols.ts";
import {SnapshotFolder} from "./snapshots/snapshot-folder.ts";

/** Sources that are asked at the same time, each at the pace of its host. */
export const sourcesAtOnce = 4;
const gib = 2 ** 30;

/** The progress of a source that a run shows. */
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
};

/**
 * Asks the planned sources and gives an outcome for each, in the order of the plan. No source stops another one: a fault is
 * the outcome of its source (`docs/design/fetching.md` section 1, rule 5).
 */
export async function runFetch(plan: readonly PlannedSource[], options: RunOptions): Promise<Outcome[]> {
  const {rawDir, settings, userAgent, signal} = options;
  await mkdir(rawDir, {recursive: true});
  const time = AbortSignal.timeout(settings.CATTLE_FETCH_HOURS * 3_600_000);
  const bounds = new Bounds({
    signal: AbortSignal.any([signal, time]),
    fileBytes: settings.CATTLE_FETCH_FILE_GIB * gib,
    runBytes: settings.CATTLE_FETCH_GIB * gib,
    dir: rawDir,
  });
  const client = new PoliteClient({userAgent});
  const outcomes = new Map<PlannedSource, Outcome>();
  // Sources of one folder take turns, because each of them tidies it up first.
  const line = [...Map.groupBy(plan, ({source}) => `${source.side}/${source.unit}`).values()].values();
  try {
    const worker = async () => {
      for (const group of line) {
        for (const planned of group) {
          const run = () => fetchOne(planned.source, {...options, bounds, client});
          outcomes.set(planned, planned.action === "ask" ? await run() : notAsked(planned));
        }
      }
    };
    await Promise.all(Array.from({length: sourcesAtOnce}, worker));
    return plan.map((planned) => outcomes.get(planned)!);
  } finally {
    await client.close();
  }
}

function notAsked({source, action, because}: PlannedSource): Outcome {
  const status = action === "ask" ? "not due" : action;
  const nothing = {notes: [], files: 0, unchanged: 0, requests: 0, seconds: 0};
  return {source: source.id, status, reason: because, ...nothing};
}

async function fetchOne(
  source: FetchSource,
  options: RunOptions & {bounds: Bounds; client: PoliteClient},
): Promise<Outcome> {
  const {watcher, settings, states, before, now = () => new Date()} = options;
  const started = performance.now();
  const askedAt = now().toISOString();
  watcher.begins(source);
  let job: Job | null = null;
  const outcome = (status: Outcome["status"], reason: string | null, gain?: Gain): Outcome => ({
    ...{source: source.id, status, reason, notes: gain?.notes ?? []},
    files: gain?.added ?? 0,
    unchanged: gain?.unchanged ?? 0,
    requests: job?.requests ?? 0,
    seconds: (performance.now() - started) / 1000,
  });
  const end = async (): Promise<Outcome> => {
    try {
      await options.bounds.checkRoom();
      job = {
        ...{source, now, requests: 0, client: options.client, bounds: options.bounds},
        folder: await SnapshotFolder.open(join(options.rawDir, source.side, source.unit)),
        key: source.key === null ? null : settings[source.key],
        say: (text) => watcher.says(source, text),
      };
      const gain = await askSource(job);
      if (gain.partial !== null) return outcome("partial", gain.partial, gain);
      return outcome(gain.added > 0 ? "new" : "unchanged", null, gain);
    } catch (thrown) {
      const isBound = thrown instanceof AskFault && thrown.kind === "bounds";
      return outcome(isBound ? "partial" : "failed", withoutKey(messageOf(thrown), job?.key ?? null));
    }
  };
  const ended = await end();
  await states.note(stateAfter(ended, {askedAt, last: before.get(source.id) ?? null}));
  watcher.ends(ended);
  return ended;
}

function stateAfter(
  {source, status, reason, files}: Outcome,
  {askedAt, last}: {askedAt: string; last: FetchState | null},
): FetchState {
  const isGood = status === "new" || status === "unchanged";
  return {
    source,
    last_asked: askedAt,
    last_good: isGood ? askedAt : (last?.last_good ?? null),
    last_new: files > 0 ? askedAt : (last?.last_new ?? null),
    status,
    reason,
  };
}
