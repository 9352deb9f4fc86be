import {type BaseRow, findBaseRow, sharedForms} from "../../lib/delta/base-row.ts";
import {type FoundParcel, foundParcel} from "../../lib/delta/found-parcel.ts";
import {mergeWithBase} from "../../lib/delta/merge-records.ts";
import {Overlay, type PlacedRecord, parcelKey, type Watermarks} from "../../lib/delta/overlay.ts";
import {createMemoryParcels, type MemoryParcels} from "../../lib/parcels/memory/memory-parcel-set.ts";
import type {ParcelSet, StateArtifacts} from "../../lib/parcels/parcel-set.ts";
import {
  foundRecord,
  type RecordBytes,
  type RecordMaker,
  recordBytes,
} from "../../lib/parcels/record/record-maker.ts";
import {registeredSource} from "../../lib/parcels/record/source-facts.ts";
import type {StoredRecord} from "../../lib/parcels/record/stored-record.ts";
import type {RowValues} from "../../lib/storage/arrow-file/memory-table.ts";
import {DamagedFileError} from "../../lib/storage/block-guard.ts";
import type {DeltaSource, DeltaUpsert} from "../../schemas/delta-record.ts";
import type {Manifest} from "../../schemas/manifest.ts";

/** A parcel that a county returned on a miss, with the layer it came from. */
export type Discovery = {
  readonly upsert: Omit<DeltaUpsert, "seq" | "observedAt">;
  readonly source: Pick<DeltaSource, "sourceId" | "entryDigest" | "countyKey">;
};

/** Stores discoveries. */
export type DiscoveryStore = {
  /**
   * Stores a discovery. `persisted`: it is durable, and every lookup of this process finds it from now on. `sourceAdded`: it is the first
   * discovery of its source. Never rejects; a failing disk resolves to `persisted: false`.
   */
  append(discovery: Discovery): Promise<{persisted: boolean; sourceAdded: boolean}>;
};

/** The parcels of one county that the delta adds to the build. */
type FoundCounty = {readonly state: string; readonly name: string; readonly rows: number};

/** The parcels that the delta adds to one build, found on misses since it was built. The view grows while it is served. */
export type DeltaView = Pick<GrowingView, "position" | "sets" | "beside" | "counties" | "catchUp">;

/** The build that a view extends. */
type ViewedBuild = {
  readonly manifest: Manifest;
  readonly states: ReadonlyMap<string, StateArtifacts>;
};

type StateView = {
  readonly parcels: MemoryParcels;
  /** Row in `parcels`, by parcel key. */
  readonly rows: Map<string, number>;
  /** Build rows that are replaced by found parcels. */
  readonly hidden: Set<number>;
  /** Build row that a found parcel replaces, by parcel key. */
  readonly hides: Map<string, number>;
};

/** A discovery with its rendered record; both are independent of the build. */
type MadeDiscovery = {readonly found: FoundParcel; readonly record: RecordBytes};

/** A view into which records are folded. Records that the build has merged, according to its watermarks, never enter. */
export class GrowingView {
  readonly #states: ReadonlyMap<string, StateArtifacts>;
  readonly #asOf: string;
  readonly #records: RecordMaker;
  readonly #refresh: () => Promise<void>;
  readonly #marks: ReadonlyMap<string, Watermarks>;
  readonly #overlay: Overlay;
  /** The overlay's discoveries by parcel key, for the next build's view. */
  readonly #made = new Map<string, MadeDiscovery>();
  /** Keys of discoveries by source, county and form of the number. */
  readonly #forms = new Map<string, Set<string>>();
  readonly #views = new Map<string, StateView>();
  readonly #counties = new Map<string, FoundCounty>();
  /** Sources in the dataset: those of the build, plus those of discoveries. */
  readonly #sources: Set<string>;

  /** An empty view. `records` renders the records of parcels; `refresh` reads and folds in what other processes have stored. */
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

  /** Adds records, in any order. Rejects if the parcels' records cannot be rendered; nothing is added then. */
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
   * Takes over the discoveries of another view that this build does not hold, with their rendered records. Returns false, taking none, when
   * this build has merged less than the other: then the segments must be read again.
   */
  takeOver(other: GrowingView): boolean {
    if (hasMergedLess(this.#marks, other.#marks)) return false;
    const placed = [...other.#overlay.sources(), ...other.#overlay.parcels()];
    this.#take(placed, (record) => other.#made.get(parcelKey(record))!);
    return true;
  }

  /** Runs without awaiting, so that an answer sees a record completely or not at all. */
  #take(placed: readonly PlacedRecord[], madeOf: (record: DeltaUpsert) => MadeDiscovery): void {
    for (const each of placed) {
      const {record} = each;
      if (!this.#overlay.fold(each)) continue;
      if (record.kind === "upsert") this.#put(record, madeOf(record));
      else this.#sources.add(record.key.sourceId);
    }
  }

  /** Equal for equal sets of parcels; part of the ETag. */
  position(): string {
    return this.#overlay.position();
  }

  /** The found parcels of one state or of all, as the lookups read them. */
  sets(state: string | null): ParcelSet[] {
    return [...this.#views].flatMap(([code, {parcels}]) =>
      (state === null || code === state) && parcels.size() > 0 ? [parcels.set] : [],
    );
  }

  /** The build's state without the rows that found parcels replace. */
  beside(set: StateArtifacts): StateArtifacts {
    const hidden = this.#views.get(set.state)?.hidden;
    if (hidden === undefined || hidden.size === 0) return set;
    return Object.create(set, {hidden: {value: hidden, enumerable: true}}) as StateArtifacts;
  }

  /** The counties of the found parcels, by county key. */
  counties(): ReadonlyMap<string, FoundCounty> {
    return this.#counties;
  }

  /** True when the dataset has the source, from the build or from an earlier discovery. */
  hasSource(sourceId: string): boolean {
    return this.#sources.has(sourceId);
  }

  /** Reads what other processes have stored so far; returns true if there was anything. Never rejects. */
  async catchUp(): Promise<boolean> {
    const before = this.position();
    await this.#refresh();
    return this.position() !== before;
  }

  /** For the metrics: number of parcels not merged into the build, and when the oldest was found. */
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
    const rivals = this.#rivalsOf(key, made.found);
    this.#show({state, county, key}, rivals);
    // Another parcel of its source with a number like it leaves a row of the build to neither of them.
    for (const rival of rivals) {
      const others = [...rivals.filter((each) => each !== rival), key];
      this.#show({state, county, key: rival}, others);
    }
  }

  /** Keys of the other parcels of its source and county with a number like it, sorted. */
  #rivalsOf(key: string, {columns}: FoundParcel): string[] {
    const rivals = new Set<string>();
    for (const form of sharedForms(columns)) {
      const name = `${columns["owner_source"]} ${form}`;
      const keys = this.#forms.get(name) ?? new Set();
      for (const rival of keys) rivals.add(rival);
      this.#forms.set(name, keys.add(key));
    }
    rivals.delete(key);
    return [...rivals].sort();
  }

  #show({state, county, key}: {state: string; county: string; key: string}, rivals: readonly string[]): void {
    const made = this.#made.get(key)!;
    const {found} = made;
    const view = this.#views.get(state) ?? newView(state);
    this.#views.set(state, view);
    const isNew = !takeOut(view, key);
    const {columns, provenance: originOf, observedAt} = found;
    const own = foundRecord(made.record, {originOf, observedAt, asOf: this.#asOf, sources: registeredSource});
    const others = rivals.map((rival) => this.#made.get(rival)!.found.columns);
    const {base, shown} = withBase(this.#states.get(state), {found, rivals: others}, own);
    // Null when the build's row is better in every fact; it stays as it is.
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
 * Merges a found parcel with the build's row. If that row is damaged, the found parcel is shown alone; the damage is reported to lookups
 * that read the row itself.
 */
export function withBase(
  set: ParcelSet | undefined,
  {found, rivals}: {found: FoundParcel; rivals: readonly RowValues[]},
  own: StoredRecord,
): ShownParcel {
  const {columns} = found;
  try {
    const base = findBaseRow(set, columns, rivals);
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

/** Removes an older row of the parcel and unhides the build's row; returns true if there was one. */
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
