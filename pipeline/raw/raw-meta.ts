import {join} from "node:path";
import {prettifyError} from "zod";
import {messageOf, UserError} from "../../lib/errors.ts";
import {readForeign} from "../../lib/storage/foreign-file.ts";
import {ArcgisPull} from "../../schemas/arcgis.ts";
import {RawMeta} from "../../schemas/raw-meta.ts";

/** The name of the record beside the pages of a pulled layer. */
export const pullRecordName = "pull.json";

/** The pull that a page belongs to. */
export type PullOfPage = {
  /** Folder of the pull below the raw folder. */
  readonly folder: string;
  readonly layer: ArcgisPull["layer"];
};

const suffix = ".meta.json";

/** Gives the path of the meta file of a raw file. */
export function metaPath(path: string): string {
  return `${path}${suffix}`;
}

/** Says whether a file is the meta of another by its name. */
export function isMetaFile(name: string): boolean {
  return name.endsWith(suffix);
}

/** Gives the path of the file that a meta file is about; null for the path of another file. */
export function describedFile(path: string): string | null {
  return isMetaFile(path) ? path.slice(0, -suffix.length) : null;
}

/** Gives the content of a meta file as it is written. */
export function metaText(meta: RawMeta): string {
  return `${JSON.stringify(meta, null, 1)}\n`;
}

/** Reads the meta of a raw file; null where it has none. Throws a `UserError` with the path for a meta file that is not valid. */
export async function readMeta(path: string): Promise<RawMeta | null> {
  const file = metaPath(path);
  const text = await readForeign(file).catch((error: NodeJS.ErrnoException) => {
    // Beside a file whose name is as long as a name may be there can be no meta.
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

/** Reads the record of a pull. Throws a `UserError` with the path for one that is not valid. */
export async function readPull(dir: string): Promise<ArcgisPull> {
  const path = join(dir, pullRecordName);
  const text = await readForeign(path);
  try {
    return ArcgisPull.parse(JSON.parse(text));
  } catch (error) {
    throw new UserError(`${path}: not the record of a pull.`, {cause: error});
  }
}

/** Gives the meta of a page: what its pull says of all of them, and the digest of its own bytes. */
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
  };
}
