import {findingColumns} from "../../schemas/parcel-columns.ts";
import {recordMembers} from "../../schemas/parcel-record.ts";
import {
  groupNames,
  groupOf,
  groupRanks,
  type ProvenanceGroup,
  provenanceGroups,
} from "../parcels/conform/file-cells.ts";
import type {MemoryRow} from "../parcels/memory/memory-parcel-set.ts";
import {parcelIdSpellings} from "../parcels/parcel-id/parcel-id-spellings.ts";
import type {ParcelLimitationId} from "../parcels/record/parcel-limitations.ts";
import type {ProvenanceEntry, WireProvenance} from "../parcels/record/provenance.ts";
import {
  jsonOf,
  limitationsOf,
  newestOfSources,
  ownBytes,
  type ProvenanceText,
  statesAge,
} from "../parcels/record/provenance-text.ts";
import {recordMembersOf, type StoredRecord} from "../parcels/record/stored-record.ts";
import type {RowValues} from "../storage/arrow-file/memory-table.ts";
import type {RowValue} from "../storage/arrow-file/write.ts";
import {type BaseRow, baseBox, baseColumns} from "./base-row.ts";
import type {FoundParcel} from "./found-parcel.ts";
import {mergedArea, type SplitRecord, type SplitRow} from "./merged-area.ts";

/** Columns that are always filled, so they do not show that their group is known. */
const alwaysFilled: ReadonlySet<string> = new Set(["situs_status", "owner_withheld", "geom_acres"]);

type Winners = (group: ProvenanceGroup | null) => "found" | "base";

/**
 * Merges a found parcel with its row in the dataset, as the next build will (`docs/design/parcels.md` section
 * 9). Each provenance group comes from the side with the later vintage, from the county when the vintages are
 * equal, and from the other side when the winner lacks it; the dataset keeps its ids. Null when the dataset
 * wins every group, so that its row stays unchanged.
 */
export function mergeWithBase(found: FoundParcel, record: StoredRecord, base: BaseRow): MemoryRow | null {
  const ours = splitRow(base);
  const theirs = splitRecord(record);
  const winners = winnersOf(found, ours);
  if (!groupNames.some((group) => winners(group) === "found")) return null;
  return {
    columns: mergedColumns(found.columns, base, winners),
    record: {
      ...mergedRecord(ours, {...theirs, columns: found.columns}, winners),
      sourceUrl: (winners(null) === "found" ? record : base.set.record(base.number)).sourceUrl,
      observedAt: found.observedAt,
    },
    outline: base.set.outlines === null ? undefined : {outlines: base.set.outlines, row: base.number},
  };
}

/**
 * True when a dataset row contains what was found, or something that takes precedence: it has none of the groups shown in the found
 * record that `mergeWithBase` would replace.
 */
export function holdsFound(
  {set, number}: BaseRow,
  found: FoundParcel,
  groups: ReadonlySet<ProvenanceGroup>,
): boolean {
  const base = splitRow({set, number});
  return [...groups].every((group) => {
    const rank = rankOfGroup(group, base);
    return rank !== null && rank >= rankOfFound(group, found);
  });
}

function splitRecord(record: StoredRecord): SplitRecord {
  const members = recordMembersOf(record);
  const {default: usual, fields} = JSON.parse(record.provenance.json.toString()) as WireProvenance;
  const entries = recordMembers
    .filter(({name}) => members[name] !== undefined)
    .map(({name}): [string, ProvenanceEntry] => [name, {...usual, ...fields[name]}]);
  return {members, entries: new Map(entries), limitations: new Set(record.provenance.limitations)};
}

function splitRow({set, number}: BaseRow): SplitRow {
  const record = splitRecord(set.record(number));
  const columns = {
    acres_basis: record.members["acresBasis"] as RowValue,
    situs_status: set.parcels.value("situs_status").at(number),
    geom_acres: set.parcels.value("geom_acres").at(number),
  };
  return {...record, columns};
}

function winnersOf(found: FoundParcel, ours: SplitRow): Winners {
  const foundLeads = ageText(found.provenance("default")) >= (ageOfGroup(null, ours.entries) ?? "");
  const winners = new Map(
    groupNames.map((group) => {
      if (!isFound(group, found.columns)) return [group, "base"] as const;
      const isFirst = rankOfFound(group, found) >= (rankOfGroup(group, ours) ?? "");
      return [group, isFirst ? "found" : "base"] as const;
    }),
  );
  return (group) => (group === null ? (foundLeads ? "found" : "base") : winners.get(group)!);
}

/** True when the found parcel says anything about a group; a withheld owner counts. */
function isFound(group: ProvenanceGroup, values: RowValues): boolean {
  if (group === "owner" && values["owner_withheld"] === true) return true;
  return provenanceGroups[group].some((name) => !alwaysFilled.has(name) && (values[name] ?? null) !== null);
}

/** Age of a group's facts in a record, as `ageText` formats it; null when the record has none. */
function ageOfGroup(
  group: ProvenanceGroup | null,
  entries: ReadonlyMap<string, ProvenanceEntry>,
): string | null {
  const member = recordMembers.find((each) => each.group === group && entries.has(each.name));
  return member === undefined ? null : ageText(entries.get(member.name)!);
}

/** A sort key for the rows that know a group, greatest first, as in a build: some values come before others of any vintage. */
function rankText(group: ProvenanceGroup, columns: RowValues, age: string): string {
  const rank = groupRanks[group];
  return rank === undefined ? age : `${rank.ranks[String(columns[rank.column])] ?? rank.other} ${age}`;
}

function rankOfFound(group: ProvenanceGroup, {columns, provenance}: FoundParcel): string {
  return rankText(group, columns, ageText(provenance(group)));
}

/** The sort key of a record's facts in a group; null if it has none. */
function rankOfGroup(group: ProvenanceGroup, {entries, columns}: SplitRow): string | null {
  const age = ageOfGroup(group, entries);
  return age === null ? null : rankText(group, columns, age);
}

/**
 * A sort key for vintages: a bare year counts as its first day; a retrieval date precedes all dates of its
 * year.
 */
function ageText({vintage, vintageBasis}: {vintage: string | null; vintageBasis: string}): string {
  if (vintage === null || vintageBasis === "unknown") return "";
  if (vintageBasis === "retrieved") return `${vintage.slice(0, 4)}-00-00`;
  return vintage.length === 4 ? `${vintage}-01-01` : vintage;
}

function mergedRecord(
  ours: SplitRow,
  theirs: SplitRow,
  winners: Winners,
): Pick<StoredRecord, "facts" | "provenance"> {
  const members: [string, unknown][] = [];
  const entries = new Map<string, ProvenanceEntry>();
  const winner = (group: ProvenanceGroup | null) => (winners(group) === "found" ? theirs : ours);
  const area = mergedArea(ours, theirs, winner);
  const derived: Readonly<Record<string, unknown>> = {
    altParcelIds: mergedAlts(ours.members["parcelId"], theirs.members["parcelId"], [
      ours.members["altParcelIds"],
      theirs.members["altParcelIds"],
    ]),
    flags: area.flags.length === 0 ? undefined : area.flags,
    acresComputed: area.acresComputed,
  };
  for (const {name, group} of recordMembers) {
    const side = group === null ? sideThatHas(name, ours, theirs) : winner(group);
    const value = name in derived ? derived[name] : side.members[name];
    if (value === undefined) continue;
    members.push([name, value]);
    // Facts of no group that neither record had follow the default, as the state does; a measured area follows the point.
    const like = group === null ? "state" : "latitude";
    const entry =
      winner(group).entries.get(name) ?? winner(group).entries.get(like) ?? side.entries.get(name);
    entries.set(name, area.adjusted(name, entry!));
  }
  const ids = [
    ["_id", ours.members["_id"]],
    ["parcelUid", ours.members["parcelUid"]],
  ];
  const facts = JSON.stringify(Object.fromEntries([...ids, ...members])).slice(1, -1);
  return {facts: ownBytes(facts), provenance: mergedProvenance(entries, {members, ours, theirs, winners})};
}

/** The dataset keeps its key of a parcel, even when the county spells it differently. */
function sideThatHas(name: string, ours: SplitRecord, theirs: SplitRecord): SplitRecord {
  return ours.members[name] === undefined ? theirs : ours;
}

function mergedProvenance(
  entries: ReadonlyMap<string, ProvenanceEntry>,
  {
    members,
    ours,
    theirs,
    winners,
  }: {members: [string, unknown][]; ours: SplitRecord; theirs: SplitRecord; winners: Winners},
): ProvenanceText {
  const dated = [...entries.values()].every(({retrievedAt}) => retrievedAt !== undefined);
  const equal = dated
    ? entries
    : new Map([...entries].map(([name, entry]) => [name, undated(entry)] as const));
  const sources = newestOfSources(
    [...entries.values()].map(({source, vintage, vintageBasis}) => ({
      id: source,
      vintage: vintageBasis === "unknown" ? "" : vintage,
      isRetrieval: !statesAge(vintageBasis),
    })),
  );
  const has = new Map(members);
  const owner = winners("owner") === "found" ? theirs : ours;
  const flags = new Set((has.get("flags") ?? []) as readonly string[]);
  const either = (id: ParcelLimitationId) => ours.limitations.has(id) || theirs.limitations.has(id);
  return {
    ...jsonOf(equal, sources.length === 1),
    limitations: limitationsOf({
      entries,
      isComputedArea: has.get("acresBasis") === "computed",
      partsKind: String(has.get("valuePartsKind") ?? ""),
      isContradictedArea: flags.has("area_mismatch"),
      isShared: flags.has("duplicate_id") || flags.has("shared_outline"),
      isOpenRange: flags.has("open_range_possible"),
      isPartlyRead: flags.has("partly_read"),
      isAssumed: either("P32"),
      isWithheld: owner.limitations.has("P06"),
    }),
    sources,
  };
}

function undated({retrievedAt: _, ...entry}: ProvenanceEntry): ProvenanceEntry {
  return entry;
}

/** The columns by which lookups find the merged parcel. */
function mergedColumns(foundValues: RowValues, base: BaseRow, winners: Winners): RowValues {
  const baseValues = baseColumns(base);
  const columns = findingColumns.map(({name}): [string, RowValue] => {
    const [a, b] = [foundValues[name] ?? null, baseValues[name] ?? null];
    if (name === "alt_ids")
      return [name, mergedAlts(baseValues["parcel_id"], foundValues["parcel_id"], [a, b]) ?? []];
    const group = groupOf(name);
    if (group === undefined) return [name, b ?? a];
    return [name, winners(group) === "found" ? a : b];
  });
  const box = winners("location") === "found" ? edgesOf(foundValues) : baseBox(base);
  const source = winners("owner") === "found" ? foundValues["owner_source"] : baseValues["owner_source"];
  return {...Object.fromEntries(columns), ...box, owner_source: source};
}

function edgesOf({xmin, ymin, xmax, ymax}: RowValues): RowValues {
  return {xmin, ymin, xmax, ymax};
}

/** The other ids of both records, and the number of the found one where the dataset prints another. */
function mergedAlts(
  ours: unknown,
  theirs: unknown,
  lists: readonly unknown[],
): readonly string[] | undefined {
  const tok = (id: unknown) => (typeof id === "string" ? parcelIdSpellings(id).tok : "");
  const isOther = typeof ours === "string" && typeof theirs === "string" && tok(ours) !== tok(theirs);
  const items = lists.flatMap((list) => (Array.isArray(list) ? (list as string[]) : []));
  const alts = [...items, ...(isOther ? [theirs] : [])].filter((id) => id !== ours);
  return alts.length === 0 ? undefined : [...new Set(alts)].sort();
}
