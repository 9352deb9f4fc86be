import {Readable} from "node:stream";
import {crc32} from "node:zlib";
import {type Entry, openPromise, type ZipFile} from "yauzl";
import {type ExpansionLimits, expansionCounter} from "./expansion.ts";
import {FileError, messageOf} from "./parcel-file.ts";

/** True if a file's first four bytes are those of a zip archive; an empty archive counts. */
export function isZip(magic: Buffer): boolean {
  return magic[0] === 0x50 && magic[1] === 0x4b && (magic[2] === 3 || magic[2] === 5);
}

/**
 * Returns the names of the files in an archive, sorted. Throws a `FileError` for a damaged archive, too many members, a name that leaves
 * the folder, a link, an encrypted member, and a duplicate name. `path` names it in messages.
 */
export async function zipNames(
  path: string,
  absolutePath: string,
  limits: ExpansionLimits,
): Promise<string[]> {
  return withZip(path, absolutePath, async (zip) => (await members(path, zip, limits)).map(nameOf).sort());
}

/** Streams one member, checking its length, CRC-32 and the limits. The archive is closed with the stream. */
export async function openZipMember(
  path: string,
  absolutePath: string,
  name: string,
  limits: ExpansionLimits,
): Promise<Readable> {
  const zip = await openZip(path, absolutePath);
  const entry = (await members(path, zip, limits)).find((candidate) => nameOf(candidate) === name)!;
  const count = expansionCounter(path, zip.fileSize, limits);
  return Readable.from(closing(zip, memberBytes(path, zip, entry, count)), {objectMode: false});
}

/** Yields every member with its bytes, which must be read before the next one is asked for; limits count over all of them. */
export async function* zipMembers(
  path: string,
  absolutePath: string,
  limits: ExpansionLimits,
): AsyncGenerator<{name: string; bytes: Readable}> {
  const zip = await openZip(path, absolutePath);
  try {
    const count = expansionCounter(path, zip.fileSize, limits);
    for (const entry of await members(path, zip, limits))
      yield {
        name: nameOf(entry),
        bytes: Readable.from(memberBytes(path, zip, entry, count), {objectMode: false}),
      };
  } catch (error) {
    throw asFileError(path, error);
  } finally {
    zip.close();
  }
}

async function withZip<T>(path: string, absolutePath: string, use: (zip: ZipFile) => Promise<T>): Promise<T> {
  const zip = await openZip(path, absolutePath);
  try {
    return await use(zip);
  } catch (error) {
    throw asFileError(path, error);
  } finally {
    zip.close();
  }
}

async function openZip(path: string, absolutePath: string): Promise<ZipFile> {
  try {
    return await openPromise(absolutePath, {
      autoClose: false,
      validateEntrySizes: true,
    });
  } catch (error) {
    throw asFileError(path, error);
  }
}

async function members(path: string, zip: ZipFile, limits: ExpansionLimits): Promise<Entry[]> {
  if (zip.entryCount > limits.members) {
    throw new FileError(`${path}: ${zip.entryCount} members; at most ${limits.members} are read.`);
  }
  const entryByName = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    const name = nameOf(entry);
    refuseUnsafe(path, entry, name);
    if (name.endsWith("/") || isSystemClutter(name)) continue;
    const folded = name.toLowerCase();
    if (entryByName.has(folded))
      throw new FileError(`${path}: the member ${JSON.stringify(name)} comes twice.`);
    entryByName.set(folded, entry);
  }
  return [...entryByName.values()];
}

function nameOf(entry: Entry): string {
  return entry.fileName;
}

/** Refuses links and encrypted members. Names that leave the folder (absolute, `..`, a drive) are refused by yauzl itself. */
function refuseUnsafe(path: string, entry: Entry, name: string): void {
  const shown = `${path}: the member ${JSON.stringify(name.slice(0, 200))}`;
  // Upper half of the external attributes = Unix mode; 0o120000 is a symbolic link.
  if (((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000) {
    throw new FileError(`${shown} is a link.`);
  }
  if ((entry.generalPurposeBitFlag & 1) === 1) throw new FileError(`${shown} is encrypted.`);
}

/** True for members that file managers leave in archives. */
function isSystemClutter(name: string): boolean {
  return name.startsWith("__MACOSX/") || name.split("/").some((part) => part === ".DS_Store");
}

async function* memberBytes(
  path: string,
  zip: ZipFile,
  entry: Entry,
  count: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let crc = 0;
  try {
    for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
      count(chunk.length);
      crc = crc32(chunk, crc);
      yield chunk;
    }
  } catch (error) {
    throw asFileError(path, error);
  }
  if (crc !== entry.crc32) {
    throw new FileError(`${path}: the member ${JSON.stringify(nameOf(entry))} is damaged (CRC-32).`);
  }
}

async function* closing(zip: ZipFile, bytes: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* bytes;
  } finally {
    zip.close();
  }
}

function asFileError(path: string, error: unknown): Error {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (error instanceof FileError) return error;
  if (/^E[A-Z]+$/.test(code)) return error as Error;
  return new FileError(`${path}: cannot be unpacked: ${messageOf(error)}`);
}
