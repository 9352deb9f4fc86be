import {join} from "node:path";
import {promisify} from "node:util";
import {gzip} from "node:zlib";
import {countRows, rowsForm} from "@open-cattle/arcgis-layers";
import {messageOf} from "../../../lib/errors.ts";
import {mayBeQueried} from "../../../lib/registry/layer-terms.ts";
import type {FetchPace} from "../../../schemas/fetch-state.ts";
import type {Settings} from "../../../schemas/settings.ts";
import {temporaryFolder} from "../../raw/temporary-folder.ts";
import {askLayer, askSample, pullAsker} from "../arcgis/layer-question.ts";
import {lossWords, refuseMovedLayer, startPull} from "../arcgis/start-pull.ts";
import {FetchError} from "../client/fetch-error.ts";
import {PoliteClient} from "../client/polite-client.ts";
import {type Cost, expectedCost, type PlannedSource} from "../fetch-plan.ts";
import type {FetchPaces} from "../fetch-states.ts";
import {withoutKey} from "../jobs/document.ts";
import {ask, instant, type Job, probeJob} from "../jobs/job.ts";
import {addressesOf, type FetchSource, mirrorOf} from "../jobs/source-address.ts";
import {askSource} from "../protocols/protocols.ts";
import {eachConcurrently} from "../run.ts";
import {type ShownRow, shownFeedRow, shownRow} from "./shown-row.ts";

const pack = promisify(gzip);
/** Rows requested from a layer: enough to estimate the size of a row. */
const sampleRows = 10;

/** The result of probing a source. `not asked`: it lacks a key, a contact or a licence. */
export type ProbeResult = {
  readonly source: FetchSource;
  readonly status: "ok" | "moved" | "failed" | "not asked";
  readonly reason: string | null;
  readonly requests: number;
  /** Row count and page size of a layer. */
  readonly rows: number | null;
  readonly pageRows: number | null;
  /** The first row as a build reads it; for a file, its headers. */
  readonly row: ShownRow | null;
  /** Estimated cost of a whole pull. */
  readonly cost: Cost | null;
};

type ProbeOptions = {
  readonly settings: Settings;
  readonly paces: FetchPaces;
  readonly userAgent: string;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly onEnd: (result: ProbeResult) => void;
};

/** Probes each planned source, in plan order. Nothing received is kept except the measurements. */
export async function probeSources(
  plan: readonly PlannedSource[],
  options: ProbeOptions,
): Promise<ProbeResult[]> {
  const {settings, userAgent} = options;
  // Report a dead host within the minute; nightly runs are more patient.
  await using client = new PoliteClient({userAgent, proxy: settings.CATTLE_PROXY, retries: {retries: 1}});
  await using temp = await temporaryFolder("cattle-probe-");
  const results: ProbeResult[] = [];
  await eachConcurrently(plan, async (planned, i) => {
    const result = isAsked(planned)
      ? await probeSource(planned.source, {...options, client, dir: join(temp.path, String(i))})
      : notAsked(planned);
    results[i] = result;
    options.onEnd(result);
  });
  return results;
}

/**
 * A layer that must not be pulled as a whole may still be queried for a row, as on a miss, unless its publisher forbids all automated
 * queries.
 */
function isAsked({action, source}: PlannedSource): boolean {
  if (action === "no key" || action === "no contact") return false;
  if (source.bulkRefusal !== null && source.entry !== null && !mayBeQueried(source.entry, {})) return false;
  return action !== "not allowed" || (source.bulkRefusal !== null && !source.licensed);
}

function notAsked({source, because}: PlannedSource): ProbeResult {
  const nothing = {requests: 0, rows: null, pageRows: null, row: null, cost: null};
  return {source, status: "not asked", reason: because, ...nothing};
}

async function probeSource(
  source: FetchSource,
  {settings, paces, signal, now, client, dir}: ProbeOptions & {client: PoliteClient; dir: string},
): Promise<ProbeResult> {
  const key = source.key === null ? null : settings[source.key];
  let requestMs = 0;
  const timedClient: Job["client"] = {
    ask: async (...question) => {
      const began = performance.now();
      return client.ask(...question).finally(() => {
        requestMs += performance.now() - began;
      });
    },
  };
  const job = await probeJob(source, {client: timedClient, key, dir, signal, now});
  const resultOf = async (
    status: ProbeResult["status"],
    reason: string | null,
    row: ShownRow | null,
    bytes: number | null,
  ) => {
    const pace: FetchPace = {
      ...{source: source.id, measured_at: now().toISOString(), by: "probe", requests: job.requests, bytes},
      seconds_per_request: requestMs / 1000 / Math.max(job.requests, 1),
      rows: job.layer?.rows ?? null,
      page_rows: job.layer?.pageRows ?? null,
      bytes_per_row: job.layer?.bytesPerRow ?? null,
    };
    if (status === "ok") await paces.note(pace);
    const cost = status === "ok" ? expectedCost(source, pace) : null;
    const {rows, page_rows: pageRows} = pace;
    const clean = reason === null ? null : withoutKey(reason, key);
    return {source, status, reason: clean, requests: job.requests, rows, pageRows, row, cost};
  };
  try {
    if (source.protocol === "http-file") {
      const {row, bytes} = await probeFile(job);
      return await resultOf("ok", null, row, bytes);
    }
    if (source.protocol === "arcgis") {
      const row = await probeLayer(job);
      if ("why" in row) return await resultOf("moved", row.why, row, null);
      const lacks = (job.losses ?? []).join("; ");
      return await resultOf("ok", lacks === "" ? null : `lacks ${lacks}`, row, null);
    }
    const {partial} = await askSource(job);
    if (partial !== null) throw new FetchError("refused", partial);
    const row = await shownFeedRow(source.folder, {rawDir: dir, tempDir: dir, at: now()});
    return await resultOf("ok", null, row, null);
  } catch (fault) {
    const isMoved = fault instanceof FetchError && fault.kind === "moved";
    return resultOf(isMoved ? "moved" : "failed", messageOf(fault), null, null);
  }
}

/** Requests a file's headers and returns its type and size. */
async function probeFile(job: Job): Promise<{row: ShownRow; bytes: number | null}> {
  const askHeaders = (url: string) =>
    ask(job, {url, headers: () => ({range: "bytes=0-0"})}, async (reply) => reply);
  const [url] = addressesOf(job.source) as [string];
  const mirrored = mirrorOf(job.source, url);
  const {headers, status} = await askHeaders(url).catch((fault: unknown) => {
    if (mirrored === null || !(fault instanceof FetchError) || fault.status !== 403) throw fault;
    return askHeaders(mirrored);
  });
  const type = headers["content-type"] ?? "";
  if (/html/i.test(type)) throw new FetchError("moved", `moved: expected the file, got a page (${type})`);
  const total = /\/(\d+)$/.exec(headers["content-range"] ?? "")?.[1];
  const length = total ?? (status === 200 ? headers["content-length"] : undefined);
  const lastModified = headers["last-modified"] ?? null;
  const bytes = length === undefined ? null : Number(length);
  const files = addressesOf(job.source).length;
  const row = {
    row: {
      type,
      bytes,
      ...(files > 1 ? {files} : {}),
      ...(lastModified === null ? {} : {modified: lastModified}),
    },
  };
  return {row, bytes: bytes === null ? null : bytes * files};
}

/** Requests a layer's metadata, count and some rows, records the measurements in the job, and returns the first row as a build reads it. */
async function probeLayer(job: Job): Promise<ShownRow> {
  const {entry} = job.source;
  const layer = await askLayer(job);
  const rowCount = await countRows(pullAsker(job), entry?.where ?? "1=1");
  const pull = await startPull(job, {layer, rowCount, startedAt: instant(job)});
  job.layer = {rows: rowCount, pageRows: pull.layer.page_size, bytesPerRow: null};
  refuseMovedLayer(job.source, layer, rowCount);
  job.losses = lossWords(pull.lacks);
  const form = rowsForm(pull.where, pull.layer.query_format);
  const page = await askSample(job, {form, rows: sampleRows}, layer.objectIdField);
  if (page.rows === 0) throw new FetchError("moved", "moved: the layer gave no row; correct the entry");
  const bytesPerRow = (await pack(page.bytes)).length / page.rows;
  job.layer = {rows: rowCount, pageRows: pull.layer.page_size, bytesPerRow};
  return entry === null ? {why: "no entry"} : shownRow(entry, {page, pull, at: job.now()});
}
