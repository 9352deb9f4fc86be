import {type County, countyOf} from "../../../lib/geography/counties.ts";
import {limitations} from "../../../lib/limitations.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import type {Evidence} from "../../../schemas/market-evidence.ts";
import type {CountyPrice} from "../../../schemas/market-records.ts";
import {type Aggregate, aggregateWindows} from "./aggregates.ts";
import {widenedWindowDays, windowDays} from "./bounds.ts";
import type {ChangeBook} from "./changes.ts";
import {countyClaim, type NamedCounty} from "./claims.ts";
import {countyCoverage} from "./confidence.ts";
import type {AnswerContext} from "./evidence.ts";
import {type LeftOutBook, leftOutLimitations} from "./left-out.ts";
import {meanMethod, pooledEvidence} from "./pooled-evidence.ts";
import type {Earlier} from "./previous.ts";
import {
  type Area,
  changesOfVenues,
  type Finished,
  judged,
  pooledMembers,
  unroundedOf,
} from "./price-record.ts";

/** County records with their evidence. */
export type CountyAnswer = {finished: Finished<CountyPrice>; evidence: Evidence};

export type CountyInputs = {
  context: AnswerContext;
  changes: ChangeBook;
  leftOut: LeftOutBook;
  earlier: Earlier;
};

type CountyRow = Aggregate & {county_fips: string};

/**
 * The `observed_in_county` records, by county and cell: they pool what the county's located venues sold in the last 14
 * days, or in the last 28 where the cell is thin.
 */
export async function observedCountyPrices(db: Database, inputs: CountyInputs): Promise<CountyAnswer[]> {
  const where = "report_scope = 'venue' AND report_program = 'voluntary' AND county_fips IS NOT NULL";
  const rows = await aggregateWindows(db, ["county_fips"], where, {
    issues: "(SELECT * FROM current_issues JOIN venue_counties USING (venue_id))",
  });
  return rows.flatMap(({row, widened}) => {
    const county = countyOf(row.county_fips);
    return county === undefined ? [] : [observedAnswer(row, county, widened, inputs)];
  });
}

/** The area members of a county. */
export function areaOf(county: County): Area {
  return {
    county_fips: county.fips,
    county_name: county.fullName,
    state: county.state,
    county_vintage: county.vintage,
  };
}

/** Sentences that hold for every figure of a county. */
function countyLimitations(county: County): string[] {
  return [limitations.L02, ...(county.vintage === null ? [] : [limitations.L19])];
}

function observedAnswer(
  row: CountyRow,
  county: County,
  widened: boolean,
  {context, changes, leftOut, earlier}: CountyInputs,
): CountyAnswer {
  const days = widened ? widenedWindowDays : windowDays;
  const moved = changesOfVenues(changes, row);
  const recordKey = [county.fips, row.cell_id, row.first_date, row.last_date].join("|");
  const {record, valueHash} = judged<CountyPrice>(
    {
      ...pooledMembers(row, areaOf(county), {days, widened}, moved, context.asOf),
      price_basis: "observed_in_county",
    },
    {evidenceId: `pc-${county.fips}-${row.cell_id}`, recordKey, earlier},
  );
  const found = leftOut.of({county: county.fips, cell: row.cell_id, maxAge: days});
  const evidence = pooledEvidence(context, row, record, {
    claim: countyClaim(row, record, placeOf(county)),
    entities: countyEntities(county, row.cell_id, row.venue_ids, row.issue_ids),
    method: meanMethod(row),
    computed: true,
    coverage: countyCoverage(row.venues),
    limits: [...countyLimitations(county), ...leftOutLimitations(found)],
    implication: "Compare head count, sale dates and weights with the venues' own rows in the latest prices.",
    contradictions: found.length === 0 ? null : found,
  });
  const finished = {record, headline: row.headline, recordKey, valueHash, unrounded: unroundedOf(row)};
  return {finished, evidence};
}

/** A county as claims name it. */
export function placeOf({fullName, state, fips}: County): NamedCounty {
  return {name: fullName, state, fips};
}

/** Entity ids of a county figure. */
export function countyEntities(
  county: County,
  cell: string,
  venues: readonly string[],
  issues: readonly string[],
): string[] {
  return [
    `county:${county.fips}`,
    `state:${county.state}`,
    `cell:${cell}`,
    ...venues.map((venue) => `venue:${venue}`),
    ...issues.map((issue) => `report:${issue}`),
  ];
}
