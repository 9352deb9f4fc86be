import {mkdir, realpath} from "node:fs/promises";
import type {DataFolder} from "../../lib/storage/data-folder.ts";
import {rememberFirstSeen} from "../raw/first-seen.ts";
import {listRawFiles, type RawFile} from "../raw/raw-files.ts";

type RawInputOptions = {
  readonly data: DataFolder;
  readonly now: () => Date;
  /** False for a look that must leave nothing behind. */
  readonly keep: boolean;
} & NonNullable<Parameters<typeof listRawFiles>[1]>;

/**
 * Gives the input files of a build. With `keep`, the time at which a file without a meta was first seen is remembered: beside it in
 * the raw folder of the data folder itself, else in the data folder. Throws a `UserError` for an absent raw folder.
 */
export async function rawFiles(
  rawDir: string,
  {data, now, keep, ...options}: RawInputOptions,
): Promise<RawFile[]> {
  const listed = await listRawFiles(rawDir, options);
  const own = (await realpath(data.raw).catch(() => null)) === (await realpath(rawDir));
  if (keep) await mkdir(data.root, {recursive: true, mode: 0o750});
  const {files, fresh} = await rememberFirstSeen(listed, {now: now(), book: data.firstSeen, own, keep});
  if (fresh.length > 0)
    say(
      `${count(fresh.length)} without a time of retrieval: first seen now, as ${own ? "their meta files" : data.firstSeen} say`,
    );
  const undated = files.filter(({retrievedAtFrom, sha256}) => retrievedAtFrom === "mtime" && sha256 !== "");
  if (undated.length > 0)
    say(
      `${count(undated.length)} without a time of retrieval; the build remembers when it saw them, and then has another id`,
    );
  return files;
}

function count(files: number): string {
  return `${files.toLocaleString("en-US")} ${files === 1 ? "file" : "files"}`;
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
