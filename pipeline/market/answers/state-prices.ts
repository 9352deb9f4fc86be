import {saturdayOf} from "../../../lib/dates.ts";
import {stateOf} from "../../../lib/geography/states.ts";
import {coverageLimitation, limitations} from "../../../lib/limitations.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import type {Contradiction, Evidence} from "../../../schemas/market-evidence.ts";
import type {StatePrice} from "../../../schemas/market-records.ts";
import type {Aggregate} from "./aggregates.ts";
import {windowDays} from "./bounds.ts";
import type {ChangeBook} from "./changes.ts";
import {stateClaim} from "./claims.ts";
import {rollupCoverage} from "./confidence.ts";
import {rollupVsSummary, togetherFound} from "./contradictions.ts";
import type {AnswerContext} from "./evidence.ts";
import {type LeftOutBook, leftOutLimitations} from "./left-out.ts";
import {meanMethod, type PooledTelling, pooledEvidence} from "./pooled-evidence.ts";
import type {Earlier} from "./previous.ts";
import {
  changesOfVenues,
  type Finished,
  judged,
  pooledMembers,
  type Unjudged,
  unroundedOf,
} from "./price-record.ts";
import type {SecondSources} from "./second-sources.ts";
import {readStateRows, type StateRow, type SummaryRow} from "./state-rows.ts";

type StateAnswer = {finished: Finished<StatePrice>; evidence: Evidence};

type StateInputs = {
  context: AnswerContext;
  changes: ChangeBook;
  leftOut: LeftOutBook;
  earlier: Earlier;
  seconds: SecondSources;
  /** Venues of each state in the directory, all statuses but closed. */
  venuesKnown: ReadonlyMap<string, number>;
};

/**
 * One record per (state, cell): the official summary's own figures where the state has one of the last 14 days, else a
 * pounds-weighted roll-up of the state's venues. Never both: one population per number. Ordered by state and cell.
 */
export async function statePrices(db: Database, inputs: StateInputs): Promise<StateAnswer[]> {
  const rows = await readStateRows(db);
  return rows.map((row) => ("official" in row ? officialAnswer(row, inputs) : rollupAnswer(row, inputs)));
}

function officialAnswer({official, rollup, ...receipts}: SummaryRow, inputs: StateInputs): StateAnswer {
  const {context, changes, leftOut, seconds, venuesKnown} = inputs;
  const {report_slug: slug} = official;
  const week = saturdayOf(official.last_date);
  const moved = changes.changes([
    {market: official.report_slug, date: official.last_date, cell: official.cell_id},
  ]);
  const members: Unjudged<StatePrice> = {
    ...pooledMembers(official, areaOf(official.state), {days: null, widened: false}, moved, context.asOf),
    price_basis: "official_state_summary",
    venues_reporting: null,
    first_sale_date: official.report_begin_date,
    week_begin_date: official.report_begin_date,
    week_end_date: official.last_date,
    venues_known: venuesKnown.get(official.state) ?? 0,
    ...receipts,
    report_slug: official.report_slug,
  };
  const found = leftOut.of({
    report: official.report_slug,
    date: official.last_date,
    cell: official.cell_id,
    maxAge: windowDays,
  });
  const short = receipts.receipts !== null && (official.head ?? 0) < receipts.receipts;
  return finish(official, members, inputs, {
    entities: [],
    method: "official_summary",
    computed: official.row_count > 1 || official.price_unit === "per_cwt",
    coverage: 1,
    limits: [limitations.L18, ...(short ? [limitations.L08] : []), ...leftOutLimitations(found)],
    implication: "Compare with the latest prices of the state's venues, which the summary pools.",
    contradictions: togetherFound(
      found.length === 0 ? null : found,
      checkAgainst(official, rollup),
      seconds.price(slug, week, official.cell_id),
      seconds.event(slug, week),
    ),
  });
}

function rollupAnswer({row, widened, days}: StateRow, inputs: StateInputs): StateAnswer {
  const {context, changes, leftOut, venuesKnown} = inputs;
  const known = Math.max(venuesKnown.get(row.state) ?? 0, row.venues);
  const moved = changesOfVenues(changes, row);
  const members: Unjudged<StatePrice> = {
    ...pooledMembers(row, areaOf(row.state), {days, widened}, moved, context.asOf),
    price_basis: "derived_rollup",
    week_begin_date: null,
    week_end_date: null,
    venues_known: known,
    receipts: null,
    receipts_prior: null,
    receipts_year_ago: null,
    report_slug: null,
  };
  const found = leftOut.of({state: row.state, cell: row.cell_id, maxAge: days});
  return finish(row, members, inputs, {
    entities: row.venue_ids.map((venue) => `venue:${venue}`),
    method: meanMethod(row),
    computed: true,
    coverage: rollupCoverage(row.venues),
    limits: [coverageLimitation(row.venues, known), ...leftOutLimitations(found)],
    implication: "Compare with neighbouring states and with the share of venues that reported.",
    contradictions: found.length === 0 ? null : found,
  });
}

type StateTelling = Omit<PooledTelling, "claim">;
type StateAggregate = Aggregate & {state: string};

function finish(
  row: StateAggregate,
  members: Unjudged<StatePrice>,
  {context, earlier}: StateInputs,
  telling: StateTelling,
): StateAnswer {
  const recordKey = [row.state, row.cell_id, members.first_sale_date, members.last_sale_date].join("|");
  const {record, valueHash} = judged<StatePrice>(members, {
    evidenceId: `ps-${row.state}-${row.cell_id}`,
    recordKey,
    earlier,
  });
  const evidence = pooledEvidence(context, row, record, {
    ...telling,
    claim: stateClaim(row, record, stateOf(row.state)?.name ?? row.state),
    entities: [
      `state:${row.state}`,
      `cell:${row.cell_id}`,
      ...row.issue_ids.map((issue) => `report:${issue}`),
      ...telling.entities,
    ],
  });
  const finished = {record, headline: row.headline, recordKey, valueHash, unrounded: unroundedOf(row)};
  return {finished, evidence};
}

/**
 * Null when our venues had nothing (or too little) of the cell in the summary's own period, and where they lack head of it: then
 * markets that the summary pools are missing, and there is nothing to check against.
 */
function checkAgainst(official: SummaryRow["official"], rollup: Aggregate | null): Contradiction[] | null {
  if (
    rollup === null ||
    rollup.thin ||
    official.thin ||
    rollup.price === null ||
    official.price === null ||
    (rollup.head ?? 0) < (official.head ?? 0)
  ) {
    return null;
  }
  return rollupVsSummary(
    {
      price: official.price,
      source: official.source_ids[0] ?? "ams-lmr-datamart",
      ref: official.issue_ids.join(" "),
    },
    {price: rollup.price, ref: rollup.issue_ids.join(" ")},
    official.price_unit,
  );
}

function areaOf(state: string) {
  return {county_fips: null, county_name: null, state, county_vintage: null};
}
