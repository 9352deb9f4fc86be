import {readFile, rename, rm} from "node:fs/promises";
import {readStateKinds, writeProvenanceTexts} from "../../lib/parcels/record/provenance-file.ts";
import type {SourceRegistry} from "../../lib/parcels/record/source-facts.ts";
import {openArrowTable} from "../../lib/storage/arrow-table/open.ts";
import {syncFile} from "../publish/durable.ts";

/**
 * Makes the provenance texts of a state anew for a day from which ages count, from what their file says they are made of: a state
 * that is reused says the confidences of the build that it is in. Gives false when the texts of that day are the same; else the file
 * of this name is another one, and its hard links elsewhere stay as they were.
 */
export async function renewTexts(
  path: string,
  context: {asOf: string; sources: SourceRegistry},
): Promise<boolean> {
  const before = await readFile(path);
  const bytes = new Uint8Array(before).buffer;
  const fresh = `${path}.new`;
  await writeProvenanceTexts(fresh, readStateKinds(openArrowTable(bytes, path)), context);
  if (before.equals(await readFile(fresh))) {
    await rm(fresh);
    return false;
  }
  await syncFile(fresh);
  await rename(fresh, path);
  return true;
}
