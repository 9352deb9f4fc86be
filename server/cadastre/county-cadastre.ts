import type {LayerMark} from "../../schemas/layer-health.ts";
import type {DiscoveryStore} from "../delta/delta-view.ts";
import type {Generation} from "../generation/generation.ts";
import {faultFacts} from "../http/log.ts";
import type {Cadastre, CadastreCaller, CadastreQuestion, CadastreReply} from "../parcels/cadastre-port.ts";
import type {Log} from "../system/json-log.ts";
import {type AskedCounty, askedCounty} from "./asked-county.ts";
import {type CadastreMetrics, noCadastreMetrics} from "./cadastre-metrics.ts";
import {CountyCalls, type QuestionBudget} from "./county-calls.ts";
import type {Door, Layer, Layers} from "./county-layers.ts";
import type {CountyReader} from "./county-reader.ts";
import {type LayerAnswer, LayerAsker} from "./layer-asker.ts";
import {LayerMemory} from "./layer-memory.ts";
import {createReaderLanes} from "./reader-process.ts";
import {createNegativeCache, createSingleFlight, LayerFactsStore} from "./shared-calls.ts";
import type {Upstream} from "./upstream.ts";

export type CadastreOptions = {
  readonly layers: Layers;
  readonly upstream: Upstream;
  readonly discoveries: DiscoveryStore;
  readonly log: Log;
  readonly metrics?: CadastreMetrics;
  /** What is known of the layers; by default nothing, kept by this object alone. */
  readonly memory?: LayerMemory;
  /** Reads the counties' answers; closed together with the cadastre. Defaults to separate reader processes. */
  readonly reader?: CountyReader;
  /** Time limits for a question and for a single call, in milliseconds. */
  readonly totalMs?: number;
  readonly callMs?: number;
  /** Monotonic clock, in milliseconds. */
  readonly clock?: () => number;
  readonly now?: () => Date;
};

/** The county that a question is sent to, with the layers that may answer, first the one to ask first. */
type Target = {
  readonly doors: readonly [Door, ...Door[]];
  readonly county: AskedCounty;
  /** Other counties in which the parcel may lie. */
  readonly others: readonly string[];
};

/** Who asks, of which build, and the signal that the time of the question is over. */
type AskedFrom = Pick<QuestionBudget, "gone" | "keyId"> & {
  readonly generation: Generation;
  readonly ended: AbortSignal;
};

const TOTAL_MS = 8_000;
/** Calls for one layer, and for all layers of a question. */
const CALLS = 3;
const CALLS_IN_ALL = 5;
/** Shares of the time of a question: what a layer gets behind which another one waits, and what that one needs to begin. */
const FIRST_SHARE = 5 / 8;
const NEXT_SHARE = 2 / 8;

/**
 * Asks counties on a miss (`docs/design/reliability.md` section 5, `docs/design/parcels.md` section 9). Concurrent equal questions share
 * one call, which continues when one of its callers leaves.
 */
export class CountyCadastre implements Cadastre {
  readonly #options: CadastreOptions;
  readonly #metrics: CadastreMetrics;
  readonly #reader: CountyReader;
  readonly #calls: CountyCalls;
  readonly #memory: LayerMemory;
  readonly #asker: LayerAsker;
  readonly #knownEmpty: ReturnType<typeof createNegativeCache>;
  readonly #flight = createSingleFlight<CadastreReply>();

  constructor(options: CadastreOptions) {
    const {upstream, callMs, metrics = noCadastreMetrics, clock = () => performance.now()} = options;
    const {discoveries, log, now} = options;
    this.#options = options;
    this.#metrics = metrics;
    this.#reader = options.reader ?? createReaderLanes();
    this.#calls = new CountyCalls({upstream, reader: this.#reader, metrics, clock, callMs});
    this.#memory = options.memory ?? new LayerMemory(now);
    const [calls, facts, memory] = [this.#calls, new LayerFactsStore(this.#calls, clock), this.#memory];
    this.#asker = new LayerAsker({calls, facts, memory, discoveries, log, now});
    this.#knownEmpty = createNegativeCache(clock);
  }

  hasRoom(question: CadastreQuestion, {generation, keyId}: CadastreCaller): boolean {
    const target = this.#targetOf(question, generation);
    return "status" in target || this.#calls.hasRoom(target.doors[0].source.cadastre.url, keyId);
  }

  async ask(
    question: CadastreQuestion,
    {generation, keyId, signal}: CadastreCaller & {signal?: AbortSignal},
  ): Promise<CadastreReply> {
    const target = this.#targetOf(question, generation);
    if ("status" in target) return target;
    if (signal?.aborted === true) return {status: "timeout"};
    const key = flightKey(question, target.county);
    if (this.#knownEmpty.has(key)) return beside(target.others, {status: "empty"});
    const askOnce = async (gone: AbortSignal) => {
      const {totalMs = TOTAL_MS} = this.#options;
      const ended = AbortSignal.timeout(totalMs);
      const asked = this.#askDoors(question, target, {generation, gone, keyId, ended});
      const reply = await Promise.race([asked, timeoutAt(ended)]);
      if (reply.status === "empty") this.#knownEmpty.add(key);
      this.#metrics.asked(target.county.key, reply.status);
      return reply;
    };
    return beside(target.others, await this.#flight(key, askOnce, signal));
  }

  async close(): Promise<void> {
    await this.#options.upstream.close();
    await this.#reader.close();
  }

  /** Asks one layer after the other until one answers, within the time and the calls of one question. */
  async #askDoors(
    question: CadastreQuestion,
    {doors, county}: Target,
    {generation, ended, ...from}: AskedFrom,
  ): Promise<CadastreReply> {
    const {totalMs = TOTAL_MS, clock = () => performance.now()} = this.#options;
    const endsAt = clock() + totalMs;
    const dated = {county, asOf: generation.asOf};
    const replies: CadastreReply[] = [];
    let callsLeft = CALLS_IN_ALL;
    for (const [i, layer] of doors.entries()) {
      if (i > 0 && (endsAt - clock() < totalMs * NEXT_SHARE || from.gone.aborted)) break;
      const isLast = i === doors.length - 1;
      const signal = isLast ? ended : AbortSignal.any([ended, AbortSignal.timeout(totalMs * FIRST_SHARE)]);
      const given = Math.min(CALLS, callsLeft);
      const spending = {signal, calls: {left: given}, ...from};
      const {reply, mark, asksNext} = await this.#asker
        .ask(question, {layer, ...dated}, spending)
        .catch((error: unknown) => this.#unreadable(error, {layer, county}));
      callsLeft -= given - spending.calls.left;
      if (mark !== null) this.#note(layer, mark, reply.status === "found" ? county.key : undefined);
      const proves =
        reply.status !== "empty" || !layer.isNext || this.#memory.hasGiven(layer.source.id, county.key);
      if (proves && !asksNext) return reply;
      replies.push(proves ? reply : {status: "unavailable"});
    }
    // That a layer failed says more than that another one cannot be asked in these words.
    return replies.findLast(({status}) => status !== "unsupported") ?? replies[0]!;
  }

  #note({source: {id}}: Layer, mark: LayerMark, county: string | undefined): void {
    this.#memory.note(id, county === undefined ? {mark} : {mark, county});
    this.#metrics.layer(id, mark);
  }

  /** Logs the fault and rejects the answer. */
  #unreadable(error: unknown, {county, layer}: {county: AskedCounty; layer: Layer}): LayerAnswer {
    this.#options.log.error(
      {county: county.key, source: layer.source.id, ...faultFacts(error)},
      "a county's answer could not be read",
    );
    return {reply: {status: "rejected"}, mark: null, asksNext: false};
  }

  /** A sample build has no target: its parcels are invented and must not mix with real ones. */
  #targetOf(question: CadastreQuestion, generation: Generation): Target | NotAsked {
    if (generation.sample) return {status: "unsupported", notAsked: "sample"};
    const {county, others} = askedCounty(question, generation);
    if (county === null) return beside(others, {status: "county_unknown"});
    const isBad = ({source}: Layer) => Number(this.#memory.isBad(source.id));
    const [first, ...next] = this.#options.layers.forCounty(county).toSorted((a, b) => isBad(a) - isBad(b));
    if (first === undefined) return {status: "unsupported", notAsked: "no_service"};
    return {doors: [first, ...next], county, others};
  }
}

type NotAsked = Exclude<CadastreReply, {status: "found"}>;

/** A reply with the counties that were not asked. */
function beside<Reply extends CadastreReply>(unaskedCounties: readonly string[], reply: Reply): Reply {
  return unaskedCounties.length === 0 ? reply : {...reply, unaskedCounties};
}

/** Equal for questions that would reach the county in the same words. */
function flightKey({state: _, counties: __, ...question}: CadastreQuestion, {key}: AskedCounty): string {
  return JSON.stringify([key, question]);
}

/** Resolves when the time of a question is over, whatever is still being read for it. */
function timeoutAt(ended: AbortSignal): Promise<CadastreReply> {
  return new Promise((resolve) => {
    ended.addEventListener("abort", () => resolve({status: "timeout"}), {once: true});
  });
}
