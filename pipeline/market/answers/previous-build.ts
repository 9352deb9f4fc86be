import {existsSync} from "node:fs";
import {join} from "node:path";
import {model, value} from "../../../lib/models/model.ts";
import {parquetRelation} from "../../../lib/sql/sql-path.ts";
import {tablePath} from "../../../lib/storage/build-layout.ts";
import {type MarketFileName, marketFiles} from "../../../schemas/market-files.ts";
import {workingType} from "../../../schemas/vocabulary/described-file.ts";

/** Folder of the previous build, with which records are compared; null makes every record new. */
export const previousDir = value<string | null>("folder of the previous build");

/** A table of the previous build; missing columns are null, and without the file there are no rows. */
function previousTable<const Table extends MarketFileName>(table: Table) {
  return model({
    name: `previous_${table}`,
    columns: marketFiles[table].columns,
    materialise: "view",
    sql: async (_, run) => {
      const dir = await run.value(previousDir);
      const nulls = marketFiles[table].columns.map(
        (column) => `NULL::${workingType(column)} AS ${column.name}`,
      );
      const path = dir === null ? null : join(dir, tablePath(table));
      const rows =
        path === null || !existsSync(path) ? "" : ` UNION ALL BY NAME FROM ${parquetRelation(path)}`;
      return `SELECT ${nulls.join(", ")} WHERE false${rows}`;
    },
  });
}

export const previous_county_prices = previousTable("county_prices");
export const previous_state_prices = previousTable("state_prices");
export const previous_latest_prices = previousTable("latest_prices");
export const previous_mandatory_prices = previousTable("mandatory_prices");
export const previous_evidence = previousTable("evidence");
export const previous_issue_cells = previousTable("issue_cells");
export const previous_barns = previousTable("barns");
export const previous_dealers = previousTable("dealers");
export const previous_venue_status_history = previousTable("venue_status_history");
