import type {Database} from "../../../lib/sql/duckdb.ts";
import {reportListColumns} from "../../../schemas/sale-event.ts";
import {ddlOf} from "../../../schemas/vocabulary/market-column.ts";
import {model} from "../models/model.ts";

/** The publisher's list of reports, which has titles and markets but no prices. */
export const report_list = model({name: "report_list", columns: reportListColumns, materialise: "table"});

/** Creates the tables that reading fills beside the staged rows, empty. */
export async function createMarketTables(db: Database): Promise<void> {
  await db.run(`CREATE OR REPLACE TABLE report_list (${ddlOf(reportListColumns)})`);
}
