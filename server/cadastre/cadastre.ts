import type {Logger} from "pino";
import type {ArcgisAnswer, ArcgisLayer} from "../../lib/arcgis/answer.ts";
import type {FindStore} from "../delta/find-store.ts";
import type {Generation} from "../generation/generation.ts";
import {faultFacts} from "../http/log.ts";
import type {Cadastre, CadastreQuestion, CadastreReply} from "../parcels/cadastre.ts";
import {type AskedCounty, askedCounty} from "./asked-county.ts";
import {type CadastreMetrics, noCadastreMetrics} from "./cadastre-metrics.ts";
import {type CallFailure, CountyCalls, type Spending} from "./county-calls.ts";
import {foundParcels, holdsPoint, rowsOfCounty} from "./found-parcels.ts";
import {LayerFactsStore} from "./layer-facts.ts";
import {type LayerMap, layerMap} from "./layer-map.ts";
import {type LayerQuery, layerQueries} from "./layer-query.ts";
import type {Layer, Layers} from "./layers.ts";
import {createNegativeCache} from "./negative-cache.ts";
import {refusalOfPage, soundFeatures} from "./page-check.ts";
import type {ReplyReader, ReplyRow} from "./reply-reader.ts";
import {createReplyThread} from "./reply-thread.ts";
import {createSingleFlight} from "./single-flight.ts";
import type {Upstream} from "./upstream.ts";

export type CadastreOptions = {
  readonly layers: Layers;
  readonly upstream: Upstream;
  readonly finds: FindStore;
  readonly log: Logger;
  readonly metrics?: CadastreMetrics;
  /** Reads the answers of counties and is closed with the cadastre; a thread of its own when absent. */
  readonly reader?: ReplyReader;
  /** Time of a question and of one call, milliseconds. */
  readonly totalMs?: number;
  readonly callMs?: number;
  /** Milliseconds of a clock that never runs backwards. */
  readonly clock?: () => number;
  readonly now?: () => Date;
};

/** The county that a question goes to, with its layer. */
type Target = {readonly layer: Layer; readonly county: AskedCounty};

/** A target with the question, and the query of it that the county answered. */
type SentQuery = Target & {
  /** Day of the build beside which the rows are answered. */
  readonly asOf: string;
  readonly question: CadastreQuestion;
  readonly map: LayerMap;
  readonly query: LayerQuery;
  readonly layerEdit: string | null;
};

const TOTAL_MS = 8_000;
const CALLS = 3;
const PAGE = 200;

/**
 * Asks counties on a miss (`docs/design/reliability.md` section 5, `docs/design/parcels.md` section 9). Equal questions at
 * one time go out as one call, which goes on when one of its callers is gone.
 */
export class CountyCadastre implements Cadastre {
  readonly #options: CadastreOptions;
  readonly #metrics: CadastreMetrics;
  readonly #reader: ReplyReader;
  readonly #calls: CountyCalls;
  readonly #facts: LayerFactsStore;
  readonly #knownEmpty: ReturnType<typeof createNegativeCache>;
  readonly #flight = createSingleFlight<CadastreReply>();

  constructor(options: CadastreOptions) {
    const {upstream, callMs, metrics = noCadastreMetrics, clock = () => performance.now()} = options;
    this.#options = options;
    this.#metrics = metrics;
    this.#reader = options.reader ?? createReplyThread();
    this.#calls = new CountyCalls({upstream, metrics, clock, callMs});
    this.#facts = new LayerFactsStore(this.#calls, clock);
    this.#knownEmpty = createNegativeCache(clock);
  }

  async ask(question: CadastreQuestion, {generation}: {generation: Generation}): Promise<CadastreReply> {
    const target = targetOf(question, generation, this.#options.layers);
    if (typeof target === "string") return {status: target};
    const key = flightKey(question, target);
    if (this.#knownEmpty.has(key)) return {status: "empty"};
    return this.#flight(key, async () => {
      const {asOf} = generation;
      const reply = await this.#askLayer(question, {...target, asOf}).catch((error: unknown) =>
        this.#unreadable(error, target),
      );
      if (reply.status === "empty") this.#knownEmpty.add(key);
      this.#metrics.asked(target.county.key, reply.status);
      return reply;
    });
  }

  async close(): Promise<void> {
    await this.#options.upstream.close();
    await this.#reader.close();
  }

  async #askLayer(question: CadastreQuestion, target: Target & {asOf: string}): Promise<CadastreReply> {
    const {totalMs = TOTAL_MS} = this.#options;
    const spending: Spending = {signal: AbortSignal.timeout(totalMs), calls: CALLS};
    const {url, idField} = target.layer.source.cadastre;

    // The layer's metadata say whether it has the columns of its entry.
    const facts = await this.#facts.of(url, spending);
    if (facts.kind === "failed") return this.#failed(facts, target);
    const {layer} = facts;
    const map = layerMap(target.layer, layer, target.county);
    if (map === null) {
      // Without a number column in layer and entry no question fits; a layer that lost the entry's column has changed.
      if (idField === undefined) return {status: "unsupported"};
      return this.#refused("the layer has not the columns of its entry", target);
    }

    // The queries go out one after the other until one has rows.
    const queries = layerQueries(question, {...target, map});
    if (queries.length === 0 || !canHold(layer, question)) return {status: "unsupported"};
    for (const query of queries) {
      const page = await this.#calls.ask(`${url}/query`, formOf(query, map, layer.maxRecordCount), spending);
      if (page.kind === "failed") {
        if (page.status === "unavailable") this.#facts.forget(url);
        return this.#failed(page, target);
      }
      const sent = {...target, question, map, query, layerEdit: layer.lastEditDate};
      const reply = await this.#replyOf(page.answer, sent);
      if (reply.status !== "empty") return reply;
    }
    return {status: "empty"};
  }

  /** Gives the reply for the answer to one query; `empty` for a clean answer without rows. */
  async #replyOf(answer: ArcgisAnswer, sent: SentQuery): Promise<CadastreReply> {
    if (answer.kind !== "page") return this.#refused(`${answer.kind} in place of rows`, sent);
    const reason = refusalOfPage(answer);
    if (reason !== null) return this.#refused(reason, sent);
    if (answer.features.length === 0) return {status: "empty"};
    const {question, map, query, layerEdit} = sent;
    const retrievedAt = (this.#options.now?.() ?? new Date()).toISOString();
    const features = soundFeatures(answer, query);
    const read = await this.#reader.read({entry: map.entry, features, layerEdit, retrievedAt});
    const rows = rowsOfCounty(read, sent).filter((row) => isAtPoint(question, row));
    if (rows.length === 0) return this.#refused("no row of the answer passed the checks", sent);
    const origin = {...sent, retrievedAt, query: question.kind};
    return {status: "found", ...foundParcels(rows, origin, this.#options.finds)};
  }

  /** Refuses an answer that could not be read, and logs the fault. */
  #unreadable(error: unknown, {county, layer}: Target): CadastreReply {
    this.#options.log.error(
      {county: county.key, source: layer.source.id, ...faultFacts(error)},
      "a county's answer could not be read",
    );
    return {status: "rejected"};
  }

  #failed({status, reason, retryAfterMs}: CallFailure, {county, layer}: Target): CadastreReply {
    this.#options.log.warn(
      {county: county.key, source: layer.source.id, status, reason},
      "the county did not answer",
    );
    if (retryAfterMs === undefined) return {status};
    return {status, retryAfterSeconds: Math.ceil(retryAfterMs / 1_000)};
  }

  #refused(reason: string, target: Target): CadastreReply {
    return this.#failed({kind: "failed", status: "rejected", reason}, target);
  }
}

/** Gives no target for a sample build: its parcels are invented, and real ones never join them. */
function targetOf(
  question: CadastreQuestion,
  generation: Generation,
  layers: Layers,
): Target | "county_unknown" | "unsupported" {
  if (generation.sample) return "unsupported";
  const county = askedCounty(question, generation);
  if (county === null) return "county_unknown";
  const layer = layers.forCounty(county);
  return layer === null ? "unsupported" : {layer, county};
}

/** Gives equal keys for questions that would reach the county in the same words. */
function flightKey({state: _, counties: __, ...question}: CadastreQuestion, {layer, county}: Target): string {
  return JSON.stringify([layer.source.cadastre.url, county.key, question]);
}

function formOf(
  {form}: LayerQuery,
  {outFields}: LayerMap,
  maxRecordCount: number | null,
): Record<string, string> {
  return {
    ...form,
    outFields: outFields.join(","),
    returnGeometry: "true",
    outSR: "4326",
    resultRecordCount: String(Math.min(PAGE, maxRecordCount ?? PAGE)),
    f: "json",
  };
}

/** False when the layer cannot answer: rows without geometry cannot be checked, and points contain no location. */
function canHold({geometryType}: ArcgisLayer, {kind}: CadastreQuestion): boolean {
  return (
    geometryType === "esriGeometryPolygon" || (geometryType === "esriGeometryPoint" && kind !== "location")
  );
}

/** True when the parcel holds the point of the question; the lookup itself matches the rows of other questions. */
function isAtPoint(question: CadastreQuestion, row: ReplyRow): boolean {
  return question.kind !== "location" || holdsPoint(row, question.point);
}
