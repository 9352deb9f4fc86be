import type {Database} from "../../../lib/sql/duckdb.ts";
import {quarantineColumns, reportIssueColumns} from "../../../schemas/report-issue.ts";
import {
  replacedEventColumns,
  reportListColumns,
  saleEventColumns,
  summaryEventColumns,
  venueSeenColumns,
} from "../../../schemas/sale-event.ts";
import {ddlOf, type MarketColumn} from "../../../schemas/vocabulary/market-column.ts";
import {priceRowColumns} from "../../../schemas/vocabulary/price-row.ts";

/** The normalised market tables: filled by reading, input of the answers. */
export const marketTables: Readonly<Record<string, readonly MarketColumn[]>> = {
  price_rows: priceRowColumns,
  price_rows_superseded: priceRowColumns,
  report_issues: reportIssueColumns,
  sale_events: saleEventColumns,
  summary_events: summaryEventColumns,
  replaced_events: replacedEventColumns,
  venues_seen: venueSeenColumns,
  report_list: reportListColumns,
  quarantine: quarantineColumns,
};

/** Creates the normalised tables, empty, replacing those of the same names. */
export async function createMarketTables(db: Database): Promise<void> {
  for (const [name, columns] of Object.entries(marketTables)) {
    // An earlier reading left its price rows as temporary views, which would hide the tables.
    await db.run(`DROP VIEW IF EXISTS temp.${name}`);
    await db.run(`CREATE OR REPLACE TABLE ${name} (${ddlOf(columns)})`);
  }
}
