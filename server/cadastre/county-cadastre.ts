import type {Logger} from "pino";
import type {ParcelSet} from "../../lib/parcels/parcel-set.ts";
import type {DiscoveryStore} from "../delta/delta-view.ts";
import type {Generation} from "../generation/generation.ts";
import {faultFacts} from "../http/log.ts";
import type {Cadastre, CadastreCaller, CadastreQuestion, CadastreReply} from "../parcels/cadastre-port.ts";
import {type CadastreMetrics, noCadastreMetrics} from "./cadastre-metrics.ts";
import {type CallFailure, CountyCalls, type QuestionBudget} from "./county-calls.ts";
import {type LayerMap, layerMap} from "./county-layer-map.ts";
import {type AskedCounty, askedCounty, type Layer, type Layers} from "./county-layers.ts";
import type {CountyReader, LayerFacts, ReadKinds, ReplyTask} from "./county-reader.ts";
import {foundParcels} from "./found-parcels.ts";
import {type LayerQuery, layerQueries} from "./layer-query.ts";
import {createReaderLanes} from "./reader-process.ts";
import {createNegativeCache, createSingleFlight, LayerFactsStore} from "./shared-calls.ts";
import type {Upstream} from "./upstream.ts";

export type CadastreOptions = {
  readonly layers: Layers;
  readonly upstream: Upstream;
  readonly discoveries: DiscoveryStore;
  readonly log: Logger;
  readonly metrics?: CadastreMetrics;
  /** Reads the counties' answers; closed together with the cadastre. Defaults to separate reader processes. */
  readonly reader?: CountyReader;
  /** Time limits for a question and for a single call, in milliseconds. */
  readonly totalMs?: number;
  readonly callMs?: number;
  /** Monotonic clock, in milliseconds. */
  readonly clock?: () => number;
  readonly now?: () => Date;
};

/** The county that a question is sent to, with its layer. */
type Target = {readonly layer: Layer; readonly county: AskedCounty};

/** A target with the as-of date of the build whose answer the rows will join. */
type DatedTarget = Target & {readonly asOf: string; readonly dataset: ParcelSet | undefined};

/** A target with its question, and with the metadata and map of its layer. */
type AskedLayer = DatedTarget & {
  readonly question: CadastreQuestion;
  readonly map: LayerMap;
  readonly facts: LayerFacts;
};

/** What was read from the answer to a query, and when the answer arrived. */
type Answered = Pick<ReadKinds["reply"]["found"], "rows" | "unread" | "unreadable" | "more" | "uncounted"> & {
  readonly retrievedAt: string;
  /** True for the rows of the narrower queries. */
  readonly isNarrowed?: boolean;
};

const TOTAL_MS = 8_000;
const CALLS = 3;
const PAGE = 200;

/**
 * Asks counties on a miss (`docs/design/reliability.md` section 5, `docs/design/parcels.md` section 9). Concurrent equal questions share
 * one call, which continues when one of its callers leaves.
 */
export class CountyCadastre implements Cadastre {
  readonly #options: CadastreOptions;
  readonly #metrics: CadastreMetrics;
  readonly #reader: CountyReader;
  readonly #calls: CountyCalls;
  readonly #facts: LayerFactsStore;
  readonly #knownEmpty: ReturnType<typeof createNegativeCache>;
  readonly #flight = createSingleFlight<CadastreReply>();

  constructor(options: CadastreOptions) {
    const {upstream, callMs, metrics = noCadastreMetrics, clock = () => performance.now()} = options;
    this.#options = options;
    this.#metrics = metrics;
    this.#reader = options.reader ?? createReaderLanes();
    this.#calls = new CountyCalls({upstream, reader: this.#reader, metrics, clock, callMs});
    this.#facts = new LayerFactsStore(this.#calls, clock);
    this.#knownEmpty = createNegativeCache(clock);
  }

  hasRoom(question: CadastreQuestion, {generation, keyId}: CadastreCaller): boolean {
    const target = targetOf(question, generation, this.#options.layers);
    return "status" in target || this.#calls.hasRoom(target.layer.source.cadastre.url, keyId);
  }

  async ask(
    question: CadastreQuestion,
    {generation, keyId, signal}: CadastreCaller & {signal?: AbortSignal},
  ): Promise<CadastreReply> {
    const target = targetOf(question, generation, this.#options.layers);
    if ("status" in target) return target;
    if (signal?.aborted === true) return {status: "timeout"};
    const key = flightKey(question, target);
    if (this.#knownEmpty.has(key)) return {status: "empty"};
    const askOnce = async (gone: AbortSignal) => {
      const dataset = generation.states.get(target.county.state);
      const dated = {...target, asOf: generation.asOf, dataset};
      const reply = await this.#askLayer(question, dated, {gone, keyId}).catch((error: unknown) =>
        this.#unreadable(error, target),
      );
      if (reply.status === "empty") this.#knownEmpty.add(key);
      this.#metrics.asked(target.county.key, reply.status);
      return reply;
    };
    return this.#flight(key, askOnce, signal);
  }

  async close(): Promise<void> {
    await this.#options.upstream.close();
    await this.#reader.close();
  }

  async #askLayer(
    question: CadastreQuestion,
    target: DatedTarget,
    from: Pick<QuestionBudget, "gone" | "keyId">,
  ): Promise<CadastreReply> {
    const {totalMs = TOTAL_MS} = this.#options;
    const spending: QuestionBudget = {signal: AbortSignal.timeout(totalMs), ...from, calls: {left: CALLS}};
    const {url, idField} = target.layer.source.cadastre;

    // The layer's metadata tell whether it has the columns that its entry names.
    const facts = await this.#facts.of(url, spending);
    if (facts.kind === "failed") return this.#failed(facts, target);
    const {layer} = facts;
    const map = layerMap(target.layer, layer, target.county);
    if (map === null) {
      // With no parcel-number column in layer or entry, no question fits. If the entry names one and the layer lost it, the layer has
      // changed.
      if (idField === undefined) return {status: "unsupported", notAsked: "unsuited"};
      return this.#refused("the layer lacks columns that its entry needs", target);
    }

    // Send the queries one at a time until one returns rows.
    const queries = layerQueries(question, {...target, map});
    if (queries.length === 0 || !canHold(layer, question))
      return {status: "unsupported", notAsked: "unsuited"};
    const asked = {...target, question, map, facts: layer};
    for (const query of queries) {
      const sent = await this.#sendQuery(query, asked, spending);
      if ("status" in sent) return sent;
      const answer = {...sent, more: sent.more && !(await this.#isAll(sent, {query, asked, spending}))};
      const whole = answer.more ? await this.#narrowed(query, asked, spending) : answer;
      if ("status" in whole) return whole;
      if (whole.rows.length > 0) return this.#found(whole, asked);
      // The narrower queries miss rows that are printed differently, so "no rows" would not be a proof.
      if (answer.more) return this.#refused("the server has more rows than it sent", asked);
    }
    return {status: "empty"};
  }

  /** True if the server counts no more rows than it sent on a full page that may have been the last. */
  async #isAll(
    {rows, uncounted}: Answered,
    {query, asked, spending}: {query: LayerQuery; asked: AskedLayer; spending: QuestionBudget},
  ): Promise<boolean> {
    if (uncounted === null || rows.length === 0 || spending.calls.left === 0) return false;
    const url = `${asked.layer.source.cadastre.url}/query`;
    const form = {...query.form, returnCountOnly: "true", f: "json"};
    const task = (body: Buffer) => ({body});
    const counted = await this.#calls.ask({url, form, kind: "count", task}, spending);
    return counted.kind === "count" && counted.count <= uncounted;
  }

  /** Combines the answers of the narrower queries, for a query that matches more rows than the server sends. */
  async #narrowed(
    {narrower = []}: LayerQuery,
    asked: AskedLayer,
    spending: QuestionBudget,
  ): Promise<Answered | CadastreReply> {
    let all: Answered | null = null;
    for (const query of narrower) {
      const answer = await this.#sendQuery(query, asked, spending);
      if ("status" in answer) return answer;
      if (answer.more) return this.#refused("the server has more rows than it sends", asked);
      all = all === null ? answer : mergedAnswers(all, answer);
    }
    return all === null
      ? this.#refused("the server has more rows than it sent", asked)
      : {...all, isNarrowed: true};
  }

  #found({rows, unread, unreadable, retrievedAt, isNarrowed}: Answered, asked: AskedLayer): CadastreReply {
    const {layer, map, county, asOf, dataset, question} = asked;
    const origin = {layer, map, county, asOf, dataset, retrievedAt, query: question.kind};
    const found = foundParcels({rows, unread, unreadable}, origin, this.#options.discoveries);
    return {status: "found", ...found, ...(isNarrowed === true ? {isNarrowed} : {})};
  }

  /** Returns the answer to one query, or the reply to give when there is none. */
  async #sendQuery(
    query: LayerQuery,
    asked: AskedLayer,
    spending: QuestionBudget,
  ): Promise<Answered | CadastreReply> {
    const {question, map, facts, layer, county} = asked;
    const {url} = layer.source.cadastre;
    const retrieved = {at: ""};
    const task = (body: Buffer): ReplyTask => {
      retrieved.at = (this.#options.now?.() ?? new Date()).toISOString();
      return {
        body,
        entry: map.entry,
        comparisons: query.comparisons,
        county: county.key,
        provesCounty: layer.statewide && !map.countyStated,
        asked: pageSize(facts),
        point: question.kind === "location" ? question.point : null,
        layerEdit: facts.lastEditDate,
        retrievedAt: retrieved.at,
      };
    };
    const form = formOf(query, map, facts);
    const read = await this.#calls.ask({url: `${url}/query`, form, kind: "reply", task}, spending);
    if (read.kind === "failed" && read.refusesPages === true && facts.refusesPages !== true) {
      return this.#sendQuery(query, {...asked, facts: this.#facts.refusesPages(url, facts)}, spending);
    }
    if (read.kind === "failed") {
      if (read.status === "unavailable" && read.unread !== true) this.#facts.forget(url);
      return this.#failed(read, asked);
    }
    return {...read, retrievedAt: retrieved.at};
  }

  /** Logs the fault and rejects the answer. */
  #unreadable(error: unknown, {county, layer}: Target): CadastreReply {
    this.#options.log.error(
      {county: county.key, source: layer.source.id, ...faultFacts(error)},
      "a county's answer could not be read",
    );
    return {status: "rejected"};
  }

  #failed({status, reason, retryAfterMs, needsToken}: CallFailure, {county, layer}: Target): CadastreReply {
    this.#options.log.warn(
      {county: county.key, source: layer.source.id, status, reason},
      "the county did not answer",
    );
    if (needsToken === true) return {status: "unsupported", notAsked: "token"};
    if (retryAfterMs === undefined) return {status};
    return {status, retryAfterSeconds: Math.ceil(retryAfterMs / 1_000)};
  }

  #refused(reason: string, target: Target): CadastreReply {
    return this.#failed({kind: "failed", status: "rejected", reason}, target);
  }
}

type NotAsked = Exclude<CadastreReply, {status: "found"}>;

/** A sample build has no target: its parcels are invented and must not mix with real ones. */
function targetOf(question: CadastreQuestion, generation: Generation, layers: Layers): Target | NotAsked {
  if (generation.sample) return {status: "unsupported", notAsked: "sample"};
  const county = askedCounty(question, generation);
  if (county === null) return {status: "county_unknown"};
  const layer = layers.forCounty(county);
  return layer === null ? {status: "unsupported", notAsked: "no_service"} : {layer, county};
}

/** Equal for questions that would reach the county in the same words. */
function flightKey({state: _, counties: __, ...question}: CadastreQuestion, {layer, county}: Target): string {
  return JSON.stringify([layer.source.cadastre.url, county.key, question]);
}

function formOf({form}: LayerQuery, {outFields}: LayerMap, facts: LayerFacts): Record<string, string> {
  return {
    ...form,
    outFields: outFields.join(","),
    returnGeometry: "true",
    outSR: "4326",
    ...(facts.refusesPages === true ? {} : {resultRecordCount: String(pageSize(facts))}),
    f: "json",
  };
}

/** The rows of a full page: ours, or those that a layer sends which cannot be told how many to send. */
function pageSize({maxRecordCount, refusesPages}: LayerFacts): number {
  if (refusesPages === true) return maxRecordCount ?? 1000;
  return Math.max(1, Math.min(PAGE, maxRecordCount ?? PAGE));
}

/** Merges two answers; a parcel in both appears once. */
function mergedAnswers(one: Answered, other: Answered): Answered {
  const keys = new Set(one.rows.map(({key}) => key));
  const uids = new Set(one.unread.map(({columns}) => columns["parcel_uid"]));
  return {
    ...other,
    rows: [...one.rows, ...other.rows.filter(({key}) => !keys.has(key))],
    unread: [...one.unread, ...other.unread.filter(({columns}) => !uids.has(columns["parcel_uid"]))],
    unreadable: one.unreadable + other.unreadable,
  };
}

/** False when the layer cannot answer: rows without geometry cannot be checked, and a layer of points cannot contain a location. */
function canHold({geometryType}: LayerFacts, {kind}: CadastreQuestion): boolean {
  return (
    geometryType === "esriGeometryPolygon" || (geometryType === "esriGeometryPoint" && kind !== "location")
  );
}
