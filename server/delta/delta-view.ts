import {findBaseRow} from "../../lib/delta/base-row.ts";
import {mergeWithBase} from "../../lib/delta/merge-rows.ts";
import {createOverlay, type PlacedRecord, parcelKey, type Watermarks} from "../../lib/delta/overlay.ts";
import {rowOfRecord} from "../../lib/delta/record-row.ts";
import type {ParcelSet, StateArtifacts} from "../../lib/parcels/artifacts.ts";
import {createMemoryParcels, type MemoryParcels} from "../../lib/parcels/memory/memory-parcel-set.ts";
import type {Manifest} from "../../schemas/manifest.ts";
import {withoutHidden} from "./hidden-rows.ts";

/** Parcels of a county that the delta holds beside the build. */
export type FoundCounty = {readonly state: string; readonly name: string; readonly rows: number};

/** What the delta adds to one build: parcels found on a miss that the build does not hold. It grows while it is served. */
export type DeltaView = {
  /** Equal wherever the same parcels are held: part of an answer's ETag. */
  position(): string;
  /** The found parcels of a state, or of all states, as the lookups read them. */
  sets(state: string | null): ParcelSet[];
  /** A state of the build without the rows that found ones stand for. */
  beside(set: StateArtifacts): StateArtifacts;
  /** By county key. */
  counties(): ReadonlyMap<string, FoundCounty>;
  /** True when the source belongs to the dataset: by the build, or by an earlier find. */
  hasSource(sourceId: string): boolean;
  /** Reads what other processes have stored until now; true when there was something. Never rejects. */
  catchUp(): Promise<boolean>;
  /** What lies beyond the build's watermarks: for the metrics. */
  unmerged(): {records: number; oldest: string | null};
};

/** A view that records are folded into. */
export type GrowingView = DeltaView & {fold(placed: PlacedRecord): void};

/** The build that a view stands beside. */
export type ViewedBuild = {
  readonly manifest: Manifest;
  readonly states: ReadonlyMap<string, StateArtifacts>;
};

type StateView = {
  readonly parcels: MemoryParcels;
  readonly rows: Map<string, number>;
  readonly hidden: Set<number>;
  /** Row of the build that a found parcel stands for, by the parcel's key. */
  readonly hides: Map<string, number>;
};

/** The view of a build before any record was folded in: what the build has merged, by its watermarks, never enters. */
export function createDeltaView(
  {manifest, states}: ViewedBuild,
  refresh: () => Promise<void> = () => Promise.resolve(),
): GrowingView {
  const overlay = createOverlay(watermarksOf(manifest));
  const views = new Map<string, StateView>();
  const counties = new Map<string, FoundCounty>();
  const built = new Set(Object.values(manifest.states).flatMap(({sources}) => sources.map(({id}) => id)));
  const found = new Set<string>();

  function put(placed: PlacedRecord & {record: {kind: "upsert"}}): void {
    const {record} = placed;
    const {state, county} = record.key;
    const key = parcelKey(record);
    const view = views.get(state) ?? newView(state);
    views.set(state, view);
    const isNew = !takeOut(view, key);
    const row = rowOfRecord(record);
    const base = findBaseRow(states.get(state), row.columns);
    const shown = base === null ? row : mergeWithBase(row, base);
    // The build knows better in every fact: its row stands.
    if (shown === null) return;
    if (base !== null) {
      view.hidden.add(base.number);
      view.hides.set(key, base.number);
    }
    if (isNew) countParcel(county, state, String(row.columns["county_name"] ?? county));
    view.rows.set(key, view.parcels.add(shown));
  }

  function countParcel(county: string, state: string, name: string): void {
    counties.set(county, {state, name, rows: (counties.get(county)?.rows ?? 0) + 1});
  }

  return {
    fold(placed) {
      const {record} = placed;
      if (!overlay.fold(placed)) return;
      if (record.kind === "upsert") put({...placed, record});
      else found.add(record.key.sourceId);
    },
    position: overlay.position,
    sets: (state) =>
      [...views].flatMap(([code, {parcels}]) =>
        (state === null || code === state) && parcels.size() > 0 ? [parcels.set] : [],
      ),
    beside(set) {
      const hidden = views.get(set.state)?.hidden;
      return hidden === undefined || hidden.size === 0 ? set : withoutHidden(set, hidden);
    },
    counties: () => counties,
    async catchUp() {
      const before = overlay.position();
      await refresh();
      return overlay.position() !== before;
    },
    hasSource: (sourceId) => built.has(sourceId) || found.has(sourceId),
    unmerged() {
      let [records, oldest] = [0, null as string | null];
      for (const {record} of overlay.parcels()) {
        records += 1;
        if (oldest === null || record.observedAt < oldest) oldest = record.observedAt;
      }
      return {records, oldest};
    },
  };
}

function newView(state: string): StateView {
  return {
    parcels: createMemoryParcels({state, origin: "delta"}),
    rows: new Map(),
    hidden: new Set(),
    hides: new Map(),
  };
}

/** An older row of the parcel is found no more, and what it stood for is again; true where there was one. */
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

function watermarksOf({states}: Manifest): (state: string) => Watermarks {
  const marks = new Map(
    Object.entries(states).map(([state, {delta}]) => [
      state,
      new Map((delta ?? []).map(({segment, bytes}) => [segment, bytes])),
    ]),
  );
  const none: Watermarks = new Map();
  return (state) => marks.get(state) ?? none;
}
