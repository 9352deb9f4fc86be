import {groupNames} from "../conform/cells.ts";
import type {ParcelLimitationId} from "../limitations.ts";
import {ownBytes} from "./own-bytes.ts";
import {
  memberProvenance,
  type ProvenanceContext,
  type ProvenanceEntry,
  wireProvenance,
} from "./provenance.ts";
import type {RecordKind} from "./record-kind.ts";
import {newestOfSources, type UsedSource} from "./used-source.ts";

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
