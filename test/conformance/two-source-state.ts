import {cpSync, mkdirSync, writeFileSync} from "node:fs";
import {basename, join} from "node:path";
import type {WireProvenance} from "../../lib/parcels/record/provenance.ts";
import {recordMembersOf} from "../../lib/parcels/record/stored-record.ts";
import {listRawFiles, type RawFile} from "../../pipeline/raw/raw-files.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {corpus} from "./corpus.ts";
import {buildCorpusState} from "./corpus-states.ts";

export type Fact = {value: unknown; source: string; vintage: string} | null;
export type TwoSourceRecord = Record<string, unknown> & {parcelId: string; flags?: string[]};

/** Files of the corpus in a raw folder, each below the id of its entry. */
export async function rawFilesOf(files: Readonly<Record<string, string>>): Promise<RawFile[]> {
  const folder = temporaryFolder();
  for (const [id, file] of Object.entries(files)) {
    const path = join(folder, "parcels", id, basename(file));
    mkdirSync(join(path, ".."), {recursive: true});
    cpSync(join(corpus!, file), path);
    writeFileSync(`${path}.meta.json`, JSON.stringify({retrieved_at: "2026-11-01T00:00:00Z"}));
  }
  return listRawFiles(folder);
}

/** Builds the state of the entries, and gives its records by parcel number, with a reader of a fact's value, source and vintage. */
export async function builtRecords(entries: ParcelSource[], files: RawFile[]) {
  const {set} = await buildCorpusState(entries[0]!.coverage.state, {entries, files});
  const records = new Map<string, TwoSourceRecord>();
  const provenance = new Map<string, WireProvenance>();
  for (let row = 0; row < set.parcels.rows; row += 1) {
    const stored = set.record(row);
    const record = recordMembersOf(stored) as TwoSourceRecord;
    records.set(record.parcelId, record);
    provenance.set(record.parcelId, JSON.parse(stored.provenance.json.toString()) as WireProvenance);
  }
  const told = (id: string, member: string): Fact => {
    const value = records.get(id)?.[member];
    if (value === undefined) return null;
    const {default: usual, fields} = provenance.get(id)!;
    const {source, vintage} = {...usual, ...fields[member]};
    return {value, source, vintage};
  };
  return {records, told};
}

/** True for equal facts; outline areas may differ by about a square foot, because parts with a shared edge are merged first. */
export function sameFact(came: Fact, expected: Fact): boolean {
  if (came === null || expected === null) return came === expected;
  const near =
    typeof came.value === "number" && typeof expected.value === "number"
      ? Math.abs(came.value - expected.value) <= 1e-3
      : came.value === expected.value;
  return near && came.source === expected.source && came.vintage === expected.vintage;
}
