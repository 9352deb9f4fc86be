import type {Point} from "../../../lib/geography/distance.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import type {Evidence} from "../../../schemas/market-evidence.ts";
import type {CountyPrice, LatestPrice, StatePrice} from "../../../schemas/market-records.ts";
import type {Venue} from "../../../schemas/venue.ts";
import {makeSaleCells} from "./aggregates.ts";
import {barnEvidence, directoryEvidence} from "./barn-evidence.ts";
import {readBarnFigures} from "./barn-figures.ts";
import {type BarnMade, makeBarn} from "./barns.ts";
import {makeCellRows} from "./cells.ts";
import {readChanges} from "./changes.ts";
import {type CountyInputs, observedCountyPrices} from "./county-prices.ts";
import {estimatedAnswer} from "./estimated-counties.ts";
import {type Estimate, makeEstimates} from "./estimates.ts";
import type {AnswerContext} from "./evidence.ts";
import {latestPrices} from "./latest-prices.ts";
import {readLeftOut} from "./left-out.ts";
import {
  type Earlier,
  type EarlierPrice,
  readEarlierBarns,
  readEarlierPrices,
  readEarlierRows,
} from "./previous.ts";
import type {Finished} from "./price-record.ts";
import {readSecondSources, type SecondSources} from "./second-sources.ts";
import {statePrices} from "./state-prices.ts";
import {readStatusHistory, type StatusPeriod, statusHistory} from "./status-history.ts";
import {countyTombstone, latestTombstone, missedAreas, missedRows, stateTombstone} from "./tombstones.ts";
import {venueAsOf} from "./venue-as-of.ts";
import type {ListedContradictions} from "./venue-contradictions.ts";
import {makeVenueCounties, type VenueFacts} from "./venue-facts.ts";

/** Everything that the market answers with, in memory: records, their evidence, and what estimates rest on. */
export type Answers = {
  counties: Finished<CountyPrice>[];
  states: Finished<StatePrice>[];
  latest: Finished<LatestPrice>[];
  barns: BarnMade[];
  statusHistory: StatusPeriod[];
  estimates: Estimate[];
  evidence: Evidence[];
};

type AnswerInputs = {
  context: AnswerContext;
  venues: readonly Venue[];
  facts: ReadonlyMap<string, VenueFacts>;
  previousDir: string | null;
  /** Contradictions between rosters of venues and the registry. */
  listed?: ListedContradictions;
};

/** Makes all answers from the normalised tables, in the order of `docs/design/market.md`: cells, figures, answers. */
export async function makeAnswers(db: Database, inputs: AnswerInputs): Promise<Answers> {
  const {context, facts, previousDir} = inputs;
  const venues = inputs.venues.map((venue) => venueAsOf(venue, context.asOf));
  await makeCellRows(db, context.asOf);
  await makeSaleCells(db);
  await makeVenueCounties(db, facts);
  const shared = {
    context,
    changes: await readChanges(db),
    leftOut: await readLeftOut(db),
    seconds: await readSecondSources(db),
    previousDir,
  };
  const counties = await countyAnswers(db, shared, facts);
  const states = await stateAnswers(db, shared, venues);
  const latest = await latestAnswers(db, shared, facts);
  const barns = await barnAnswers(db, venues, inputs);
  return {
    counties: counties.finished,
    states: states.finished,
    latest: latest.finished,
    barns,
    statusHistory: statusHistory(barns, await readStatusHistory(db, previousDir), context.asOf),
    estimates: counties.estimates,
    evidence: [
      ...counties.evidence,
      ...states.evidence,
      ...latest.evidence,
      ...barns.flatMap((made) => [directoryEvidence(made, context), barnEvidence(made, context)]),
    ],
  };
}

type SharedInputs = Omit<CountyInputs, "earlier"> & {
  seconds: SecondSources;
  previousDir: string | null;
};

async function countyAnswers(db: Database, shared: SharedInputs, facts: ReadonlyMap<string, VenueFacts>) {
  const {context, previousDir: before} = shared;
  const earlier = await readEarlierPrices(db, before, "county_prices");
  const inputs = {...shared, earlier};
  const observed = await observedCountyPrices(db, inputs);
  const present = new Set(observed.map(({finished}) => placeAndCell(finished.record)));
  const missed = await readEarlierRows(
    db,
    before,
    "county_prices",
    missedAreas(earlier, present, context.asOf),
  );
  const withdrawn = missed.map((row) => countyTombstone(context, row));
  for (const {finished} of withdrawn) present.add(placeAndCell(finished.record));
  const estimates = await makeEstimates(db, pointsOf(facts), present);
  const estimated = estimates.map((found) => estimatedAnswer(found, inputs));
  const priced = [...observed, ...withdrawn, ...estimated];
  return {
    finished: priced.map(({finished}) => finished),
    evidence: priced.map(({evidence}) => evidence),
    estimates,
  };
}

function placeAndCell({county_fips, cell_id}: CountyPrice): string {
  return `${county_fips}|${cell_id}`;
}

function pointsOf(facts: ReadonlyMap<string, VenueFacts>): Map<string, Point> {
  const points = new Map<string, Point>();
  for (const {venueId, point} of facts.values()) if (point !== null) points.set(venueId, point);
  return points;
}

async function stateAnswers(db: Database, shared: SharedInputs, venues: readonly Venue[]) {
  const {context, previousDir: before} = shared;
  const earlier = await readEarlierPrices(db, before, "state_prices");
  const open = venues.filter((venue) => !venue.statements.some(({status}) => status === "closed"));
  const venuesKnown = new Map(
    [...Map.groupBy(open, ({state}) => state)].map(([state, all]) => [state, all.length]),
  );
  const answers = await statePrices(db, {...shared, earlier, venuesKnown});
  const present = new Set(answers.map(({finished: {record}}) => `${record.state}|${record.cell_id}`));
  const missed = await readEarlierRows(
    db,
    before,
    "state_prices",
    missedAreas(earlier, present, context.asOf),
  );
  const all = [...answers, ...missed.map((row) => stateTombstone(context, row))];
  return {finished: all.map(({finished}) => finished), evidence: all.map(({evidence}) => evidence)};
}

async function latestAnswers(db: Database, shared: SharedInputs, facts: ReadonlyMap<string, VenueFacts>) {
  const {context, previousDir: before} = shared;
  const earlier: Earlier<EarlierPrice> = await readEarlierPrices(db, before, "latest_prices");
  const answers = await latestPrices(db, {
    ...shared,
    earlier,
    venues: facts,
  });
  const finished = answers.flatMap((answer) => answer.finished);
  const present = new Set(finished.map(({recordKey}) => recordKey));
  const latestSale = new Map(finished.map(({record}) => [record.venue_id, record.report_end_date]));
  const keys = missedRows(earlier, present, latestSale, context.asOf);
  const missed = await readEarlierRows(db, before, "latest_prices", keys);
  const withdrawn = missed.map((row, index) => latestTombstone(context, row, index));
  return {
    finished: [...finished, ...withdrawn.map((answer) => answer.finished)],
    evidence: [...answers, ...withdrawn].map(({evidence}) => evidence),
  };
}

async function barnAnswers(
  db: Database,
  venues: readonly Venue[],
  inputs: AnswerInputs,
): Promise<BarnMade[]> {
  const {asOf} = inputs.context;
  const listed = inputs.listed ?? new Map();
  const figures = await readBarnFigures(db, asOf);
  const earlier = await readEarlierBarns(db, inputs.previousDir);
  return venues.map((venue) => makeBarn(venue, figures.get(venue.venueId), {asOf, earlier, listed}));
}
