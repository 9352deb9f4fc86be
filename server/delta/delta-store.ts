import {mkdirSync, watch} from "node:fs";
import type {Logger} from "pino";
import {createDeltaReader, type DeltaReader} from "../../lib/delta/delta-folder.ts";
import type {SegmentFiles} from "../../lib/delta/segment-files.ts";
import {createDeltaWriter} from "../../lib/delta/segment-writer.ts";
import {messageOf} from "../../lib/errors.ts";
import {ownIdentity} from "../../lib/process/process-identity.ts";
import type {NewDeltaRecord} from "../../schemas/delta-record.ts";
import type {Generation} from "../generation/generation.ts";
import {watchDamage} from "./damage-watch.ts";
import type {DeltaMetrics} from "./delta-metrics.ts";
import {createDeltaView, type GrowingView} from "./delta-view.ts";
import type {Find, FindStore} from "./find-store.ts";

/** The delta of one server process: it writes a segment of its own and reads those of all. */
export type DeltaStore = FindStore & {
  /** A generation with its view of the delta: every segment is read beyond the build's watermarks. Never rejects. */
  prepare(generation: Generation): Promise<Generation>;
  /** The generation, which `prepare` gave, is served from now on: its view is kept in step, and a new segment is begun. */
  adopted(generation: Generation): void;
  /** Reads what other processes wrote now, and not only at the next poll. Never rejects. */
  refresh(): Promise<void>;
  /** `delta_not_writable` while finds cannot be stored. */
  reasons(): string[];
  /** Stores what waits and ends the segment. */
  close(): Promise<void>;
};

export type DeltaStoreOptions = {
  folder: string;
  log: Logger;
  metrics: DeltaMetrics;
  pollMs?: number;
  files?: SegmentFiles;
  now?: () => Date;
};

type Following = {readonly view: GrowingView; readonly reader: DeltaReader};

/** Opens the delta folder, making it where it is not there; one that cannot be written only degrades the service. */
export function openDeltaStore(options: DeltaStoreOptions): DeltaStore {
  const {folder, log, metrics, pollMs = 1_000, now = () => new Date()} = options;
  const canMake = makeFolder(folder, log);
  const tellDamage = watchDamage(folder, {log, damaged: metrics.damaged});
  const prepared = new Map<GrowingView, Following>();
  let current: Following | null = null;
  let polling: Promise<void> | null = null;
  const adding = new Set<string>();

  const writer = createDeltaWriter({
    folder,
    writer: ownIdentity(),
    baseBuildId: "",
    // Into every view that may be served next, too: what is acknowledged is in all of them.
    onPersisted: (placed) => {
      for (const {view} of [...(current === null ? [] : [current]), ...prepared.values()]) view.fold(placed);
    },
    onFlush: metrics.flushed,
    onPoisoned(reason) {
      metrics.poisoned();
      log.error({reason}, "a delta segment was given up");
    },
    now,
    ...(options.files === undefined ? {} : {files: options.files}),
  });

  async function readOn({reader, view}: Following): Promise<void> {
    try {
      await reader.poll((placed) => view.fold(placed));
      await tellDamage(reader.segments());
    } catch (error) {
      log.error({reason: messageOf(error)}, "the delta cannot be read");
    }
  }

  async function refresh(): Promise<void> {
    if (current === null) return;
    polling ??= readOn(current).finally(() => {
      polling = null;
    });
    await polling;
  }

  /** Reads to what is on disk now: a poll that is under way may have begun before. */
  async function refreshNow(): Promise<void> {
    await polling;
    await refresh();
  }

  function tellFigures(): void {
    if (current === null) return;
    const {records, oldest} = current.view.unmerged();
    const segments = current.reader.segments();
    const live = segments.filter(({file}) => !file.retired);
    metrics.held({
      records,
      oldestMs: oldest === null ? 0 : now().getTime() - Date.parse(oldest),
      bytes: live.reduce((sum, {sizeBytes}) => sum + sizeBytes, 0),
      live: live.length,
      retired: segments.length - live.length,
    });
  }

  async function store(record: NewDeltaRecord): Promise<boolean> {
    const persisted = await writer.append(record);
    metrics.appended(persisted);
    return persisted;
  }

  async function append({upsert, source}: Find): Promise<{persisted: boolean; sourceAdded: boolean}> {
    const {sourceId} = source;
    const isNew = !(current?.view.hasSource(sourceId) ?? false) && !adding.has(sourceId);
    if (isNew) adding.add(sourceId);
    const joined = isNew ? store({kind: "source", v: 1, key: {sourceId}, ...source}) : Promise.resolve(false);
    const [sourceAdded, persisted] = await Promise.all([joined, store(upsert)]);
    if (isNew) adding.delete(sourceId);
    return {persisted, sourceAdded: sourceAdded && persisted};
  }

  const timer = setInterval(() => void refresh().then(tellFigures), pollMs).unref();
  const hint = watchFolder(folder, () => void refresh());

  return {
    append,
    refresh,
    async prepare(generation) {
      const following = {view: createDeltaView(generation, refreshNow), reader: createDeltaReader(folder)};
      prepared.set(following.view, following);
      await readOn(following);
      return {...generation, delta: following.view};
    },
    adopted(generation) {
      const next = [...prepared.values()].find(({view}) => view === generation.delta);
      if (next === undefined) return;
      prepared.clear();
      current = next;
      void writer.rotate(generation.buildId);
      tellFigures();
    },
    reasons: () => (canMake && writer.writable() ? [] : ["delta_not_writable"]),
    async close() {
      clearInterval(timer);
      hint.close();
      await polling;
      await writer.close();
    },
  };
}

function makeFolder(folder: string, log: Logger): boolean {
  try {
    mkdirSync(folder, {recursive: true, mode: 0o700});
    return true;
  } catch (error) {
    log.error({reason: messageOf(error)}, "the delta folder cannot be made");
    return false;
  }
}

/** Many writes come together, our own among them: they are looked at once. */
const HINT_MS = 50;

/** A hint only: where the system gives none, the poll finds everything. */
function watchFolder(folder: string, changed: () => void): {close(): void} {
  let soon: NodeJS.Timeout | undefined;
  const later = () => {
    soon ??= setTimeout(() => {
      soon = undefined;
      changed();
    }, HINT_MS).unref();
  };
  try {
    const watcher = watch(folder, {persistent: false}, later).on("error", () => undefined);
    return {
      close() {
        clearTimeout(soon);
        watcher.close();
      },
    };
  } catch {
    return {close: () => undefined};
  }
}
