import type {DeltaRecord, DeltaSource, DeltaUpsert} from "../../schemas/delta-record.ts";

/** A record with its place: a build has consumed it when its watermark for the segment reaches `end`. */
export type PlacedRecord<R extends DeltaRecord = DeltaRecord> = {
  readonly record: R;
  readonly segment: string;
  readonly end: number;
};

/** How far a build has merged each segment, in bytes, by segment name. */
export type Watermarks = ReadonlyMap<string, number>;

/** The newest record of every parcel and source that no build holds yet. */
export type Overlay = {
  /** Takes a record in; an older one of the same key changes nothing. True when it changed the overlay. */
  fold(placed: PlacedRecord): boolean;
  /** Forgets the parcels that a build has merged, by the watermarks of their states. A source stays known. */
  drop(marksOf: (state: string) => Watermarks): void;
  parcels(): IterableIterator<PlacedRecord<DeltaUpsert>>;
  sources(): IterableIterator<PlacedRecord<DeltaSource>>;
  /** Changes with every change of the content: part of an answer's ETag. */
  version(): number;
};

/** An empty overlay. Newest means: later `observedAt`, then higher `seq`, then later segment name (`reliability.md` 3.1). */
export function createOverlay(): Overlay {
  const parcels = new Map<string, PlacedRecord<DeltaUpsert>>();
  const sources = new Map<string, PlacedRecord<DeltaSource>>();
  let version = 0;

  function put<R extends DeltaRecord>(
    into: Map<string, PlacedRecord<R>>,
    key: string,
    placed: PlacedRecord<R>,
  ): boolean {
    const known = into.get(key);
    if (known !== undefined && !isNewer(placed, known)) return false;
    into.set(key, placed);
    version += 1;
    return true;
  }

  return {
    fold({record, segment, end}) {
      return record.kind === "upsert"
        ? put(parcels, `${record.key.county}|${record.key.parcelId}`, {record, segment, end})
        : put(sources, record.key.sourceId, {record, segment, end});
    },
    drop(marksOf) {
      for (const [key, placed] of parcels) {
        if (isMerged(placed, marksOf(placed.record.key.state))) {
          parcels.delete(key);
          version += 1;
        }
      }
    },
    parcels: () => parcels.values(),
    sources: () => sources.values(),
    version: () => version,
  };
}

/** True when a build with these watermarks holds the record. */
export function isMerged({segment, end}: PlacedRecord, marks: Watermarks): boolean {
  return (marks.get(segment) ?? 0) >= end;
}

function isNewer(a: PlacedRecord, b: PlacedRecord): boolean {
  const order =
    compare(a.record.observedAt, b.record.observedAt) ||
    a.record.seq - b.record.seq ||
    compare(a.segment, b.segment);
  return order > 0;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
