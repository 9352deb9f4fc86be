import {join} from "node:path";
import {type ArcgisLayer, type ArcgisPage, replyProjection} from "@open-cattle/arcgis-layers";
import {summarizeGeometry} from "@open-cattle/parcel-outlines";
import {messageOf} from "../../../lib/errors.ts";
import {countyAt} from "../../../lib/geography/counties.ts";
import {isNearCounty} from "../../../lib/geography/county-box.ts";
import type {LayerVerdict} from "../../../lib/registry/layer-health-files.ts";
import type {LayerSource} from "../../../lib/registry/layers-on-miss.ts";
import type {LayerMark} from "../../../schemas/layer-health.ts";
import {temporaryFolder} from "../../raw/temporary-folder.ts";
import {askLayer, askQuery, LayerError} from "../arcgis/layer-question.ts";
import {FetchError} from "../client/fetch-error.ts";
import {PoliteClient} from "../client/polite-client.ts";
import {type Job, probeJob} from "../jobs/job.ts";
import {sourceOfNewLayer} from "../jobs/source-address.ts";
import {eachConcurrently} from "../run.ts";

/** A layer that was probed, and how it answered. */
export type MarkedLayer = {
  readonly source: LayerSource;
  /** The mark of the layer; null if the probe cannot judge it, for example when its host asks for a wait of hours. */
  readonly verdict: LayerVerdict | null;
  /** The reason for a mark other than "good", or for none; null for a good answer. */
  readonly reason: string | null;
  /** False if no connection was made, as without a network. */
  readonly isReached: boolean;
};

type MarkOptions = {
  readonly userAgent: string;
  readonly proxy: string;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Called for each layer as it was marked. */
  readonly onEnd: (marked: MarkedLayer) => Promise<void> | void;
};

/** Rows that are asked for, in one answer: a single one may lie elsewhere by a mistake of its publisher. */
const askedRows = 5;
/** A miss waits no longer for one layer (`docs/design/reliability.md` section 5). */
const silenceMs = 5_000;

/**
 * Asks each layer for its metadata and some rows, hosts at their polite rates, and says how it answered; layers at one address are asked
 * once. An abort leaves those that were not asked out.
 */
export async function markLayers(sources: readonly LayerSource[], options: MarkOptions): Promise<void> {
  const {signal, onEnd} = options;
  await using client = new PoliteClient({...options, retries: {retries: 1}});
  await using temp = await temporaryFolder("cattle-probe-");
  const byAddress = [...Map.groupBy(sources, ({cadastre}) => cadastre.url)];
  await eachConcurrently(byAddress, async ([url, own], i) => {
    if (signal.aborted) return;
    const asked = sourceOfNewLayer(url);
    const job = await probeJob(
      {...asked, rate: own[0]?.rate ?? asked.rate, timeoutMs: silenceMs},
      {client, key: null, dir: join(temp.path, String(i)), signal, now: options.now},
    );
    const answer = await answerOf(job).catch((fault: unknown) => ({fault}));
    if (signal.aborted) return;
    for (const source of own) await onEnd(markedLayer(source, answer, options.now().toISOString()));
  });
}

type Answer = {readonly layer: ArcgisLayer; readonly refusesPages: boolean; readonly page: ArcgisPage};

/** The metadata of a layer, and some of its rows. A layer that does not page sends its rows without outlines, because it cannot be asked for few. */
async function answerOf(job: Job): Promise<Answer> {
  const layer = await askLayer(job);
  const every = {where: "1=1", outFields: layer.objectIdField ?? "*"};
  const whole = {...every, returnGeometry: "false"};
  const some = {...every, returnGeometry: "true", outSR: "4326", resultRecordCount: String(askedRows)};
  let refusesPages = layer.refusesPages === true;
  const answer = await askQuery(job, refusesPages ? whole : some).catch((fault: unknown) => {
    if (refusesPages || !(fault instanceof LayerError) || !fault.refusesPages) throw fault;
    refusesPages = true;
    return askQuery(job, whole);
  });
  if (answer.kind !== "page" || answer.features.length === 0)
    throw new LayerError(`${job.source.url}: the layer sent no row`);
  return {layer, refusesPages, page: answer};
}

function markedLayer(source: LayerSource, answer: Answer | {fault: unknown}, at: string): MarkedLayer {
  if ("fault" in answer) {
    const {fault} = answer;
    const mark = markOfFault(fault);
    const isReached = !(fault instanceof FetchError) || fault.kind !== "unreached";
    return {source, verdict: mark === null ? null : {mark, at}, reason: messageOf(fault), isReached};
  }
  const {layer, refusesPages, page} = answer;
  const {idField} = source.cadastre;
  const {isElsewhere, county} = placeOf(source, page);
  const marked = (mark: LayerMark, reason: string | null): MarkedLayer => ({
    ...{source, reason, isReached: true},
    verdict: {mark, at, ...(county === undefined ? {} : {county})},
  });
  if (isElsewhere) return marked("wrong county", "its rows lie in none of its counties");
  if (idField !== undefined && !layer.fields.some(({name}) => name.toLowerCase() === idField.toLowerCase()))
    return marked("stale id", `it has no column ${idField} any more`);
  return refusesPages ? marked("no paging", "it cannot be told how many rows to send") : marked("good", null);
}

/** The county in which rows of the layer lie, if they tell it; elsewhere are rows with places of which none lies near its counties. */
function placeOf(
  {coverage: {counties}}: LayerSource,
  page: ArcgisPage,
): {isElsewhere: boolean; county: string | undefined} {
  const project = replyProjection(page.spatialReference) ?? undefined;
  const points = page.features.flatMap(({geometry}) => summarizeGeometry(geometry, project) ?? []);
  const county =
    counties === "all"
      ? points.map((point) => countyAt(point)?.fips).find((fips) => fips !== undefined)
      : counties.find((key) => points.some((point) => isNearCounty(point, key)));
  return {isElsewhere: counties !== "all" && points.length > 0 && county === undefined, county};
}

/** The mark of a fault; null where it says nothing of the layer. */
function markOfFault(fault: unknown): LayerMark | null {
  if (!(fault instanceof FetchError)) return "unreadable";
  if (fault instanceof LayerError) {
    if (fault.answer === null) return "unreadable";
    if (fault.answer.needsToken) return "token";
    return fault.answer.isGone ? "gone" : "refused";
  }
  const {kind, status, code} = fault;
  if (kind === "wait" || kind === "limit") return null;
  if (status === 404 || status === 410 || code === "ENOTFOUND") return "gone";
  if (kind === "timeout" || code === "UND_ERR_CONNECT_TIMEOUT") return "slow";
  if (code !== null) return kind === "refused" ? "certificate" : "refused";
  return kind === "status" ? "refused" : "unreadable";
}
