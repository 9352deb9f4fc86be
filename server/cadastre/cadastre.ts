import type {Logger} from "pino";
import type {ArcgisAnswer, ArcgisLayer} from "../../lib/arcgis/answer.ts";
import type {FindStore} from "../delta/find-store.ts";
import type {Generation} from "../generation/generation.ts";
import {faultFacts} from "../http/log.ts";
import type {Cadastre, CadastreQuestion, CadastreReply} from "../parcels/cadastre.ts";
import {askedCounty} from "./asked-county.ts";
import {type CadastreMetrics, noCadastreMetrics} from "./cadastre-metrics.ts";
import {type CallFailure, createCountyCalls, type Spending} from "./county-calls.ts";
import {foundParcels, holdsPoint, rowsOfCounty} from "./found-parcels.ts";
import {createLayerFacts} from "./layer-facts.ts";
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
  /** Reads what counties answer; closed with the cadastre. A thread of its own when absent. */
  readonly reader?: ReplyReader;
  /** Time of a question and of one call, milliseconds. */
  readonly totalMs?: number;
  readonly callMs?: number;
  /** Milliseconds of a clock that never runs backwards. */
  readonly clock?: () => number;
  readonly now?: () => Date;
};

const TOTAL_MS = 8_000;
const CALLS = 3;
const PAGE = 200;

/**
 * Asks counties on a miss (`docs/design/reliability.md` section 5, `docs/design/parcels.md` section 9). A question that many ask at once goes out once; the
 * call lives on when one of its callers is gone.
 */
export function createCadastre(options: CadastreOptions): Cadastre & {close(): Promise<void>} {
  const {
    layers,
    upstream,
    log,
    metrics = noCadastreMetrics,
    reader = createReplyThread(),
    totalMs = TOTAL_MS,
    now = () => new Date(),
  } = options;
  const {clock = () => performance.now(), callMs} = options;
  const calls = createCountyCalls({upstream, metrics, now: clock, ...(callMs === undefined ? {} : {callMs})});
  const facts = createLayerFacts(calls, clock);
  const nothingThere = createNegativeCache(clock);
  const flight = createSingleFlight<CadastreReply>();

  async function askLayer(question: CadastreQuestion, place: Place): Promise<CadastreReply> {
    const spending: Spending = {signal: AbortSignal.timeout(totalMs), calls: CALLS};
    const {url} = place.layer.source.cadastre;
    const said = await facts.of(url, spending);
    if (said.kind === "failed") return failed(said, place);
    const map = layerMap(place.layer, said.layer, place.county);
    if (map === null) {
      // A layer that nobody said has a number, and that has none, cannot be asked; one that lost it has changed.
      if (place.layer.source.cadastre.idField === undefined) return {status: "unsupported"};
      return refused("the layer has not the columns of its entry", place);
    }
    const queries = layerQueries(question, {...place, map});
    if (queries.length === 0 || !canHold(said.layer, question)) return {status: "unsupported"};
    for (const query of queries) {
      const page = await calls.ask(`${url}/query`, formOf(query, map, said.layer.maxRecordCount), spending);
      if (page.kind === "failed") {
        if (page.status === "unavailable") facts.forget(url);
        return failed(page, place);
      }
      const reply = await replyOf(page.answer, {
        place,
        map,
        query,
        question,
        layerEdit: said.layer.lastEditDate,
      });
      if (reply.status !== "empty") return reply;
    }
    return {status: "empty"};
  }

  /** What an answer to one query comes to; `empty` for a clean one without rows. */
  async function replyOf(
    answer: ArcgisAnswer,
    {place, map, query, question, layerEdit}: Answered,
  ): Promise<CadastreReply> {
    if (answer.kind !== "page") return refused(`${answer.kind} in place of rows`, place);
    const reason = refusalOfPage(answer);
    if (reason !== null) return refused(reason, place);
    if (answer.features.length === 0) return {status: "empty"};
    const retrievedAt = now().toISOString();
    const features = soundFeatures(answer, query);
    const read = await reader.read({entry: map.entry, features, layerEdit, retrievedAt});
    const rows = rowsOfCounty(read, place, map).filter((row) => isAtPoint(question, row));
    if (rows.length === 0) return refused("no row of the answer passed the checks", place);
    const origin = {...place, map, retrievedAt, query: question.kind};
    return {status: "found", ...foundParcels(rows, origin, options.finds)};
  }

  /** An answer on which reading itself fails is refused as others are; why it did is for the log. */
  function unreadable(error: unknown, place: Place): CadastreReply {
    log.error(
      {county: place.county.key, source: place.layer.source.id, ...faultFacts(error)},
      "a county's answer could not be read",
    );
    return {status: "rejected"};
  }

  function failed({status, reason, retryAfterMs}: CallFailure, {county, layer}: Place): CadastreReply {
    log.warn({county: county.key, source: layer.source.id, status, reason}, "the county did not answer");
    if (retryAfterMs === undefined) return {status};
    return {status, retryAfterSeconds: Math.ceil(retryAfterMs / 1_000)};
  }

  function refused(reason: string, place: Place): CadastreReply {
    return failed({kind: "failed", status: "rejected", reason}, place);
  }

  return {
    async ask(question, {generation}) {
      const place = placeOf(question, generation, layers);
      if (typeof place === "string") return {status: place};
      const key = flightKey(question, place);
      if (nothingThere.has(key)) return {status: "empty"};
      return flight(key, async () => {
        const reply = await askLayer(question, place).catch((error: unknown) => unreadable(error, place));
        if (reply.status === "empty") nothingThere.add(key);
        metrics.asked(place.county.key, reply.status);
        return reply;
      });
    },
    async close() {
      await upstream.close();
      await reader.close();
    },
  };
}

type Answered = {
  readonly place: Place;
  readonly map: LayerMap;
  readonly query: LayerQuery;
  readonly question: CadastreQuestion;
  readonly layerEdit: string | null;
};

type Place = {readonly layer: Layer; readonly county: NonNullable<ReturnType<typeof askedCounty>>};

/** A sample build is of invented parcels: real ones never join it. */
function placeOf(
  question: CadastreQuestion,
  generation: Generation,
  layers: Layers,
): Place | "county_unknown" | "unsupported" {
  if (generation.sample) return "unsupported";
  const county = askedCounty(question, generation);
  if (county === null) return "county_unknown";
  const layer = layers.forCounty(county);
  return layer === null ? "unsupported" : {layer, county};
}

/** Equal for questions that the county would be asked in the same words. */
function flightKey({state: _, counties: __, ...question}: CadastreQuestion, {layer, county}: Place): string {
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

/** What has no place cannot be checked, and points lie in no parcel: their empty answer would say nothing. */
function canHold({geometryType}: ArcgisLayer, {kind}: CadastreQuestion): boolean {
  return (
    geometryType === "esriGeometryPolygon" || (geometryType === "esriGeometryPoint" && kind !== "location")
  );
}

/** A parcel at a point has to hold it; how rows fit other questions is decided by the lookup, as over the dataset. */
function isAtPoint(question: CadastreQuestion, row: ReplyRow): boolean {
  return question.kind !== "location" || holdsPoint(row, question.point);
}
