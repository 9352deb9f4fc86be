import {mkdirSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {stateServing} from "../../../lib/storage/build-layout.ts";
import {buildState} from "../../../pipeline/parcels/build-state.ts";
import type {BaseBuild} from "../../../pipeline/parcels/kept-rows.ts";
import {listRawFiles, type RawFile} from "../../../pipeline/raw/raw-files.ts";
import type {ParcelSource} from "../../../schemas/parcel-source.ts";
import type {StateStageResult} from "../../../schemas/part-file.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {invented} from "./invented-source.ts";

export {csv, geojson, invented, inventedMap, row, square} from "./invented-source.ts";

/** A raw folder with files by name, of the entry `us-tx-invented`, or of the entry whose id and a slash begin the name. */
export async function rawFiles(
  files: Record<string, string | Buffer>,
  meta: Record<string, unknown> = {},
): Promise<RawFile[]> {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, "parcels", name.includes("/") ? name : `us-tx-invented/${name}`);
    mkdirSync(dirname(path), {recursive: true});
    writeFileSync(path, content);
    writeFileSync(`${path}.meta.json`, JSON.stringify({retrieved_at: "2026-11-01T00:00:00Z", ...meta}));
  }
  return listRawFiles(folder);
}

/** `outDir` is laid out like a build; `serving` holds the files that the server maps. */
export type Built = StateStageResult & {readonly outDir: string; readonly serving: string};

/** Builds Texas from files of one or several entries. */
export async function built(
  files: readonly RawFile[],
  entries: readonly ParcelSource[] = [invented()],
  base: BaseBuild | null = null,
): Promise<Built> {
  const outDir = temporaryFolder();
  const made = await buildState({
    state: "TX",
    country: "US",
    entries,
    files,
    base,
    outDir,
    asOf: "2026-11-21",
    tempDir: temporaryFolder(),
  });
  return {...made, outDir, serving: join(outDir, stateServing("TX"))};
}
