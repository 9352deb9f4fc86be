import {groupNames} from "../conform/cells.ts";
import type {ParcelLimitationId} from "../limitations.ts";
import {
  memberProvenance,
  type ProvenanceContext,
  type ProvenanceEntry,
  wireProvenance,
} from "./provenance.ts";
import type {RecordKind} from "./record-kind.ts";

/** Provenance of all records of one kind and origin as JSON text, with the limitations and sources that answers name. */
export type ProvenanceText = {
  /** UTF-8, which answers copy. */
  readonly json: Buffer;
  /** Place in `json` for the source's own page of the parcel; null where the record names none. */
  readonly urlAt: number | null;
  readonly limitations: readonly ParcelLimitationId[];
  /** By id. */
  readonly sources: readonly UsedSource[];
};

/** The provenance text of a kind of record; the same kind and context give the same text. */
export function provenanceText(kind: RecordKind, context: ProvenanceContext): ProvenanceText {
  const entries = memberProvenance(kind, context);
  const named = new Set([...entries.values()].map(({source}) => source));
  return {
    ...jsonOf(entries, kind.hasUrl && named.size === 1),
    limitations: limitationsOf({
      entries,
      isComputedArea: kind.acresBasis === "computed",
      isContradictedArea: kind.flags.has("area_mismatch"),
      isShared: kind.flags.has("duplicate_id") || kind.flags.has("shared_outline"),
      isOpenRange: kind.flags.has("open_range_possible"),
      isAssumed: ["default" as const, ...groupNames].some(
        (group) => context.originOf(group).retrievedAssumed === true,
      ),
      isWithheld: context.sources(context.originOf("owner").sourceId)?.owners?.published === false,
    }),
    sources: sourcesOf(context),
  };
}

/** JSON text of the provenance of some facts, with a place for the page of the parcel where there is one. */
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

const moneyMembers = [
  "totalAssessedValue",
  "totalLandValue",
  "totalBuildingValue",
  "taxableValue",
  "useValue",
] as const;

/** Facts of a record that its limitations follow from, beside its members. */
type LimitationFacts = {
  readonly entries: ReadonlyMap<string, ProvenanceEntry>;
  readonly isComputedArea: boolean;
  readonly isContradictedArea: boolean;
  readonly isShared: boolean;
  readonly isOpenRange: boolean;
  readonly isAssumed: boolean;
  readonly isWithheld: boolean;
};

/** Gives the limitations that a record asks for (`docs/design/parcels.md` section 11), in the order of the catalogue. */
export function limitationsOf({entries, ...is}: LimitationFacts): ParcelLimitationId[] {
  const has = (name: string) => entries.has(name);
  const said: Partial<Record<ParcelLimitationId, boolean>> = {
    P02: has("ownerName"),
    P03: has("latitude"),
    P04: has("acresBasis") && is.isComputedArea,
    P05: is.isContradictedArea,
    P06: !has("ownerName") && is.isWithheld,
    P07: has("landUseCategory"),
    P09: !has("totalMarketValue") && moneyMembers.some(has),
    P15: !has("latitude"),
    P17: is.isShared,
    P18: [...entries.values()].some(({vintageBasis}) => vintageBasis === "retrieved"),
    P21: !has("parcelId"),
    P25: is.isOpenRange,
    P28: is.isAssumed,
  };
  return (Object.keys(said) as ParcelLimitationId[]).filter((id) => said[id]);
}

function sourcesOf({originOf}: ProvenanceContext): UsedSource[] {
  return newestOfSources(
    ["default" as const, ...groupNames].map((group) => {
      const {sourceId, vintage, vintageBasis} = originOf(group);
      return {id: sourceId, vintage: vintage ?? "", isRetrieval: vintageBasis === "retrieved"};
    }),
  );
}

/** A source of a record, with the newest vintage of what it gave. */
export type UsedSource = {
  readonly id: string;
  /** `YYYY-MM-DD` or `YYYY`; empty where none is known. */
  readonly vintage: string;
  /** True where the source states no vintage, so that this is the day of its retrieval. */
  readonly isRetrieval: boolean;
};

/**
 * Gives each source once, by id, with its newest vintage: the day of a retrieval counts only where the source states no vintage for
 * any of its facts (`docs/design/parcels.md` section 2.3).
 */
export function newestOfSources(used: Iterable<UsedSource>): UsedSource[] {
  const newest = new Map<string, UsedSource>();
  for (const each of used) {
    const known = newest.get(each.id);
    if (known === undefined || isNewer(each, known)) newest.set(each.id, each);
  }
  return [...newest.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Gives the newest vintage of several sources by the same rule; undefined without any. */
export function newestVintage(used: readonly UsedSource[]): string | undefined {
  return newestOfSources(used.map((each) => ({...each, id: ""})))[0]?.vintage;
}

/** Says whether a vintage is the better one to tell of a source: one that the source states, then the later one. */
function isNewer(one: UsedSource, other: UsedSource): boolean {
  if (one.isRetrieval !== other.isRetrieval) return other.isRetrieval;
  return one.vintage > other.vintage;
}

/**
 * UTF-8 of a text that is kept, in memory of its own. `Buffer.from` cuts small buffers from pieces of 64 KiB, and a whole piece stays for
 * as long as one buffer of it does: each find that comes alone would keep its piece.
 */
export function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
