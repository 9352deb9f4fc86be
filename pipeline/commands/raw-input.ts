import {isUndated, rememberFirstSeen} from "../raw/first-seen.ts";
import {listRawFiles, type RawFile} from "../raw/raw-files.ts";

/**
 * Gives the input files of a build. With `keep`, each that has no meta file gets one with the time at which it was first seen;
 * files in folders that cannot be written are named on stderr, and their modification time counts. Throws a `UserError` for an
 * absent raw folder.
 */
export async function rawFiles(
  rawDir: string,
  {now, keep, needsDigest}: {now: () => Date; keep: boolean} & Parameters<typeof listRawFiles>[1],
): Promise<RawFile[]> {
  const files = await listRawFiles(rawDir, needsDigest === undefined ? {} : {needsDigest});
  const undated = files.filter(isUndated).length;
  if (undated === 0) return files;
  if (!keep) {
    say(`${count(undated)} without a meta file; the build gives each one, and then has another id`);
    return files;
  }
  const seen = await rememberFirstSeen(files, now());
  const [first] = seen.readOnly;
  if (seen.written.length > 0)
    say(`${count(seen.written.length)} without a time of retrieval: first seen now, as their meta files say`);
  if (first !== undefined)
    say(
      `${rawDir} is read-only: ${count(seen.readOnly.length)} without a meta file (${first}${seen.readOnly.length > 1 ? ", .." : ""}) keep their modification time, which a copy may lose`,
    );
  return seen.files;
}

function count(files: number): string {
  return `${files.toLocaleString("en-US")} ${files === 1 ? "file" : "files"}`;
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
