import {join} from "node:path";
import {readForeign} from "@open-cattle/safe-files";
import {prettifyError} from "zod";
import {messageOf, UserError} from "../../lib/errors.ts";
import {ArcgisPull} from "../../schemas/layer-pull.ts";
import {RawMeta} from "../../schemas/raw-meta.ts";

/** Name of the record beside the pages of a pulled layer. */
export const pullRecordName = "pull.json";

/** The pull that a page belongs to. */
export type PullOfPage = {
  /** Folder of the pull below the raw folder. */
  readonly folder: string;
  readonly layer: ArcgisPull["layer"];
};

const suffix = ".meta.json";

/** Returns the meta file's path for a raw file. */
export function metaPath(path: string): string {
  return `${path}${suffix}`;
}

/** True if a file is a meta, judged by its name. */
export function isMetaFile(name: string): boolean {
  return name.endsWith(suffix);
}

/** Returns the path of the file that a meta describes; null if `path` is no meta. */
export function describedFile(path: string): string | null {
  return isMetaFile(path) ? path.slice(0, -suffix.length) : null;
}

/** Serialises a meta file. */
export function metaText(meta: RawMeta): string {
  return `${JSON.stringify(meta, null, 1)}\n`;
}

/** Reads the meta of a raw file; null if there is none. Throws a `UserError` with the path if it is invalid. */
export async function readMeta(path: string): Promise<RawMeta | null> {
  const file = metaPath(path);
  const text = await readForeign(file).catch((error: NodeJS.ErrnoException) => {
    // A file whose name has the maximum length cannot have a meta.
    if (error.code === "ENOENT" || error.code === "ENAMETOOLONG") return null;
    throw error;
  });
  return text === null ? null : parseMeta(file, text);
}

function parseMeta(path: string, text: string): RawMeta {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UserError(`${path}: not JSON: ${messageOf(error)}.`);
  }
  const parsed = RawMeta.safeParse(value);
  if (!parsed.success) throw new UserError(`${path}: not a meta file:\n${prettifyError(parsed.error)}`);
  return parsed.data;
}

/** Reads the record of a pull. Throws a `UserError` with the path if it is invalid. */
export async function readPull(dir: string): Promise<ArcgisPull> {
  const path = join(dir, pullRecordName);
  const text = await readForeign(path);
  try {
    return ArcgisPull.parse(JSON.parse(text));
  } catch (error) {
    throw new UserError(`${path}: not the record of a pull.`, {cause: error});
  }
}

/** Returns the meta of a page: that of its pull, with the page's own digest. */
export function metaOfPage(pull: ArcgisPull, file: string): RawMeta {
  const sha256 = pull.pages.find((page) => page.file === file)?.sha256;
  return {
    source_id: pull.source_id,
    url: pull.url,
    retrieved_at: pull.finished_at ?? pull.started_at,
    http_status: 200,
    last_modified: pull.layer.last_edit,
    ...(sha256 === undefined ? {} : {sha256}),
    ...(pull.complete ? {complete: true} : {}),
    ...(pull.assumed === true ? {assumed: true} : {}),
  };
}
