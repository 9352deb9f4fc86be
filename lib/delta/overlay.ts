import {createHash} from "node:crypto";
import type {DeltaRecord, DeltaSource, DeltaUpsert} from "../../schemas/delta-record.ts";

/** A record with its place: a build has consumed it when its watermark for the segment reaches `end`. */
export type PlacedRecord<R extends DeltaRecord = DeltaRecord> = {
  readonly record: R;
  readonly segment: string;
  readonly end: number;
};

/** How far a build has merged each segment, in bytes, by segment name. */
export type Watermarks = ReadonlyMap<string, number>;

/** The newest record of every parcel that a build does not hold yet, and of every source. */
export type Overlay = {
  /** Takes a record in, in any order; one that the build has merged, or an older one of its key, changes nothing. True for a change. */
  fold(placed: PlacedRecord): boolean;
  parcels(): IterableIterator<PlacedRecord<DeltaUpsert>>;
  sources(): IterableIterator<PlacedRecord<DeltaSource>>;
  /** Text that is equal wherever the same parcels are held, in any process: part of an answer's ETag. */
  position(): string;
};

/**
 * An empty overlay over a build with these watermarks by state. Newest means: later `observedAt`, then higher `seq`, then later
 * segment name (`docs/design/reliability.md` 3.1). Sources stay known whatever is merged.
 */
export function createOverlay(marksOf: (state: string) => Watermarks = () => new Map()): Overlay {
  const parcels = new Map<string, PlacedRecord<DeltaUpsert>>();
  const sources = new Map<string, PlacedRecord<DeltaSource>>();
  let sum = 0n;

  function put<R extends DeltaRecord>(
    into: Map<string, PlacedRecord<R>>,
    key: string,
    placed: PlacedRecord<R>,
  ): PlacedRecord<R> | null | "older" {
    const known = into.get(key);
    if (known !== undefined && !isNewer(placed, known)) return "older";
    into.set(key, placed);
    return known ?? null;
  }

  return {
    fold({record, segment, end}) {
      if (record.kind === "source")
        return put(sources, record.key.sourceId, {record, segment, end}) !== "older";
      const placed = {record, segment, end};
      if (isMerged(placed, marksOf(record.key.state))) return false;
      const before = put(parcels, parcelKey(record), placed);
      if (before === "older") return false;
      sum ^= placeNumber(placed) ^ (before === null ? 0n : placeNumber(before));
      return true;
    },
    parcels: () => parcels.values(),
    sources: () => sources.values(),
    position: () => `${parcels.size}.${sum.toString(36)}`,
  };
}

/** What makes two records the same parcel: county key and `tok` form of the number. */
export function parcelKey({key}: DeltaUpsert): string {
  return `${key.county}|${key.parcelId}`;
}

/** True when a build with these watermarks holds the record. */
export function isMerged({segment, end}: PlacedRecord, marks: Watermarks): boolean {
  return (marks.get(segment) ?? 0) >= end;
}

/** 96 bits of a digest of the record's place: their exclusive or does not depend on the order of arrival. */
function placeNumber({segment, end}: PlacedRecord): bigint {
  return BigInt(`0x${createHash("sha256").update(`${segment} ${end}`).digest("hex").slice(0, 24)}`);
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
