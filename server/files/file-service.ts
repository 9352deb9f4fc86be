import {constants} from "node:fs";
import {type FileHandle, open} from "node:fs/promises";
import {extname} from "node:path";
import {buildFolder, type DataFolder, retainedBuilds} from "../../lib/storage/data-folder.ts";
import {readManifest} from "../../lib/storage/manifest-file.ts";
import {BuildId} from "../../schemas/manifest.ts";
import {type Generation, oncePer} from "../generation/generation.ts";
import {Problem} from "../http/problem-document.ts";
import {matchingTag, send, sendNotModified, sendReply, tagOf} from "../http/reply.ts";
import type {Service} from "../http/service.ts";
import type {Incoming, Outgoing} from "../http/step.ts";
import {byteRange} from "./byte-range.ts";
import {type FileTable, fileTable, type ShownFile} from "./file-table.ts";
import {ReaderBuilds} from "./reader-builds.ts";
import {type Transfer, Transfers} from "./transfers.ts";

const immutable = "private, max-age=31536000, immutable";
const chunkBytes = 256 * 1024;

const types: Readonly<Record<string, string>> = {
  ".parquet": "application/vnd.apache.parquet",
  ".json": "application/json; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
};

/**
 * `/files/`: the tables of the served build and of those retained, by the manifest's list. No path is joined from what is asked: its exact
 * text is sought in the table of the build.
 */
export function fileService(data: DataFolder, generation: () => Generation | null): Service {
  const tables = new FileTables(data);
  const transfers = new Transfers();
  const readers = new ReaderBuilds();
  /** The table that a key reads through `current`; that of the served build where the other is gone. */
  const currentTable = async (served: Generation, keyId: string) => {
    const build = readers.of(keyId, served.buildId);
    const older = build === served.buildId ? undefined : await tables.retained(build);
    if (build !== served.buildId && older === undefined) readers.end(keyId);
    return older ?? (await tables.served(served));
  };
  return {
    path: /^\/files\//,
    route: "/files/",
    method: "get",
    scope: "files",
    counts: "files",
    async answer(request, response) {
      const served = generation();
      if (served === null) throw new Problem("build-unavailable", "No data build is being served.");
      const asked = askedPath(request.path);
      response.locals.buildId = served.buildId;
      if (asked === "") return sendReply(response, listing(await tables.served(served)));
      const slash = asked.indexOf("/");
      const [build, path] = [asked.slice(0, slash), asked.slice(slash + 1)];
      if (slash > 0 && build === "current")
        return redirect(response, path, await currentTable(served, response.locals.key?.id ?? ""));
      const table = build === served.buildId ? await tables.served(served) : await tables.retained(build);
      const file = table?.files.get(path);
      if (file === undefined) throw noFile();
      response.locals.buildId = build;
      response.locals.part = file.path;
      using transfer = await transfers.begin(response.locals.key?.id ?? "");
      await sendFile(file, {request, response, transfer});
    },
  };
}

/** The tables of files, made once for each build. */
class FileTables {
  readonly #data: DataFolder;
  readonly #retained = new Map<string, Promise<FileTable>>();
  readonly served = oncePer(({buildId, manifest}: Generation) =>
    fileTable(buildFolder(this.#data, buildId), manifest),
  );

  constructor(data: DataFolder) {
    this.#data = data;
  }

  /** The table of a retained build; undefined for any other text. */
  async retained(text: string): Promise<FileTable | undefined> {
    if (!BuildId.safeParse(text).success) return undefined;
    const ids = (await retainedBuilds(this.#data)).map(({buildId}) => buildId);
    for (const id of this.#retained.keys()) if (!ids.includes(id)) this.#retained.delete(id);
    const id = ids.find((each) => each === text);
    if (id === undefined) return undefined;
    const made = this.#retained.get(id) ?? this.#make(id);
    this.#retained.set(id, made);
    return made.catch(() => {
      this.#retained.delete(id);
      return undefined;
    });
  }

  async #make(id: string): Promise<FileTable> {
    const folder = buildFolder(this.#data, id);
    return fileTable(folder, await readManifest(folder));
  }
}

/** The text after `/files/`, decoded once. */
function askedPath(path: string): string {
  try {
    return decodeURIComponent(path.slice("/files/".length));
  } catch {
    throw noFile();
  }
}

function noFile(): Problem {
  return new Problem("not-found", "No such file; /files/ lists them.");
}

function listing({buildId, asOf, sample, files, leftOut}: FileTable) {
  const body = JSON.stringify({
    build_id: buildId,
    as_of_date: asOf,
    sample,
    files: [...files.values()].map(({place: _, ...file}) => file),
    left_out: leftOut,
  });
  return {body, tag: tagOf([body]), cacheControl: "private, no-cache"};
}

function redirect(response: Outgoing, path: string, {buildId, files}: FileTable): void {
  if (!files.has(path)) throw noFile();
  const location = `/files/${buildId}/${path}`;
  send(response, {status: 307, headers: ["Location", location, "Cache-Control", "no-cache"], body: ""});
}

type Exchange = {request: Incoming; response: Outgoing; transfer: Transfer};

async function sendFile(file: ShownFile, {request, response, transfer}: Exchange): Promise<void> {
  const {bytes, sha256: tag} = file;
  if (matchingTag(request, tag) !== null)
    return sendNotModified(response, tag, {cacheControl: immutable, tag});
  const ifRange = request.headers["if-range"];
  const isFresh = ifRange === undefined || ifRange === `"${tag}"`;
  const range = byteRange(isFresh ? request.headers.range : undefined, bytes);
  if (range === "unsatisfiable")
    throw new Problem(
      "range-not-satisfiable",
      `The file has ${bytes} bytes; one range of them can be asked for.`,
      {
        headers: {"Content-Range": `bytes */${bytes}`, "Accept-Ranges": "bytes"},
      },
    );
  const {first, last} = range === "whole" ? {first: 0, last: bytes - 1} : range;
  await using handle = await openFile(file);
  const headers = ["Content-Type", types[extname(file.path)] ?? "application/octet-stream"];
  // A report is shown by the program that fetched it, not as a page of this server.
  if (file.path.endsWith(".html")) headers.push("Content-Disposition", "attachment");
  if (range !== "whole") headers.push("Content-Range", `bytes ${first}-${last}/${bytes}`);
  headers.push("Accept-Ranges", "bytes", "Cache-Control", immutable, "ETag", `"${tag}"`);
  headers.push("Content-Length", String(last - first + 1));
  response.writeHead(range === "whole" ? 200 : 206, [...response.locals.headers, ...headers]);
  if (request.method === "HEAD") response.end();
  else await sendBytes(handle, {first, last, response, transfer});
}

/** Opens a file, not through a link, if it still has the manifest's size. */
async function openFile({place, bytes}: ShownFile): Promise<FileHandle> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(place, flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") throw noFile();
    throw new Problem("build-unavailable", "This file cannot be read here now.");
  });
  const stats = await handle.stat();
  if (stats.isFile() && stats.size === bytes) return handle;
  await handle.close();
  throw new Problem("build-unavailable", "This file is damaged here; others can be read.");
}

type Bytes = {first: number; last: number; response: Outgoing; transfer: Transfer};

async function sendBytes(handle: FileHandle, {first, last, response, transfer}: Bytes): Promise<void> {
  for (let at = first; at <= last && !response.destroyed; ) {
    const {bytesRead, buffer} = await handle.read({
      buffer: Buffer.allocUnsafe(Math.min(chunkBytes, last - at + 1)),
      position: at,
    });
    await transfer.admit(bytesRead);
    const taken =
      bytesRead > 0 && (response.write(buffer.subarray(0, bytesRead)) || (await drained(response)));
    if (!taken || !transfer.taken(bytesRead)) return void response.destroy();
    at += bytesRead;
    response.locals.bytes += bytesRead;
  }
  response.end();
}

/** Waits until the peer has taken what was written; false when it left. */
async function drained(response: Outgoing): Promise<boolean> {
  const {promise, resolve} = Promise.withResolvers<void>();
  const events = ["drain", "close"] as const;
  for (const event of events) response.once(event, resolve);
  await promise;
  for (const event of events) response.off(event, resolve);
  return !response.destroyed;
}
