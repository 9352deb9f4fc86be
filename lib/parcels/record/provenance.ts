import type {GroupedMember} from "../../../schemas/parcel-record.ts";
import type {StatedFlag} from "../../../schemas/vocabulary/parcel-provenance.ts";
import type {ProvenanceGroup} from "../conform/file-cells.ts";
import {confidenceOf, methodFactors} from "./record-confidence.ts";
import type {RecordKind} from "./record-kind.ts";
import {isJoined, isMapped, type SourceEntry, type SourceRegistry} from "./source-facts.ts";

/** What is known about the origin of a group of facts. */
export type ProvenanceFacts = {
  readonly sourceId: string;
  /** `YYYY-MM-DD` or `YYYY`; null when the source states none. */
  readonly vintage: string | null;
  /** A value of `vintageBasis` in `schemas/vocabulary/parcel-provenance.ts`. */
  readonly vintageBasis: string;
  /** Timestamp, UTC. */
  readonly retrievedAt: string | null;
  /** `county`, `state`, `aggregate`, `copy`, `derived` or `unknown`. */
  readonly authority: string;
  /** True when the field map was proposed from the layer's metadata and not reviewed by a person. */
  readonly proposedMap: boolean;
  /** True when `retrievedAt` is when a build first saw the file, because its fetch time is unknown. */
  readonly retrievedAssumed?: true;
};

/** Provenance of a single fact, as in answers. */
export type ProvenanceEntry = {
  readonly source: string;
  readonly vintage: string;
  readonly vintageBasis: string;
  readonly confidence: number;
  readonly retrievedAt?: string;
};

/** Entry of a field = `{...default, ...fields[name]}`. */
export type WireProvenance = {
  readonly default: ProvenanceEntry;
  readonly fields: Readonly<Record<string, Partial<ProvenanceEntry>>>;
};

/** The inputs of provenance besides the record's kind. */
export type ProvenanceContext = {
  /** Returns the origin of a group's facts. */
  readonly originOf: (group: ProvenanceGroup | "default") => ProvenanceFacts;
  /** Build date, `YYYY-MM-DD`, from which ages count. */
  readonly asOf: string;
  readonly sources: SourceRegistry;
};

const fastGroups: ReadonlySet<string | null> = new Set(["owner", "value", "transfer"]);

/** Facts that are contradicted by another fact, by the cleaning flag that records it. */
const contradictedBy: Readonly<Record<StatedFlag, (member: GroupedMember, kind: RecordKind) => boolean>> = {
  area_mismatch: ({made}) => made === "area" || made === "squareFeet" || made === "outline",
  situs_is_mailing: ({group}) => group === "situs",
  value_parts_contradict: ({name}) => name === "totalLandValue" || name === "totalBuildingValue",
  duplicate_id: () => false,
  shared_outline: () => false,
  open_range_possible: () => false,
  // Which part is told by another flag; rows found before there was one have it of their address alone.
  partly_read: ({group}, {flags}) =>
    group === "situs" && !flags.has("outline_partly_read") && !flags.has("mail_partly_read"),
  address_partly_read: ({group}) => group === "situs",
  mail_partly_read: ({mapped}) => mapped?.startsWith("mail_") === true,
  outline_partly_read: ({group, made}, {acresBasis}) =>
    group === "location" ||
    made === "outline" ||
    (acresBasis === "computed" && (made === "area" || made === "squareFeet")),
  // The outline's own area is not in doubt.
  area_scale: ({made}, {acresBasis}) =>
    acresBasis !== "computed" && (made === "area" || made === "squareFeet"),
};

/**
 * The provenance of each member of a record by name (`docs/design/parcels.md` section 2.2). Facts with the
 * same origin and confidence share an object.
 */
export function memberProvenance(
  kind: RecordKind,
  context: ProvenanceContext,
): ReadonlyMap<string, ProvenanceEntry> {
  const origins = new Map<ProvenanceGroup | null, Origin>();
  for (const {group} of kind.members) if (!origins.has(group)) origins.set(group, originOf(group, context));
  const dated = [...origins.values()].every(({provenance}) => provenance.retrievedAt !== null);
  const made = new Map<ProvenanceFacts, Map<number, ProvenanceEntry>>();
  return new Map(
    kind.members.map((member) => {
      const origin = origins.get(member.group)!;
      const ages = fastGroups.has(member.group) ? "fast" : "slowly";
      const methods = methodsOf(member, kind, origin);
      const confidence = confidenceOf({...origin.provenance, ages, methods}, context.asOf);
      const known = made.get(origin.provenance) ?? new Map<number, ProvenanceEntry>();
      made.set(origin.provenance, known);
      const entry = known.get(confidence) ?? wireEntry(origin.provenance, {confidence, dated});
      known.set(confidence, entry);
      return [member.name, entry];
    }),
  );
}

/**
 * The provenance in the form of answers: `default` is the entry that most facts share (on a tie, the earliest
 * in the record), and `fields` has the members that differ from it, sorted by name.
 */
export function wireProvenance(entries: ReadonlyMap<string, ProvenanceEntry>): WireProvenance {
  const usual = mostShared(entries);
  const differences = new Map<ProvenanceEntry, Partial<ProvenanceEntry>>();
  const differing: string[] = [];
  for (const [name, entry] of entries) {
    if (!differences.has(entry)) differences.set(entry, difference(usual, entry));
    if (Object.keys(differences.get(entry)!).length > 0) differing.push(name);
  }
  const fields = Object.fromEntries(
    differing.sort().map((name) => [name, differences.get(entries.get(name)!)!]),
  );
  return {default: usual, fields};
}

/** The origin of a group's facts, with the source's registry entry. */
type Origin = {readonly provenance: ProvenanceFacts; readonly entry: SourceEntry | undefined};

function originOf(group: ProvenanceGroup | null, {originOf, sources}: ProvenanceContext): Origin {
  const provenance = originOf(group ?? "default");
  return {provenance, entry: sources(provenance.sourceId)};
}

/**
 * An entry; it has a retrieval date only if all facts have one, because a field cannot remove a member of the
 * default.
 */
function wireEntry(
  provenance: ProvenanceFacts,
  {confidence, dated}: {confidence: number; dated: boolean},
): ProvenanceEntry {
  const {sourceId, vintage, vintageBasis, retrievedAt} = provenance;
  return {
    source: sourceId,
    vintage: vintage ?? "unknown",
    vintageBasis: vintage === null ? "unknown" : vintageBasis,
    confidence,
    ...(dated ? {retrievedAt: retrievedAt!} : {}),
  };
}

function methodsOf(member: GroupedMember, kind: RecordKind, {provenance, entry}: Origin): number[] {
  const methods = kindMethods(member, kind, entry);
  if (entry !== undefined && member.mapped !== null && isJoined(entry, member.mapped))
    methods.push(methodFactors.joined);
  if ([...kind.flags].some((flag) => contradictedBy[flag](member, kind)))
    methods.push(methodFactors.contradicted);
  if (provenance.proposedMap) methods.push(methodFactors.proposedMap);
  return methods;
}

function kindMethods(
  {made, mapped}: GroupedMember,
  kind: RecordKind,
  entry: SourceEntry | undefined,
): number[] {
  switch (made) {
    case "parsed":
      return [methodFactors.parsed];
    case "area":
    case "squareFeet":
      return areaMethods(made, kind, entry);
    case "outline":
      return [methodFactors.computedArea];
    case "point":
      return [kind.pointMethod === "source_point" ? methodFactors.sourcePoint : methodFactors.centroid];
    case "category":
      return kind.categoryConfidence === null ? [] : [kind.categoryConfidence];
    case "verbatim":
      // A town or ZIP that the source lacks was parsed from its address line.
      return isRead(mapped, entry) ? [methodFactors.parsed] : [];
  }
}

function isRead(column: string | null, entry: SourceEntry | undefined): boolean {
  const place = column === "city" || column === "zip" || column === "zip_plus_four";
  return place && entry !== undefined && !isMapped(entry, column);
}

function areaMethods(
  made: "area" | "squareFeet",
  {acresBasis}: RecordKind,
  entry: SourceEntry | undefined,
): number[] {
  if (acresBasis === "computed") return [methodFactors.computedArea];
  const asPrinted = made === "area" ? "acres" : "sqft";
  return entry?.area?.unit === asPrinted ? [] : [methodFactors.parsed];
}

function mostShared(entries: ReadonlyMap<string, ProvenanceEntry>): ProvenanceEntry {
  const byEntry = new Map<ProvenanceEntry, number>();
  for (const entry of entries.values()) byEntry.set(entry, (byEntry.get(entry) ?? 0) + 1);
  // Two origins may be identical in an answer.
  const byText = new Map<string, {entry: ProvenanceEntry; count: number}>();
  for (const [entry, count] of byEntry) {
    const text = JSON.stringify(entry);
    const known = byText.get(text) ?? {entry, count: 0};
    known.count += count;
    byText.set(text, known);
  }
  // Maps keep insertion order, and a later entry needs more facts to win.
  return [...byText.values()].reduce((best, next) => (next.count > best.count ? next : best)).entry;
}

function difference(usual: ProvenanceEntry, entry: ProvenanceEntry): Partial<ProvenanceEntry> {
  const differing = Object.entries(entry).filter(
    ([member, value]) => usual[member as keyof ProvenanceEntry] !== value,
  );
  return Object.fromEntries(differing) as Partial<ProvenanceEntry>;
}
