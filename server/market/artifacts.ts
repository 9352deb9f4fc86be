import {existsSync} from "node:fs";
import {join} from "node:path";
import type {Point} from "../../lib/geography/distance.ts";
import {openArrowTable} from "../../lib/storage/arrow-table/open.ts";
import {mapFile} from "../../lib/storage/mapped-file.ts";
import {type CountiesNear, countiesNear} from "./nearest-counties.ts";
import {
  barnTable,
  countyTable,
  dealerTable,
  directoryTable,
  latestTable,
  stateTable,
  venuesOf,
} from "./record-tables.ts";
import {contextReader, evidenceReader, lastKnownReader, zipReader} from "./side-tables.ts";

/** A table of finished records: its keys in memory in the order of the answers, the JSON texts in the mapped file. */
export type RecordTable<Key> = {
  readonly keys: readonly (Key & {readonly row: number})[];
  /** JSON text of the record of a row, without members that depend on the question. */
  record(row: number): string;
  evidenceId(row: number): string | null;
};

export type CountyKey = {
  state: string;
  countyFips: string;
  countyName: string;
  cellId: string;
  headline: boolean;
  observed: boolean;
  point: Point | null;
};
export type StateKey = {state: string; cellId: string; headline: boolean};
export type LatestKey = {
  reportEndDate: string;
  state: string;
  venueId: string;
  cellId: string;
  ordinal: number;
  headline: boolean;
  point: Point | null;
};
export type Venue = {
  venueId: string;
  point: Point | null;
  keys: readonly (LatestKey & {readonly row: number})[];
};
export type BarnKey = {
  state: string;
  countyFips: string | null;
  countyName: string | null;
  city: string;
  venueName: string;
  venueId: string;
  status: string;
};
export type DealerKey = {state: string};

/** One evidence object as it is served, with what the envelope needs from it. */
export type Evidence = {sources: string[]; sourceDate: string | null; limitations: string[]; text: string};

/** Where a ZIP lies: a point of it, its primary county, and how that county was found. */
export type ZipPlace = {
  zip: string;
  point: Point | null;
  countyFips: string | null;
  method: string;
  /** Counties by share of the ZIP area's land, largest first; empty where no relationship file was read. */
  counties: readonly {county_fips: string; share: number}[];
};

export type ContextItem = {text: string; sourceId: string};

/** The market part of a build, opened for serving. */
export type MarketArtifacts = {
  readonly counties: RecordTable<CountyKey>;
  /** The rows of `counties` by county. */
  readonly countiesNear: CountiesNear;
  readonly states: RecordTable<StateKey>;
  readonly latest: RecordTable<LatestKey>;
  /** The rows of `latest` by venue, each venue's by cell and ordinal. */
  readonly venues: readonly Venue[];
  readonly barns: RecordTable<BarnKey>;
  /** The same rows as `barns`, with the flat records of the directory. */
  readonly directory: RecordTable<BarnKey>;
  readonly dealers: RecordTable<DealerKey>;
  evidence(id: string): Evidence | null;
  /** Null for a ZIP without an area, or where the build has no ZIP table. */
  zip(zip: string): ZipPlace | null;
  /** Newest source date that history has for an endpoint and a state or county; null when there is none. */
  lastKnown(endpoint: string, area: string): string | null;
  context(keyType: string, key: string): readonly ContextItem[];
};

/** Opens the `*.arrow` files of a build's `market` folder. Throws where one is missing, damaged or lacks a column. */
export function openMarketArtifacts(folder: string): MarketArtifacts {
  const open = (name: string) => openArrowTable(mapFile(join(folder, `${name}.arrow`)).buffer);
  const openIfAny = (name: string) => (existsSync(join(folder, `${name}.arrow`)) ? open(name) : null);
  const barns = open("barns");
  const latest = latestTable(open("latest_prices"));
  const counties = countyTable(open("county_prices"));
  return {
    counties,
    countiesNear: countiesNear(counties.keys),
    states: stateTable(open("state_prices")),
    latest,
    venues: venuesOf(latest.keys),
    barns: barnTable(barns),
    directory: directoryTable(barns),
    dealers: dealerTable(open("dealers")),
    evidence: evidenceReader(open("evidence")),
    zip: zipReader(openIfAny("zips")),
    lastKnown: lastKnownReader(openIfAny("last_known")),
    context: contextReader(openIfAny("context")),
  };
}
