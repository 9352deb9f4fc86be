import {join} from "node:path";
import {openStateArtifacts, type StateArtifacts} from "../../lib/parcels/parcel-set.ts";
import {loadParcelSources} from "../../lib/registry/parcel-sources.ts";
import {stateServing} from "../../lib/storage/build-layout.ts";
import {buildState} from "../../pipeline/parcels/build-state.ts";
import type {RawFile} from "../../pipeline/raw/raw-files.ts";
import type {StatePart} from "../../schemas/manifest.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {temporaryFolder} from "../temporary-folder.ts";

/** A state built from all of its entries that have files in the corpus. */
export type CorpusState = {
  readonly state: string;
  readonly set: StateArtifacts;
  readonly outDir: string;
  readonly entries: readonly ParcelSource[];
};

/** States with parcels in the corpus, and their entries. */
export function corpusEntries(files: readonly RawFile[]): Map<string, ParcelSource[]> {
  const units = new Set(files.map(({feedOrEntryId}) => feedOrEntryId));
  const entries = loadParcelSources().filter(({id}) => units.has(id));
  return Map.groupBy(entries, ({coverage}) => coverage.state);
}

/** Builds one of them into a new folder. */
export async function buildCorpusState(
  state: string,
  {entries, files}: {entries: ParcelSource[]; files: RawFile[]},
): Promise<CorpusState> {
  const {country} = entries[0]!.coverage;
  const outDir = temporaryFolder();
  const asOf = "2026-11-21";
  const {counties, sources, rows, pointCount} = await buildState({
    state,
    country,
    entries,
    files,
    outDir,
    asOf,
    tempDir: temporaryFolder(),
  });
  const part = {country, counties, sources, rows, point_count: pointCount, files: [], coverage: "partial"};
  const set = openStateArtifacts(join(outDir, stateServing(state)), part as unknown as StatePart);
  return {state, outDir, entries, set};
}
