import type {AnswerContext} from "../../../lib/market/evidence.ts";
import type {AnyModel} from "../../../lib/models/model.ts";
import type {ModelRun} from "../../../lib/models/model-run.ts";
import {onOneThread} from "../../../lib/sql/duckdb.ts";
import type {MarketSource} from "../../../schemas/market-source.ts";
import type {Venue} from "../../../schemas/vocabulary/venue.ts";
import type {VenueId} from "../reference/venue-ids.ts";
import {type ListFile, listFiles} from "../signals/lists/list-reader.ts";
import {sale_cells} from "./aggregates.ts";
import {answerContext} from "./answer-context.ts";
import {barn_comparison} from "./barn-comparison.ts";
import {barns, listedContradictions, venue_schedules} from "./barn-records.ts";
import {county_estimate_contributors, county_prices} from "./county-prices.ts";
import {dealers} from "./dealer-records.ts";
import {indicators, weight_curves} from "./indicators.ts";
import {issue_cells} from "./issue-cells.ts";
import {keptVenueIds, venue_ids} from "./kept-venue-ids.ts";
import {last_known} from "./last-known.ts";
import {latest_prices} from "./latest-records.ts";
import {mandatory_prices} from "./mandatory-prices.ts";
import {previousDir} from "./previous-build.ts";
import {evidence} from "./record-evidence.ts";
import {reporter_trends} from "./reporter-trends.ts";
import {sale_pens} from "./sale-pens.ts";
import {state_weeks} from "./sold-issues.ts";
import {sources} from "./sources.ts";
import {state_prices} from "./state-prices.ts";
import {venue_status_history} from "./status-history.ts";
import type {ListedContradictions} from "./venue-contradictions.ts";
import {county_places, marketVenues, venue_places} from "./venue-places.ts";
import {venueAsOf} from "./venue-status.ts";

type AnswerInputs = {
  readonly context: AnswerContext & {readonly registry: readonly MarketSource[]};
  readonly venues: readonly Venue[];
  readonly previousDir: string | null;
  /** Contradictions between rosters of venues and the registry. */
  readonly listed?: ListedContradictions;
  readonly lists?: readonly ListFile[];
  /** Ids of venues in earlier builds. */
  readonly keptIds?: readonly VenueId[];
};

/** The tables of the answers, which are written to files. */
export const answerModels: readonly AnyModel[] = [
  county_places,
  venue_places,
  county_prices,
  county_estimate_contributors,
  issue_cells,
  state_prices,
  latest_prices,
  mandatory_prices,
  barns,
  venue_schedules,
  venue_status_history,
  venue_ids,
  dealers,
  reporter_trends,
  sale_pens,
  indicators,
  weight_curves,
  barn_comparison,
  sources,
  evidence,
  last_known,
];

/** Makes all answer tables from the normalised ones. */
export async function makeAnswers(run: ModelRun, inputs: AnswerInputs): Promise<void> {
  const {context, listed = new Map(), lists = [], keptIds = []} = inputs;
  run
    .give(answerContext, context)
    .give(previousDir, inputs.previousDir)
    .give(
      marketVenues,
      inputs.venues.map((venue) => venueAsOf(venue, context.asOf)),
    )
    .give(listedContradictions, listed)
    .give(listFiles, lists)
    .give(keptVenueIds, keptIds);
  await run.make(sale_cells, state_weeks);
  await onOneThread(run.db, () => run.make(...answerModels));
}
