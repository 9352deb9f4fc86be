import type {Logger} from "pino";
import {messageOf, UserError} from "../../lib/errors.ts";
import {goldenMisses} from "../../lib/parcels/golden-lookups.ts";
import {buildFolder, buildIds, currentBuildId, type DataFolder} from "../../lib/storage/data-folder.ts";
import type {Metrics} from "../http/metrics.ts";
import type {Generation} from "./generation.ts";
import {type OpenState, openGeneration} from "./open-generation.ts";
import {verifyBuild} from "./verify-build.ts";

type WatchOptions = {
  openState: OpenState;
  pollMs: number;
  log: Logger;
  metrics: Metrics;
  /** Makes an opened build ready to be served; a build for which it throws is refused. */
  prepare: (generation: Generation) => Promise<Generation>;
  /** Is called with the generation that is served from now on. */
  adopted: (generation: Generation) => void;
};

/** Time between full checks of the served build. */
const WEEK_MS = 7 * 86_400_000;
/** Rows of each state that a newly opened build has to find (`docs/design/reliability.md` section 4.2). */
const SMOKE_ROWS = 5;
const UNREADABLE = "current_unreadable";

/**
 * Opens the published build and follows `data/current`. A build that fails its checks is refused and the old one stays. At
 * the start, when there is no old one, the newest retained build that passes serves, else the newest without its damaged
 * parts.
 */
export async function watchGenerations(data: DataFolder, options: WatchOptions): Promise<GenerationWatch> {
  const watch = new GenerationWatch(data, options);
  await watch.begin();
  return watch;
}

/** The generation that is being served, kept in step with `data/current`. */
class GenerationWatch {
  readonly #data: DataFolder;
  readonly #options: WatchOptions;
  /** Builds that failed their checks. */
  readonly #refused = new Set<string>();
  #served: Generation | null = null;
  /** The generation that was served before. */
  #before: Generation | null = null;
  #fault: string | null = null;
  /** The look at `current` that is under way. */
  #looking: Promise<void> | null = null;
  #timers: NodeJS.Timeout[] = [];
  /** True after a stop: a check that is still under way changes nothing any more. */
  #closed = false;

  constructor(data: DataFolder, options: WatchOptions) {
    this.#data = data;
    this.#options = options;
  }

  async begin(): Promise<void> {
    await this.#lookOnce();
    await this.#fallBack();
    this.#timers = [
      setInterval(() => void this.#lookOnce(), this.#options.pollMs).unref(),
      setInterval(() => void this.#checkServed(), WEEK_MS).unref(),
    ];
  }

  generation(): Generation | null {
    return this.#served;
  }

  /** Gives the reasons for which the published build is not served whole; empty when it is. */
  reasons(): string[] {
    return this.#fault === null ? [] : [this.#fault];
  }

  /** Looks at `current` now; a build that was refused before is tried again. Never rejects. */
  async refresh(): Promise<void> {
    await this.#looking;
    this.#refused.clear();
    await this.#lookOnce();
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** Looks at `current`; calls that come during a look share it. */
  #lookOnce(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const buildId = await this.#publishedId();
    if (buildId === null || this.#refused.has(buildId)) return;
    if (buildId === this.#served?.buildId || (await this.#open(buildId))) this.#fault = null;
  }

  async #publishedId(): Promise<string | null> {
    try {
      return await currentBuildId(this.#data);
    } catch (error) {
      if (this.#fault !== UNREADABLE) this.#refuse(null, messageOf(error));
      return null;
    }
  }

  /** Serves a retained build if the published one was refused at the start. */
  async #fallBack(): Promise<void> {
    if (this.#served !== null || this.#refused.size === 0) return;
    const newestFirst = (await buildIds(this.#data)).reverse();
    for (const id of newestFirst) if (!this.#refused.has(id) && (await this.#open(id))) return;
    for (const id of newestFirst) if (await this.#open(id, true)) return;
  }

  /** Opens a build and serves it; false for one that is refused. */
  async #open(buildId: string, withoutDamaged = false): Promise<boolean> {
    const {openState, metrics, log} = this.#options;
    const startedMs = performance.now();
    try {
      const folder = buildFolder(this.#data, buildId);
      const opened = await openGeneration(folder, {openState, previous: this.#served, withoutDamaged});
      const generation = await this.#prepared(opened);
      const seconds = (performance.now() - startedMs) / 1000;
      metrics.swapped({buildId, builtAt: generation.builtAt, seconds});
      log.info({buildId, seconds}, "build opened");
      this.#serve(generation);
      if (!withoutDamaged) void this.#checkServed();
      return true;
    } catch (error) {
      this.#refuse(buildId, messageOf(error));
      return false;
    }
  }

  /** Throws for a build that does not find its own rows: it must not be served. */
  async #prepared(generation: Generation): Promise<Generation> {
    requireAnswers(generation);
    return this.#options.prepare(generation);
  }

  /** Compares the SHA-256 of every file in the background; a mismatch goes back to the generation before. */
  async #checkServed(): Promise<void> {
    const generation = this.#served;
    if (generation === null) return;
    const folder = buildFolder(this.#data, generation.buildId);
    const faults = await verifyBuild(folder, {depth: "full", background: true}).catch((error: unknown) => [
      {path: "manifest.json", fault: messageOf(error)},
    ]);
    if (faults.length === 0 || this.#served !== generation || this.#closed) return;
    this.#refuse(generation.buildId, `${faults[0]!.path}: ${faults[0]!.fault}`);
    const before = this.#before;
    if (before !== null && !this.#refused.has(before.buildId)) this.#serve(await this.#prepared(before));
  }

  /** Swaps the generation; requests that began before the swap keep the generation that they took. */
  #serve(generation: Generation): void {
    [this.#before, this.#served] = [this.#served, generation];
    this.#options.adopted(generation);
  }

  #refuse(buildId: string | null, reason: string): void {
    if (buildId !== null) this.#refused.add(buildId);
    this.#fault = buildId === null ? UNREADABLE : `build_refused:${buildId}`;
    this.#options.metrics.verifyFailed();
    this.#options.log.error({buildId, reason}, "build refused");
  }
}

function requireAnswers({buildId, states}: Generation): void {
  for (const set of states.values()) {
    const [miss] = goldenMisses(set, SMOKE_ROWS);
    if (miss !== undefined) throw new UserError(`${buildId}: ${set.state}: does not find ${miss}.`);
  }
}
