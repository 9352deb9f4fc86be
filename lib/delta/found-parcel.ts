import type {DeltaUpsert} from "../../schemas/delta-record.ts";
import {factColumns} from "../../schemas/parcel-columns.ts";
import type {ColumnKind} from "../../schemas/vocabulary/described-file.ts";
import type {ProvenanceGroup} from "../parcels/conform/file-cells.ts";
import {landUseOf} from "../parcels/conform/parsed-use.ts";
import type {ProvenanceFacts} from "../parcels/record/provenance.ts";
import type {RowValues} from "../storage/arrow-file/memory-table.ts";
import type {RowValue} from "../storage/arrow-file/write.ts";

/** A parcel returned by a county service, with the provenance of its facts. */
export type FoundParcel = {
  /** Keyed by the names of `schemas/parcel-columns.ts`, plus `owner_source`; missing values are null. */
  readonly columns: RowValues;
  provenance(group: ProvenanceGroup | "default"): ProvenanceFacts;
  /** When the county service returned it. */
  readonly observedAt: string;
};

/**
 * Builds the parcel of a delta record, for lookups and builds: known columns with valid values, and the facts
 * of its key.
 */
export function foundParcel(record: DeltaUpsert): FoundParcel {
  return {
    columns: {...columnsOfRecord(record), owner_source: record.provenance.sourceId},
    provenance: (group) => provenanceOf(record, group),
    observedAt: record.observedAt,
  };
}

/**
 * The columns of a record's row, without unknown columns and invalid values. The land use is classified from
 * the record's facts by `landUseOf`, as for the row of a file.
 */
export function columnsOfRecord({row, landUse, key, country, parcelUid}: DeltaUpsert): RowValues {
  const known = factColumns.flatMap(({name, kind}) => {
    const value = row[name];
    return value !== undefined && value !== null && fits[kind](value) ? [[name, value as RowValue]] : [];
  });
  const base = {situs_status: "blank", owner_withheld: false, flags: [], county_name: key.county};
  const flags = Array.isArray(row["flags"]) ? row["flags"] : [];
  return {
    ...base,
    ...Object.fromEntries(known),
    ...(landUse === undefined ? {} : derivedUse(landUse, row)),
    ...(flags.includes("open_range_possible") ? {open_range_possible: true} : {}),
    // Records stored before uids were upper-cased keep the county's letter case.
    parcel_uid: uidOf(parcelUid, key.county),
    country,
    state: key.state,
    county_key: key.county,
  };
}

/** The land-use columns; without a published code or description, method and code system stay unset. */
function derivedUse(
  {facts, systems}: NonNullable<DeltaUpsert["landUse"]>,
  row: DeltaUpsert["row"],
): RowValues {
  const {category, method, confidence, codeSystem, isVacantLand} = landUseOf({facts, systems});
  const isPublished = fits.text(row["use_code"]) || fits.text(row["use_description"]);
  const columns: RowValues = {
    land_use_category: category,
    land_use_confidence: category === null ? null : confidence,
    land_use_method: isPublished ? method : null,
    use_code_system: isPublished ? codeSystem : null,
    is_vacant_land: isVacantLand,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== null));
}

/** Upper-cases the uid, except the key of a parcel without a number: `~` and a digest. */
function uidOf(uid: string, county: string): string {
  return uid.startsWith(`${county}-~`) ? uid : uid.toUpperCase();
}

/** The provenance of one group of the record's facts, or the default. */
export function provenanceOf(
  {provenance, groups = {}, proposedMap}: DeltaUpsert,
  group: ProvenanceGroup | "default",
): ProvenanceFacts {
  return {...provenance, ...(group === "default" ? {} : groups[group]), proposedMap};
}

const isText = (value: unknown) => typeof value === "string" && value !== "";
const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);
const isInteger = (value: unknown) => Number.isSafeInteger(value);

const fits: Record<ColumnKind, (value: unknown) => boolean> = {
  text: isText,
  dictionary: isText,
  list: (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
  float64: isNumber,
  float32: isNumber,
  int32: isInteger,
  int16: isInteger,
  bool: (value) => typeof value === "boolean",
  money: isNumber,
  date: (value) => typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value),
};
