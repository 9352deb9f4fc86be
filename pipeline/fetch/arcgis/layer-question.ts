import {
  type ArcgisAnswer,
  type ArcgisLayer,
  parseServerJson,
  readAnswer,
} from "../../../lib/arcgis/layer-reply.ts";
import {messageOf} from "../../../lib/errors.ts";
import {EsriError} from "../../../schemas/arcgis.ts";
import {FetchError, shownAddress} from "../client/fetch-error.ts";
import {askBytes, isHtml} from "../jobs/document.ts";
import type {Job} from "../jobs/job.ts";

/** A received page, with its row count and object ids. */
export type LayerPage = {
  readonly bytes: Buffer;
  readonly rows: number;
  readonly firstId: number | null;
  readonly lastId: number | null;
  /** True if the ids are strictly ascending. */
  readonly ascends: boolean;
  readonly hasMore: boolean;
};

/** The layer answered with an error of its own, or needs a token. */
export class LayerError extends FetchError {
  override name = "LayerError";

  constructor(message: string) {
    super("refused", message);
  }
}

/** Requests the metadata of the job's layer. Rejects with a `LayerError` for an error, and for a layer that needs a token. */
export async function askLayer(job: Job): Promise<ArcgisLayer> {
  const answer = await askAnswer(job, job.source.url, {f: "json"});
  if (answer.kind === "layer") return answer;
  const expected = answer.kind === "error" ? "" : "expected the layer, got ";
  throw new LayerError(`${shownLayer(job)}: ${expected}${answerText(answer)}`);
}

/** Requests a count, object ids or statistics. Rejects with a `LayerError` for an error inside a 200. */
export async function askQuery(job: Job, form: Record<string, string>): Promise<ArcgisAnswer> {
  const answer = await askAnswer(job, `${job.source.url}/query`, {f: "json", ...form});
  if (answer.kind === "error") throw new LayerError(`${shownLayer(job)}: ${answerText(answer)}`);
  return answer;
}

/** The form that asks for rows with their outlines in WGS 84; `columns` null asks for all columns. */
export function rowsForm(
  where: string,
  format: "geojson" | "json",
  columns: readonly string[] | null = null,
): Record<string, string> {
  const outFields = columns === null ? "*" : columns.join(",");
  return {where, outFields, returnGeometry: "true", outSR: "4326", f: format};
}

/**
 * Requests a page of rows. A truncated page is requested again, a partible one that takes too long is not; an error inside a 200 rejects
 * with a `LayerError`.
 */
export async function askPage(
  job: Job,
  form: Record<string, string>,
  objectIdField: string | null,
  {isPartible = false} = {},
): Promise<LayerPage> {
  let facts: Omit<LayerPage, "bytes"> | null = null;
  const {bytes} = await askBytes(job, {url: `${job.source.url}/query`, form, isPartible}, (text) => {
    facts = pageFacts(parseReply(job, text), objectIdField);
    if (facts === null) throw errorIn(job, text);
  });
  return {bytes: bytes!, ...facts!};
}

async function askAnswer(job: Job, url: string, form: Record<string, string>): Promise<ArcgisAnswer> {
  let answer: ArcgisAnswer | null = null;
  await askBytes(job, {url, form}, (text) => {
    parseReply(job, text);
    try {
      answer = readAnswer(text);
    } catch (thrown) {
      throw new LayerError(`${shownLayer(job)}: ${messageOf(thrown)}`);
    }
    const passing =
      answer.kind === "error" ? passingFault(answer.code, `${shownLayer(job)}: ${answerText(answer)}`) : null;
    if (passing !== null) throw passing;
  });
  return answer!;
}

function parseReply(job: Job, text: string): unknown {
  if (isHtml(text)) throw new LayerError(`${shownLayer(job)}: expected JSON, got an HTML page`);
  try {
    return parseServerJson(text);
  } catch {
    throw new FetchError(
      "connection",
      `${shownLayer(job)}: the answer is not JSON, or was cut (${text.length} characters)`,
    );
  }
}

type Feature = {id?: unknown; properties?: Record<string, unknown>; attributes?: Record<string, unknown>};
type Flagged = {exceededTransferLimit?: unknown; properties?: {exceededTransferLimit?: unknown} | null};

/** Reads row count, ids and flag of a page but not its geometries, which are slow; null for anything but a page. */
function pageFacts(body: unknown, objectIdField: string | null): Omit<LayerPage, "bytes"> | null {
  const features = (body as {features?: unknown} | null)?.features;
  if (!Array.isArray(features)) return null;
  const ids = (features as Feature[]).map((feature) =>
    Number(
      feature.attributes?.[objectIdField ?? ""] ?? feature.properties?.[objectIdField ?? ""] ?? feature.id,
    ),
  );
  const hasIds = objectIdField !== null && ids.length > 0 && ids.every(Number.isFinite);
  const {exceededTransferLimit, properties} = body as Flagged;
  return {
    rows: features.length,
    firstId: hasIds ? ids.reduce((a, b) => Math.min(a, b)) : null,
    lastId: hasIds ? ids.reduce((a, b) => Math.max(a, b)) : null,
    ascends: hasIds && ids.every((id, i) => i === 0 || id > ids[i - 1]!),
    hasMore: exceededTransferLimit === true || properties?.exceededTransferLimit === true,
  };
}

/** What an answer says that is no page. */
function errorIn(job: Job, text: string): FetchError {
  const error = EsriError.safeParse(parseServerJson(text));
  if (!error.success) return new LayerError(`${shownLayer(job)}: expected a page of features`);
  const {code, message, details} = error.data.error;
  const words = `${shownLayer(job)}: ${errorText(code, message, ...(details ?? []))}`;
  return passingFault(code, words) ?? new LayerError(words);
}

/** The fault of an error inside a 200 that has the status of a passing one, such as 504, and is asked again like it; null for another. */
function passingFault(code: number | null | undefined, words: string): FetchError | null {
  const fault = new FetchError("status", words, {status: code ?? null});
  return fault.isTransient ? fault : null;
}

function answerText(answer: ArcgisAnswer): string {
  if (answer.kind !== "error") return `a ${answer.kind}`;
  if (answer.needsToken) return "unsupported: the layer requires a token";
  return errorText(answer.code, answer.message);
}

/** Joins the parts that are present; many errors lack a code, a message or details. */
function errorText(...parts: readonly unknown[]): string {
  return ["error", ...parts].filter((part) => part !== null && part !== undefined && part !== "").join(" ");
}

function shownLayer({source}: Job): string {
  return shownAddress(new URL(source.url));
}
