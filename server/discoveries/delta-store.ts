import {rm} from "node:fs/promises";
import {join} from "node:path";
import {
  makeOwnFolder,
  ownIdentity,
  privateFolder,
  sweepTemporaryFiles,
  temporaryName,
  writeNew,
} from "@open-cattle/safe-files";
import {clockFault} from "../../lib/dates.ts";
import {DeltaReader} from "../../lib/delta/delta-folder.ts";
import {createFindMaker, type FindMaker} from "../../lib/delta/find-maker.ts";
import type {PlacedRecord} from "../../lib/delta/overlay.ts";
import {DeltaWriter} from "../../lib/delta/segment-writer.ts";
import {messageOf} from "../../lib/errors.ts";
import type {MemoryRow} from "../../lib/parcels/memory/memory-parcel-set.ts";
import type {DeltaUpsert, NewDeltaRecord} from "../../schemas/delta-record.ts";
import {type Discovery, type DiscoveryStore, GrowingView} from "../delta/delta-view.ts";
import type {Generation} from "../generation/generation.ts";
import type {Log} from "../system/json-log.ts";
import {type DeltaMetrics, watchDamage} from "./delta-metrics.ts";
import {watchFolder} from "./folder-watch.ts";

type DeltaStoreOptions = {
  folder: string;
  log: Log;
  metrics: DeltaMetrics;
  now?: () => Date; // The clock, which is checked against the served build.
  probeMs?: number; // Interval between write probes of the folder.
};

/** A view, with the reader that keeps it in step with the folder. */
type Following = {
  readonly view: GrowingView;
  readonly reader: DeltaReader;
  /** Records that the reader has read and the view failed to take; they are folded again with the next poll. */
  unfolded: readonly PlacedRecord[];
};

const POLL_MS = 1_000;
/** A disk that turns read-only goes unnoticed until somebody writes to it. */
const PROBE_MS = 10_000;

/** Opens the delta folder, creating it if necessary. An unwritable folder only degrades the service. */
export function openDeltaStore(options: DeltaStoreOptions): DeltaStore {
  return new DeltaStore(options, makeFolder(options.folder, options.log));
}

/** The delta of one server process: it writes its own segment and reads the segments of all processes. */
class DeltaStore implements DiscoveryStore {
  readonly #options: DeltaStoreOptions;
  readonly #hasFolder: boolean;
  readonly #writer: DeltaWriter;
  readonly #reportDamage: ReturnType<typeof watchDamage>;
  readonly #timer: NodeJS.Timeout;
  readonly #hint: {close(): void};
  readonly #prober: NodeJS.Timeout;
  /** False after a failed probe, until a probe or a discovery has been written. */
  #probed = true;
  /** The file of the last probe. */
  #probeFile = "";
  /** Views of generations that may be served next. */
  readonly #prepared = new Map<Generation["delta"], Following>();
  /** The view of the served generation. */
  #current: Following | null = null;
  /** When the served build was made. */
  #builtAt: string | null = null;
  #loggedClockFault: string | null = null;
  /** Segments that the last poll could not read; one entry without a name for the whole folder. */
  #unreadable: readonly string[] = [];
  /** The poll in progress. */
  #polling: Promise<void> | null = null;
  /** Records on disk that are in no view yet. */
  #persisted: PlacedRecord[] = [];
  readonly #maker: FindMaker = createFindMaker();
  /** Settles once all records persisted so far are in the views. */
  #showing: Promise<void> = Promise.resolve();
  /** Sources whose record is currently being written. */
  readonly #adding = new Set<string>();

  constructor(options: DeltaStoreOptions, hasFolder: boolean) {
    const {folder, log, metrics} = options;
    this.#options = options;
    this.#hasFolder = hasFolder;
    this.#reportDamage = watchDamage(folder, {log, damaged: metrics.damaged});
    this.#writer = new DeltaWriter({
      folder,
      writer: ownIdentity(),
      baseBuildId: "",
      onPersisted: (placed) => void this.#persisted.push(placed),
      onFlush: (batch) => {
        this.#probed = true;
        metrics.flushed(batch);
      },
      onPoisoned(reason) {
        metrics.poisoned();
        log.error({reason}, "a delta segment was given up");
      },
    });
    this.#timer = setInterval(() => void this.refresh().then(() => this.#updateMetrics()), POLL_MS).unref();
    this.#hint = watchFolder(folder, () => void this.refresh());
    this.#prober = setInterval(() => void this.#probe(), options.probeMs ?? PROBE_MS).unref();
  }

  async append({upsert, source}: Discovery): Promise<{persisted: boolean; sourceAdded: boolean}> {
    if (this.#clockFault() !== null) {
      this.#options.metrics.appended(false);
      return {persisted: false, sourceAdded: false};
    }
    const {sourceId} = source;
    const isNew = !(this.#current?.view.hasSource(sourceId) ?? false) && !this.#adding.has(sourceId);
    if (isNew) this.#adding.add(sourceId);
    const [sourceAdded, persisted] = await Promise.all([
      isNew && this.#store({kind: "source", v: 1, key: {sourceId}, ...source}),
      this.#store(upsert),
    ]);
    if (isNew) this.#adding.delete(sourceId);
    return {persisted, sourceAdded: sourceAdded && persisted};
  }

  async preview(upserts: readonly DeltaUpsert[]): Promise<readonly (MemoryRow | null)[]> {
    return (await this.#current?.view.preview(upserts)) ?? upserts.map(() => null);
  }

  /**
   * Adds a view to the generation: of the served view's discoveries that the build does not hold or, if this build has merged less, of all
   * segments from the build's watermarks on. Never rejects.
   */
  async prepare(generation: Generation): Promise<Generation> {
    const {log} = this.#options;
    const view = new GrowingView(generation, this.#maker, {
      refresh: () => this.#refreshNow(),
      onUnmerged: (error) => log.error({reason: messageOf(error)}, "what was found cannot be merged"),
    });
    // A poll in progress has read records that are in no view yet.
    while (this.#polling !== null) await this.#polling;
    const served = this.#current;
    const taking = served?.unfolded.length === 0 ? view.takeOver(served.view) : null;
    const reader = taking === null ? new DeltaReader(this.#options.folder) : served!.reader.copy();
    const following = {view, reader, unfolded: []};
    this.#prepared.set(view, following);
    await taking;
    await this.#continueReading(following);
    return {...generation, delta: view};
  }

  /** Starts a new segment and follows the view that `prepare` made for this generation. */
  adopted({delta, buildId, builtAt}: Generation): void {
    this.#builtAt = builtAt;
    const next = this.#prepared.get(delta);
    if (next === undefined) return;
    this.#prepared.clear();
    this.#current = next;
    void this.#writer.rotate(buildId);
    this.#updateMetrics();
  }

  /** Reads what other processes wrote, without waiting for the next poll. Never rejects. */
  async refresh(): Promise<void> {
    if (this.#current === null) return;
    this.#polling ??= this.#continueReading(this.#current).finally(() => {
      this.#polling = null;
    });
    await this.#polling;
  }

  /**
   * Returns `delta_not_writable` while discoveries cannot be stored, `clock_wrong` while they are refused because of the clock,
   * `delta_unreadable` with the segment while one cannot be read, and `delta_not_shown` while records that were read cannot be shown.
   */
  reasons(): string[] {
    const writable = this.#hasFolder && this.#probed && this.#writer.writable();
    return [
      ...(writable ? [] : ["delta_not_writable"]),
      ...(this.#clockFault() === null ? [] : ["clock_wrong"]),
      ...this.#unreadable.map((segment) => ["delta_unreadable", segment].filter(Boolean).join(":")),
      ...((this.#current?.unfolded.length ?? 0) === 0 ? [] : ["delta_not_shown"]),
    ];
  }

  async #probe(): Promise<void> {
    const before = this.#probeFile;
    const path = join(this.#options.folder, temporaryName());
    this.#probeFile = path;
    try {
      await sweepTemporaryFiles(this.#options.folder);
      // If the folder vanished during a probe, the probe file reappears together with it.
      if (before !== "") await rm(before, {force: true});
      await writeNew(path, "", {mode: 0o600});
      await rm(path, {force: true});
      this.#probed = true;
    } catch (error) {
      if (this.#probed)
        this.#options.log.error({reason: messageOf(error)}, "the delta folder cannot be written");
      this.#probed = false;
    }
  }

  /** Why the clock is not trusted, or null. A discovery dated in the future would outrank every later roll for years. */
  #clockFault(): string | null {
    const fault =
      this.#builtAt === null ? null : clockFault(this.#builtAt, this.#options.now?.() ?? new Date());
    if (fault !== null && this.#loggedClockFault === null)
      this.#options.log.error({fault}, "no discovery is stored");
    this.#loggedClockFault = fault;
    return fault;
  }

  /** Flushes pending records and ends the segment. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    clearInterval(this.#prober);
    this.#hint.close();
    await this.#polling;
    await this.#writer.close();
    await this.#maker.close();
  }

  /** Reads everything written up to now; a poll in progress may have started earlier. */
  async #refreshNow(): Promise<void> {
    await this.#polling;
    await this.refresh();
  }

  async #continueReading(following: Following): Promise<void> {
    const {reader, view} = following;
    const placed = [...following.unfolded];
    try {
      const unreadable = await reader.pollReadable((each) => void placed.push(each));
      this.#noteUnreadable(
        unreadable.map(({file, error}) => ({segment: file.name, reason: messageOf(error)})),
      );
    } catch (error) {
      this.#noteUnreadable([{segment: "", reason: messageOf(error)}]);
    }
    try {
      await view.fold(placed);
      following.unfolded = [];
      await this.#reportDamage(reader.segments(), reader.nonFiles());
    } catch (error) {
      // The reader does not give these records again.
      following.unfolded = placed;
      this.#options.log.error({reason: messageOf(error)}, "what was read of the delta cannot be shown");
    }
  }

  /** Logs each segment when it becomes unreadable, not at each poll. */
  #noteUnreadable(faults: readonly {segment: string; reason: string}[]): void {
    for (const fault of faults)
      if (!this.#unreadable.includes(fault.segment))
        this.#options.log.error(fault, "the delta cannot be read");
    this.#unreadable = faults.map(({segment}) => segment);
  }

  async #store(record: NewDeltaRecord): Promise<boolean> {
    const persisted = await this.#writer.append(record);
    this.#options.metrics.appended(persisted);
    if (persisted) await this.#showPersisted();
    return persisted;
  }

  /** Adds acknowledged records to every view, including those that may be served next. */
  async #showPersisted(): Promise<void> {
    const placed = this.#persisted;
    this.#persisted = [];
    const views = [this.#current, ...this.#prepared.values()].flatMap((each) => each?.view ?? []);
    this.#showing = Promise.all([this.#showing, ...views.map((view) => view.fold(placed))]).then(
      () => undefined,
      (error: unknown) =>
        this.#options.log.error({reason: messageOf(error)}, "a stored parcel cannot be shown yet"),
    );
    await this.#showing;
  }

  #updateMetrics(): void {
    if (this.#current === null) return;
    const {records, oldest} = this.#current.view.unmerged();
    const segments = this.#current.reader.segments();
    const live = segments.filter(({file}) => !file.retired);
    this.#options.metrics.held({
      records,
      oldestMs: oldest === null ? 0 : Date.now() - Date.parse(oldest),
      bytes: live.reduce((sum, {sizeBytes}) => sum + sizeBytes, 0),
      live: live.length,
      retired: segments.length - live.length,
    });
  }
}

function makeFolder(folder: string, log: Log): boolean {
  try {
    makeOwnFolder(folder, privateFolder);
    return true;
  } catch (error) {
    log.error({reason: messageOf(error)}, "the delta folder cannot be made");
    return false;
  }
}
