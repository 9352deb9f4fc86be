import {createWriteStream} from "node:fs";
import {open, readFile, rm, stat, truncate} from "node:fs/promises";
import {Transform} from "node:stream";
import {pipeline} from "node:stream/promises";
import {createGunzip} from "node:zlib";
import {UserError} from "../../../lib/errors.ts";
import type {RawMeta} from "../../../schemas/raw-meta.ts";
import {sha256OfFile} from "../../raw/raw-files.ts";
import {shownAddress} from "../client/allowed-url.ts";
import {AskFault} from "../client/ask-fault.ts";
import type {Reply} from "../client/polite-client.ts";
import {isHtml, tagsOf} from "../document.ts";
import {ask, type Gain, instant, type Job, noGain} from "../job.ts";
import {replaceDurably} from "../snapshots/snapshot-folder.ts";

type Came = {readonly status: number; readonly etag: string | null; readonly lastModified: string | null};

/** Bytes that must come in the time of the longest silence: a slower server would hold the run until its end. */
const leastBytesPerPeriod = 16 * 1024;

/**
 * Fetches one file. It asks with the tags of the newest snapshot, and a file that was cut goes on from its last byte, also
 * after a kill, as long as the server says that it is the same one.
 */
export async function fetchHttpFile(job: Job, {complete}: {complete: boolean}): Promise<Gain> {
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
      return await takeFile(job, reply, {part, startsAt: resume?.bytes ?? 0});
    } finally {
      resume = await readResume(part);
    }
  };
  const came = await ask(job, {url, headers}, take).catch(async (fault: unknown) => {
    // The file is there to its last byte already, or was made shorter: it is fetched anew.
    if (!(fault instanceof AskFault) || fault.status !== 416) throw fault;
    await dropPart(part);
    resume = null;
    return ask(job, {url, headers}, take);
  });
  if (came.status === 304 && newest !== null) {
    await job.folder.verified(newest, instant(job));
    return {...noGain, unchanged: 1};
  }
  await checkKind(part, extension, url);
  const sha256 = await sha256OfFile(part);
  await rm(resumePath(part), {force: true});
  const facts = {etag: came.etag, last_modified: came.lastModified};
  if (newest?.meta.sha256 === sha256) {
    await rm(part);
    await job.folder.verified(newest, instant(job), facts);
    return {...noGain, unchanged: 1};
  }
  const meta: RawMeta = {
    ...{source_id: job.source.id, url, retrieved_at: instant(job), http_status: 200},
    ...facts,
    sha256,
    ...(complete ? {complete: true} : {}),
  };
  await job.folder.place(part, {name, extension, meta});
  return {...noGain, added: 1};
}

/** Writes a body to its part, and syncs it. Rejects for a body that is shorter or longer than stated, too large, or too slow. */
async function takeFile(
  job: Job,
  reply: Reply,
  {part, startsAt}: {part: string; startsAt: number},
): Promise<Came> {
  const {status, headers} = reply;
  const came = {status, etag: headers["etag"] ?? null, lastModified: headers["last-modified"] ?? null};
  if (status === 304) return came;
  const shown = shownAddress(new URL(job.source.url));
  const goesOn =
    status === 206 && Number(/^bytes (\d+)-/.exec(headers["content-range"] ?? "")?.[1]) === startsAt;
  if (status === 206 && !goesOn) {
    await dropPart(part);
    throw new AskFault("connection", `${shown}: another part of the file came than was asked for`);
  }
  // The last bytes of the try before may have reached the file after its size was read.
  if (goesOn) await truncate(part, startsAt);
  else await dropPart(part);
  const stated = headers["content-length"] === undefined ? null : Number(headers["content-length"]);
  await job.bounds.checkRoom(stated ?? 0);
  const before = goesOn ? startsAt : 0;
  if ((stated ?? 0) + before > job.bounds.fileBytes) throw tooLarge(job, shown);
  const packed = headers["content-encoding"] === "gzip";
  if (came.etag !== null && !packed && headers["accept-ranges"] !== "none")
    await replaceDurably(resumePath(part), `${resumePath(part)}.new`, {etag: came.etag});
  let bytes = 0;
  const counter = counting(job, shown, before, (n) => {
    bytes += n;
  });
  await pipeline([
    reply.body,
    counter,
    ...(packed ? [createGunzip()] : []),
    createWriteStream(part, {flags: goesOn ? "a" : "w", flush: true}),
  ]);
  if (stated !== null && bytes !== stated)
    throw new AskFault("connection", `${shown}: ${bytes} bytes came of ${stated}`);
  return came;
}

/** Counts bytes against the bounds, shows them, and ends a transfer that is too slow. */
function counting(job: Job, shown: string, before: number, add: (bytes: number) => void): Transform {
  let total = before;
  let sinceLook = 0;
  const look = setInterval(() => {
    if (sinceLook < leastBytesPerPeriod)
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

/** The bytes of an unfinished file and the tag under which the rest may be asked for; null where it must begin anew. */
async function readResume(part: string): Promise<{etag: string; bytes: number} | null> {
  const [text, there] = await Promise.all([
    readFile(resumePath(part), "utf8").catch(() => null),
    stat(part).catch(() => null),
  ]);
  if (text === null || there === null || there.size === 0) return null;
  const {etag} = JSON.parse(text) as {etag: string};
  // A weak tag says that the content is alike, not that its bytes are.
  return etag.startsWith("W/") ? null : {etag, bytes: there.size};
}

async function checkKind(part: string, extension: string, url: string): Promise<void> {
  await using file = await open(part);
  const {buffer, bytesRead} = await file.read(Buffer.alloc(512), 0, 512, 0);
  const head = buffer.subarray(0, bytesRead);
  const fault = kindFault(head, extension);
  if (fault === null) return;
  await dropPart(part);
  throw new AskFault("refused", `${shownAddress(new URL(url))}: ${fault}`);
}

/** Gives what shows in the first bytes that a file is not what its name says, or null. */
function kindFault(head: Buffer, extension: string): string | null {
  if (head.length === 0) return "an empty file";
  const text = head.toString("utf8");
  if (isHtml(text) && !/^html?$/.test(extension)) return `an HTML page came in place of .${extension}`;
  if (extension === "zip" && head.toString("latin1", 0, 2) !== "PK") return "no zip archive came";
  if (/json$/.test(extension) && !/^\uFEFF?\s*[[{]/.test(text)) return "no JSON came";
  return null;
}

/** The name of a file's snapshots, from the last part of its address; its extension is else the entry's format. */
export function fileNameOf(url: string, format: string | undefined): {name: string; extension: string} {
  const last = decodeURIComponent(new URL(url).pathname.split("/").filter(Boolean).at(-1) ?? "file");
  const [, stem = last, extension = format] = /^(.+?)\.([A-Za-z0-9]{1,8}(?:\.gz)?)$/.exec(last) ?? [];
  if (extension === undefined)
    throw new UserError(`${url}: the address names no kind of file; give the entry a "format", such as csv.`);
  return {name: stem.replaceAll(/[^\w.-]+/g, "-"), extension: extension.toLowerCase()};
}
