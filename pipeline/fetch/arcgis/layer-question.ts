import {
  type ArcgisAnswer,
  type ArcgisError,
  type ArcgisLayer,
  answerText,
  errorOf,
  type LayerPage,
  type PageFacts,
  type PullAsker,
  pageFacts,
  parseServerJson,
  readAnswer,
} from "@open-cattle/arcgis-layers";
import {messageOf} from "../../../lib/errors.ts";
import {FetchError, shownAddress} from "../client/fetch-error.ts";
import {askBytes, isHtml} from "../jobs/document.ts";
import type {Job} from "../jobs/job.ts";

/** The layer answered with an error of its own, needs a token, or sent what cannot be read. */
export class LayerError extends FetchError {
  override name = "LayerError";
  /** The error that the layer sent; null where it sent something else. */
  readonly answer: ArcgisError | null;

  constructor(message: string, answer: ArcgisError | null = null) {
    super("refused", message);
    this.answer = answer;
  }

  /** True if the layer says that it does not page. */
  get refusesPages(): boolean {
    return this.answer?.refusesPages === true;
  }
}

/** Requests the metadata of the job's layer. Rejects with a `LayerError` for an error, and for a layer that needs a token. */
export async function askLayer(job: Job): Promise<ArcgisLayer> {
  const answer = await askAnswer(job, job.source.url, {f: "json"});
  if (answer.kind === "layer") return answer;
  if (answer.kind === "error") throw layerError(job, answer);
  throw new LayerError(`${shownLayer(job)}: expected the layer, got ${answerText(answer)}`);
}

/** Requests a count, object ids or statistics. Rejects with a `LayerError` for an error inside a 200. */
export async function askQuery(job: Job, form: Record<string, string>): Promise<ArcgisAnswer> {
  const answer = await askAnswer(job, `${job.source.url}/query`, {f: "json", ...form});
  if (answer.kind === "error") throw layerError(job, answer);
  return answer;
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
  let facts: PageFacts | null = null;
  const {bytes} = await askBytes(job, {url: `${job.source.url}/query`, form, isPartible}, (text) => {
    facts = pageFacts(parseReply(job, text), objectIdField);
    if (facts === null) throw errorIn(job, text);
  });
  return {bytes: bytes!, ...facts!};
}

/** Requests a page of about so many rows; of as many as the layer sends, where it does not page. */
export async function askSample(
  job: Job,
  {form, rows}: {form: Record<string, string>; rows: number},
  objectIdField: string | null,
): Promise<LayerPage> {
  const fewRows = {...form, resultRecordCount: String(rows)};
  return askPage(job, fewRows, objectIdField).catch((fault: unknown) => {
    if (fault instanceof LayerError && fault.refusesPages) return askPage(job, form, objectIdField);
    throw fault;
  });
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
    // Thrown here, so that the client asks again.
    const fault = answer.kind === "error" ? layerError(job, answer) : null;
    if (fault?.isTransient === true) throw fault;
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

/** What an answer says that is no page. */
function errorIn(job: Job, text: string): FetchError {
  const error = errorOf(parseServerJson(text));
  return error === null
    ? new LayerError(`${shownLayer(job)}: expected a page of features`)
    : layerError(job, error);
}

/** The fault of an error inside a 200: that of a passing status, such as 504, which is asked again like it, or a `LayerError`. */
function layerError(job: Job, answer: ArcgisError): FetchError {
  const words = `${shownLayer(job)}: ${answerText(answer)}`;
  const passing = new FetchError("status", words, {status: answer.code});
  return passing.isTransient ? passing : new LayerError(words, answer);
}

/** Returns the layer's answer; null if the service refuses the question. Rejects for transient faults and at the end of the run. */
export async function askUnlessRefused(job: Job, form: Record<string, string>): Promise<ArcgisAnswer | null> {
  return askQuery(job, form).catch((fault: unknown) => {
    if (fault instanceof FetchError && fault.isRefusal) return null;
    throw fault;
  });
}

/** The job's layer, as a pull asks it. */
export function pullAsker(job: Job): PullAsker {
  return {
    page: (form, objectIdField, options) => askPage(job, form, objectIdField, options),
    query: (form) => askUnlessRefused(job, form),
    refused: (message) => new LayerError(message),
    isRefused: (fault) => fault instanceof LayerError,
    refusesPages: (fault) => fault instanceof LayerError && fault.refusesPages,
    isTooMuch,
  };
}

/** True if a fault may be due to the page size, so that a smaller page may succeed. */
function isTooMuch(fault: unknown): boolean {
  if (fault instanceof LayerError) return true;
  if (!(fault instanceof FetchError)) return false;
  return (
    fault.status === 500 || fault.status === 504 || fault.kind === "timeout" || fault.kind === "too_large"
  );
}

function shownLayer({source}: Job): string {
  return shownAddress(new URL(source.url));
}
