import {open, rm, stat, truncate} from "node:fs/promises";
import {PassThrough, Transform} from "node:stream";
import {pipeline} from "node:stream/promises";
import {z} from "zod";
import {UserError} from "../../../lib/errors.ts";
import {decoderOf} from "../../../lib/http/body.ts";
import {readForeignJson} from "../../../lib/system/foreign-file.ts";
import {appendPieces} from "../../../lib/system/whole-file.ts";
import type {RawMeta} from "../../../schemas/raw-meta.ts";
import {sha256OfFile} from "../../raw/file-digest.ts";
import {AskFault, shownAddress} from "../client/ask-fault.ts";
import type {Reply} from "../client/polite-client.ts";
import {isHtml, tagsOf} from "../jobs/document.ts";
import {ask, instant, type Job, nothingNew, type Tally} from "../jobs/job.ts";
import {replaceJson} from "../snapshots/snapshot-folder.ts";

type Came = {
  readonly status: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** False if neither a length nor the transfer coding marks the end of the body. */
  readonly hasEnd: boolean;
};

/** Minimum bytes per timeout period; a slower server would hold up the run. */
const minBytesPerPeriod = 16 * 1024;

/**
 * Fetches one file with a conditional request. A truncated download resumes at its last byte, also after a kill, as long as the server
 * confirms that the file is the same.
 */
export async function fetchHttpFile(job: Job, {complete}: {complete: boolean}): Promise<Tally> {
  const {url} = job.source;
  const {name, extension} = fileNameOf(job.source.url, job.source.format);
  const newest = await job.folder.newest(name);
  const part = job.folder.partOf(name);
  let resume = await readResume(part);
  const headers = () => ({
    "accept-encoding": "identity",
    ...(resume === null ? tagsOf(newest, url) : {range: `bytes=${resume.bytes}-`, "if-range": resume.etag}),
  });
  const take = async (reply: Reply): Promise<Came> => {
    try {
      return await takeFile(job, reply, {part, resume});
    } finally {
      resume = await readResume(part);
    }
  };
  const anew = async (): Promise<Came> => {
    await dropPart(part);
    resume = null;
    return ask(
      job,
      {url, headers: () => ({"accept-encoding": "identity", "cache-control": "no-cache"})},
      take,
    );
  };
  let came = await ask(job, {url, headers}, take).catch((fault: unknown) => {
    // The file is already complete, or has become shorter: download it again.
    if (fault instanceof AskFault && fault.status === 416) return anew();
    throw fault;
  });
  // An intermediate cache may answer "not modified" for a file that we do not have.
  if (came.status === 304 && newest === null) came = await anew();
  if (came.status === 304) {
    if (newest === null)
      throw new AskFault("refused", `${shownAddress(new URL(url))}: 304 for a file that is not here`);
    await job.folder.verified(newest, instant(job));
    return {...nothingNew, unchanged: 1};
  }
  await checkKind(part, extension, url);
  let sha256 = await sha256OfFile(part);
  const isWhole = await endsAsItsKind(part, extension);
  // A server, or a cache in between, may keep half of an archive and state its length.
  if (isWhole === false && came.hasEnd) {
    await dropPart(part);
    throw new AskFault("connection", `${shownAddress(new URL(url))}: the archive has no end, so it was cut`);
  }
  if (!came.hasEnd && isWhole !== true) {
    const first = sha256;
    came = await anew();
    await checkKind(part, extension, url);
    sha256 = await sha256OfFile(part);
    if (sha256 !== first) {
      await dropPart(part);
      const message = "a body without a length came, and another one the second time: it may have been cut";
      throw new AskFault("connection", `${shownAddress(new URL(url))}: ${message}`);
    }
  }
  await rm(resumePath(part), {force: true});
  const facts = {etag: came.etag, last_modified: came.lastModified};
  if (newest?.meta.sha256 === sha256) {
    await rm(part);
    await job.folder.verified(newest, instant(job), facts);
    return {...nothingNew, unchanged: 1};
  }
  const meta: RawMeta = {
    ...{source_id: job.source.id, url, retrieved_at: instant(job), http_status: 200},
    ...facts,
    sha256,
    ...(complete ? {complete: true} : {}),
  };
  await job.folder.place(part, {name, extension, meta});
  return {...nothingNew, added: 1};
}

/** Writes and syncs a body to its part file. Rejects if it is shorter or longer than stated, too large, or too slow. */
async function takeFile(
  job: Job,
  reply: Reply,
  {part, resume}: {part: string; resume: Resume | null},
): Promise<Came> {
  const {status, headers} = reply;
  const came = {
    ...{status, etag: headers["etag"] ?? null, lastModified: headers["last-modified"] ?? null},
    hasEnd: headers["content-length"] !== undefined || /chunked/i.test(headers["transfer-encoding"] ?? ""),
  };
  if (status === 304) return came;
  const shown = shownAddress(new URL(job.source.url));
  const startsAt = resume?.bytes ?? 0;
  // A server that ignores If-Range sends the rest of another file version.
  const goesOn =
    status === 206 &&
    came.etag === (resume?.etag ?? null) &&
    Number(/^bytes (\d+)-/.exec(headers["content-range"] ?? "")?.[1]) === startsAt;
  if (status === 206 && !goesOn) {
    await dropPart(part);
    throw new AskFault("connection", `${shown}: another part of the file came than was asked for`);
  }
  // The previous try may have written bytes after its size was read.
  if (goesOn) await truncate(part, startsAt);
  else await dropPart(part);
  const stated = headers["content-length"] === undefined ? null : Number(headers["content-length"]);
  await job.bounds.checkRoom(stated ?? 0);
  const before = goesOn ? startsAt : 0;
  if ((stated ?? 0) + before > job.bounds.fileBytes) throw tooLarge(job, shown);
  const packed = unpackerOf(headers["content-encoding"], shown);
  if (came.etag !== null && packed === null && headers["accept-ranges"] !== "none")
    await replaceJson(resumePath(part), {etag: came.etag});
  let bytes = 0;
  const counter = counting(job, shown, before, (n) => {
    bytes += n;
  });
  await pipeline(reply.body, counter, packed ?? new PassThrough(), (pieces: AsyncIterable<Buffer>) =>
    appendPieces(part, pieces, goesOn),
  );
  if (stated !== null && bytes !== stated)
    throw new AskFault("connection", `${shown}: ${bytes} bytes came of ${stated}`);
  return came;
}

/** The decoder for a body compressed without our asking; null for an uncompressed one. */
function unpackerOf(coding: string | undefined, shown: string) {
  try {
    return decoderOf(coding);
  } catch {
    throw new AskFault("refused", `${shown}: the content coding ${JSON.stringify(coding)} cannot be read`);
  }
}

/** Counts bytes against the limits, displays them, and aborts a transfer that is too slow. */
function counting(job: Job, shown: string, before: number, add: (bytes: number) => void): Transform {
  let total = before;
  let sinceLook = 0;
  const look = setInterval(() => {
    if (sinceLook < minBytesPerPeriod)
      counter.destroy(
        new AskFault("connection", `${shown}: ${sinceLook} bytes in ${job.source.timeoutMs} ms are too few`),
      );
    sinceLook = 0;
  }, job.source.timeoutMs);
  const counter = new Transform({
    transform(chunk: Buffer, _, done) {
      total += chunk.length;
      sinceLook += chunk.length;
      try {
        job.bounds.take(chunk.length);
      } catch (fault) {
        return done(fault as Error);
      }
      if (total > job.bounds.fileBytes) return done(tooLarge(job, shown));
      add(chunk.length);
      job.say(`${(total / 2 ** 20).toFixed(0)} MiB`);
      done(null, chunk);
    },
  });
  counter.on("close", () => clearInterval(look));
  return counter;
}

function tooLarge(job: Job, shown: string): AskFault {
  return new AskFault(
    "refused",
    `${shown}: larger than ${job.bounds.fileBytes} bytes (CATTLE_FETCH_FILE_GIB)`,
  );
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

/** Maximum size of a JSON error; anything longer is content, whatever words are in it. */
const longestError = 64 * 1024;

async function checkKind(part: string, extension: string, url: string): Promise<void> {
  await using file = await open(part);
  const {buffer, bytesRead} = await file.read(Buffer.alloc(longestError), 0, longestError, 0);
  const fault = kindFault(buffer.subarray(0, bytesRead), extension);
  if (fault === null) return;
  await dropPart(part);
  throw new AskFault("refused", `${shownAddress(new URL(url))}: ${fault}`);
}

/** Returns why the first bytes contradict the file's extension, or null. */
function kindFault(head: Buffer, extension: string): string | null {
  if (head.length === 0) return "an empty file";
  const text = head.toString("utf8");
  if (isHtml(text) && !/^html?$/.test(extension)) return `an HTML page came in place of .${extension}`;
  if (extension === "zip" && head.toString("latin1", 0, 2) !== "PK") return "no zip archive came";
  if (/json$/.test(extension) && !/^\uFEFF?\s*[[{]/.test(text)) return "no JSON came";
  return head.length < longestError ? errorIn(text) : null;
}

/** The error that a service sent in place of the file with a success status. */
function errorIn(text: string): string | null {
  if (!/^\uFEFF?\s*\{/.test(text)) return null;
  try {
    const {error, errors} = JSON.parse(text.replace(/^\uFEFF/, "")) as {error?: unknown; errors?: unknown};
    const said = error ?? errors;
    return said === undefined || said === null || said === false
      ? null
      : `an error came in place of the file: ${JSON.stringify(said).slice(0, 200)}`;
  } catch {
    return null;
  }
}

const zipEnd = Buffer.from("PK\u0005\u0006", "latin1");
/** Size of the end record without its comment, whose length is in its last two bytes (APPNOTE 4.3.16). */
const zipEndBytes = 22;

/** JSON up to this size is parsed to check that it is complete. */
const maxParsedBytes = 32 * 2 ** 20;

/**
 * True for a zip archive with its directory at the end, and for JSON that can be parsed; false for a zip archive without. Null for other
 * files, whose bytes do not show whether they are whole.
 */
async function endsAsItsKind(part: string, extension: string): Promise<boolean | null> {
  await using file = await open(part);
  const {size} = await file.stat();
  if (extension === "zip") {
    const length = Math.min(size, 66_000);
    const {buffer} = await file.read(Buffer.alloc(length), 0, length, size - length);
    const at = buffer.lastIndexOf(zipEnd);
    return at >= 0 && at + zipEndBytes <= length && at + zipEndBytes + buffer.readUInt16LE(at + 20) <= length;
  }
  if (!/json$/.test(extension) || size > maxParsedBytes) return null;
  try {
    JSON.parse((await file.readFile("utf8")).replace(/^\uFEFF/, ""));
    return true;
  } catch {
    return null;
  }
}

/** The name of a file's snapshots, from the last URL segment; the extension defaults to the entry's format. */
export function fileNameOf(url: string, format: string | undefined): {name: string; extension: string} {
  const last = decodeURIComponent(new URL(url).pathname.split("/").filter(Boolean).at(-1) ?? "file");
  const [, stem = last, extension = format] = /^(.+?)\.([A-Za-z0-9]{1,8}(?:\.gz)?)$/.exec(last) ?? [];
  if (extension === undefined)
    throw new UserError(`${url}: the address names no kind of file; give the entry a "format", such as csv.`);
  return {name: stem.replaceAll(/[^\w.-]+/g, "-"), extension: extension.toLowerCase()};
}
