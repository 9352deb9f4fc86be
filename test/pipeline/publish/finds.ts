import {mkdir} from "node:fs/promises";
import {join} from "node:path";
import {ownIdentity} from "@open-cattle/safe-files";
import {expect} from "vitest";
import {DeltaWriter} from "../../../lib/delta/segment-writer.ts";
import {openStateArtifacts} from "../../../lib/parcels/parcel-set.ts";
import {stateServing} from "../../../lib/storage/build-layout.ts";
import {buildFolder, type DataFolder} from "../../../lib/storage/data-folder.ts";
import {readManifest} from "../../../lib/storage/manifest-file.ts";
import type {NewDeltaRecord, ProcessIdentity} from "../../../schemas/delta-record.ts";

/** A discovery in the workshop's layer. */
export function find(state: string, county: string, parcelId: string, owner = "FOUND"): NewDeltaRecord {
  const sourceId = `us-${state.toLowerCase()}-layer`;
  return {
    kind: "upsert",
    v: 1,
    key: {state, county, parcelId},
    country: "US",
    parcelUid: `${county}-${parcelId}`,
    row: {parcel_id: parcelId, parcel_id_tok: parcelId, owner_name: owner, lon: -111.5, lat: 33.4},
    provenance: {
      sourceId,
      vintage: "2026-08-01",
      vintageBasis: "row_date",
      retrievedAt: "2026-08-22T10:00:00.000Z",
      authority: "county",
    },
    proposedMap: false,
    sourceId,
    vintage: "2026-08-01",
    query: "parcel_id",
  };
}

/** Stores discoveries as a server would, and closes the segment unless it is to look as a killed server leaves it. */
export async function storeIn(
  folder: string,
  finds: readonly NewDeltaRecord[],
  {writer = ownIdentity(), end = true}: {writer?: ProcessIdentity; end?: boolean} = {},
): Promise<void> {
  await mkdir(folder, {recursive: true});
  const delta = new DeltaWriter({folder, writer, baseBuildId: ""});
  expect(await Promise.all(finds.map((each) => delta.append(each)))).not.toContain(false);
  if (end) await delta.close();
}

/** True if a build has a parcel of this number in a state. */
export async function holds(
  data: DataFolder,
  buildId: string,
  state: string,
  parcelId: string,
): Promise<boolean> {
  const dir = buildFolder(data, buildId);
  const part = (await readManifest(dir)).states[state];
  if (part === undefined) return false;
  return openStateArtifacts(join(dir, stateServing(state)), part).ids.find(parcelId).length > 0;
}
