import {dayNumber} from "../../lib/dates.ts";
import type {Point} from "../../lib/geography/distance.ts";
import type {ArrowTable} from "../../lib/storage/arrow-table/open.ts";
import {rowChecks} from "../../lib/storage/row-checksum.ts";
import type {Kind} from "./parameters.ts";
import {pointReader, required} from "./record-measures.ts";

/** A key, with the row of its record. */
export type Keyed<Key> = Key & {readonly row: number};

/** A table of finished records: keys in memory in answer order, JSON texts in the mapped file. */
export type RecordTable<Key> = {
  readonly keys: readonly Keyed<Key>[];
  /**
   * JSON of a row's record, without the members that depend on the question. Throws a `DamagedFileError` if its bytes have changed since
   * they were written.
   */
  record(row: number): string;
  evidenceId(row: number): string | null;
};

/** Facts common to all price records; `importance` ranks the records of a place from 1. */
type PriceKey = Kind & {state: string; cellId: string; headline: boolean; importance: number};
export type CountyKey = PriceKey & {
  countyFips: string;
  observed: boolean;
  point: Point | null;
  lastSaleDate: string | null;
};
/** `weekEndDate` and `reportSlug` are set for official summaries, else null. */
export type StateKey = PriceKey & {
  weekEndDate: string | null;
  reportSlug: string | null;
  lastSaleDate: string | null;
};
/** `isTrade`: a video or direct trade, located by `region` and without a point. */
export type LatestKey = PriceKey & {
  isTrade: boolean;
  region: string;
  reportEndDate: string;
  venueId: string;
  ordinal: number;
  point: Point | null;
};
export type BarnKey = {
  state: string;
  countyFips: string | null;
  countyName: string | null;
  city: string;
  venueName: string;
  venueId: string;
  status: string;
  point: Point | null;
  lastSaleDate: string | null;
};
/** `total` is null if the list states none. */
export type DealerKey = {state: string; total: number | null};

/** A table with the path of its file. */
export type MappedTable = {readonly table: ArrowTable; readonly path: string};

type KeyReader<Key> = (table: ArrowTable) => (row: number) => Key;

/** Sort key of a row in an answer; ties keep file order. */
type Order<Key> = (key: Key) => readonly (string | number)[];

const NO_DATE = "1970-01-01";

/** Sorts after every code and id. */
const LAST = "~";

type Moved = {terms: number | null; weight: number | null; cells: number | null};
/**
 * What a record contributes to a summary: pounds (or head), cents times these, and the terms of its changes; null where nothing matched.
 */
export type SummarySums = {weight: number; cents: number; week: Moved; year: Moved};
/** `sums` returns what a row's record contributes to a summary, or null if it does not take part. */
type CountyTable = RecordTable<CountyKey> & {sums(row: number): SummarySums | null};

/** Opens the county prices, ordered by state and county, most important first. */
export function countyTable({table, path}: MappedTable): CountyTable {
  const order: Order<CountyKey> = ({state, countyFips, importance}) => [state, countyFips, importance];
  // Builds made before summaries existed lack the column.
  const sums = table.has("sums") ? table.string("sums") : null;
  const check = rowChecks(table, sums === null ? [] : ["sums"], path);
  return {
    ...recordTable({table, path}, countyKey, order),
    sums(row) {
      check(row);
      const text = sums?.at(row) ?? null;
      return text === null ? null : (JSON.parse(text) as SummarySums);
    },
  };
}

/** Opens the state prices, ordered by state, most important first. */
export function stateTable({table, path}: MappedTable): RecordTable<StateKey> {
  return recordTable({table, path}, stateKey, ({state, importance}) => [state, importance]);
}

/**
 * Opens the rows of latest sales, ordered by date (newest first), state, venue, cell and ordinal. Video and direct trades come after the
 * venues and are ordered by region before the cell.
 */
export function latestTable({table, path}: MappedTable): RecordTable<LatestKey> {
  return recordTable(
    {table, path},
    latestKey,
    ({isTrade, reportEndDate, state, venueId, region, cellId, ordinal}) => [
      Number(isTrade),
      -dayNumber(reportEndDate),
      state,
      venueId,
      region,
      cellId,
      ordinal,
    ],
  );
}

/** Opens the barn records, ordered by state, county and venue. */
export function barnTable({table, path}: MappedTable): RecordTable<BarnKey> {
  return {
    keys: keysOf(table, barnKey, ({state, countyFips, venueId}) => [state, countyFips ?? LAST, venueId]),
    ...texts({table, path}, {record: "barn_record", evidence: "evidence_id"}),
  };
}

/** Opens the flat directory rows of the same venues, ordered by state, city and name. */
export function directoryTable({table, path}: MappedTable): RecordTable<BarnKey> {
  return {
    keys: keysOf(table, barnKey, ({state, city, venueName, venueId}) => [state, city, venueName, venueId]),
    ...texts({table, path}, {record: "directory_record", evidence: "directory_evidence_id"}),
  };
}

/** Opens the dealer lists, ordered by state. */
export function dealerTable({table, path}: MappedTable): RecordTable<DealerKey> {
  return recordTable({table, path}, dealerKey, ({state}) => [state]);
}

function recordTable<Key>(
  {table, path}: MappedTable,
  reader: KeyReader<Key>,
  order: Order<Key>,
): RecordTable<Key> {
  return {
    keys: keysOf(table, reader, order),
    ...texts({table, path}, {record: "record", evidence: "evidence_id"}),
  };
}

function keysOf<Key>(table: ArrowTable, reader: KeyReader<Key>, order: Order<Key>): Keyed<Key>[] {
  const key = reader(table);
  return Array.from({length: table.rows}, (_, row) => ({...key(row), row}))
    .map((entry) => ({entry, rank: order(entry)}))
    .sort((a, b) => compareRanks(a.rank, b.rank))
    .map(({entry}) => entry);
}

function compareRanks(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  for (let i = 0; i < a.length; i++) {
    if (a[i]! < b[i]!) return -1;
    if (a[i]! > b[i]!) return 1;
  }
  return 0;
}

function texts({table, path}: MappedTable, columns: {record: string; evidence: string}) {
  const [id, record] = [table.string(columns.evidence), required(table, columns.record)];
  const checkRecord = rowChecks(table, [columns.record], path);
  const checkId = rowChecks(table, [columns.evidence], path);
  return {
    record(row: number) {
      checkRecord(row);
      return record(row);
    },
    evidenceId(row: number) {
      checkId(row);
      return id.at(row);
    },
  };
}

const priceKey: KeyReader<PriceKey> = (table) => {
  const [state, cellId, commodity, cattleClass] = [
    required(table, "state"),
    required(table, "cell_id"),
    required(table, "commodity"),
    required(table, "class"),
  ];
  const [headline, binLow, importance] = [
    table.flag("headline"),
    table.number("bin_low_lb"),
    table.number("importance"),
  ];
  return (row) => ({
    state: state(row),
    cellId: cellId(row),
    commodity: commodity(row),
    class: cattleClass(row),
    headline: headline.at(row) === true,
    binLow: binLow.at(row),
    importance: importance.at(row) ?? 0,
  });
};

const countyKey: KeyReader<CountyKey> = (table) => {
  const [price, countyFips, point] = [priceKey(table), required(table, "county_fips"), pointReader(table)];
  const [observed, lastSale] = [table.flag("observed"), table.date("last_sale_date")];
  return (row) => ({
    ...price(row),
    countyFips: countyFips(row),
    observed: observed.at(row) === true,
    point: point(row),
    lastSaleDate: lastSale.at(row),
  });
};

const stateKey: KeyReader<StateKey> = (table) => {
  const [price, slug] = [priceKey(table), table.string("report_slug")];
  const [weekEnd, lastSale] = [table.date("week_end_date"), table.date("last_sale_date")];
  return (row) => ({
    ...price(row),
    weekEndDate: weekEnd.at(row),
    reportSlug: slug.at(row),
    lastSaleDate: lastSale.at(row),
  });
};

const latestKey: KeyReader<LatestKey> = (table) => {
  const [price, venueId, point] = [priceKey(table), required(table, "venue_id"), pointReader(table)];
  const [date, ordinal] = [table.date("report_end_date"), table.number("row_ordinal")];
  const [scope, region] = [required(table, "report_scope"), required(table, "region")];
  return (row) => ({
    ...price(row),
    isTrade: scope(row) !== "venue",
    region: region(row),
    reportEndDate: date.at(row) ?? NO_DATE,
    venueId: venueId(row),
    ordinal: ordinal.at(row) ?? 0,
    point: point(row),
  });
};

const barnKey: KeyReader<BarnKey> = (table) => {
  const [point, lastSale] = [pointReader(table), table.date("last_reported_sale_date")];
  const [state, city, venueName] = [
    required(table, "state"),
    required(table, "city"),
    required(table, "venue_name"),
  ];
  const [venueId, status] = [required(table, "venue_id"), required(table, "status")];
  const [countyFips, countyName] = [table.string("county_fips"), table.string("county_name")];
  return (row) => ({
    state: state(row),
    countyFips: countyFips.at(row),
    countyName: countyName.at(row),
    city: city(row),
    venueName: venueName(row),
    venueId: venueId(row),
    status: status(row),
    point: point(row),
    lastSaleDate: lastSale.at(row),
  });
};

const dealerKey: KeyReader<DealerKey> = (table) => {
  const [state, record] = [required(table, "state"), required(table, "record")];
  return (row) => {
    const {total_entities: total} = JSON.parse(record(row)) as {total_entities: number | null};
    return {state: state(row), total};
  };
};
