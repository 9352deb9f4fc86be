import {isTransient} from "@open-cattle/safe-files";
import {messageOf, UserError} from "../../lib/errors.ts";
import {goldenMisses} from "../../lib/parcels/golden-lookups.ts";
import {
  buildFolder,
  currentBuildId,
  type DataFolder,
  nothingPublished,
  retainedBuilds,
} from "../../lib/storage/data-folder.ts";
import type {Log} from "../system/json-log.ts";
import type {Metrics} from "../system/metrics.ts";
import {FileSetWatch} from "./file-set-watch.ts";
import type {Generation} from "./generation.ts";
import {type OpenState, openGeneration} from "./open-generation.ts";
import {verifyBuild} from "./verify-build.ts";

/** Number of each state's own rows that a newly opened build must find (`docs/design/reliability.md` section 4.2). */
const SMOKE_ROWS = 5;

type WatchOptions = {
  openState: OpenState;
  pollMs: number;
  log: Log;
  metrics: Metrics;
  /** True after a process that ended by itself, perhaps at a bad sector of a mapped file: every byte is read before the first answer. */
  afterCrash: boolean;
  /** Prepares an opened build for serving; a build for which it throws is refused. */
  prepare: (generation: Generation) => Promise<Generation>;
  /** Called with the generation that is served from now on. */
  adopted: (generation: Generation) => void;
};

/** Interval at which the served build's files are compared with the manifest by name and size. */
const FILES_MS = 60_000;
/** Interval between full checks of the served build. */
const WEEK_MS = 7 * 86_400_000;
/** Delay before retrying a full check that failed for a transient reason. */
const CHECK_AGAIN_MS = 60_000;

/**
 * Opens the published build and follows `data/current`. A build that fails its checks is refused and the previous one stays. At startup,
 * with nothing to stay on, the newest retained build that passes is served, else the newest one without its damaged parts. The same applies
 * if `current` is missing or dangling (`docs/design/reliability.md` section 4.2).
 */
export async function watchGenerations(data: DataFolder, options: WatchOptions): Promise<GenerationWatch> {
  const watch = new GenerationWatch(data, options);
  await watch.begin();
  return watch;
}

/** The served generation, kept in step with `data/current`. */
class GenerationWatch {
  readonly #data: DataFolder;
  readonly #options: WatchOptions;
  readonly #files: FileSetWatch;
  /** Builds that failed their checks. */
  readonly #refused = new Set<string>();
  /** Builds that cannot be served even without their damaged parts. */
  readonly #unservable = new Set<string>();
  #served: Generation | null = null;
  /** The previously served build, without its discoveries: these are read again if it is served again. */
  #before: Generation | null = null;
  /** Fault of `current`, and of the build that it points to. */
  #linkFault: string | null = null;
  #buildFault: string | null = null;
  /** The check of `current` in progress. */
  #checking: Promise<void> | null = null;
  #timers: NodeJS.Timeout[] = [];
  /** Set on close: a check still in progress must not change anything. */
  #closed = false;

  constructor(data: DataFolder, options: WatchOptions) {
    this.#data = data;
    this.#options = options;
    this.#files = new FileSetWatch(options);
  }

  async begin(): Promise<void> {
    await this.#checkOnce();
    this.#timers = [
      setInterval(() => void this.#checkOnce(), this.#options.pollMs).unref(),
      setInterval(() => void this.#files.check(), FILES_MS).unref(),
      setInterval(() => void this.#checkServed(), WEEK_MS).unref(),
    ];
  }

  generation(): Generation | null {
    return this.#served;
  }

  /** Returns why the published build is not served completely; empty when it is. */
  reasons(): string[] {
    const faults = [this.#linkFault, this.#buildFault].filter((fault) => fault !== null);
    if (this.#served === null) return faults;
    return [...faults, ...damagedParts(this.#served), ...this.#files.reasons()];
  }

  /** Checks `current` and the served files now, and retries builds that were refused before. Never rejects. */
  async refresh(): Promise<void> {
    await this.#checking;
    this.#refused.clear();
    this.#unservable.clear();
    await this.#checkOnce();
    await this.#files.check();
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** Checks `current`; concurrent calls share one check. Never rejects. */
  #checkOnce(): Promise<void> {
    this.#checking ??= this.#check()
      .catch((error: unknown) => this.#noteLinkFault("builds_unreadable", messageOf(error)))
      .finally(() => {
        this.#checking = null;
      });
    return this.#checking;
  }

  async #check(): Promise<void> {
    const buildId = await this.#publishedId();
    // An unreadable link may be readable at the next check, so nothing else is served in its place.
    if (buildId === undefined) return;
    if (buildId === null || this.#refused.has(buildId)) return this.#fallBack();
    const opened =
      buildId === this.#served?.buildId ? "served" : await this.#open(buildId, {previous: this.#served});
    if (opened === "served") this.#buildFault = null;
    if (opened === "refused") await this.#fallBack();
  }

  /** The build that `current` points to; null if the link is missing or dangling, undefined after a transient failure. */
  async #publishedId(): Promise<string | null | undefined> {
    try {
      const buildId = await currentBuildId(this.#data);
      if (buildId === null)
        this.#noteLinkFault(
          "current_absent",
          this.#served === null ? nothingPublished(this.#data) : "no build is published",
        );
      else this.#linkFault = null;
      return buildId;
    } catch (error) {
      this.#noteLinkFault("current_unreadable", messageOf(error));
      return isTransient(error) ? undefined : null;
    }
  }

  /** While nothing is served: serves another build. */
  async #fallBack(): Promise<void> {
    if (this.#served === null) await this.#openAnother();
  }

  /**
   * Serves the newest retained build that passes, else the newest one without its damaged parts. What is served now may be damaged, also in
   * files that other builds link to: none of it is taken over.
   */
  async #openAnother(): Promise<void> {
    const newestFirst = (await retainedBuilds(this.#data)).map(({buildId}) => buildId);
    for (const id of newestFirst) {
      if (!this.#refused.has(id) && (await this.#open(id, {previous: null})) !== "refused") return;
    }
    for (const id of newestFirst) {
      if (this.#unservable.has(id)) continue;
      if ((await this.#open(id, {previous: null, withoutDamaged: true})) !== "refused") return;
      this.#unservable.add(id);
    }
  }

  /**
   * Opens and serves a build. While nothing is served, the bytes of its states are checked afterwards: those of a nation take minutes. A
   * transient failure does not refuse the build; the next check retries.
   */
  async #open(
    buildId: string,
    {previous, withoutDamaged = false}: {previous: Generation | null; withoutDamaged?: boolean},
  ): Promise<"served" | "refused" | "later"> {
    const {openState, metrics, log, afterCrash} = this.#options;
    const startedMs = performance.now();
    try {
      const opened = await openGeneration(buildFolder(this.#data, buildId), {
        openState,
        previous,
        withoutDamaged,
        statesBySize: this.#served === null && !withoutDamaged && !afterCrash,
      });
      const generation = await this.#prepared(opened);
      const seconds = (performance.now() - startedMs) / 1000;
      metrics.swapped({buildId, builtAt: generation.builtAt, seconds});
      log.info({buildId, seconds}, "build opened");
      this.#serve(generation);
      if (!withoutDamaged) void this.#checkServed();
      return "served";
    } catch (error) {
      if (isTransient(error)) {
        this.#buildFault = `build_not_checked:${buildId}`;
        log.warn({buildId, reason: messageOf(error)}, "the build cannot be checked now");
        return "later";
      }
      this.#refuse(buildId, messageOf(error));
      return "refused";
    }
  }

  /** Throws for a build that does not find its own rows, which must not be served. */
  async #prepared(generation: Generation): Promise<Generation> {
    requireAnswers(generation);
    return this.#options.prepare(generation);
  }

  /**
   * Verifies the SHA-256 of every file in the background; on a mismatch the previous generation is served again, or after a start another
   * build. Never rejects.
   */
  async #checkServed(): Promise<void> {
    const generation = this.#served;
    if (generation === null) return;
    try {
      const fault = await firstFault(buildFolder(this.#data, generation.buildId));
      const isStillServed = () => this.#served === generation && !this.#closed;
      if (fault === null || !isStillServed()) return;
      this.#refuse(generation.buildId, fault);
      const before = this.#before;
      if (before === null || this.#refused.has(before.buildId)) return await this.#replace(isStillServed);
      const prepared = await this.#prepared(before);
      if (isStillServed()) this.#serve(prepared);
    } catch (error) {
      const {buildId} = generation;
      this.#options.log.error({buildId, reason: messageOf(error)}, "the served build cannot be checked");
      if (isTransient(error) && !this.#closed)
        this.#timers.push(setTimeout(() => void this.#checkServed(), CHECK_AGAIN_MS).unref());
    }
  }

  /** Serves another build in place of a refused one, once no check of `current` is in progress. */
  async #replace(isStillServed: () => boolean): Promise<void> {
    await this.#checking;
    if (!isStillServed()) return;
    this.#checking = this.#openAnother().finally(() => {
      this.#checking = null;
    });
    await this.#checking;
  }

  /** Swaps the generation; requests already in progress keep the one they started with. */
  #serve(generation: Generation): void {
    if (this.#served !== null) this.#before = withoutDiscoveries(this.#served);
    this.#served = generation;
    this.#files.follow(generation, buildFolder(this.#data, generation.buildId));
    this.#options.adopted(generation);
  }

  #refuse(buildId: string, reason: string): void {
    this.#refused.add(buildId);
    this.#buildFault = `build_refused:${buildId}`;
    this.#options.metrics.verifyFailed();
    this.#options.log.error({buildId, reason}, "build refused");
  }

  /** Records a fault of `current` and logs it if it is new. */
  #noteLinkFault(fault: string, reason: string): void {
    if (this.#linkFault !== fault) this.#options.log.error({fault, reason}, "current cannot be followed");
    this.#linkFault = fault;
  }
}

function withoutDiscoveries({delta: _, ...build}: Generation): Generation {
  return build;
}

/**
 * Returns the first fault found by a full check, or null for a sound build. A damaged manifest is a fault. Rejects on a transient failure.
 */
async function firstFault(folder: string): Promise<string | null> {
  const faults = await verifyBuild(folder, {depth: "full", background: true}).catch((error: unknown) => {
    if (isTransient(error)) throw error;
    return [{path: "manifest.json", fault: messageOf(error)}];
  });
  const [first] = faults;
  return first === undefined ? null : `${first.path}: ${first.fault}`;
}

/** Returns the parts of a build that are not served because they are damaged. */
function damagedParts({manifest, states, market}: Generation): string[] {
  const absent = Object.keys(manifest.states).filter((state) => !states.has(state));
  const parts = absent.map((state) => `state_damaged:${state}`);
  return manifest.market !== null && market === null ? ["market_damaged", ...parts] : parts;
}

/** Throws a `UserError` for a generation that does not find its own rows. */
function requireAnswers({buildId, states}: Generation): void {
  for (const set of states.values()) {
    const [miss] = goldenMisses(set, SMOKE_ROWS);
    if (miss !== undefined) throw new UserError(`${buildId}: ${set.state}: does not find ${miss}.`);
  }
}
