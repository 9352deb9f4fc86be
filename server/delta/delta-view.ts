import type {FindMaker} from "../../lib/delta/find-maker.ts";
import {Overlay, type PlacedRecord, parcelKey, type Watermarks} from "../../lib/delta/overlay.ts";
import {
  createMemoryParcels,
  type MemoryParcels,
  type MemoryRow,
} from "../../lib/parcels/memory/memory-parcel-set.ts";
import {type ParcelSet, type StateArtifacts, withHidden} from "../../lib/parcels/parcel-set.ts";
import {takingTurns} from "../../lib/system/taking-turns.ts";
import type {DeltaSource, DeltaUpsert} from "../../schemas/delta-record.ts";
import type {Manifest} from "../../schemas/manifest.ts";
import {FindMerger, type FoundShown, type MadeDiscovery} from "./find-merger.ts";

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
  /**
   * What later lookups will show of these discoveries, in their order: merged with the dataset and with what was found before. Null for one
   * that is merged with nothing, and for all if they cannot be merged. Never rejects.
   */
  preview(upserts: readonly DeltaUpsert[]): Promise<readonly (MemoryRow | null)[]>;
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

type ViewOptions = {
  /** Reads and folds in what other processes have stored. */
  readonly refresh?: () => Promise<void>;
  /** Called with the error if finds cannot be merged with the build, and are shown alone. */
  readonly onUnmerged?: (error: unknown) => void;
};

type StateView = {
  readonly parcels: MemoryParcels;
  /** What is shown of finds, by parcel key; several may be one parcel. */
  readonly shown: Map<string, ShownParcel>;
  /** Build rows that are replaced by found parcels. */
  readonly hidden: Set<number>;
};

/** The row in memory that shows finds; null where the build's row does. */
type ShownParcel = Pick<FoundShown, "state" | "keys" | "hides"> & {readonly row: number | null};

/** A view into which records are folded. Records that the build has merged, according to its watermarks, never enter. */
export class GrowingView {
  readonly #merger: FindMerger;
  readonly #onUnmerged: (error: unknown) => void;
  readonly #refresh: () => Promise<void>;
  readonly #marks: ReadonlyMap<string, Watermarks>;
  readonly #overlay: Overlay;
  readonly #views = new Map<string, StateView>();
  readonly #counties = new Map<string, FoundCounty>();
  /** Sources in the dataset: those of the build, plus those of discoveries. */
  readonly #sources: Set<string>;

  /** Does one fold at a time. */
  readonly #inTurn = takingTurns();

  /** An empty view; `maker` renders and merges parcels. */
  constructor(
    {manifest, states}: ViewedBuild,
    maker: FindMaker,
    {refresh = () => Promise.resolve(), onUnmerged = () => undefined}: ViewOptions = {},
  ) {
    this.#merger = new FindMerger({states, asOf: manifest.as_of_date}, maker, onUnmerged);
    this.#onUnmerged = onUnmerged;
    this.#refresh = refresh;
    this.#marks = watermarksOf(manifest);
    this.#overlay = this.#emptyOverlay();
    this.#sources = new Set(Object.values(manifest.states).flatMap(({sources}) => sources.map(({id}) => id)));
  }

  /** Adds records, in any order. Rejects if the parcels' records cannot be rendered; nothing is added then. */
  fold(placed: readonly PlacedRecord[]): Promise<void> {
    return this.#inTurn(async () => {
      const newest = this.#newestOf(placed);
      const made = await this.#merger.make([...newest.parcels()].map(({record}) => record));
      await this.#take(newest, made);
    });
  }

  /**
   * Takes over the discoveries of another view that this build does not hold, with their rendered records, and merges them with this build.
   * Returns null, taking none, when this build has merged less than the other: then the segments must be read again.
   */
  takeOver(other: GrowingView): Promise<void> | null {
    if (hasMergedLess(this.#marks, other.#marks)) return null;
    const placed = [...other.#overlay.sources(), ...other.#overlay.parcels()];
    const made = new Map(
      [...other.#overlay.parcels()].map(({record}) => [record, other.#merger.made(parcelKey(record))]),
    );
    return this.#inTurn(() => {
      const newest = this.#newestOf(placed);
      return this.#take(
        newest,
        [...newest.parcels()].map(({record}) => made.get(record)!),
      );
    });
  }

  /** As `DiscoveryStore.preview`. */
  async preview(upserts: readonly DeltaUpsert[]): Promise<(MemoryRow | null)[]> {
    const rows = new Map<string, MemoryRow>();
    try {
      const meeting = await this.#merger.make(this.#merger.meeting(upserts));
      for (const {keys, hides, shown} of await this.#merger.merged(meeting))
        if (keys.length + hides.length > 1) for (const key of keys) rows.set(key, shown);
    } catch (error) {
      this.#onUnmerged(error);
    }
    return upserts.map((upsert) => rows.get(parcelKey(upsert)) ?? null);
  }

  #emptyOverlay(): Overlay {
    return new Overlay((state) => this.#marks.get(state) ?? noMarks);
  }

  #newestOf(placed: readonly PlacedRecord[]): Overlay {
    const newest = this.#emptyOverlay();
    for (const each of placed) if (this.#overlay.wants(each)) newest.fold(each);
    return newest;
  }

  /** Merges what is new, then takes it without awaiting, so that an answer sees a record completely or not at all. */
  async #take(newest: Overlay, made: readonly MadeDiscovery[]): Promise<void> {
    const shown = await this.#merger.merged(made);
    for (const each of [...newest.sources(), ...newest.parcels()]) this.#overlay.fold(each);
    for (const {record} of newest.sources()) this.#sources.add(record.key.sourceId);
    for (const each of made) this.#merger.add(each);
    for (const {state, keys} of shown) for (const key of keys) this.#takeOut(this.#viewOf(state), key);
    for (const each of shown) this.#show(each);
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
    return withHidden(set, hidden);
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

  #viewOf(state: string): StateView {
    const view = this.#views.get(state) ?? {
      parcels: createMemoryParcels({state, origin: "delta"}),
      shown: new Map(),
      hidden: new Set(),
    };
    this.#views.set(state, view);
    return view;
  }

  /** Removes what is shown of a find, and shows the build's rows again. */
  #takeOut({parcels, shown, hidden}: StateView, key: string): void {
    const known = shown.get(key);
    if (known === undefined) return;
    for (const each of known.keys) shown.delete(each);
    if (known.row === null) return;
    for (const row of known.hides) hidden.delete(row);
    parcels.remove(known.row);
    this.#countParcel(known, -1);
  }

  #show({shown, isInBuild, ...found}: FoundShown): void {
    const view = this.#viewOf(found.state);
    const parcel = {...found, row: isInBuild ? null : view.parcels.add(shown)};
    for (const key of found.keys) view.shown.set(key, parcel);
    if (isInBuild) return;
    for (const row of found.hides) view.hidden.add(row);
    this.#countParcel(parcel, 1);
  }

  #countParcel({keys, state}: ShownParcel, more: number): void {
    const {upsert, found} = this.#merger.made(keys[0]!);
    const {county} = upsert.key;
    const rows = (this.#counties.get(county)?.rows ?? 0) + more;
    const name = String(found.columns["county_name"] ?? county);
    if (rows === 0) this.#counties.delete(county);
    else this.#counties.set(county, {state, name, rows});
  }
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
