import {parcelColumns} from "../../schemas/parcel-columns.ts";
import {groupNames, groupOf, type ProvenanceGroup, provenanceGroups} from "../parcels/conform/groups.ts";
import type {MemoryRow} from "../parcels/memory/memory-parcel-set.ts";
import type {RowValues} from "../parcels/memory/memory-table.ts";
import type {Outlines} from "../parcels/outlines.ts";
import type {ParcelRow, ProvenanceFacts} from "../parcels/parcel-row.ts";
import type {RowValue} from "../storage/arrow-file/write-rows.ts";

/** The row of the dataset for the same parcel as a found one. */
export type BaseRow = {readonly row: ParcelRow; readonly number: number; readonly outlines: Outlines | null};

/** Columns that always have a value, so that it alone does not make their group known. */
const silent: ReadonlySet<string> = new Set(["situs_status", "owner_withheld", "geom_acres"]);
const united: ReadonlySet<string> = new Set(["alt_ids", "alt_ids_std", "flags"]);
/** Columns of the dataset's key of a parcel, which stays even if the county spells it otherwise. */
const identity: ReadonlySet<string> = new Set([
  "parcel_uid",
  "country",
  "state",
  "county_key",
  "county_name",
  "parcel_id",
  "parcel_id_tok",
  "parcel_id_std",
  "parcel_id_loose",
]);

/**
 * A found parcel united with its row in the dataset, as the next build will unite them (`docs/design/parcels.md` section 9).
 * Each provenance group comes from the side with the later vintage, or from the county on equal ones, and from the other side
 * when the winner lacks it. Null when the dataset's row wins every group and so stays as it is.
 */
export function mergeWithBase(found: MemoryRow, base: BaseRow): MemoryRow | null {
  const baseColumns = columnsOf(base.row);
  const winners = new Map(groupNames.map((group) => [group, winnerOf(group, found, base.row, baseColumns)]));
  if (![...winners.values()].includes("found")) return null;
  const foundLeads = isNotOlder(found.provenance("default"), base.row.provenance("default"));
  const values = Object.fromEntries(
    parcelColumns.map(({name}): [string, RowValue] => {
      const [a, b] = [found.columns[name] ?? null, baseColumns[name] ?? null];
      if (united.has(name)) return [name, unitedList(a, b)];
      if (identity.has(name)) return [name, b ?? a];
      const group = groupOf(name);
      const isFound = group === undefined ? foundLeads : winners.get(group) === "found";
      if (group !== undefined) return [name, isFound ? a : b];
      return [name, isFound ? (a ?? b) : (b ?? a)];
    }),
  );
  return {
    columns: values,
    provenance(group) {
      const isFound = group === "default" ? foundLeads : winners.get(group) === "found";
      return isFound ? found.provenance(group) : base.row.provenance(group);
    },
    ...(found.observedAt === undefined ? {} : {observedAt: found.observedAt}),
    outline: base.outlines === null ? undefined : {outlines: base.outlines, row: base.number},
  };
}

/**
 * True when a row of the dataset holds the facts of a found parcel or newer ones: no group of it is older than the same
 * group of the found parcel.
 */
export function holdsFound(row: ParcelRow, found: MemoryRow): boolean {
  return groupNames.every(
    (group) => !isKnown(group, found.columns) || isNotOlder(row.provenance(group), found.provenance(group)),
  );
}

function winnerOf(
  group: ProvenanceGroup,
  found: MemoryRow,
  base: ParcelRow,
  baseColumns: RowValues,
): "found" | "base" {
  if (!isKnown(group, found.columns)) return "base";
  if (!isKnown(group, baseColumns)) return "found";
  return isNotOlder(found.provenance(group), base.provenance(group)) ? "found" : "base";
}

function isKnown(group: ProvenanceGroup, values: RowValues): boolean {
  if (group === "owner" && values["owner_withheld"] === true) return true;
  return provenanceGroups[group].some((name) => !silent.has(name) && (values[name] ?? null) !== null);
}

function isNotOlder(a: ProvenanceFacts, b: ProvenanceFacts): boolean {
  return ageText(a) >= ageText(b);
}

/** A text by which vintages sort. A bare year sorts as its first day, a date of retrieval before all others of its year. */
function ageText({vintage, vintageBasis}: ProvenanceFacts): string {
  if (vintage === null) return "";
  if (vintageBasis === "retrieved") return `${vintage.slice(0, 4)}-00-00`;
  return vintage.length === 4 ? `${vintage}-01-01` : vintage;
}

function columnsOf(row: ParcelRow): RowValues {
  return Object.fromEntries(
    parcelColumns
      .filter(({name}) => !name.startsWith("prov_"))
      .map(({name, kind}): [string, RowValue] => {
        if (kind === "list") return [name, row.list(name)];
        if (kind === "bool") return [name, row.flag(name)];
        if (kind === "date") return [name, row.date(name)];
        return [name, kind === "text" || kind === "dictionary" ? row.text(name) : row.number(name)];
      }),
  );
}

function unitedList(a: RowValue, b: RowValue): readonly string[] {
  const items = [a, b].flatMap((list) => (Array.isArray(list) ? (list as string[]) : []));
  return [...new Set(items)].sort();
}
