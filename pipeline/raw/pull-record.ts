import {join} from "node:path";
import {UserError} from "../../lib/errors.ts";
import {readForeign} from "../../lib/storage/foreign-file.ts";
import {ArcgisPull} from "../../schemas/arcgis-pull.ts";
import type {RawMeta} from "../../schemas/raw-meta.ts";

/** The name of the record beside the pages of a pulled layer. */
export const pullRecordName = "pull.json";

/** The pull that a page belongs to. */
export type PullOfPage = {
  /** Folder of the pull below the raw folder. */
  readonly folder: string;
  readonly layer: ArcgisPull["layer"];
};

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
