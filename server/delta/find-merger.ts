import type {FindMaker} from "../../lib/delta/find-maker.ts";
import {type FoundParcel, foundParcel} from "../../lib/delta/found-parcel.ts";
import type {MergedFind} from "../../lib/delta/merge-finds.ts";
import {parcelKey} from "../../lib/delta/overlay.ts";
import type {MemoryRow} from "../../lib/parcels/memory/memory-parcel-set.ts";
import type {StateArtifacts} from "../../lib/parcels/parcel-set.ts";
import {foundRecord, type RecordBytes, recordBytes} from "../../lib/parcels/record/record-maker.ts";
import {registeredSource} from "../../lib/parcels/record/source-facts.ts";
import type {RowValues} from "../../lib/storage/arrow-file/memory-table.ts";
import type {DeltaUpsert} from "../../schemas/delta-record.ts";
import {type FindCluster, FindForms, findClusters} from "./find-clusters.ts";

/** A discovery with its rendered record; both are independent of the build. */
export type MadeDiscovery = {
  readonly upsert: DeltaUpsert;
  readonly found: FoundParcel;
  readonly record: RecordBytes;
};

/** What lookups show of some finds, and the rows of the build that it replaces. */
export type FoundShown = {
  readonly state: string;
  readonly keys: readonly string[];
  readonly hides: readonly number[];
  readonly shown: MemoryRow;
  /** True where the row of the build has all that was found, so that it stays. */
  readonly isInBuild: boolean;
};

/** The build whose rows are merged with what was found. */
type MergedBuild = {readonly states: ReadonlyMap<string, StateArtifacts>; readonly asOf: string};

/** Finds that are merged at once. */
const findsPerMerge = 2_000;

/** Merges the discoveries of a view with its build, as the next build will. */
export class FindMerger {
  readonly #build: MergedBuild;
  readonly #maker: FindMaker;
  readonly #onUnmerged: (error: unknown) => void;
  readonly #made = new Map<string, MadeDiscovery>();
  readonly #forms = new Map<string, FindForms>();

  /** `onUnmerged` gets the error of each merge that failed. */
  constructor(build: MergedBuild, maker: FindMaker, onUnmerged: (error: unknown) => void) {
    this.#build = build;
    this.#maker = maker;
    this.#onUnmerged = onUnmerged;
  }

  /** Renders the records of discoveries. Rejects if that fails. */
  async make(upserts: readonly DeltaUpsert[]): Promise<MadeDiscovery[]> {
    const found = upserts.map((record) => foundParcel(record));
    const texts = await this.#maker.make(found.map(({columns}) => columns));
    return upserts.map((upsert, i) => ({upsert, found: found[i]!, record: recordBytes(texts[i]!)}));
  }

  /** Takes a discovery, in place of an older one of the same key. */
  add(made: MadeDiscovery): void {
    const {state} = made.upsert.key;
    const forms = this.#forms.get(state) ?? new FindForms();
    this.#forms.set(state, forms);
    this.#made.set(parcelKey(made.upsert), made);
    forms.add(parcelKey(made.upsert), made.found.columns);
  }

  made(key: string): MadeDiscovery {
    return this.#made.get(key)!;
  }

  /** What lookups show once these discoveries are taken: of them, and of the others that may be the same parcels. */
  async merged(fresh: readonly MadeDiscovery[]): Promise<FoundShown[]> {
    const shown: FoundShown[] = [];
    for (const [state, own] of Map.groupBy(fresh, ({upsert}) => upsert.key.state)) {
      const made = new Map(own.map((each) => [parcelKey(each.upsert), each]));
      const madeOf = (key: string) => made.get(key) ?? this.made(key);
      const clusters = this.#clusters(
        state,
        new Map([...made].map(([key, {found}]) => [key, found.columns])),
      );
      for (const batch of batchesOf(clusters)) shown.push(...(await this.#mergedBatch(state, batch, madeOf)));
    }
    return shown;
  }

  /** Those of some discoveries that may be one parcel with another find, or with a row of the build. */
  meeting(upserts: readonly DeltaUpsert[]): DeltaUpsert[] {
    return [...Map.groupBy(upserts, ({key}) => key.state)].flatMap(([state, own]) => {
      const columns = new Map(own.map((upsert) => [parcelKey(upsert), foundParcel(upsert).columns]));
      const several = this.#clusters(state, columns).filter((each) => !isSingle(each));
      const met = new Set(several.flatMap(({finds}) => finds));
      return own.filter((upsert) => met.has(parcelKey(upsert)));
    });
  }

  /** Discoveries of a state, by parcel key, each with all that may be its parcel. */
  #clusters(state: string, fresh: ReadonlyMap<string, RowValues>): FindCluster[] {
    const forms = new FindForms();
    for (const [key, columns] of fresh) forms.add(key, columns);
    return findClusters(fresh.keys(), {
      set: this.#build.states.get(state),
      forms: [forms, this.#forms.get(state) ?? new FindForms()],
      columnsOf: (key) => fresh.get(key) ?? this.made(key).found.columns,
    });
  }

  /**
   * If a merge fails, because a row of the build cannot be read, its finds are shown alone; the damage is reported to lookups that read the
   * row itself.
   */
  async #mergedBatch(
    state: string,
    clusters: readonly FindCluster[],
    madeOf: (key: string) => MadeDiscovery,
  ): Promise<FoundShown[]> {
    const [single, several] = [clusters.filter(isSingle), clusters.filter((each) => !isSingle(each))];
    const alone = (some: readonly FindCluster[]) =>
      some.flatMap(({finds}) => finds.map((key) => this.#alone(madeOf(key))));
    if (several.length === 0) return alone(single);
    try {
      return [...alone(single), ...(await this.#mergedPool(state, several, madeOf))];
    } catch (error) {
      if (several.length === 1) {
        this.#onUnmerged(error);
        return alone(clusters);
      }
      const half = Math.ceil(several.length / 2);
      const first = await this.#mergedBatch(state, several.slice(0, half), madeOf);
      return [...alone(single), ...first, ...(await this.#mergedBatch(state, several.slice(half), madeOf))];
    }
  }

  async #mergedPool(
    state: string,
    clusters: readonly FindCluster[],
    madeOf: (key: string) => MadeDiscovery,
  ): Promise<FoundShown[]> {
    const {states, asOf} = this.#build;
    const set = states.get(state);
    const keys = clusters.flatMap(({finds}) => finds);
    const rows = clusters.flatMap((each) => each.rows);
    const merged = await this.#maker.merge({
      state,
      table: set === undefined ? null : {path: set.table, origins: set.origins()},
      rows: rows.map((row) => ({row, facts: set!.record(row).facts})),
      found: keys.map((key) => madeOf(key).upsert),
      asOf,
      sources: registeredSource,
    });
    return merged.map((each) => shownOf(each, {state, set, keys}));
  }

  #alone({upsert, found, record}: MadeDiscovery): FoundShown {
    const {columns, provenance: originOf, observedAt} = found;
    const {asOf} = this.#build;
    const own = foundRecord(record, {originOf, observedAt, asOf, sources: registeredSource});
    const shown = {columns, record: own};
    return {state: upsert.key.state, keys: [parcelKey(upsert)], hides: [], shown, isInBuild: false};
  }
}

function isSingle({finds, rows}: FindCluster): boolean {
  return finds.length === 1 && rows.length === 0;
}

function batchesOf(clusters: readonly FindCluster[]): FindCluster[][] {
  const batches: FindCluster[][] = [];
  let finds = findsPerMerge;
  for (const cluster of clusters) {
    if (finds >= findsPerMerge) {
      batches.push([]);
      finds = 0;
    }
    batches.at(-1)!.push(cluster);
    finds += cluster.finds.length;
  }
  return batches;
}

function shownOf(
  {rows, found, columns, record, placedBy, hasFound}: MergedFind,
  {state, set, keys}: {state: string; set: StateArtifacts | undefined; keys: readonly string[]},
): FoundShown {
  const [first] = rows;
  const isOne = !hasFound && first !== undefined && rows.length === 1;
  const isInBuild = isOne && Buffer.from(set!.record(first).facts).equals(record.facts);
  const outlines = set?.outlines ?? null;
  const outline = outlines === null || placedBy === null ? undefined : {outlines, row: placedBy};
  const own = found.map((place) => keys[place]!);
  return {state, keys: own, hides: rows, shown: {columns, record, outline}, isInBuild};
}
