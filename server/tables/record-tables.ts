import {type ArrowTable, rowChecks} from "@open-cattle/mapped-index";
import {dayNumber} from "../../lib/dates.ts";
import {
  allRows,
  dateOrNull,
  flag,
  list,
  type Members,
  mapped,
  numberOrNull,
  point,
  type RowOf,
  text,
  textOrNull,
} from "./mapped-columns.ts";

/** A key, with the row of its record. */
export type Keyed<Key> = Key & {readonly row: number};
/** A chosen record, with its miles from the place of the question; null without a place. */
export type Placed<Key> = {readonly key: Keyed<Key>; readonly miles: number | null};

/** What kind of cattle a price record is about; `binLow` is null for cells without a weight bin. */
export type Kind = {readonly commodity: string; readonly class: string; readonly binLow: number | null};

/** Tests a record's kind. */
export type KindTest = (kind: Kind) => boolean;

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
const priceMembers = {
  state: text("state"),
  cellId: text("cell_id"),
  commodity: text("commodity"),
  class: text("class"),
  headline: flag("headline"),
  /** Null for cells without a weight bin. */
  binLow: numberOrNull("bin_low_lb"),
  importance: mapped(numberOrNull("importance"), (rank) => rank ?? 0),
};

const countyMembers = {
  ...priceMembers,
  countyFips: text("county_fips"),
  observed: flag("observed"),
  point,
  lastSaleDate: dateOrNull("last_sale_date"),
};
export type CountyKey = RowOf<typeof countyMembers>;

/** `weekEndDate` and `reportSlug` are set for official summaries, else null. */
const stateMembers = {
  ...priceMembers,
  weekEndDate: dateOrNull("week_end_date"),
  reportSlug: textOrNull("report_slug"),
  lastSaleDate: dateOrNull("last_sale_date"),
};
export type StateKey = RowOf<typeof stateMembers>;

const latestMembers = {
  ...priceMembers,
  /** A video or direct trade, located by `region` and without a point. */
  isTrade: mapped(text("report_scope"), (scope) => scope !== "venue"),
  region: text("region"),
  reportEndDate: mapped(dateOrNull("report_end_date"), (day) => day ?? "1970-01-01"),
  venueId: text("venue_id"),
  ordinal: mapped(numberOrNull("row_ordinal"), (ordinal) => ordinal ?? 0),
  point,
};
export type LatestKey = RowOf<typeof latestMembers>;

const barnMembers = {
  state: text("state"),
  countyFips: textOrNull("county_fips"),
  countyName: textOrNull("county_name"),
  city: text("city"),
  venueName: text("venue_name"),
  venueId: text("venue_id"),
  /** Other names and former ids. */
  aliases: mapped(text("barn_record"), aliasesOf),
  status: text("status"),
  point,
  lastSaleDate: dateOrNull("last_reported_sale_date"),
};
export type BarnKey = RowOf<typeof barnMembers>;

/** None of a record with a wrong byte, which is told when it is served (B11). */
function aliasesOf(record: string): readonly string[] {
  try {
    return (JSON.parse(record) as {aliases?: string[]}).aliases ?? [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

const dealerMembers = {
  state: text("state"),
  scope: mapped(text("record"), (record) => (JSON.parse(record) as {list_scope: string | null}).list_scope),
  /** Null if the list states none. */
  total: mapped(
    text("record"),
    (record) => (JSON.parse(record) as {total_entities: number | null}).total_entities,
  ),
};
export type DealerKey = RowOf<typeof dealerMembers>;

const mandatoryMembers = {
  regionStates: list("region_states"),
  commodity: text("commodity"),
  class: text("class"),
  /** Mandatory reports name no weight of cattle. */
  binLow: () => () => null,
};
export type MandatoryKey = RowOf<typeof mandatoryMembers>;

/** A table with the path of its file. */
export type MappedTable = {readonly table: ArrowTable; readonly path: string};

/** Sort key of a row in an answer; ties keep file order. */
type Order<Key> = (key: Key) => readonly (string | number)[];

/** Sorts after every code and id. */
const LAST = "~";

/** Opens the county prices, ordered by state and county, most important first. */
export function countyTable(file: MappedTable): RecordTable<CountyKey> {
  return recordTable(file, countyMembers, ({state, countyFips, importance}) => [
    state,
    countyFips,
    importance,
  ]);
}

/** Opens the state prices, ordered by state, most important first. */
export function stateTable(file: MappedTable): RecordTable<StateKey> {
  return recordTable(file, stateMembers, ({state, importance}) => [state, importance]);
}

/**
 * Opens the rows of latest sales, ordered by date (newest first), state, venue, cell and ordinal. Video and direct trades come after the
 * venues and are ordered by region before the cell.
 */
export function latestTable(file: MappedTable): RecordTable<LatestKey> {
  return recordTable(file, latestMembers, (key) => {
    const {isTrade, reportEndDate, state, venueId, region, cellId, ordinal} = key;
    return [Number(isTrade), -dayNumber(reportEndDate), state, venueId, region, cellId, ordinal];
  });
}

/** Opens the barn records, ordered by state, county and venue. */
export function barnTable(file: MappedTable): RecordTable<BarnKey> {
  const columns = {record: "barn_record", evidence: "evidence_id"};
  const order: Order<BarnKey> = ({state, countyFips, venueId}) => [state, countyFips ?? LAST, venueId];
  return recordTable(file, barnMembers, order, columns);
}

/** Opens the flat directory rows of the same venues, ordered by state, city and name. */
export function directoryTable(file: MappedTable): RecordTable<BarnKey> {
  const columns = {record: "directory_record", evidence: "directory_evidence_id"};
  const order: Order<BarnKey> = ({state, city, venueName, venueId}) => [state, city, venueName, venueId];
  return recordTable(file, barnMembers, order, columns);
}

/** Opens the dealer lists, ordered by state. */
export function dealerTable(file: MappedTable): RecordTable<DealerKey> {
  return recordTable(file, dealerMembers, ({state}) => [state]);
}

/** Opens the lines of mandatory reports, most important first. */
export function mandatoryTable(file: MappedTable): RecordTable<MandatoryKey> {
  return recordTable(file, mandatoryMembers, () => []);
}

function recordTable<From extends Members>(
  {table, path}: MappedTable,
  from: From,
  order: Order<RowOf<From>>,
  columns = {record: "record", evidence: "evidence_id"},
): RecordTable<RowOf<From>> {
  const [record, evidenceId] = [text(columns.record)(table), textOrNull(columns.evidence)(table)];
  const checkRecord = rowChecks(table, [columns.record], path);
  const checkId = rowChecks(table, [columns.evidence], path);
  return {
    keys: allRows(table, from)
      .map((key, row) => ({key: {...key, row}, rank: order(key)}))
      .sort((a, b) => compareRanks(a.rank, b.rank))
      .map(({key}) => key),
    record(row) {
      checkRecord(row);
      return record(row);
    },
    evidenceId(row) {
      checkId(row);
      return evidenceId(row);
    },
  };
}

function compareRanks(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  for (let i = 0; i < a.length; i++) {
    if (a[i]! < b[i]!) return -1;
    if (a[i]! > b[i]!) return 1;
  }
  return 0;
}
