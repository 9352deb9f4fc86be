import type {AnswerContext} from "../../../lib/market/evidence.ts";
import {type Database, onOneThread} from "../../../lib/sql/duckdb.ts";
import {type Evidence, evidenceTable} from "../../../schemas/market-evidence.ts";
import {dealerFields} from "../../../schemas/market-fields/dealer.ts";
import {recordText} from "../../../schemas/market-fields/market-field.ts";
import {columnName, marketFiles} from "../../../schemas/market-files.ts";
import type {MarketSource} from "../../../schemas/market-source.ts";
import type {Venue} from "../../../schemas/vocabulary/venue.ts";
import type {ModelRun} from "../models/model-run.ts";
import {fillTable} from "../records/record-table.ts";
import {sale_cells} from "./aggregates.ts";
import {venueEvidence} from "./barn-evidence.ts";
import {type BarnRecords, fillBarns, makeBarns} from "./barn-records.ts";
import {makeCellChanges} from "./changes.ts";
import {makeCorrectedSales} from "./corrected-sales.ts";
import {makeCountyPrices} from "./county-prices.ts";
import type {DealerRecord} from "./dealer-records.ts";
import {evidenceGroups} from "./evidence-rows.ts";
import {readExcludedRows} from "./excluded-rows.ts";
import type {VenueContacts} from "./implications.ts";
import {makeLatestPrices} from "./latest-records.ts";
import {priceEvidence} from "./price-evidence.ts";
import {readSecondSources} from "./second-sources.ts";
import {state_weeks} from "./sold-issues.ts";
import {makeStatePrices} from "./state-prices.ts";
import type {ListedContradictions} from "./venue-contradictions.ts";
import {makePlaces} from "./venue-places.ts";
import {makeStatusHistory, venueAsOf} from "./venue-status.ts";

type AnswerInputs = {
  readonly context: AnswerContext & {readonly registry: readonly MarketSource[]};
  readonly venues: readonly Venue[];
  readonly previousDir: string | null;
  /** Contradictions between rosters of venues and the registry. */
  readonly listed?: ListedContradictions;
  readonly dealers?: readonly DealerRecord[];
};

/**
 * Makes all answer tables from the normalised tables, in the order of `docs/design/market.md`: cells, figures, records, and
 * their evidence.
 */
export async function makeAnswers(run: ModelRun, inputs: AnswerInputs): Promise<void> {
  const {db} = run;
  const {context, previousDir, listed = new Map(), dealers = []} = inputs;
  const venues = inputs.venues.map((venue) => venueAsOf(venue, context.asOf));
  await run.make(sale_cells, state_weeks);
  await onOneThread(db, async () => {
    await makePlaces(db, venues);
    await makeCellChanges(db);
    await makeCorrectedSales(db, previousDir);
    await makeCountyPrices(db, previousDir);
    await makeStatePrices(db, previousDir);
    await makeLatestPrices(db, previousDir);
    const barns = await makeBarns(db, venues, {asOf: context.asOf, previousDir, listed});
    await fillBarns(db, barns);
    await makeStatusHistory(db, previousDir);
    const counts = dealers.map(({row}) => row);
    const record = `${recordText(dealerFields, "dealer")} AS record`;
    await fillTable(db, "dealers", marketFiles.dealers.columns, counts, [record]);
    await fillSources(db, context.registry);
    const contacts = new Map(venues.map((venue) => [venue.venueId, venue]));
    await fillEvidence(db, {context, contacts, barns, dealers});
    await makeLastKnown(db);
  });
}

/** Fills `sources`, with each source's entry as answers show it. */
async function fillSources(db: Database, registry: readonly MarketSource[]): Promise<void> {
  const entry = ["id", "name", "type", "role", "citationBoundary", "terms"]
    .map((member) => `'"${member}":' || to_json(${columnName(member)})`)
    .join(` || ',' || `);
  const rows = registry.map((source) =>
    Object.fromEntries(Object.entries(source).map(([member, value]) => [columnName(member), value])),
  );
  await fillTable(db, "sources", marketFiles.sources.columns, rows, [`'{' || ${entry} || '}' AS entry`]);
}

type EvidenceSources = {
  context: AnswerContext;
  contacts: VenueContacts;
  barns: readonly BarnRecords[];
  dealers: readonly DealerRecord[];
};

/** Makes `evidence` for all records. JavaScript computes it one piece at a time. */
async function fillEvidence(
  db: Database,
  {context, contacts, barns, dealers}: EvidenceSources,
): Promise<void> {
  const inputs = {
    context,
    contacts,
    excluded: await readExcludedRows(db),
    secondSources: await readSecondSources(db),
  };
  async function* pieces(): AsyncGenerator<Evidence> {
    for (const record of ["county", "state", "latest"] as const)
      for await (const rows of evidenceGroups(db, record)) yield priceEvidence(rows, inputs);
    for (const made of barns) yield* venueEvidence(made, context);
    for (const {evidence} of dealers) yield evidence;
  }
  const text = `${recordText(evidenceTable, "evidence")} AS evidence`;
  await fillTable(db, "evidence", marketFiles.evidence.columns, pieces(), [text]);
}

/**
 * Makes `last_known`, for answers without rows: the newest report date in history per endpoint and area (state code, county
 * FIPS code, or an empty text for everywhere).
 */
async function makeLastKnown(db: Database): Promise<void> {
  await db.run(`
    CREATE OR REPLACE TABLE last_known AS
    WITH dated AS (
      SELECT p.state, v.county_fips, p.report_scope, p.day
      FROM (SELECT state, venue_id, report_scope, max(report_end_date) AS day FROM price_rows GROUP BY ALL) AS p
      LEFT JOIN venue_counties AS v USING (venue_id)
    ), areas AS (
      SELECT ['price-by-county', 'latest-prices', 'barns', 'cattle-sale-barn-directory'] AS endpoints, county_fips AS area, day
      FROM dated WHERE county_fips IS NOT NULL
      UNION ALL
      SELECT ['price-by-county', 'latest-prices', 'barns', 'cattle-sale-barn-directory'], unnest([state, '']), day
      FROM dated WHERE report_scope IN ('venue', 'video_internet') AND state IS NOT NULL
      UNION ALL
      SELECT ['price-by-state'], unnest([state, '']), day FROM dated
      WHERE report_scope IN ('venue', 'state_summary') AND state IS NOT NULL
    )
    SELECT endpoint, area, max(day) AS source_date
    FROM (SELECT unnest(endpoints) AS endpoint, area, day FROM areas) GROUP BY ALL ORDER BY ALL`);
}
