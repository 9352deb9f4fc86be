import type {Logger} from "pino";
import {messageOf} from "../../lib/errors.ts";
import {buildFolder, buildIds, currentBuildId, type DataFolder} from "../../lib/storage/data-folder.ts";
import type {Metrics} from "../http/metrics.ts";
import type {Generation} from "./generation.ts";
import {type OpenState, openGeneration} from "./open-generation.ts";
import {verifyBuild} from "./verify-build.ts";

/** The generation that is being served, kept in step with `data/current`. */
export type GenerationWatch = {
  generation(): Generation | null;
  /** Why the published build is not (all of) what is served; empty when it is. */
  reasons(): string[];
  /** Looks at `current` now; a build that was refused before is tried again. Never rejects. */
  refresh(): Promise<void>;
  close(): void;
};

export type WatchOptions = {
  openState: OpenState;
  pollMs: number;
  log: Logger;
  metrics: Metrics;
  /** Makes a build that was opened ready to be served; one for which it throws is refused. */
  prepare?: (generation: Generation) => Promise<Generation> | Generation;
  /** Called with the generation that is served from now on. */
  adopted?: (generation: Generation) => void;
  /** Time between full checks of the served build, ms. */
  fullCheckMs?: number;
};

const WEEK_MS = 7 * 86_400_000;
const UNREADABLE = "current_unreadable";

/**
 * Opens the published build and follows `current`. A build that fails its checks is refused and the old one goes on;
 * at the start, where there is no old one, the newest retained build that verifies serves, else the newest without its
 * damaged parts.
 */
export async function watchGenerations(data: DataFolder, options: WatchOptions): Promise<GenerationWatch> {
  const keeper = new Keeper(data, options);
  await keeper.lookOnce();
  await keeper.fallBack();
  const poll = setInterval(() => void keeper.lookOnce(), options.pollMs).unref();
  const weekly = setInterval(() => void keeper.checkServed(), options.fullCheckMs ?? WEEK_MS).unref();
  return {
    generation: () => keeper.served,
    reasons: () => (keeper.fault === null ? [] : [keeper.fault]),
    refresh: () => keeper.lookAgain(),
    close: () => {
      keeper.closed = true;
      clearInterval(poll);
      clearInterval(weekly);
    },
  };
}

class Keeper {
  served: Generation | null = null;
  fault: string | null = null;
  /** True after a stop: what is still being checked changes nothing any more. */
  closed = false;
  #before: Generation | null = null;
  #looking: Promise<void> | null = null;
  readonly #refused = new Set<string>();
  readonly #data: DataFolder;
  readonly #options: WatchOptions;

  constructor(data: DataFolder, options: WatchOptions) {
    this.#data = data;
    this.#options = options;
  }

  /** Looks at `current`; calls that come while one is at work share it. */
  lookOnce(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async lookAgain(): Promise<void> {
    await this.#looking;
    this.#refused.clear();
    await this.lookOnce();
  }

  /** For a start at which the published build was refused. */
  async fallBack(): Promise<void> {
    if (this.served !== null || this.#refused.size === 0) return;
    const newestFirst = (await buildIds(this.#data)).reverse();
    for (const id of newestFirst) if (!this.#refused.has(id) && (await this.#open(id))) return;
    for (const id of newestFirst) if (await this.#open(id, true)) return;
  }

  /** The SHA-256 of every file, in the background: a mismatch goes back to the generation before. */
  async checkServed(): Promise<void> {
    const generation = this.served;
    if (generation === null) return;
    const folder = buildFolder(this.#data, generation.buildId);
    const faults = await verifyBuild(folder, {depth: "full", background: true}).catch((error: unknown) => [
      {path: "manifest.json", fault: messageOf(error)},
    ]);
    if (faults.length === 0 || this.served !== generation || this.closed) return;
    this.#refuse(generation.buildId, `${faults[0]!.path}: ${faults[0]!.fault}`);
    const before = this.#before;
    if (before !== null && !this.#refused.has(before.buildId)) this.#serve(await this.#prepared(before));
  }

  async #look(): Promise<void> {
    const buildId = await this.#publishedId();
    if (buildId === null || this.#refused.has(buildId)) return;
    if (buildId === this.served?.buildId || (await this.#open(buildId))) this.fault = null;
  }

  async #publishedId(): Promise<string | null> {
    try {
      return await currentBuildId(this.#data);
    } catch (error) {
      if (this.fault !== UNREADABLE) this.#refuse(null, messageOf(error));
      return null;
    }
  }

  /** Opens a build and serves it; false for one that is refused. */
  async #open(buildId: string, withoutDamaged = false): Promise<boolean> {
    const {openState, metrics, log} = this.#options;
    const startedMs = performance.now();
    try {
      const folder = buildFolder(this.#data, buildId);
      const opened = await openGeneration(folder, {openState, previous: this.served, withoutDamaged});
      const generation = await this.#prepared(opened);
      const seconds = (performance.now() - startedMs) / 1000;
      metrics.swapped({buildId, builtAt: generation.builtAt, seconds});
      log.info({buildId, seconds}, "build opened");
      this.#serve(generation);
      if (!withoutDamaged) void this.checkServed();
      return true;
    } catch (error) {
      this.#refuse(buildId, messageOf(error));
      return false;
    }
  }

  async #prepared(generation: Generation): Promise<Generation> {
    return (await this.#options.prepare?.(generation)) ?? generation;
  }

  /** The swap: requests that began before keep the generation that they took. */
  #serve(generation: Generation): void {
    [this.#before, this.served] = [this.served, generation];
    this.#options.adopted?.(generation);
  }

  #refuse(buildId: string | null, reason: string): void {
    if (buildId !== null) this.#refused.add(buildId);
    this.fault = buildId === null ? UNREADABLE : `build_refused:${buildId}`;
    this.#options.metrics.verifyFailed();
    this.#options.log.error({buildId, reason}, "build refused");
  }
}
