import type {LayerMark} from "../../schemas/layer-health.ts";
import type {DiscoveryStore} from "../delta/delta-view.ts";
import type {CadastreQuestion, CadastreReply} from "../parcels/cadastre-port.ts";
import type {Log} from "../system/json-log.ts";
import type {AskedCounty} from "./asked-county.ts";
import type {CallFailure, CountyCalls, QuestionBudget} from "./county-calls.ts";
import {type LayerMap, layerMap} from "./county-layer-map.ts";
import type {Layer} from "./county-layers.ts";
import type {LayerFacts, ReadKinds, ReplyTask} from "./county-reader.ts";
import {foundParcels} from "./found-parcels.ts";
import type {LayerMemory} from "./layer-memory.ts";
import {type LayerQuery, layerQueries} from "./layer-query.ts";
import type {LayerFactsStore} from "./shared-calls.ts";

type AskerOptions = {
  readonly calls: CountyCalls;
  readonly facts: LayerFactsStore;
  readonly memory: LayerMemory;
  readonly discoveries: DiscoveryStore;
  readonly log: Log;
  readonly now?: (() => Date) | undefined;
};

/** A layer and the county it is asked for. */
export type DatedTarget = {
  readonly layer: Layer;
  readonly county: AskedCounty;
  /** As-of date of the build. */
  readonly asOf: string;
};

/** What a layer said to a question. */
export type LayerAnswer = {
  readonly reply: CadastreReply;
  /** How the layer answered; null when that says nothing of the layer, as where this server had no room or time for it. */
  readonly mark: LayerMark | null;
  /** True when another layer may know more: this one failed, or has no column for such a question. */
  readonly asksNext: boolean;
};

const unsuited: LayerAnswer = {
  reply: {status: "unsupported", notAsked: "unsuited"},
  mark: null,
  asksNext: true,
};

/** A target with its question, and with the metadata and map of its layer. */
type AskedLayer = DatedTarget & {
  readonly question: CadastreQuestion;
  readonly map: LayerMap;
  readonly facts: LayerFacts;
};

/** What was read from the answer to a query, and when the answer arrived. */
type Answered = Pick<ReadKinds["reply"]["found"], "rows" | "unread" | "unreadable" | "more" | "uncounted"> & {
  readonly retrievedAt: string;
  /** The layer's metadata, with what its refusals taught. */
  readonly facts: LayerFacts;
  /** True when the county may have more rows: these are of the narrower queries, or a further query failed. */
  readonly isNarrowed?: boolean;
};

const PAGE = 200;

/** Asks one layer a question, with as many queries as its answers and the budget allow. */
export class LayerAsker {
  readonly #options: AskerOptions;

  constructor(options: AskerOptions) {
    this.#options = options;
  }

  /** Asks the layer. Rejects only for a fault of the reader. */
  async ask(question: CadastreQuestion, target: DatedTarget, spending: QuestionBudget): Promise<LayerAnswer> {
    const {facts: known, memory} = this.#options;
    const {id, cadastre} = target.layer.source;

    // The layer's metadata tell whether it has the columns that its entry names.
    const read = await known.of(cadastre.url, spending);
    if (read.kind === "failed") return this.#failed(read, target);
    const facts = memory.refusesPages(id) ? {...read.layer, refusesPages: true} : read.layer;
    const map = layerMap(target.layer, facts, target.county);
    // With no parcel-number column in layer or entry, no question fits. If the entry names one and the layer lost it, the layer has changed.
    if (map === null && cadastre.idField === undefined) return unsuited;
    if (map === null || (map.staleId && map.id === null && question.kind === "parcel_id"))
      return this.#refused("the layer lacks columns that its entry needs", target, "stale id");

    // Send the queries one at a time until one returns rows that answer.
    const queries = layerQueries(question, {...target, map});
    if (queries.length === 0 || !canHold(facts, question)) return unsuited;
    let askedLayer: AskedLayer = {...target, question, map, facts};
    let seen: Answered | null = null;
    for (const query of queries) {
      const sent = await this.#sendQuery(query, askedLayer, spending);
      if ("reply" in sent) return seen === null ? sent : this.#partly(seen, askedLayer, sent);
      askedLayer = {...askedLayer, facts: sent.facts};
      const answer = {...sent, more: sent.more && !(await this.#isAll(sent, {query, askedLayer, spending}))};
      const whole = answer.more ? await this.#narrowed(query, askedLayer, spending) : answer;
      if ("reply" in whole) return seen === null ? whole : this.#partly(seen, askedLayer, whole);
      seen = seen === null ? whole : mergedAnswers(seen, whole);
      if (isAnswered(question, seen.rows)) return this.#found(seen, askedLayer);
      // The narrower queries miss rows that are printed differently, so "no rows" would not be a proof.
      if (answer.more) return this.#partly(seen, askedLayer, this.#tooMany(askedLayer));
    }
    if (seen !== null && seen.rows.length > 0) return this.#found(seen, askedLayer);
    return {reply: {status: "empty"}, mark: goodMark(askedLayer), asksNext: false};
  }

  /** The rows so far, among which one may still fit, where a further query got none; without rows, what became of that query. */
  async #partly(seen: Answered, asked: AskedLayer, failed: LayerAnswer): Promise<LayerAnswer> {
    return seen.rows.length > 0 ? this.#found({...seen, isNarrowed: true}, asked) : failed;
  }

  /** True if the server counts no more rows than it sent on a full page that may have been the last. */
  async #isAll(
    {rows, uncounted}: Answered,
    {query, askedLayer, spending}: {query: LayerQuery; askedLayer: AskedLayer; spending: QuestionBudget},
  ): Promise<boolean> {
    if (uncounted === null || rows.length === 0 || spending.calls.left === 0) return false;
    const url = `${askedLayer.layer.source.cadastre.url}/query`;
    const form = {...query.form, returnCountOnly: "true", f: "json"};
    const task = (body: Buffer) => ({body});
    const counted = await this.#options.calls.ask({url, form, kind: "count", task}, spending);
    return counted.kind === "count" && counted.count <= uncounted;
  }

  /** Combines the answers of the narrower queries, for a query that matches more rows than the server sends. */
  async #narrowed(
    {narrower = []}: LayerQuery,
    askedLayer: AskedLayer,
    spending: QuestionBudget,
  ): Promise<Answered | LayerAnswer> {
    let all: Answered | null = null;
    for (const query of narrower) {
      const answer = await this.#sendQuery(query, askedLayer, spending);
      if ("reply" in answer) return answer;
      if (answer.more) return this.#tooMany(askedLayer);
      all = all === null ? answer : mergedAnswers(all, answer);
    }
    return all === null ? this.#tooMany(askedLayer) : {...all, isNarrowed: true};
  }

  async #found(
    {rows, unread, unreadable, retrievedAt, isNarrowed}: Answered,
    asked: AskedLayer,
  ): Promise<LayerAnswer> {
    const {layer, map, county, asOf, question} = asked;
    const origin = {layer, map, county, asOf, retrievedAt, query: question.kind};
    const found = await foundParcels({rows, unread, unreadable}, origin, this.#options.discoveries);
    const reply = {status: "found", ...found, ...(isNarrowed === true ? {isNarrowed} : {})} as const;
    return {reply, mark: goodMark(asked), asksNext: false};
  }

  /** Returns the rows that one query brought, or the answer to give when it brought none. */
  async #sendQuery(
    query: LayerQuery,
    askedLayer: AskedLayer,
    spending: QuestionBudget,
  ): Promise<Answered | LayerAnswer> {
    const {question, map, facts, layer, county} = askedLayer;
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
    const read = await this.#options.calls.ask({url: `${url}/query`, form, kind: "reply", task}, spending);
    if (read.kind === "failed" && read.refusesPages === true && facts.refusesPages !== true) {
      return this.#sendQuery(query, {...askedLayer, facts: {...facts, refusesPages: true}}, spending);
    }
    if (read.kind === "failed") {
      if (read.status === "unavailable" && read.unread !== true) this.#options.facts.forget(url);
      return this.#failed(read, askedLayer);
    }
    return {...read, facts, retrievedAt: retrieved.at};
  }

  #failed(failure: CallFailure, {county, layer}: DatedTarget): LayerAnswer {
    const {status, reason, retryAfterMs, needsToken, unread} = failure;
    this.#options.log.warn(
      {county: county.key, source: layer.source.id, status, reason},
      "the county did not answer",
    );
    const wait = retryAfterMs === undefined ? {} : {retryAfterSeconds: Math.ceil(retryAfterMs / 1_000)};
    const reply: CadastreReply =
      needsToken === true ? {status: "unsupported", notAsked: "token"} : {status, ...wait};
    return {reply, mark: markOf(failure), asksNext: unread !== true};
  }

  #refused(reason: string, target: DatedTarget, mark: LayerMark): LayerAnswer {
    return this.#failed({kind: "failed", status: "rejected", reason, mark}, target);
  }

  /** More rows than a layer sends are no fault of it, but for a single parcel number. */
  #tooMany(asked: AskedLayer): LayerAnswer {
    const answer = this.#refused("the server has more rows than it sent", asked, "unreadable");
    return asked.question.kind === "parcel_id" ? answer : {...answer, mark: null, asksNext: false};
  }
}

function goodMark({map, facts}: AskedLayer): LayerMark {
  if (map.staleId) return "stale id";
  return facts.refusesPages === true ? "no paging" : "good";
}

/** The mark of a failure; null where it says nothing of the layer. An open breaker speaks of calls that were counted before. */
function markOf({status, mark, needsToken, unread}: CallFailure): LayerMark | null {
  if (unread === true || status === "paused") return null;
  if (needsToken === true) return "token";
  if (mark !== undefined) return mark;
  return ({timeout: "slow", rejected: "unreadable", unavailable: "refused"} as const)[status];
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

/**
 * True when no further query is needed: there are rows, of an address the very number and street. Rows of other streets with its number leave
 * open whether the county prints it in another way.
 */
function isAnswered(question: CadastreQuestion, rows: Answered["rows"]): boolean {
  if (question.kind !== "address") return rows.length > 0;
  const {number, numberLo, name} = question.address;
  return rows.some(
    ({columns}) =>
      columns["situs_name"] === name &&
      (columns["situs_number"] === number || (numberLo !== null && columns["situs_number_lo"] === numberLo)),
  );
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
    isNarrowed: one.isNarrowed === true || other.isNarrowed === true,
  };
}

/** False when the layer cannot answer: rows without geometry cannot be checked, and a layer of points cannot contain a location. */
function canHold({geometryType}: LayerFacts, {kind}: CadastreQuestion): boolean {
  return (
    geometryType === "esriGeometryPolygon" || (geometryType === "esriGeometryPoint" && kind !== "location")
  );
}
