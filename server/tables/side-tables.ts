import {type ArrowTable, rowChecks} from "@open-cattle/mapped-index";
import {addDays, saturdayOf} from "../../lib/dates.ts";
import {
  allRows,
  dateOrNull,
  findSorted,
  list,
  numberOrNull,
  point,
  type RowOf,
  rowReader,
  text,
  textOrNull,
} from "./mapped-columns.ts";
import type {MappedTable} from "./record-tables.ts";

const evidenceMembers = {
  sources: list("sources"),
  sourceDate: dateOrNull("source_date"),
  limitations: list("limitations"),
  text: text("evidence"),
};
/** A served evidence object, with what the envelope needs from it. */
export type Evidence = RowOf<typeof evidenceMembers>;

const zipMembers = {
  zip: text("zip"),
  point,
  countyFips: textOrNull("county_fips"),
  /** How the county was determined. */
  method: text("method"),
};
/** A ZIP with a point in its area and its primary county. */
export type ZipPlace = RowOf<typeof zipMembers> & {
  /** Counties by share of the ZIP area's land, largest first; empty if the build had no relationship file. */
  readonly counties: readonly {county_fips: string; share: number}[];
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
  const [ids, read] = [text("evidence_id")(table), rowReader(table, evidenceMembers)];
  // The binary search costs more than everything else here, so found rows are cached.
  const found = new Map<string, number>();
  return (id) => {
    const row = found.get(id) ?? findSorted(table.rows, ids, id);
    if (row < 0) return null;
    check(row);
    found.set(id, row);
    return read(row);
  };
}

/** Returns a lookup of ZIPs; null for one without an area, and for all if the build has no ZIP table. */
export function zipReader(table: ArrowTable | null): (zip: string) => ZipPlace | null {
  if (table === null) return () => null;
  const [zips, read] = [text("zip")(table), rowReader(table, zipMembers)];
  const counties = text("counties")(table);
  return (zip) => {
    const row = findSorted(table.rows, zips, zip);
    return row < 0 ? null : {...read(row), counties: JSON.parse(counties(row)) as ZipPlace["counties"]};
  };
}

/** Returns a lookup of the newest source date in the history, by endpoint and area; null if there is none. */
export function lastKnownReader(table: ArrowTable | null): (endpoint: string, area: string) => string | null {
  if (table === null) return () => null;
  const rows = allRows(table, {
    endpoint: text("endpoint"),
    area: text("area"),
    date: dateOrNull("source_date"),
  });
  const dates = new Map(rows.map(({endpoint, area, date}) => [`${endpoint} ${area}`, date]));
  return (endpoint, area) => dates.get(`${endpoint} ${area}`) ?? null;
}

const contextMembers = {
  keyType: text("key_type"),
  key: text("key"),
  signal: text("signal"),
  item: textOrNull("item"),
  ageDays: numberOrNull("age_days"),
};

/** Returns a lookup of the signals of an area or venue, in file order. */
export function contextReader(
  table: ArrowTable | null,
): (keyType: string, key: string) => readonly ContextItem[] {
  if (table === null) return () => [];
  const byKey = Map.groupBy(allRows(table, contextMembers), ({keyType, key}) => `${keyType} ${key}`);
  const items = new Map([...byKey].map(([name, rows]) => [name, rows.map(contextItem)]));
  return (keyType, key) => items.get(`${keyType} ${key}`) ?? [];
}

function contextItem({signal, item, ageDays}: RowOf<typeof contextMembers>): ContextItem {
  if (item === null) return {signal, text: null, ageDays};
  const {source_id: sourceId} = JSON.parse(item) as {source_id: string};
  return {signal, text: item, sourceId};
}

/** Returns a lookup of registry entries as JSON, in the order of the ids; empty without the file. */
export function sourceEntryReader(table: ArrowTable | null): (ids: readonly string[]) => string[] {
  if (table === null) return () => [];
  const rows = allRows(table, {id: text("id"), entry: text("entry")});
  const entries = new Map(rows.map(({id, entry}) => [id, entry]));
  return (ids) => ids.flatMap((wanted) => entries.get(wanted) ?? []);
}

/** An indicator as JSON, with the id of its evidence. */
export type IndicatorRow = {readonly text: string; readonly evidenceId: string | null};

/** Returns a lookup of the indicators of an area, `US` for the nation. It throws a `DamagedFileError` if the bytes have changed. */
export function indicatorReader({table, path}: MappedTable): (area: string) => readonly IndicatorRow[] {
  const check = rowChecks(table, ["evidence_id", "record"], path);
  const read = rowReader(table, {text: text("record"), evidenceId: textOrNull("evidence_id")});
  const areas = allRows(table, {area: text("area")}).map(({area}, row) => ({area, row}));
  const rowsOf = Map.groupBy(areas, ({area}) => area);
  return (area) =>
    (rowsOf.get(area) ?? []).map(({row}) => {
      check(row);
      return read(row);
    });
}

/** Returns a key's history as JSON texts, oldest first: this many weeks up to the week of the last sale. */
type HistoryReader = (key: string, weeks: number, lastSaleDate: string | null) => string[];

/** Every week's text starts with this, followed by its date. */
const beforeDate = '{"week_end_date":"';

/** Returns a lookup of histories, stored one week per line; empty without the file. */
export function historyReader(table: ArrowTable | null): HistoryReader {
  if (table === null) return () => [];
  const [key, weeksOf] = [text("key")(table), text("weeks")(table)];
  return (wanted, weeks, lastSaleDate) => {
    const row = lastSaleDate === null ? -1 : findSorted(table.rows, key, wanted);
    if (row < 0 || lastSaleDate === null) return [];
    // A state's newest week may still be going on: its record is of the week before.
    const last = saturdayOf(lastSaleDate);
    const before = addDays(last, -7 * weeks);
    return weeksOf(row)
      .split("\n")
      .filter((week) => {
        const day = week.slice(beforeDate.length, beforeDate.length + last.length);
        return day > before && day <= last;
      });
  };
}
