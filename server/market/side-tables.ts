import type {ArrowTable} from "../../lib/storage/arrow-table/open.ts";
import type {ContextItem, MarketArtifacts, ZipPlace} from "./artifacts.ts";
import {pointReader, required} from "./columns.ts";

/** Evidence by id; null for an id that the build does not have. */
export function evidenceReader(table: ArrowTable): MarketArtifacts["evidence"] {
  const ids = required(table, "evidence_id");
  const [sources, dates, limits] = [
    table.list("sources"),
    table.date("source_date"),
    table.list("limitations"),
  ];
  const text = required(table, "evidence");
  // Evidence that was asked for once is found at once: reading its way through the sorted ids costs more than the rest.
  const found = new Map<string, number>();
  return (id) => {
    const row = found.get(id) ?? findSorted(table.rows, ids, id);
    if (row >= 0) found.set(id, row);
    return row < 0
      ? null
      : {
          sources: sources.at(row) ?? [],
          sourceDate: dates.at(row),
          limitations: limits.at(row) ?? [],
          text: text(row),
        };
  };
}

/** ZIPs with their places; none where the build has no table of them. */
export function zipReader(table: ArrowTable | null): MarketArtifacts["zip"] {
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

/** Newest dates of history by endpoint and area. */
export function lastKnownReader(table: ArrowTable | null): MarketArtifacts["lastKnown"] {
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

/** Signals by what they belong to. */
export function contextReader(table: ArrowTable | null): MarketArtifacts["context"] {
  if (table === null) return () => [];
  const [keyType, key, item] = [required(table, "key_type"), required(table, "key"), required(table, "item")];
  const items = new Map<string, ContextItem[]>();
  for (let row = 0; row < table.rows; row++) {
    const text = item(row);
    const {source_id: sourceId} = JSON.parse(text) as {source_id: string};
    const name = `${keyType(row)} ${key(row)}`;
    items.set(name, [...(items.get(name) ?? []), {text, sourceId}]);
  }
  return (wantedType, wantedKey) => items.get(`${wantedType} ${wantedKey}`) ?? [];
}

/** Row of a text in a column that is sorted by code points and unique, or -1. Ids and ZIPs are plain ASCII. */
function findSorted(rows: number, at: (row: number) => string, wanted: string): number {
  let [low, high] = [0, rows - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const value = at(middle);
    if (value === wanted) return middle;
    if (value < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
