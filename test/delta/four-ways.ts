import {mkdirSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {createFindMaker} from "../../lib/delta/find-maker.ts";
import {decodeLine, encodeLine} from "../../lib/delta/segment-files.ts";
import {openStateArtifacts, type ParcelSet} from "../../lib/parcels/parcel-set.ts";
import {recordMembersOf, type StoredRecord} from "../../lib/parcels/record/stored-record.ts";
import type {LayerSource} from "../../lib/registry/layers-on-miss.ts";
import {stateServing} from "../../lib/storage/build-layout.ts";
import {buildState} from "../../pipeline/parcels/build-state.ts";
import {entryOfLayer} from "../../pipeline/parcels/propose/propose-entry.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import type {DeltaUpsert} from "../../schemas/delta-record.ts";
import type {ArcgisPull} from "../../schemas/layer-pull.ts";
import type {Manifest} from "../../schemas/manifest.ts";
import {type CadastreSource, ParcelSource} from "../../schemas/parcel-source.ts";
import {createAnswerReader} from "../../server/cadastre/answer-reader.ts";
import type {AskedCounty} from "../../server/cadastre/asked-county.ts";
import {layerMap} from "../../server/cadastre/county-layer-map.ts";
import type {CountyReader} from "../../server/cadastre/county-reader.ts";
import {foundParcels} from "../../server/cadastre/found-parcels.ts";
import {type Discovery, GrowingView} from "../../server/delta/delta-view.ts";
import {partOf} from "../server/parcels/state-fixture.ts";
import {temporaryFolder} from "../temporary-folder.ts";

const usualRetrieval = "2026-11-20T10:00:00.000Z";
export const asOf = "2026-11-20";
const usualEdit = "2026-10-05";

/** A layer with the fields of its metadata, and one answer. */
export type AskedReply = {
  readonly source: LayerSource;
  readonly statewide?: boolean;
  readonly county: AskedCounty;
  readonly fields: readonly {readonly name: string; readonly type: string}[];
  readonly page: string;
  /** When the layer was edited last, null if it does not say, and when the answer came; those of all answers by default. */
  readonly layerEdit?: string | null;
  readonly retrievedAt?: string;
};

export const ways = ["answer", "find", "restart", "merged", "bulk", "beside"] as const;
type Way = (typeof ways)[number];

/** Everything in a record except its retrieval time: facts, provenance, limitations and sources. */
export type Said = Record<"facts" | "provenance" | "limitations" | "sources", unknown>;

/** Records by parcel: from the answer, as discoveries, after a restart, merged, from a file, and from the file beside the discoveries. */
export type FourWays = Map<string, Partial<Record<Way, Said>>>;

/** Gives each row of the answers of one state as a record in every way; the builds are made once for all of them. */
export async function fourWays(replies: readonly AskedReply[]): Promise<FourWays> {
  const found: FourWays = new Map();
  const take = (way: Way, sets: readonly ParcelSet[]) => {
    for (const set of sets) {
      for (let row = 0; row < set.parcels.rows; row++) {
        const uid = set.parcels.text("parcel_uid").at(row)!;
        found.set(uid, {...found.get(uid), [way]: saidOf(set.record(row))});
      }
    }
  };
  const reader = createAnswerReader();
  const records = createFindMaker();
  const upserts: DeltaUpsert[] = [];
  try {
    for (const reply of replies) {
      const answered = await answerOf(reply, reader);
      if (answered === null) continue;
      take("answer", [answered.set]);
      for (const {upsert} of answered.discoveries)
        upserts.push({...upsert, seq: upserts.length + 1, observedAt: usualRetrieval});
    }
    const view = async (of: readonly DeltaUpsert[]) => {
      const growing = new GrowingView({manifest: emptyManifest, states: new Map()}, records);
      await growing.fold(of.map((record, i) => ({record, segment: "s", end: i + 1})));
      return growing.sets(null);
    };
    take("find", await view(upserts));
    const stored = upserts.map(
      (record) => decodeLine(encodeLine(record).subarray(0, -1))!.record as DeltaUpsert,
    );
    take("restart", await view(stored));
    take("merged", [await builtOf(replies[0]!, {found: stored, entries: [], pages: new Map()})]);
    const entries = replies.flatMap((reply) => bulkEntry(reply) ?? []);
    const pages = new Map(replies.map(({source, page}) => [source.id, page]));
    take("bulk", [await builtOf(replies[0]!, {found: [], entries, pages})]);
    take("beside", [await builtOf(replies[0]!, {found: stored, entries, pages})]);
    return found;
  } finally {
    await reader.close();
    await records.close();
  }
}

/** The rows of an answer as lookups get them, and their discoveries; null if the layer has no map or the answer no row. */
export async function answerOf(
  {
    source,
    statewide = false,
    county,
    fields,
    page,
    layerEdit = usualEdit,
    retrievedAt = usualRetrieval,
  }: AskedReply,
  reader: CountyReader,
): Promise<{set: ParcelSet; discoveries: Discovery[]} | null> {
  const layer = {source, statewide};
  const facts = {geometryType: "esriGeometryPolygon", fields, maxRecordCount: null, lastEditDate: layerEdit};
  const map = layerMap(layer, facts, county);
  if (map === null) return null;
  const task = {
    body: Buffer.from(page),
    entry: map.entry,
    comparisons: [],
    county: county.key,
    asked: 1_001,
    provesCounty: false,
    point: null,
    layerEdit,
    retrievedAt,
  };
  const read = await reader.read("reply", task, {publisher: "", signal: new AbortController().signal});
  if (read.kind === "failed") {
    process.stderr.write(`four ways: an answer of ${source.id} was refused, ${read.reason}\n`);
    return null;
  }
  const discoveries: Discovery[] = [];
  const append = (find: Discovery) => {
    discoveries.push(find);
    return Promise.resolve({persisted: true, sourceAdded: false});
  };
  const origin = {layer, map, county, asOf, retrievedAt, query: "parcel_id" as const};
  const preview = (all: readonly DeltaUpsert[]) => Promise.resolve(all.map(() => null));
  const {set, keep} = await foundParcels(read, origin, {append, preview});
  await keep(read.rows.map((_, row) => row));
  return {set, discoveries};
}

const emptyManifest = {as_of_date: asOf, states: {}} as unknown as Manifest;

/**
 * The entry with which a build reads the layer's file: the registered one, else the one proposed from a pull; null if nothing
 * in the layer states the county of a row.
 */
export function bulkEntry({source, fields}: AskedReply): ParcelSource | null {
  const accept = {minRows: 0, maxRejectShare: 1, maxDropShare: 1, rows: []};
  const registered = ParcelSource.safeParse(source);
  if (registered.success) return {...registered.data, accept};
  const entry = entryOfLayer(source as CadastreSource, {fields: [...fields]} as ArcgisPull["layer"]);
  return typeof entry === "string" ? null : {...entry, accept};
}

async function builtOf(
  {county: {state, country}}: AskedReply,
  {
    found,
    entries,
    pages,
  }: {found: readonly DeltaUpsert[]; entries: ParcelSource[]; pages: ReadonlyMap<string, string>},
): Promise<ParcelSet> {
  const outDir = temporaryFolder();
  const rawDir = temporaryFolder();
  for (const {id} of entries) writeRaw(rawDir, id, pages.get(id)!);
  const files = entries.length === 0 ? [] : await listRawFiles(rawDir);
  const tempDir = temporaryFolder();
  const made = await buildState({state, country, entries, files, found, outDir, asOf, tempDir});
  const {rows, counties, sources, pointCount} = made;
  const part = partOf([], pointCount, {rows, counties: [...counties], sources: [...sources]});
  return openStateArtifacts(join(outDir, stateServing(state)), part);
}

function writeRaw(folder: string, id: string, page: string): void {
  const path = join(folder, "parcels", id, "page.json");
  mkdirSync(dirname(path), {recursive: true});
  writeFileSync(path, page);
  const meta = {retrieved_at: usualRetrieval, last_modified: `${usualEdit}T00:00:00Z`, complete: true};
  writeFileSync(`${path}.meta.json`, JSON.stringify(meta));
}

export function saidOf(record: StoredRecord): Said {
  const provenance = JSON.parse(record.provenance.json.toString(), (key, value) =>
    key === "retrievedAt" ? undefined : value,
  );
  const {limitations, sources} = record.provenance;
  return {facts: recordMembersOf(record), provenance, limitations, sources};
}

/** Members that differ between the ways: how many records differ, and the first of them. Ways in `absent` may lack a record. */
export function differences(found: FourWays, absent: readonly Way[] = []): string[] {
  const first = new Map<string, {count: number; example: string}>();
  const tell = (name: string, example: string) =>
    first.set(name, {example, ...first.get(name), count: (first.get(name)?.count ?? 0) + 1});
  for (const [uid, said] of found) {
    const shown = ways.filter((way) => said[way] !== undefined || !absent.includes(way));
    if (new Set(shown.map((way) => JSON.stringify(said[way] ?? null))).size === 1) continue;
    const lacking = shown.filter((way) => said[way] === undefined);
    if (lacking.length > 0) {
      tell(`record of ${lacking.join(" and ")}`, uid);
      continue;
    }
    const flat = shown.map((way) => flatOf(said[way]));
    for (const name of new Set(flat.flatMap((each) => [...each.keys()]))) {
      if (new Set(flat.map((each) => each.get(name))).size === 1) continue;
      tell(name, `${uid}: ${shown.map((way, i) => `${way} ${flat[i]!.get(name) ?? "nothing"}`).join(", ")}`);
    }
  }
  return [...first].map(([name, {count, example}]) => `${name} of ${count}, ${example}`);
}

/** Members by name, provenance by fact: a moved default is not a difference of each fact. */
export function flatOf(said: Said | undefined): Map<string, string> {
  if (said === undefined) return new Map([["record", "none"]]);
  const {facts, provenance, limitations, sources} = said as {
    facts: Record<string, unknown>;
    provenance: {default: object; fields: Record<string, object>};
  } & Said;
  const members = Object.entries(facts).flatMap(([name, value]): [string, string][] => [
    [name, JSON.stringify(value)],
    [`provenance.${name}`, JSON.stringify(sorted({...provenance.default, ...provenance.fields[name]}))],
  ]);
  return new Map([
    ...members,
    ["limitations", JSON.stringify(limitations)],
    ["sources", JSON.stringify(sources)],
  ]);
}

function sorted(entry: object): object {
  return Object.fromEntries(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1)));
}
