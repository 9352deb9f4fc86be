import {createHash} from "node:crypto";
import {writeWhole} from "@open-cattle/safe-files";
import {bodyBytes, RefusedBody} from "../../../lib/http/body.ts";
import {FetchError, shownAddress} from "../client/fetch-error.ts";
import type {Question, Reply} from "../client/polite-client.ts";
import type {Snapshot} from "../snapshots/snapshot-folder.ts";
import {ask, instant, type Job, nothingNew, type Tally} from "./job.ts";

/** Maximum size of an answer read into memory; larger ones are requested in parts. */
export const maxDocumentBytes = 48 * 2 ** 20;

/** Status of an answer, with the headers that are kept. */
type AnswerFacts = {
  readonly status: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
};

/**
 * Requests JSON and returns its text; null for a 304. Invalid JSON counts as a cut connection, an HTML page as refused. Rejects with an
 * `FetchError`.
 */
export async function askJson(job: Job, question: Question): Promise<string | null> {
  const {bytes} = await askBytes(job, question, (text) => refuseWrongKind(text, question.url, "json"));
  return bytes?.toString("utf8") ?? null;
}

/** Requests a body of limited size, which `check` may reject by throwing; null for a 304. Rejects like `askJson`. */
export function askBytes(
  job: Job,
  question: Question,
  check: (text: string) => void,
): Promise<AnswerFacts & {readonly bytes: Buffer | null}> {
  const headers = () => ({"accept-encoding": "gzip", ...question.headers?.()});
  return ask(job, {...question, headers}, async (reply) => {
    const {status, headers: responseHeaders} = reply;
    const facts = {
      status,
      etag: responseHeaders["etag"] ?? null,
      lastModified: responseHeaders["last-modified"] ?? null,
    };
    if (status === 304) return {...facts, bytes: null};
    const bytes = await boundedBody(job, reply, question.url);
    check(bytes.toString("utf8"));
    return {...facts, bytes};
  });
}

async function boundedBody(job: Job, reply: Reply, url: string): Promise<Buffer> {
  const late = AbortSignal.timeout(job.source.timeoutMs * 5);
  const stop = () => reply.body.destroy(new FetchError("timeout", `${shownAddress(new URL(url))}: too slow`));
  late.addEventListener("abort", stop);
  try {
    const body = await bodyBytes(reply.body, reply.headers["content-encoding"], maxDocumentBytes);
    job.budget.countBytes(body.length);
    return body;
  } catch (thrown) {
    if (thrown instanceof RefusedBody)
      throw new FetchError(thrown.code, `${shownAddress(new URL(url))}: ${thrown.message}`);
    throw thrown;
  } finally {
    late.removeEventListener("abort", stop);
  }
}

function refuseWrongKind(text: string, url: string, format: "json" | "text"): void {
  const address = shownAddress(new URL(url));
  if (isHtml(text)) throw new FetchError("refused", `${address}: expected ${format}, got an HTML page`);
  if (text.trim() === "") throw new FetchError("refused", `${address}: an empty answer`);
  if (format === "text") return;
  try {
    JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw new FetchError(
      "connection",
      `${address}: the answer is not JSON, or was cut (${text.length} characters)`,
    );
  }
}

/** True if a text starts like an HTML page. */
export function isHtml(text: string): boolean {
  return /^\uFEFF?\s*<(!doctype\s+html|html|head|body)\b/i.test(text.slice(0, 512));
}

/** A document of a source: its file name, its URL without the key, and a check of its content. */
export type DocumentQuestion = Question & {
  readonly name: string;
  readonly extension: string;
  /** True if the newest file replaces the older ones; a function is asked once the content is checked. */
  readonly complete?: boolean | (() => boolean);
  /** Digests of files that need not be stored again under another name. */
  readonly storedDigests?: ReadonlySet<string>;
  /** Returns what is wrong with the content, or null. */
  readonly fault?: (text: string) => string | null;
};

/**
 * Fetches a document with a conditional request and stores it if its bytes are new. Returns the tally and the current text; the text is
 * null when the newest stored file is still current. Rejects with a `FetchError`.
 */
export async function fetchDocument(
  job: Job,
  question: DocumentQuestion,
): Promise<Tally & {readonly text: string | null}> {
  const format = /json$/.test(question.extension) ? "json" : "text";
  const answer = await newAnswer(job, question, (text) => refuseWrongKind(text, question.url, format));
  if (answer === null) return {...nothingNew, unchanged: 1, text: null};
  const text = answer.bytes.toString("utf8");
  const fault = question.fault?.(text) ?? null;
  if (fault !== null) throw new FetchError("refused", `${shownAddress(new URL(question.url))}: ${fault}`);
  // Some services echo the request, including the key.
  const bytes = Buffer.from(withoutKey(text, job.key));
  return {...(await keepDocument(job, question, {...answer, bytes})), text};
}

/** Fetches a PDF with a conditional request and stores it if its bytes are new. Rejects with a `FetchError`, also for a truncated PDF. */
export async function fetchPdf(job: Job, document: Omit<DocumentQuestion, "extension">): Promise<Tally> {
  const question = {...document, extension: "pdf"} as const;
  const answer = await newAnswer(job, question, (text) => {
    const address = shownAddress(new URL(question.url));
    if (!text.startsWith("%PDF-"))
      throw new FetchError(
        "refused",
        `${address}: expected a PDF, got ${isHtml(text) ? "an HTML page" : "something else"}`,
      );
    if (!text.slice(-1100).includes("%%EOF"))
      throw new FetchError("connection", `${address}: the PDF was cut: its end is missing`);
  });
  return answer === null ? {...nothingNew, unchanged: 1} : keepDocument(job, question, answer);
}

/** Fetches a file of any kind but a page with a conditional request and stores it if its bytes are new. Rejects with a `FetchError`. */
export async function fetchFile(job: Job, question: DocumentQuestion): Promise<Tally> {
  const answer = await newAnswer(job, question, (text) => refuseWrongKind(text, question.url, "text"));
  return answer === null ? {...nothingNew, unchanged: 1} : keepDocument(job, question, answer);
}

type KeptAnswer = AnswerFacts & {readonly bytes: Buffer};

/** Sends a conditional request; null if the server says that the newest file is current, which is recorded. */
async function newAnswer(
  job: Job,
  question: DocumentQuestion,
  check: (text: string) => void,
): Promise<KeptAnswer | null> {
  const newest = await job.folder.newest(question.name);
  const headers = () => ({...question.headers?.(), ...tagsOf(newest, question.url)});
  const {bytes, ...facts} = await askBytes(job, {...question, headers}, check);
  if (bytes !== null) return {...facts, bytes};
  // An intermediate cache may answer "not modified" for a file that we do not have.
  if (newest === null)
    throw new FetchError(
      "refused",
      `${shownAddress(new URL(question.url))}: 304 for a file that is not here`,
    );
  await job.folder.noteVerified(newest, instant(job));
  return null;
}

/** Stores an answer as the newest file of its name, unless its bytes are unchanged. */
async function keepDocument(
  job: Job,
  {name, extension, url, complete, storedDigests}: DocumentQuestion,
  {bytes, status, etag, lastModified}: KeptAnswer,
): Promise<Tally> {
  const newest = await job.folder.newest(name);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const at = instant(job);
  if (storedDigests?.has(sha256) === true) return {...nothingNew, unchanged: 1};
  if (newest?.meta.sha256 === sha256) {
    await job.folder.noteVerified(newest, at, {etag, last_modified: lastModified});
    return {...nothingNew, unchanged: 1};
  }
  const part = job.folder.partOf(name);
  await writeWhole(part, bytes, {replaces: true});
  const meta = {
    source_id: job.source.id,
    url,
    retrieved_at: at,
    http_status: status,
    etag,
    last_modified: lastModified,
    sha256,
    ...((typeof complete === "function" ? complete() : complete) === true ? {complete: true} : {}),
  };
  await job.folder.place(part, {name, extension, meta});
  return {...nothingNew, added: 1};
}

/** Removes a key from a text, in its plain, URL-encoded and base64 forms. */
export function withoutKey(text: string, key: string | null): string {
  if (key === null || key === "") return text;
  const forms = [key, encodeURIComponent(key), Buffer.from(`${key}:`).toString("base64")];
  return forms.reduce((clean, form) => clean.replaceAll(form, "(key)"), text);
}

/** Headers for a conditional request; empty if the file came from another URL. */
export function tagsOf(newest: Snapshot | null, url: string): Record<string, string> {
  if (newest === null || newest.meta.url !== url) return {};
  const {etag, last_modified: lastModified} = newest.meta;
  return {
    ...(etag ? {"if-none-match": etag} : {}),
    ...(lastModified ? {"if-modified-since": lastModified} : {}),
  };
}
