import {groupNames} from "../conform/file-cells.ts";
import type {ParcelLimitationId} from "./parcel-limitations.ts";
import {
  memberProvenance,
  type ProvenanceContext,
  type ProvenanceEntry,
  wireProvenance,
} from "./provenance.ts";
import type {RecordKind} from "./record-kind.ts";

/**
 * Provenance of all records of one kind and origin as JSON text, with the limitations and sources that
 * answers list.
 */
export type ProvenanceText = {
  /** UTF-8 bytes that answers copy. */
  readonly json: Buffer;
  /**
   * Position in `json` at which the parcel's page at the source is inserted; null when the record has none.
   */
  readonly urlAt: number | null;
  readonly limitations: readonly ParcelLimitationId[];
  /** Sorted by id. */
  readonly sources: readonly UsedSource[];
};

/** The provenance text of a record kind; deterministic for the same kind and context. */
export function provenanceText(kind: RecordKind, context: ProvenanceContext): ProvenanceText {
  const entries = memberProvenance(kind, context);
  const named = new Set([...entries.values()].map(({source}) => source));
  return {
    ...jsonOf(entries, kind.hasUrl && named.size === 1),
    limitations: limitationsOf({
      entries,
      isComputedArea: kind.acresBasis === "computed",
      partsKind: kind.partsKind,
      isContradictedArea: kind.flags.has("area_mismatch"),
      isShared: kind.flags.has("duplicate_id") || kind.flags.has("shared_outline"),
      isOpenRange: kind.flags.has("open_range_possible"),
      isPartlyRead: kind.flags.has("partly_read"),
      isAssumed: ["default" as const, ...groupNames].some(
        (group) => context.originOf(group).retrievedAssumed === true,
      ),
      isWithheld: context.sources(context.originOf("owner").sourceId)?.owners?.published === false,
    }),
    sources: sourcesOf(context),
  };
}

/** The provenance of facts as JSON text, with a position for the parcel's page if there is one. */
export function jsonOf(
  entries: ReadonlyMap<string, ProvenanceEntry>,
  hasUrl: boolean,
): Pick<ProvenanceText, "json" | "urlAt"> {
  const provenance = wireProvenance(entries);
  const usual = JSON.stringify(provenance.default);
  return {
    json: ownBytes(JSON.stringify(provenance)),
    urlAt: hasUrl ? '{"default":'.length + Buffer.byteLength(usual) - 1 : null,
  };
}

const moneyMembers = ["totalAssessedValue", "taxableValue", "useValue"] as const;

/** What the limitations of a record depend on, besides its members. */
type LimitationFacts = {
  readonly entries: ReadonlyMap<string, ProvenanceEntry>;
  readonly isComputedArea: boolean;
  /** The kind of value (`assessed`, `market` …) that the values of land and building add up to; empty without them. */
  readonly partsKind: string;
  readonly isContradictedArea: boolean;
  readonly isShared: boolean;
  readonly isOpenRange: boolean;
  readonly isPartlyRead: boolean;
  readonly isAssumed: boolean;
  readonly isWithheld: boolean;
};

/** The limitations that apply to a record (`docs/design/parcels.md` section 11), in catalogue order. */
export function limitationsOf({entries, ...is}: LimitationFacts): ParcelLimitationId[] {
  const has = (name: string) => entries.has(name);
  const isOf = (basis: string) => [...entries.values()].some(({vintageBasis}) => vintageBasis === basis);
  const limitationsSaid: Partial<Record<ParcelLimitationId, boolean>> = {
    P02: has("ownerName"),
    P03: has("latitude"),
    P04: has("acresBasis") && is.isComputedArea,
    P05: is.isContradictedArea,
    P06: !has("ownerName") && is.isWithheld,
    P07: has("landUseCategory"),
    P09:
      !has("totalMarketValue") &&
      is.partsKind !== "market" &&
      (is.partsKind !== "" || moneyMembers.some(has)),
    P15: !has("latitude"),
    P17: is.isShared,
    P18: isOf("retrieved"),
    P21: !has("parcelId"),
    P25: is.isOpenRange,
    P29: isOf("unknown"),
    P30: is.partsKind !== "" && is.partsKind !== "assessed",
    P32: is.isAssumed,
    P31: is.isPartlyRead,
  };
  return (Object.keys(limitationsSaid) as ParcelLimitationId[]).filter((id) => limitationsSaid[id]);
}

function sourcesOf({originOf}: ProvenanceContext): UsedSource[] {
  return newestOfSources(
    ["default" as const, ...groupNames].map((group) => {
      const {sourceId, vintage, vintageBasis} = originOf(group);
      return {id: sourceId, vintage: vintage ?? "", isRetrieval: !statesAge(vintageBasis)};
    }),
  );
}

/** False for a vintage that says when the data came here, or nothing, and not what age it has. */
export function statesAge(vintageBasis: string): boolean {
  return vintageBasis !== "retrieved" && vintageBasis !== "unknown";
}

/** A source of a record, with the newest vintage of its facts. */
export type UsedSource = {
  readonly id: string;
  /** `YYYY-MM-DD` or `YYYY`; empty when unknown. */
  readonly vintage: string;
  /** True when the source states no vintage and this is the retrieval date. */
  readonly isRetrieval: boolean;
};

/**
 * Lists each source once, by id, with its newest vintage; a retrieval date counts only if the source states
 * no vintage for any of its facts (`docs/design/parcels.md` section 2.3).
 */
export function newestOfSources(used: Iterable<UsedSource>): UsedSource[] {
  const newest = new Map<string, UsedSource>();
  for (const each of used) {
    const known = newest.get(each.id);
    if (known === undefined || isNewer(each, known)) newest.set(each.id, each);
  }
  return [...newest.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The newest vintage of several sources by the same rule; undefined without sources. */
export function newestVintage(used: readonly UsedSource[]): string | undefined {
  return newestOfSources(used.map((each) => ({...each, id: ""})))[0]?.vintage;
}

/** True for the better vintage of a source: a stated one, then the later one. */
function isNewer(one: UsedSource, other: UsedSource): boolean {
  if (one.isRetrieval !== other.isRetrieval) return other.isRetrieval;
  return one.vintage > other.vintage;
}

/**
 * Encodes text into a buffer with its own memory, for buffers that are kept. `Buffer.from` takes small
 * buffers from a shared pool of 64 KiB, which stays in memory as long as any of them: each parcel found alone
 * would keep a whole pool.
 */
export function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
