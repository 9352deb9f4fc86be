import type {ParcelRow, ProvenanceFacts} from "../parcel-row.ts";
import {confidenceOf, methodFactors} from "./confidence.ts";
import {type Fact, facts} from "./facts.ts";
import type {RecordContext} from "./record-context.ts";
import {isJoined, isMapped, type SourceEntry} from "./source-facts.ts";

/** Provenance of one fact on the wire. */
export type ProvenanceEntry = {
  readonly source: string;
  readonly vintage: string;
  readonly vintageBasis: string;
  readonly confidence: number;
  readonly retrievedAt?: string;
  readonly sourceUrl?: string;
};

/** Entry of a field = `{...default, ...fields[name]}`. */
export type WireProvenance = {
  readonly default: ProvenanceEntry;
  readonly fields: Readonly<Record<string, Partial<ProvenanceEntry>>>;
};

const fastGroups: ReadonlySet<string> = new Set(["owner", "value", "transfer"]);

/** Facts that a cleaning flag says another fact contradicts. */
const contradictedBy: Readonly<Record<string, (name: string, fact: Fact) => boolean>> = {
  area_mismatch: (_, {kind}) => kind === "area" || kind === "squareFeet",
  situs_is_mailing: (_, {group}) => group === "situs",
  value_parts_contradict: (name) => name === "totalLandValue" || name === "totalBuildingValue",
};

/**
 * Provenance of a record with these members, in its order (`docs/design/parcels.md` section 2.2): `default` is the entry that most facts share (ties: the earliest in
 * the record), `fields` has the members that differ, by name in sorted order.
 */
export function wireProvenance(
  members: Iterable<string>,
  row: ParcelRow,
  context: RecordContext,
): WireProvenance {
  const entries = factEntries(members, row, context);
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

/** The entry of each fact of a record; facts with the same provenance and confidence share one object. */
function factEntries(
  members: Iterable<string>,
  row: ParcelRow,
  context: RecordContext,
): Map<string, ProvenanceEntry> {
  const origins = new Map<Fact["group"], Origin>();
  const names: string[] = [];
  for (const name of members) {
    const group = facts.get(name)?.group;
    if (group === undefined) continue;
    names.push(name);
    if (!origins.has(group)) origins.set(group, originOf(row, group, context));
  }
  const optional = sharedMembers([...origins.values()], row);
  const made = new Map<ProvenanceFacts, Map<number, ProvenanceEntry>>();
  const flags = row.list("flags");
  const entries = new Map<string, ProvenanceEntry>();
  for (const name of names) {
    const fact = facts.get(name)!;
    const origin = origins.get(fact.group)!;
    const methods = methodsOf(name, fact, {row, flags, ...origin});
    const confidence = rememberedConfidence(origin.provenance, {fact, methods, asOf: context.asOf});
    const known = made.get(origin.provenance) ?? new Map<number, ProvenanceEntry>();
    made.set(origin.provenance, known);
    const entry = known.get(confidence) ?? wireEntry(origin.provenance, confidence, optional);
    known.set(confidence, entry);
    entries.set(name, entry);
  }
  return entries;
}

/** Where the facts of a group come from, with the registry entry of the source. */
type Origin = {readonly provenance: ProvenanceFacts; readonly entry: SourceEntry | undefined};

function originOf(row: ParcelRow, group: Fact["group"], {sources}: RecordContext): Origin {
  const provenance = row.provenance(group);
  return {provenance, entry: sources(provenance.sourceId)};
}

/** Few rows of the provenance table and few methods make the confidences of millions of facts. */
const confidences = new WeakMap<ProvenanceFacts, Map<string, number>>();

function rememberedConfidence(
  provenance: ProvenanceFacts,
  {fact, methods, asOf}: {fact: Fact; methods: readonly number[]; asOf: string},
): number {
  const known = confidences.get(provenance) ?? new Map<string, number>();
  confidences.set(provenance, known);
  const ages = fastGroups.has(fact.group) ? "fast" : "slowly";
  const key = `${asOf} ${ages} ${methods.join()}`;
  const confidence = known.get(key) ?? confidenceOf({...provenance, ages, methods}, asOf);
  known.set(key, confidence);
  return confidence;
}

function wireEntry(
  provenance: ProvenanceFacts,
  confidence: number,
  optional: ReturnType<typeof sharedMembers>,
): ProvenanceEntry {
  return {
    ...stated(provenance),
    confidence,
    ...(optional.retrievedAt ? {retrievedAt: provenance.retrievedAt!} : {}),
    ...(optional.sourceUrl === null ? {} : {sourceUrl: optional.sourceUrl}),
  };
}

/** Source and vintage; where the source states none, the retrieval date is the vintage (`docs/design/parcels.md` section 1). */
function stated({sourceId, vintage, vintageBasis, retrievedAt}: ProvenanceFacts) {
  const day = vintage ?? retrievedAt?.slice(0, 10) ?? "unknown";
  return {source: sourceId, vintage: day, vintageBasis: vintage === null ? "retrieved" : vintageBasis};
}

/** A member that one fact lacks cannot be taken back from the default: it is given to all facts or to none. */
function sharedMembers(origins: readonly Origin[], row: ParcelRow) {
  const oneSource = new Set(origins.map(({provenance}) => provenance.sourceId)).size === 1;
  return {
    retrievedAt: origins.every(({provenance}) => provenance.retrievedAt !== null),
    sourceUrl: oneSource ? row.text("source_url") : null,
  };
}

type FactOrigin = Origin & {readonly row: ParcelRow; readonly flags: readonly string[]};

function methodsOf(name: string, fact: Fact, {row, flags, provenance, entry}: FactOrigin): number[] {
  const methods = kindMethods(fact, row, entry);
  if (entry !== undefined && fact.column !== null && isJoined(entry, fact.column))
    methods.push(methodFactors.joined);
  if (flags.some((flag) => contradictedBy[flag]?.(name, fact) === true))
    methods.push(methodFactors.contradicted);
  if (provenance.proposedMap) methods.push(methodFactors.proposedMap);
  return methods;
}

function kindMethods({kind, column}: Fact, row: ParcelRow, entry: SourceEntry | undefined): number[] {
  switch (kind) {
    case "parsed":
      return [methodFactors.parsed];
    case "area":
    case "squareFeet":
      return areaMethods(kind, row, entry);
    case "point":
      return [
        row.text("point_method") === "source_point" ? methodFactors.sourcePoint : methodFactors.centroid,
      ];
    case "category": {
      const confidence = row.text("land_use_category") === null ? null : row.number("land_use_confidence");
      return confidence === null ? [] : [Math.round(confidence * 10_000)];
    }
    case "verbatim":
      // A town or ZIP that the source does not give was read from its address line.
      return isRead(column, entry) ? [methodFactors.parsed] : [];
  }
}

function isRead(column: string | null, entry: SourceEntry | undefined): boolean {
  const place = column === "city" || column === "zip" || column === "zip_plus_four";
  return place && entry !== undefined && !isMapped(entry, column);
}

function areaMethods(kind: "area" | "squareFeet", row: ParcelRow, entry: SourceEntry | undefined): number[] {
  if (row.text("acres_basis") === "computed") return [methodFactors.computedArea];
  const asPrinted = kind === "area" ? "acres" : "sqft";
  return entry?.area?.unit === asPrinted ? [] : [methodFactors.parsed];
}

function mostShared(entries: ReadonlyMap<string, ProvenanceEntry>): ProvenanceEntry {
  const byEntry = new Map<ProvenanceEntry, number>();
  for (const entry of entries.values()) byEntry.set(entry, (byEntry.get(entry) ?? 0) + 1);
  // Two rows of the provenance table may say the same on the wire.
  const byText = new Map<string, {entry: ProvenanceEntry; count: number}>();
  for (const [entry, count] of byEntry) {
    const text = JSON.stringify(entry);
    const known = byText.get(text) ?? {entry, count: 0};
    known.count += count;
    byText.set(text, known);
  }
  // Maps keep the order of first use, and a later entry has to be shared by more facts to win.
  return [...byText.values()].reduce((best, next) => (next.count > best.count ? next : best)).entry;
}

function difference(usual: ProvenanceEntry, entry: ProvenanceEntry): Partial<ProvenanceEntry> {
  const differing = Object.entries(entry).filter(
    ([member, value]) => usual[member as keyof ProvenanceEntry] !== value,
  );
  return Object.fromEntries(differing) as Partial<ProvenanceEntry>;
}
