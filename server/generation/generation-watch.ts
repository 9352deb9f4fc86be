import type {Logger} from "pino";
import {isTransient, messageOf, UserError} from "../../lib/errors.ts";
import {goldenMisses} from "../../lib/parcels/golden-lookups.ts";
import {buildFolder, currentBuildId, type DataFolder, retainedBuilds} from "../../lib/storage/data-folder.ts";
import type {Metrics} from "../http/metrics.ts";
import type {Generation} from "./generation.ts";
import {type OpenState, openGeneration} from "./open-generation.ts";
import {verifyBuild} from "./verify-build.ts";

/** Rows of each state that a newly opened build has to find (`docs/design/reliability.md` section 4.2). */
const SMOKE_ROWS = 5;

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
/** Time until a full check is tried again that failed for a reason that may pass. */
const CHECK_AGAIN_MS = 60_000;

/**
 * Opens the published build and follows `data/current`. A build that fails its checks is refused and the old one stays. At
 * the start, when there is no old one, the newest retained build that passes serves, else the newest without its damaged
 * parts; so too where `current` is absent or leads nowhere (`docs/design/reliability.md` section 4.2).
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
  /** Builds that cannot be served even without their damaged parts. */
  readonly #hopeless = new Set<string>();
  #served: Generation | null = null;
  /** The build that was served before, without the discoveries beside it: they are read anew where it is served again. */
  #before: Generation | null = null;
  /** Faults of `current` and of the build to which it leads. */
  #linkFault: string | null = null;
  #buildFault: string | null = null;
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
    const faults = [this.#linkFault, this.#buildFault].filter((fault) => fault !== null);
    return this.#served === null ? faults : [...faults, ...damagedParts(this.#served)];
  }

  /** Looks at `current` now; a build that was refused before is tried again. Never rejects. */
  async refresh(): Promise<void> {
    await this.#looking;
    this.#refused.clear();
    this.#hopeless.clear();
    await this.#lookOnce();
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** Looks at `current`; calls that come during a look share it. Never rejects. */
  #lookOnce(): Promise<void> {
    this.#looking ??= this.#look()
      .catch((error: unknown) => this.#tellLink("builds_unreadable", messageOf(error)))
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const buildId = await this.#publishedId();
    // A link that cannot be read now may be readable at the next look, and then nothing else has to be served.
    if (buildId === undefined) return;
    if (buildId === null || this.#refused.has(buildId)) return this.#fallBack();
    const opened = buildId === this.#served?.buildId ? "served" : await this.#open(buildId);
    if (opened === "served") this.#buildFault = null;
    if (opened === "refused") await this.#fallBack();
  }

  /** The build of `current`; null where it is absent or leads nowhere, undefined where a failure may pass. */
  async #publishedId(): Promise<string | null | undefined> {
    try {
      const buildId = await currentBuildId(this.#data);
      if (buildId === null) this.#tellLink("current_absent", "no build is published");
      else this.#linkFault = null;
      return buildId;
    } catch (error) {
      this.#tellLink("current_unreadable", messageOf(error));
      return isTransient(error) ? undefined : null;
    }
  }

  /** While nothing is served, serves the newest retained build that passes, else the newest without its damaged parts. */
  async #fallBack(): Promise<void> {
    if (this.#served !== null) return;
    const newestFirst = (await retainedBuilds(this.#data)).map(({buildId}) => buildId);
    for (const id of newestFirst) {
      if (!this.#refused.has(id) && (await this.#open(id)) !== "refused") return;
    }
    for (const id of newestFirst) {
      if (this.#hopeless.has(id)) continue;
      if ((await this.#open(id, true)) !== "refused") return;
      this.#hopeless.add(id);
    }
  }

  /** Opens a build and serves it. A failure that may pass does not refuse the build: the next look tries again. */
  async #open(buildId: string, withoutDamaged = false): Promise<"served" | "refused" | "later"> {
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

  /** Throws for a build that does not find its own rows: it must not be served. */
  async #prepared(generation: Generation): Promise<Generation> {
    requireAnswers(generation);
    return this.#options.prepare(generation);
  }

  /** Compares the SHA-256 of every file in the background; a mismatch goes back to the generation before. Never rejects. */
  async #checkServed(): Promise<void> {
    const generation = this.#served;
    if (generation === null) return;
    try {
      const fault = await firstFault(buildFolder(this.#data, generation.buildId));
      const isStillServed = () => this.#served === generation && !this.#closed;
      if (fault === null || !isStillServed()) return;
      this.#refuse(generation.buildId, fault);
      const before = this.#before;
      if (before === null || this.#refused.has(before.buildId)) return;
      const prepared = await this.#prepared(before);
      if (isStillServed()) this.#serve(prepared);
    } catch (error) {
      const {buildId} = generation;
      this.#options.log.error({buildId, reason: messageOf(error)}, "the served build cannot be checked");
      if (isTransient(error) && !this.#closed)
        this.#timers.push(setTimeout(() => void this.#checkServed(), CHECK_AGAIN_MS).unref());
    }
  }

  /** Swaps the generation; requests that began before the swap keep the generation that they took. */
  #serve(generation: Generation): void {
    if (this.#served !== null) this.#before = withoutDiscoveries(this.#served);
    this.#served = generation;
    this.#options.adopted(generation);
  }

  #refuse(buildId: string, reason: string): void {
    this.#refused.add(buildId);
    this.#buildFault = `build_refused:${buildId}`;
    this.#options.metrics.verifyFailed();
    this.#options.log.error({buildId, reason}, "build refused");
  }

  /** Notes a fault of `current`, and logs it when it is new. */
  #tellLink(fault: string, reason: string): void {
    if (this.#linkFault !== fault) this.#options.log.error({fault, reason}, "current cannot be followed");
    this.#linkFault = fault;
  }
}

function withoutDiscoveries({delta: _, ...build}: Generation): Generation {
  return build;
}

/** The first fault of a full check of a build in words; null for a sound one. A damaged manifest is a fault. Rejects for a failure that may pass. */
async function firstFault(folder: string): Promise<string | null> {
  const faults = await verifyBuild(folder, {depth: "full", background: true}).catch((error: unknown) => {
    if (isTransient(error)) throw error;
    return [{path: "manifest.json", fault: messageOf(error)}];
  });
  const [first] = faults;
  return first === undefined ? null : `${first.path}: ${first.fault}`;
}

/** Gives the parts of a build that are not served because they are damaged. */
function damagedParts({manifest, states, market}: Generation): string[] {
  const absent = Object.keys(manifest.states).filter((state) => !states.has(state));
  const parts = absent.map((state) => `state_damaged:${state}`);
  return manifest.market !== null && market === null ? ["market_damaged", ...parts] : parts;
}

/** Throws a `UserError` for a generation that does not find rows of its own. */
function requireAnswers({buildId, states}: Generation): void {
  for (const set of states.values()) {
    const [miss] = goldenMisses(set, SMOKE_ROWS);
    if (miss !== undefined) throw new UserError(`${buildId}: ${set.state}: does not find ${miss}.`);
  }
}
