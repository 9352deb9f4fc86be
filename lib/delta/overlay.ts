import {createHash} from "node:crypto";
import type {DeltaRecord, DeltaSource, DeltaUpsert} from "../../schemas/delta-record.ts";

/** A record with its segment and end offset; a build whose watermark reaches `end` has merged it. */
export type PlacedRecord<R extends DeltaRecord = DeltaRecord> = {
  readonly record: R;
  readonly segment: string;
  readonly end: number;
};

/** How many bytes of each segment a build has merged, by segment name. */
export type Watermarks = ReadonlyMap<string, number>;

/**
 * The newest record of every parcel that the build does not have yet, and of every source; source records
 * stay after a merge. Newest means: later `observedAt`, then higher `seq`, then later segment name
 * (`docs/design/reliability.md` section 3.1).
 */
export class Overlay {
  readonly #marksOf: (state: string) => Watermarks;
  readonly #parcels = new Map<string, PlacedRecord<DeltaUpsert>>();
  readonly #sources = new Map<string, PlacedRecord<DeltaSource>>();
  #sum = 0n;

  /** Creates an empty overlay; `marksOf` returns the build's watermarks by state. */
  constructor(marksOf: (state: string) => Watermarks = () => new Map()) {
    this.#marksOf = marksOf;
  }

  /** True for a record that `fold` would accept. */
  wants({record, segment, end}: PlacedRecord): boolean {
    if (record.kind === "source") return isNewest(this.#sources, record.key.sourceId, {record, segment, end});
    const merged = this.#marksOf(record.key.state).get(segment) ?? 0;
    return merged < end && isNewest(this.#parcels, parcelKey(record), {record, segment, end});
  }

  /**
   * Adds a record, in any order; false when it changes nothing because the build has it or a newer one is
   * here.
   */
  fold({record, segment, end}: PlacedRecord): boolean {
    if (record.kind === "source") {
      return replaceOlder(this.#sources, record.key.sourceId, {record, segment, end}) !== "older";
    }
    const placed = {record, segment, end};
    if ((this.#marksOf(record.key.state).get(segment) ?? 0) >= end) return false;
    const before = replaceOlder(this.#parcels, parcelKey(record), placed);
    if (before === "older") return false;
    this.#sum ^= positionHash(placed) ^ (before === null ? 0n : positionHash(before));
    return true;
  }

  parcels(): IterableIterator<PlacedRecord<DeltaUpsert>> {
    return this.#parcels.values();
  }

  sources(): IterableIterator<PlacedRecord<DeltaSource>> {
    return this.#sources.values();
  }

  /**
   * Identifies the set of parcels, equal in every process that holds the same ones; part of an answer's ETag.
   */
  position(): string {
    return `${this.#parcels.size}.${this.#sum.toString(36)}`;
  }
}

/** Key of a record's parcel: county key and the `tok` spelling of the number. */
export function parcelKey({key}: DeltaUpsert): string {
  return `${key.county}|${key.parcelId}`;
}

function isNewest<R extends DeltaRecord>(
  known: ReadonlyMap<string, PlacedRecord<R>>,
  key: string,
  placed: PlacedRecord<R>,
): boolean {
  const before = known.get(key);
  return before === undefined || isNewer(placed, before);
}

/** Stores a record unless a newer one has the same key; returns the record it replaced, or null. */
function replaceOlder<R extends DeltaRecord>(
  into: Map<string, PlacedRecord<R>>,
  key: string,
  placed: PlacedRecord<R>,
): PlacedRecord<R> | null | "older" {
  if (!isNewest(into, key, placed)) return "older";
  const known = into.get(key) ?? null;
  into.set(key, placed);
  return known;
}

/**
 * 96 bits of a hash of a record's position. The hashes are combined by XOR, so the order of arrival does not
 * matter.
 */
function positionHash({segment, end}: PlacedRecord): bigint {
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
