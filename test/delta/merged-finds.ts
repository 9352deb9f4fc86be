import {mkdirSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {createFindMaker} from "../../lib/delta/find-maker.ts";
import {Overlay, type PlacedRecord} from "../../lib/delta/overlay.ts";
import {countyBox} from "../../lib/geography/county-box.ts";
import {openStateArtifacts, type ParcelSet, type StateArtifacts} from "../../lib/parcels/parcel-set.ts";
import type {LayerSource} from "../../lib/registry/layers-on-miss.ts";
import {loadCadastreSources, loadParcelSources} from "../../lib/registry/parcel-sources.ts";
import {stateServing} from "../../lib/storage/build-layout.ts";
import {buildState} from "../../pipeline/parcels/build-state.ts";
import type {BaseBuild} from "../../pipeline/parcels/kept-rows.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import type {DeltaUpsert} from "../../schemas/delta-record.ts";
import type {Manifest} from "../../schemas/manifest.ts";
import {findingColumns} from "../../schemas/parcel-columns.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {createAnswerReader} from "../../server/cadastre/answer-reader.ts";
import {GrowingView} from "../../server/delta/delta-view.ts";
import {type FakeRow, pageOf} from "../server/cadastre/fake-arcgis.ts";
import {type Random, seededRandom} from "../server/parcels/invented-state.ts";
import {partOf} from "../server/parcels/state-fixture.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {type AskedReply, answerOf, asOf, bulkEntry, flatOf, saidOf} from "./four-ways.ts";
import {inventedReply} from "./invented-replies.ts";

const county = {country: "US", state: "WI", key: "55137"} as const;
/** Rows of a reply; a reader takes up to a thousand. */
const rowsPerReply = 400;

/** What a server shows of the delta beside a build, and what the next build of the same inputs has. */
export type MergedFinds = {
  readonly finds: number;
  /** Finds that are merged with a row of the build. */
  readonly merged: number;
  /** Parcels of both. */
  readonly parcels: number;
  /** Parcels that differ in any member. */
  readonly differing: number;
  /** Members that differ: how many parcels differ in it, and the first of them. */
  readonly differences: ReadonlyMap<string, {readonly count: number; readonly example: string}>;
};

/** Merges at least `count` random finds with a random build: by a server, and by the next build. */
export async function mergedFinds(seed: number, count: number): Promise<MergedFinds> {
  const random = seededRandom(seed);
  const world = inventedWorld(random, count);
  const placed = await findsOf(world.answers);
  const finds = placed.map(({record}) => record);
  const [raw, outDir] = [temporaryFolder(), temporaryFolder()];
  const entries = world.files.map((file) => writeFile(raw, file));
  const base = await builtOf({raw, entries, found: [], base: null, outDir});
  const maker = createFindMaker();
  const shown = new Map<string, Shown>();
  const onUnmerged = (error: unknown) => {
    throw error;
  };
  const manifest = {as_of_date: asOf, states: {}} as unknown as Manifest;
  const view = new GrowingView({manifest, states: new Map([[county.state, base]])}, maker, {onUnmerged});
  await view.fold(placed).finally(() => maker.close());
  const rest = view.beside(base);
  take(shown, rest);
  const untouched = new Set(shown.keys());
  for (const set of view.sets(null)) take(shown, set);
  const served = {buildId: "20261120-000000", dir: outDir, complete: []};
  const next = await builtOf({raw, entries, found: finds, base: served, outDir: temporaryFolder()});
  const built = new Map<string, Shown>();
  take(built, next);
  const compared = compare(shown, built, untouched);
  return {finds: finds.length, merged: rest.hidden?.size ?? 0, parcels: built.size, ...compared};
}

type World = {readonly files: readonly AskedReply[]; readonly answers: readonly AskedReply[]};

/** Files of a statewide and of a county's source, and answers of those and of another layer, about the same parcels. */
function inventedWorld(random: Random, count: number): World {
  const statewide = loadParcelSources().find(({id}) => id === "us-wi-statewide") as LayerSource;
  const [own, other] = loadCadastreSources()
    .of("US", county.state)
    .filter(({coverage: {counties, places}}) => counties.length === 1 && places === undefined)
    .map((source) => ({...source, coverage: {...source.coverage, counties: [county.key]}}));
  const parcels = Array.from({length: count}, (_, n) => inventedParcel(random, n));
  const rowsOf = (share: number) => parcels.filter(() => random.next() < share);
  const answers = [statewide, own!, other!].flatMap((source) => {
    const asked = rowsOf(0.45);
    const replies = Math.ceil(asked.length / rowsPerReply);
    return Array.from({length: replies}, (_, i) => ({
      ...replyOf(random, source, asked.slice(i * rowsPerReply, (i + 1) * rowsPerReply), 0.35),
      layerEdit: random.pick(["2023-03-01", "2025-01-01", "2026-10-05", null]),
      retrievedAt: random.pick(["2026-11-18T10:00:00.000Z", "2026-11-20T10:00:00.000Z"]),
    }));
  });
  const files = [
    {...replyOf(random, statewide, rowsOf(0.6), 0.1), layerEdit: "2025-01-01"},
    {...replyOf(random, own!, rowsOf(0.6), 0.1), layerEdit: "2024-06-01"},
  ];
  return {files, answers};
}

/** A parcel: its number, and its place in a grid. */
type InventedParcel = {readonly number: string; readonly west: number; readonly south: number};

function inventedParcel(random: Random, n: number): InventedParcel {
  const {west, south, east, north} = countyBox(county.key)!;
  const serial = String(1000 + n);
  const number = random.pick([
    `${serial}-${n % 7}`,
    `0${serial.slice(0, 2)}-${serial.slice(2)}-00${n % 10}`,
    `${serial}-00${n % 3}A`,
    `R${serial}`,
  ]);
  return {
    number,
    west: (west + east) / 2 + ((n % 100) - 50) * 0.0015,
    south: (south + north) / 2 + (Math.floor(n / 100) - 50) * 0.0015,
  };
}

/** The number as one more source prints it. */
function respelt(random: Random, number: string): string {
  const spellings = [number.replaceAll("-", ""), number.toLowerCase(), number.replace(/-0+/g, "-")];
  return random.next() < 0.7
    ? number
    : random.pick([...spellings, `0${number}`, number.replaceAll("-", " ")]);
}

/** A reply of a source about parcels: respelt numbers, cells of which a share is empty, some parcels in two rows. */
function replyOf(
  random: Random,
  source: LayerSource,
  parcels: readonly InventedParcel[],
  empty: number,
): AskedReply {
  const statewide = source.coverage.counties === "all";
  const rows = parcels.length;
  const reply = inventedReply(random, source, {county, statewide, prefix: "R0", rows});
  const {features} = JSON.parse(reply.page) as {features: {attributes: Record<string, unknown>}[]};
  const printed = parcels.flatMap((parcel, i): FakeRow[] => {
    const {attributes} = features[i]!;
    const number = respelt(random, parcel.number);
    const share = random.next() < 0.3 ? 0.9 : empty;
    const cells = Object.entries(attributes).map(([name, value]) => {
      if (name === "OBJECTID") return [name, value];
      if (value === `R0-${100 + i}`) return [name, random.next() < 0.9 ? number : `A-${parcel.number}`];
      return [name, value !== county.key && random.next() < share ? null : value];
    });
    const ids = new Map(cells.filter(([name]) => isId(source, String(name))).map(([name]) => [name, number]));
    const own = {...Object.fromEntries(cells), ...Object.fromEntries(ids)};
    const {west, south} = parcel;
    const row = {attributes: own, west, south};
    return random.next() < 0.05 ? [row, {...row, west: west + 0.0002, south}] : [row];
  });
  const page = printed.map((row, i) => ({...row, attributes: {...row.attributes, OBJECTID: i + 1}}));
  return {...reply, page: JSON.stringify({...pageOf(page), fields: reply.fields})};
}

/** True for the column of the number, which is in every row; others may hold another number. */
function isId({cadastre, ids}: LayerSource, name: string): boolean {
  return name === (cadastre.idField ?? (ids !== undefined && "raw" in ids ? ids.raw : "APN"));
}

/** The newest find of each parcel, as a delta has them. */
async function findsOf(answers: readonly AskedReply[]): Promise<PlacedRecord<DeltaUpsert>[]> {
  const reader = createAnswerReader();
  const overlay = new Overlay();
  let seq = 0;
  try {
    for (const answer of answers) {
      const found = await answerOf(answer, reader);
      for (const {upsert} of found?.discoveries ?? []) {
        seq += 1;
        const record = {...upsert, seq, observedAt: upsert.provenance.retrievedAt};
        overlay.fold({record, segment: "s", end: seq});
      }
    }
  } finally {
    await reader.close();
  }
  return [...overlay.parcels()];
}

function writeFile(raw: string, reply: AskedReply): ParcelSource {
  const entry = bulkEntry(reply)!;
  const path = join(raw, "parcels", entry.id, "page.json");
  mkdirSync(dirname(path), {recursive: true});
  writeFileSync(path, reply.page);
  const meta = {retrieved_at: "2026-11-01T00:00:00Z", last_modified: `${reply.layerEdit}T00:00:00Z`};
  writeFileSync(`${path}.meta.json`, JSON.stringify({...meta, complete: true}));
  return entry;
}

type BuildOf = {
  raw: string;
  entries: readonly ParcelSource[];
  found: readonly DeltaUpsert[];
  base: BaseBuild | null;
  outDir: string;
};

async function builtOf({raw, entries, found, base, outDir}: BuildOf): Promise<StateArtifacts> {
  const {state, country} = county;
  const files = await listRawFiles(raw);
  const tempDir = temporaryFolder();
  const made = await buildState({state, country, entries, files, found, base, outDir, asOf, tempDir});
  const {rows, counties, sources, pointCount} = made;
  const part = partOf([], pointCount, {rows, counties: [...counties], sources: [...sources]});
  return openStateArtifacts(join(outDir, stateServing(state)), part);
}

/** Everything that is said of a parcel, by name: members, their provenance, limitations, sources, and the columns of lookups. */
type Shown = ReadonlyMap<string, string>;

function take(into: Map<string, Shown>, set: ParcelSet): void {
  for (let row = 0; row < set.parcels.rows; row++) {
    if (set.hidden?.has(row) === true) continue;
    const uid = set.parcels.text("parcel_uid").at(row)!;
    const said = flatOf(saidOf(set.record(row)));
    const columns = findingColumns.map(({name, kind}): [string, string] => {
      const {parcels} = set;
      const value =
        kind === "list"
          ? parcels.list(name).at(row)
          : kind === "text"
            ? parcels.text(name).at(row)
            : parcels.value(name).at(row);
      const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
      return [`column ${name}`, isEmpty ? "nothing" : JSON.stringify(value)];
    });
    const owner = set.parcels.string("owner_source").at(row);
    into.set(uid, new Map([...said, ...columns, ["column owner_source", String(owner)]]));
  }
}

/**
 * Members of a parcel of which nothing was found that depend on its neighbours: it shares its outline with one that has another place by a
 * find. The next build sees that they differ; the server does not compare outlines.
 */
const ofNeighbours = ["flags", "limitations", "acresComputed"];

function compare(
  shown: ReadonlyMap<string, Shown>,
  built: ReadonlyMap<string, Shown>,
  untouched: ReadonlySet<string>,
) {
  const differences = new Map<string, {count: number; example: string}>();
  const differing = new Set<string>();
  const tell = (name: string, example: string) => {
    differing.add(example.split(":")[0]!);
    const known = differences.get(name);
    differences.set(name, {count: (known?.count ?? 0) + 1, example: known?.example ?? example});
  };
  for (const uid of new Set([...shown.keys(), ...built.keys()])) {
    const [one, other] = [shown.get(uid), built.get(uid)];
    if (one === undefined || other === undefined) {
      tell(one === undefined ? "parcel of the build alone" : "parcel of the server alone", uid);
      continue;
    }
    const isShared = [one, other].map((each) => each.get("flags")?.includes("shared_outline") === true);
    const isOfNeighbours = untouched.has(uid) && isShared[0] && !isShared[1];
    for (const name of new Set([...one.keys(), ...other.keys()])) {
      if (isOfNeighbours && ofNeighbours.includes(name.replace("provenance.", ""))) continue;
      const [a, b] = [one.get(name) ?? "nothing", other.get(name) ?? "nothing"];
      if (a !== b) tell(name, `${uid}: server ${a}, build ${b}`);
    }
  }
  return {differing: differing.size, differences};
}
