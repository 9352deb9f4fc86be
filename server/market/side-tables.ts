import type {Point} from "../../lib/geography/distance.ts";
import type {ArrowTable} from "../../lib/storage/arrow-table/open.ts";
import {rowChecks} from "../../lib/storage/row-checksum.ts";
import {findSorted, pointReader, required} from "./record-measures.ts";
import type {MappedTable} from "./record-tables.ts";

/** A served evidence object, with what the envelope needs from it. */
export type Evidence = {sources: string[]; sourceDate: string | null; limitations: string[]; text: string};

/** A ZIP with a point in its area, its primary county, and how that county was determined. */
export type ZipPlace = {
  zip: string;
  point: Point | null;
  countyFips: string | null;
  method: string;
  /** Counties by share of the ZIP area's land, largest first; empty if the build had no relationship file. */
  counties: readonly {county_fips: string; share: number}[];
};

/** A context signal as JSON, or one left out: with its age if stale, with null if no licence permits showing it. */
export type ContextItem = {signal: string} & (
  | {text: string; sourceId: string}
  | {text: null; ageDays: number | null}
);

/**
 * Returns a lookup of evidence by id; null for an unknown id. It throws a `DamagedFileError` if the bytes have changed since they were
 * written.
 */
export function evidenceReader({table, path}: MappedTable): (id: string) => Evidence | null {
  const check = rowChecks(table, ["evidence_id", "sources", "limitations", "evidence"], path);
  const ids = required(table, "evidence_id");
  const [sources, dates, limits] = [
    table.list("sources"),
    table.date("source_date"),
    table.list("limitations"),
  ];
  const text = required(table, "evidence");
  // The binary search costs more than everything else here, so found rows are cached.
  const found = new Map<string, number>();
  return (id) => {
    const row = found.get(id) ?? findSorted(table.rows, ids, id);
    if (row < 0) return null;
    check(row);
    found.set(id, row);
    return {
      sources: sources.at(row) ?? [],
      sourceDate: dates.at(row),
      limitations: limits.at(row) ?? [],
      text: text(row),
    };
  };
}

/** Returns a lookup of ZIPs; null for one without an area, and for all if the build has no ZIP table. */
export function zipReader(table: ArrowTable | null): (zip: string) => ZipPlace | null {
  if (table === null) return () => null;
  const [zips, county, point] = [required(table, "zip"), table.string("county_fips"), pointReader(table)];
  const method = required(table, "method");
  // Builds made before shares existed lack the column.
  const counties = table.has("counties") ? required(table, "counties") : () => "[]";
  return (zip) => {
    const row = findSorted(table.rows, zips, zip);
    if (row < 0) return null;
    const shares = JSON.parse(counties(row)) as ZipPlace["counties"];
    return {zip, point: point(row), countyFips: county.at(row), method: method(row), counties: shares};
  };
}

/** Returns a lookup of the newest source date in the history, by endpoint and area; null if there is none. */
export function lastKnownReader(table: ArrowTable | null): (endpoint: string, area: string) => string | null {
  if (table === null) return () => null;
  const [endpoint, area, date] = [
    required(table, "endpoint"),
    required(table, "area"),
    table.date("source_date"),
  ];
  const dates = new Map<string, string | null>();
  for (let row = 0; row < table.rows; row++) dates.set(`${endpoint(row)} ${area(row)}`, date.at(row));
  return (wantedEndpoint, wantedArea) => dates.get(`${wantedEndpoint} ${wantedArea}`) ?? null;
}

/** Returns a lookup of the signals of an area or venue, in file order. */
export function contextReader(
  table: ArrowTable | null,
): (keyType: string, key: string) => readonly ContextItem[] {
  if (table === null) return () => [];
  const [keyType, key, signal] = [
    required(table, "key_type"),
    required(table, "key"),
    required(table, "signal"),
  ];
  const [texts, ages] = [table.string("item"), table.number("age_days")];
  const items = new Map<string, ContextItem[]>();
  for (let row = 0; row < table.rows; row++) {
    const name = `${keyType(row)} ${key(row)}`;
    const text = texts.at(row);
    const item = text === null ? {text, ageDays: ages.at(row)} : servedItem(text);
    items.set(name, [...(items.get(name) ?? []), {signal: signal(row), ...item}]);
  }
  return (wantedType, wantedKey) => items.get(`${wantedType} ${wantedKey}`) ?? [];
}

function servedItem(text: string): {text: string; sourceId: string} {
  const {source_id: sourceId} = JSON.parse(text) as {source_id: string};
  return {text, sourceId};
}

/** Returns a lookup of registry entries as JSON, in the order of the ids; empty without the file. */
export function sourceEntryReader(table: ArrowTable | null): (ids: readonly string[]) => string[] {
  if (table === null) return () => [];
  const [id, entry] = [required(table, "id"), required(table, "entry")];
  const entries = new Map(Array.from({length: table.rows}, (_, row) => [id(row), entry(row)]));
  return (ids) => ids.flatMap((wanted) => entries.get(wanted) ?? []);
}
