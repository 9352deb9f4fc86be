import type {Point} from "../../lib/geography/distance.ts";
import type {ArrowTable} from "../../lib/storage/arrow-table/open.ts";
import {rowChecks} from "../../lib/storage/row-checksum.ts";
import {findSorted, pointReader, required} from "./record-measures.ts";
import type {MappedTable} from "./record-tables.ts";

/** One evidence object as it is served, with what the envelope needs from it. */
export type Evidence = {sources: string[]; sourceDate: string | null; limitations: string[]; text: string};

/** A ZIP with a point of its area, its primary county, and the method by which that county was found. */
export type ZipPlace = {
  zip: string;
  point: Point | null;
  countyFips: string | null;
  method: string;
  /** Counties by share of the ZIP area's land, largest first; empty where no relationship file was read. */
  counties: readonly {county_fips: string; share: number}[];
};

/** A signal of `context` as its JSON text, or one that is left out: with its age, or with null where no licence lets it out. */
export type ContextItem = {signal: string} & (
  | {text: string; sourceId: string}
  | {text: null; ageDays: number | null}
);

/**
 * Reads evidence by id; null for an id that the build does not have. Throws a `DamagedFileError` for one that is not as it was
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
  // The search through the sorted ids costs more than all other reading of an evidence, so a row that was found is kept.
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

/** Reads the place of a ZIP; null for one without an area, and for every ZIP where the build has no table of them. */
export function zipReader(table: ArrowTable | null): (zip: string) => ZipPlace | null {
  if (table === null) return () => null;
  const [zips, county, point] = [required(table, "zip"), table.string("county_fips"), pointReader(table)];
  const method = required(table, "method");
  // A build made before shares were read has no such column.
  const counties = table.has("counties") ? required(table, "counties") : () => "[]";
  return (zip) => {
    const row = findSorted(table.rows, zips, zip);
    if (row < 0) return null;
    const shares = JSON.parse(counties(row)) as ZipPlace["counties"];
    return {zip, point: point(row), countyFips: county.at(row), method: method(row), counties: shares};
  };
}

/** Reads the newest source date that history has for an endpoint and a state or county; null where it has none. */
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

/** Reads the signals of a state or county, in the order of the file. */
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

/** Reads the registry entries of source ids as JSON texts, in the order of the ids; without the file there are none. */
export function sourceEntryReader(table: ArrowTable | null): (ids: readonly string[]) => string[] {
  if (table === null) return () => [];
  const [id, entry] = [required(table, "id"), required(table, "entry")];
  const entries = new Map(Array.from({length: table.rows}, (_, row) => [id(row), entry(row)]));
  return (ids) => ids.flatMap((wanted) => entries.get(wanted) ?? []);
}
