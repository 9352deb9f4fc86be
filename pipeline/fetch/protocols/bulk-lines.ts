import {createHash} from "node:crypto";
import {rm} from "node:fs/promises";
import {PassThrough, Transform, type TransformCallback} from "node:stream";
import {pipeline} from "node:stream/promises";
import {createGunzip, createInflateRaw} from "node:zlib";
import {appendPieces} from "@open-cattle/safe-files";
import type {FeedOf} from "../../../schemas/fetch-source.ts";
import {FetchError, shownAddress} from "../client/fetch-error.ts";
import type {Reply} from "../client/polite-client.ts";
import {askBytes, tagsOf} from "../jobs/document.ts";
import {ask, eachOf, instant, type Job, nothingNew, type Tally} from "../jobs/job.ts";
import {boundedFile, pacedBody} from "../jobs/paced-body.ts";

type Feed = FeedOf<"bulk-lines">;
type BulkFile = Feed["files"][string];

const mib = 2 ** 20;
/** A line longer than this is no line of a table or a series. */
const maxLineBytes = 16 * mib;
/** Text of which one bulk file may consist; more is no file of statistics. */
const maxTextBytes = 64 * 1024 * mib;

/**
 * Fetches bulk files that a publisher offers without a key, and stores of each the lines that the feed uses, as they are: a whole file is
 * up to a thousand times larger. A file whose name has a date is found on the publisher's page of files. Rejects with a `FetchError`.
 */
export function fetchBulkLines(job: Job, feed: Feed): Promise<Tally> {
  return eachOf(job, Object.entries(feed.files), async ([name, file]) => {
    const url = file.link === undefined ? feed.url : await linkedFile(job, feed.url, file.link);
    return fetchLines(job, feed, {...file, name, url});
  });
}

/** The newest file whose name has this form on a page of links; names with a date sort by it. */
async function linkedFile(job: Job, page: string, form: string): Promise<string> {
  const {bytes} = await askBytes(job, {url: page}, () => undefined);
  const links = [...(bytes?.toString("utf8") ?? "").matchAll(/\bhref\s*=\s*["']([^"']+)["']/gi)];
  const urls = links.flatMap(([, href = ""]) => URL.parse(href, page)?.href ?? []);
  const newest = urls
    .filter((url) => new RegExp(`/${form}$`).test(url))
    .sort()
    .at(-1);
  if (newest !== undefined) return newest;
  throw new FetchError(
    "moved",
    `moved: ${shownAddress(new URL(page))} links no file named ${form}; correct the entry`,
  );
}

async function fetchLines(
  job: Job,
  feed: Feed,
  file: BulkFile & {readonly name: string; readonly url: string},
): Promise<Tally> {
  const {name, url} = file;
  const newest = await job.folder.newest(name);
  const headers = () => ({"accept-encoding": "identity", ...tagsOf(newest, url)});
  const part = job.folder.partOf(name);
  const taken = await ask(job, {url, headers}, async (reply) => {
    if (reply.status === 304 && newest === null)
      throw new FetchError("refused", `${shownAddress(new URL(url))}: 304 for a file that is not here`);
    if (reply.status === 304) return null;
    const digest = await keepLines(job, reply, {file, part, most: feed.maxMib * mib});
    return {
      ...digest,
      etag: reply.headers["etag"] ?? null,
      last_modified: reply.headers["last-modified"] ?? null,
    };
  });
  const at = instant(job);
  if (taken === null) {
    await job.folder.noteVerified(newest!, at);
    return {...nothingNew, unchanged: 1};
  }
  const {sha256, lines, ...tags} = taken;
  if (lines === 0) {
    await rm(part, {force: true});
    throw new FetchError(
      "moved",
      `moved: no line of ${shownAddress(new URL(url))} has what ${job.source.id} looks for; correct the entry`,
    );
  }
  if (newest?.meta.sha256 === sha256) {
    await rm(part, {force: true});
    await job.folder.noteVerified(newest, at, tags);
    return {...nothingNew, unchanged: 1};
  }
  const meta = {...{source_id: job.source.id, url, retrieved_at: at, http_status: 200, sha256}, ...tags};
  await job.folder.place(part, {name, extension: file.asList ? "json" : "txt", meta});
  return {...nothingNew, added: 1};
}

type Kept = {readonly file: BulkFile & {readonly url: string}; readonly part: string; readonly most: number};

/** Writes the lines of a body that are looked for, and returns how many they are and the digest of what was written. */
async function keepLines(
  job: Job,
  {headers, body}: Reply,
  {file, part, most}: Kept,
): Promise<{sha256: string; lines: number}> {
  const address = shownAddress(new URL(file.url));
  const stated = Number(headers["content-length"] ?? 0);
  const tooLarge = (bytes: number) =>
    new FetchError(
      "refused",
      `${address}: ${Math.ceil(bytes / mib)} MiB, more than the ${most / mib} MiB that its entry allows`,
    );
  if (stated > most) throw tooLarge(stated);
  let received = 0;
  const paced = pacedBody(job, address, (bytes) => {
    received += bytes;
    job.budget.countBytes(bytes);
    if (received > most) throw tooLarge(received);
  });
  const chosen = new ChosenLines(file, job.now().getUTCFullYear(), address);
  const hash = createHash("sha256");
  const isZip = new URL(file.url).pathname.endsWith(".zip");
  const opener = isZip ? new FirstMember(address) : new PassThrough();
  const unpacker = isZip ? createInflateRaw() : createGunzip();
  try {
    await pipeline(body, paced, opener, unpacker, chosen, (pieces: AsyncIterable<Buffer>) =>
      appendPieces(part, hashed(boundedFile(job, {address, before: 0, pieces}), hash), false),
    );
  } catch (thrown) {
    await rm(part, {force: true});
    if (/^Z_/.test(String((thrown as {code?: unknown}).code)))
      throw new FetchError("connection", `${address}: the file was cut, or is not packed as its name says`);
    throw thrown;
  }
  return {sha256: hash.digest("hex"), lines: chosen.count};
}

async function* hashed(
  pieces: AsyncIterable<Buffer>,
  hash: ReturnType<typeof createHash>,
): AsyncIterable<Buffer> {
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
}

/** Passes on the packed bytes of an archive's first member: what stands behind its local header (APPNOTE 4.3.7). */
class FirstMember extends Transform {
  readonly #address: string;
  #head: Buffer | null = Buffer.alloc(0);

  constructor(address: string) {
    super();
    this.#address = address;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    if (this.#head === null) return void done(null, chunk);
    this.#head = Buffer.concat([this.#head, chunk]);
    if (this.#head.length < 30) return void done();
    if (this.#head.readUInt32LE(0) !== 0x04034b50 || this.#head.readUInt16LE(8) !== 8)
      return void done(
        new FetchError("refused", `${this.#address}: expected a ZIP archive with a packed file`),
      );
    const start = 30 + this.#head.readUInt16LE(26) + this.#head.readUInt16LE(28);
    if (this.#head.length < start) return void done();
    const rest = this.#head.subarray(start);
    this.#head = null;
    done(null, rest);
  }
}

/** Passes on the lines in which all forms are found, below the first line where that names columns, or as a JSON list. */
class ChosenLines extends Transform {
  readonly #file: BulkFile;
  readonly #forms: readonly RegExp[];
  readonly #firstYear: number;
  readonly #address: string;
  #rest: Buffer[] = [];
  #restBytes = 0;
  #textBytes = 0;
  #yearColumn = -1;
  #isFirst = true;
  count = 0;

  constructor(file: BulkFile, year: number, address: string) {
    super();
    this.#file = file;
    this.#forms = file.forms.map((form) => new RegExp(form));
    this.#firstYear = year - (file.years ?? 0) + 1;
    this.#address = address;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#textBytes += chunk.length;
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      this.#take(Buffer.concat([...this.#rest, chunk.subarray(from, end)]));
      this.#rest = [];
      this.#restBytes = 0;
      from = end + 1;
    }
    this.#rest.push(chunk.subarray(from));
    this.#restBytes += chunk.length - from;
    const isTooLong = this.#restBytes > maxLineBytes || this.#textBytes > maxTextBytes;
    done(
      isTooLong
        ? new FetchError("refused", `${this.#address}: the text is too long, or has too long lines`)
        : null,
    );
  }

  override _flush(done: TransformCallback): void {
    this.#take(Buffer.concat(this.#rest));
    if (this.#file.asList) this.push(this.count === 0 ? "[]\n" : "\n]\n");
    done();
  }

  #take(bytes: Buffer): void {
    const line = bytes.toString("utf8").replace(/\r$/, "");
    if (this.#isFirst && !this.#file.asList) this.#takeHeader(line);
    else if (line !== "" && this.#isChosen(line)) {
      this.push(this.#file.asList ? `${this.count === 0 ? "[\n" : ",\n"}${line}` : `${line}\n`);
      this.count += 1;
    }
    this.#isFirst = false;
  }

  #takeHeader(line: string): void {
    this.#yearColumn = line.split("\t").indexOf("YEAR");
    this.push(`${line}\n`);
  }

  #isChosen(line: string): boolean {
    if (!this.#forms.every((form) => form.test(line))) return false;
    return this.#file.years === undefined || Number(line.split("\t")[this.#yearColumn]) >= this.#firstYear;
  }
}
