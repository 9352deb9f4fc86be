import {type FoundParcel, foundParcel} from "../../lib/delta/found-parcel.ts";
import {type BaseRow, findBaseRow, mergeWithBase} from "../../lib/delta/merge-records.ts";
import {Overlay, type PlacedRecord, parcelKey, type Watermarks} from "../../lib/delta/overlay.ts";
import type {ParcelSet, StateArtifacts} from "../../lib/parcels/artifacts.ts";
import {createMemoryParcels, type MemoryParcels} from "../../lib/parcels/memory/memory-parcel-set.ts";
import {
  foundRecord,
  type RecordBytes,
  type RecordMaker,
  recordBytes,
} from "../../lib/parcels/record/record-maker.ts";
import {registeredSource} from "../../lib/parcels/record/source-facts.ts";
import type {StoredRecord} from "../../lib/parcels/record/stored-record.ts";
import {DamagedFileError} from "../../lib/storage/block-guard.ts";
import type {DeltaSource, DeltaUpsert} from "../../schemas/delta-record.ts";
import type {Manifest} from "../../schemas/manifest.ts";

/** A parcel that a county gave on a miss, and the layer that it came from. */
export type Discovery = {
  readonly upsert: Omit<DeltaUpsert, "seq" | "observedAt">;
  readonly source: Pick<DeltaSource, "sourceId" | "entryDigest" | "countyKey">;
};

/** Keeps discoveries. */
export type DiscoveryStore = {
  /**
   * Stores a discovery. `persisted` says that it is on disk to stay and that every lookup of this process finds it from now on;
   * `sourceAdded` says that it is the first discovery of its source. Never rejects: a disk that fails gives `persisted: false`.
   */
  append(discovery: Discovery): Promise<{persisted: boolean; sourceAdded: boolean}>;
};

/** The parcels of one county that the delta adds to the build. */
type FoundCounty = {readonly state: string; readonly name: string; readonly rows: number};

/** The parcels that the delta adds to one build: they were found on a miss after it. The view grows while it is served. */
export type DeltaView = Pick<GrowingView, "position" | "sets" | "beside" | "counties" | "catchUp">;

/** The build that a view is added to. */
type ViewedBuild = {
  readonly manifest: Manifest;
  readonly states: ReadonlyMap<string, StateArtifacts>;
};

type StateView = {
  readonly parcels: MemoryParcels;
  /** Row in `parcels`, by the parcel's key. */
  readonly rows: Map<string, number>;
  /** Rows of the build that found parcels replace. */
  readonly hidden: Set<number>;
  /** Row of the build that a found parcel replaces, by the parcel's key. */
  readonly hides: Map<string, number>;
};

/** A discovery and its record, which are the same beside every build. */
type MadeDiscovery = {readonly found: FoundParcel; readonly record: RecordBytes};

/** A view that records are folded into. Records that the build has merged, by its watermarks, never enter. */
export class GrowingView {
  readonly #states: ReadonlyMap<string, StateArtifacts>;
  readonly #asOf: string;
  readonly #records: RecordMaker;
  readonly #refresh: () => Promise<void>;
  readonly #marks: ReadonlyMap<string, Watermarks>;
  readonly #overlay: Overlay;
  /** The discoveries of the overlay by the parcel's key, for the view of the next build. */
  readonly #made = new Map<string, MadeDiscovery>();
  readonly #views = new Map<string, StateView>();
  readonly #counties = new Map<string, FoundCounty>();
  /** Sources of the dataset: those of the build, then those of discoveries. */
  readonly #sources: Set<string>;

  /**
   * A view without records. `records` makes the records of parcels; `refresh` reads what other processes have stored and folds it
   * in.
   */
  constructor(
    {manifest, states}: ViewedBuild,
    records: RecordMaker,
    refresh: () => Promise<void> = () => Promise.resolve(),
  ) {
    this.#states = states;
    this.#asOf = manifest.as_of_date;
    this.#records = records;
    this.#refresh = refresh;
    this.#marks = watermarksOf(manifest);
    this.#overlay = new Overlay((state) => this.#marks.get(state) ?? noMarks);
    this.#sources = new Set(Object.values(manifest.states).flatMap(({sources}) => sources.map(({id}) => id)));
  }

  /** Adds records, in any order. Rejects when the records of their parcels cannot be made; then nothing was added. */
  async fold(placed: readonly PlacedRecord[]): Promise<void> {
    const newer = placed.filter((each) => this.#overlay.wants(each));
    const upserts = newer.flatMap(({record}) => (record.kind === "upsert" ? [record] : []));
    const found = upserts.map((record) => foundParcel(record));
    const texts = await this.#records.make(found.map(({columns}) => columns));
    const made = new Map(
      upserts.map((record, i) => [record, {found: found[i]!, record: recordBytes(texts[i]!)}]),
    );
    this.#take(newer, (record) => made.get(record)!);
  }

  /**
   * Takes the discoveries of another view that this build does not hold, as they were made there. False, without any, when this build has
   * merged less than the other's: then the segments have to be read again.
   */
  takeOver(other: GrowingView): boolean {
    if (hasMergedLess(this.#marks, other.#marks)) return false;
    const placed = [...other.#overlay.sources(), ...other.#overlay.parcels()];
    this.#take(placed, (record) => other.#made.get(parcelKey(record))!);
    return true;
  }

  /** Nothing waits here: an answer sees all of a record or nothing of it. */
  #take(placed: readonly PlacedRecord[], madeOf: (record: DeltaUpsert) => MadeDiscovery): void {
    for (const each of placed) {
      const {record} = each;
      if (!this.#overlay.fold(each)) continue;
      if (record.kind === "upsert") this.#put(record, madeOf(record));
      else this.#sources.add(record.key.sourceId);
    }
  }

  /** Gives equal texts for equal sets of parcels: a part of an answer's ETag. */
  position(): string {
    return this.#overlay.position();
  }

  /** The found parcels of a state, or of all states, as the lookups read them. */
  sets(state: string | null): ParcelSet[] {
    return [...this.#views].flatMap(([code, {parcels}]) =>
      (state === null || code === state) && parcels.size() > 0 ? [parcels.set] : [],
    );
  }

  /** A state of the build without the rows that found parcels replace. */
  beside(set: StateArtifacts): StateArtifacts {
    const hidden = this.#views.get(set.state)?.hidden;
    if (hidden === undefined || hidden.size === 0) return set;
    return Object.create(set, {hidden: {value: hidden, enumerable: true}}) as StateArtifacts;
  }

  /** The counties of the found parcels, by county key. */
  counties(): ReadonlyMap<string, FoundCounty> {
    return this.#counties;
  }

  /** True when the source belongs to the dataset: by the build, or by an earlier discovery. */
  hasSource(sourceId: string): boolean {
    return this.#sources.has(sourceId);
  }

  /** Reads what other processes have stored until now, and gives true when there was something. Never rejects. */
  async catchUp(): Promise<boolean> {
    const before = this.position();
    await this.#refresh();
    return this.position() !== before;
  }

  /** Number and oldest instant of the parcels that the build has not merged, for the metrics. */
  unmerged(): {records: number; oldest: string | null} {
    let [records, oldest] = [0, null as string | null];
    for (const {record} of this.#overlay.parcels()) {
      records += 1;
      if (oldest === null || record.observedAt < oldest) oldest = record.observedAt;
    }
    return {records, oldest};
  }

  #put(record: DeltaUpsert, made: MadeDiscovery): void {
    const {state, county} = record.key;
    const key = parcelKey(record);
    this.#made.set(key, made);
    const {found} = made;
    const view = this.#views.get(state) ?? newView(state);
    this.#views.set(state, view);
    const isNew = !takeOut(view, key);
    const {columns, provenance: originOf, observedAt} = found;
    const own = foundRecord(made.record, {originOf, observedAt, asOf: this.#asOf, sources: registeredSource});
    const {base, shown} = withBase(this.#states.get(state), found, own);
    // Null when the build's row is better in every fact: it stays.
    if (shown === null) return;
    if (base !== null) {
      view.hidden.add(base.number);
      view.hides.set(key, base.number);
    }
    if (isNew) this.#countParcel(county, state, String(columns["county_name"] ?? county));
    view.rows.set(key, view.parcels.add(shown));
  }

  #countParcel(county: string, state: string, name: string): void {
    this.#counties.set(county, {state, name, rows: (this.#counties.get(county)?.rows ?? 0) + 1});
  }
}

/**
 * A found parcel with what the build says of it. Where the build's row is damaged the found parcel stands alone: it is shown all the same,
 * and the damage is told to those who ask for that row.
 */
function withBase(set: StateArtifacts | undefined, found: FoundParcel, own: StoredRecord): ShownParcel {
  const {columns} = found;
  try {
    const base = findBaseRow(set, columns);
    return {base, shown: base === null ? {columns, record: own} : mergeWithBase(found, own, base)};
  } catch (error) {
    if (!(error instanceof DamagedFileError)) throw error;
    return {base: null, shown: {columns, record: own}};
  }
}

type ShownParcel = {readonly base: BaseRow | null; readonly shown: ReturnType<typeof mergeWithBase>};

function newView(state: string): StateView {
  return {
    parcels: createMemoryParcels({state, origin: "delta"}),
    rows: new Map(),
    hidden: new Set(),
    hides: new Map(),
  };
}

/** Removes an older row of the parcel and shows the build's row again; true when there was an older row. */
function takeOut({parcels, rows, hidden, hides}: StateView, key: string): boolean {
  const row = rows.get(key);
  if (row === undefined) return false;
  parcels.remove(row);
  rows.delete(key);
  const base = hides.get(key);
  if (base !== undefined) hidden.delete(base);
  hides.delete(key);
  return true;
}

const noMarks: Watermarks = new Map();

function watermarksOf({states}: Manifest): ReadonlyMap<string, Watermarks> {
  return new Map(
    Object.entries(states).map(([state, {delta}]) => [
      state,
      new Map((delta ?? []).map(({segment, bytes}) => [segment, bytes])),
    ]),
  );
}

function hasMergedLess(
  marks: ReadonlyMap<string, Watermarks>,
  other: ReadonlyMap<string, Watermarks>,
): boolean {
  return [...other].some(([state, segments]) =>
    [...segments].some(([segment, bytes]) => (marks.get(state)?.get(segment) ?? 0) < bytes),
  );
}
