import {rm, stat, truncate} from "node:fs/promises";
import {PassThrough} from "node:stream";
import {pipeline} from "node:stream/promises";
import {appendPieces, readForeignJson} from "@open-cattle/safe-files";
import {z} from "zod";
import {UserError} from "../../../lib/errors.ts";
import {decoderOf} from "../../../lib/http/body.ts";
import type {RawMeta} from "../../../schemas/raw-meta.ts";
import {sha256OfFile} from "../../raw/file-digest.ts";
import {FetchError, shownAddress} from "../client/fetch-error.ts";
import type {Reply} from "../client/polite-client.ts";
import {tagsOf} from "../jobs/document.ts";
import {ask, instant, type Job, nothingNew, type Tally} from "../jobs/job.ts";
import {boundedFile, pacedBody, tooLarge} from "../jobs/paced-body.ts";
import {replaceJson} from "../snapshots/snapshot-folder.ts";
import {endsAsItsKind, kindFault} from "./file-kind.ts";

type Transfer = {
  readonly status: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** False if neither a length nor the transfer coding marks the end of the body. */
  readonly hasEnd: boolean;
};

/**
 * Fetches one file with a conditional request. A truncated download resumes at its last byte, also after a kill, as long as the server
 * confirms that the file is the same. `sourceFiles`: how many files the source has, where this is one of several.
 */
export async function fetchHttpFile(
  job: Job,
  {complete, sourceFiles}: {complete: boolean; sourceFiles?: number},
): Promise<Tally> {
  const ofSource = sourceFiles === undefined ? {} : {source_files: sourceFiles};
  const {url} = job.source;
  const {name, extension} = fileNameOf(job.source.url, job.source.format);
  const newest = await job.folder.newest(name);
  const part = job.folder.partOf(name);
  let resume = await readResume(part);
  const headers = () => ({
    "accept-encoding": "identity",
    ...(resume === null ? tagsOf(newest, url) : {range: `bytes=${resume.bytes}-`, "if-range": resume.etag}),
  });
  const take = async (reply: Reply): Promise<Transfer> => {
    try {
      return await takeFile(job, reply, {part, resume});
    } finally {
      resume = await readResume(part);
    }
  };
  const downloadAgain = async (): Promise<Transfer> => {
    await dropPart(part);
    resume = null;
    return ask(
      job,
      {url, headers: () => ({"accept-encoding": "identity", "cache-control": "no-cache"})},
      take,
    );
  };
  let transfer = await ask(job, {url, headers}, take).catch((fault: unknown) => {
    // The file is already complete, or has become shorter: download it again.
    if (fault instanceof FetchError && fault.status === 416) return downloadAgain();
    throw fault;
  });
  // An intermediate cache may answer "not modified" for a file that we do not have.
  if (transfer.status === 304 && newest === null) transfer = await downloadAgain();
  if (transfer.status === 304) {
    if (newest === null)
      throw new FetchError("refused", `${shownAddress(new URL(url))}: 304 for a file that is not here`);
    await job.folder.noteVerified(newest, instant(job), ofSource);
    return {...nothingNew, unchanged: 1};
  }
  await checkKind(part, extension, url);
  let sha256 = await sha256OfFile(part);
  const isWhole = await endsAsItsKind(part, extension);
  // A server, or a cache in between, may keep half of an archive and state its length.
  if (isWhole === false && transfer.hasEnd) {
    await dropPart(part);
    throw new FetchError(
      "connection",
      `${shownAddress(new URL(url))}: the archive was cut: its end is missing`,
    );
  }
  if (!transfer.hasEnd && isWhole !== true) {
    const first = sha256;
    transfer = await downloadAgain();
    await checkKind(part, extension, url);
    sha256 = await sha256OfFile(part);
    if (sha256 !== first) {
      await dropPart(part);
      const message = "two downloads without a length differ: one may have been cut";
      throw new FetchError("connection", `${shownAddress(new URL(url))}: ${message}`);
    }
  }
  await rm(resumePath(part), {force: true});
  const facts = {etag: transfer.etag, last_modified: transfer.lastModified};
  if (newest?.meta.sha256 === sha256) {
    await rm(part);
    await job.folder.noteVerified(newest, instant(job), {...facts, ...ofSource});
    return {...nothingNew, unchanged: 1};
  }
  const meta: RawMeta = {
    ...{source_id: job.source.id, url, retrieved_at: instant(job), http_status: 200},
    ...facts,
    sha256,
    ...(complete ? {complete: true} : {}),
    ...ofSource,
  };
  await job.folder.place(part, {name, extension, meta});
  return {...nothingNew, added: 1};
}

/** Writes and syncs a body to its part file. Rejects if it is shorter or longer than stated, too large, or too slow. */
async function takeFile(
  job: Job,
  reply: Reply,
  {part, resume}: {part: string; resume: Resume | null},
): Promise<Transfer> {
  const {status, headers} = reply;
  const transfer = {
    ...{status, etag: headers["etag"] ?? null, lastModified: headers["last-modified"] ?? null},
    hasEnd: headers["content-length"] !== undefined || /chunked/i.test(headers["transfer-encoding"] ?? ""),
  };
  if (status === 304) return transfer;
  const address = shownAddress(new URL(job.source.url));
  const startsAt = resume?.bytes ?? 0;
  // A server that ignores If-Range sends the rest of another file version.
  const isContinuation =
    status === 206 &&
    transfer.etag === (resume?.etag ?? null) &&
    Number(/^bytes (\d+)-/.exec(headers["content-range"] ?? "")?.[1]) === startsAt;
  if (status === 206 && !isContinuation) {
    await dropPart(part);
    throw new FetchError("connection", `${address}: the server sent another part of the file than requested`);
  }
  // The previous try may have written bytes after its size was read.
  if (isContinuation) await truncate(part, startsAt);
  else await dropPart(part);
  const statedBytes = headers["content-length"] === undefined ? null : Number(headers["content-length"]);
  await job.budget.checkRoom(statedBytes ?? 0);
  const before = isContinuation ? startsAt : 0;
  if ((statedBytes ?? 0) + before > job.budget.fileBytes) throw tooLarge(job, address);
  const decoder = unpackerOf(headers["content-encoding"], address);
  if (transfer.etag !== null && decoder === null && headers["accept-ranges"] !== "none")
    await replaceJson(resumePath(part), {etag: transfer.etag});
  let bytes = 0;
  const body = pacedBody(job, address, (n) => {
    bytes += n;
  });
  try {
    await pipeline(reply.body, body, decoder ?? new PassThrough(), (pieces: AsyncIterable<Buffer>) =>
      appendPieces(part, boundedFile(job, {address, before, pieces}), isContinuation),
    );
  } catch (fault) {
    // Nothing goes on behind bytes that were decompressed, or are too many.
    if (decoder !== null || (fault instanceof FetchError && fault.kind === "refused")) await dropPart(part);
    throw fault;
  }
  if (statedBytes !== null && bytes !== statedBytes)
    throw new FetchError("connection", `${address}: received ${bytes} of ${statedBytes} bytes`);
  return transfer;
}

/** The decoder for a body compressed without our asking; null for an uncompressed one. */
function unpackerOf(coding: string | undefined, address: string) {
  try {
    return decoderOf(coding);
  } catch {
    throw new FetchError(
      "refused",
      `${address}: the content coding ${JSON.stringify(coding)} cannot be read`,
    );
  }
}

function resumePath(part: string): string {
  return `${part}.resume`;
}

async function dropPart(part: string): Promise<void> {
  await rm(part, {force: true});
  await rm(resumePath(part), {force: true});
}

const ResumeTag = z.object({etag: z.string()});
type Resume = {readonly etag: string; readonly bytes: number};

/** Size of a partial download and the ETag for requesting the rest; null if it must restart. */
async function readResume(part: string): Promise<Resume | null> {
  const [tag, there] = await Promise.all([
    readForeignJson(resumePath(part), ResumeTag),
    stat(part).catch(() => null),
  ]);
  if (tag === null || there === null || there.size === 0) return null;
  const {etag} = tag;
  // A weak ETag does not guarantee identical bytes.
  return etag.startsWith("W/") ? null : {etag, bytes: there.size};
}

async function checkKind(part: string, extension: string, url: string): Promise<void> {
  const fault = await kindFault(part, extension);
  if (fault === null) return;
  await dropPart(part);
  throw new FetchError("refused", `${shownAddress(new URL(url))}: ${fault}`);
}

/** The name of a file's snapshots, from the last URL segment; the extension defaults to the entry's format. */
export function fileNameOf(url: string, format: string | undefined): {name: string; extension: string} {
  const last = decodeURIComponent(new URL(url).pathname.split("/").filter(Boolean).at(-1) ?? "file");
  const [, stem = last, extension = format] = /^(.+?)\.([A-Za-z0-9]{1,8}(?:\.gz)?)$/.exec(last) ?? [];
  if (extension === undefined)
    throw new UserError(`${url}: the address names no kind of file; give the entry a "format", such as csv.`);
  return {name: stem.replaceAll(/[^\w.-]+/g, "-"), extension: extension.toLowerCase()};
}
