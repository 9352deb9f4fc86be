import {model} from "../../../lib/models/model.ts";
import {quarantineColumns} from "../../../schemas/report-issue.ts";
import {namesOf} from "../../../schemas/vocabulary/market-column.ts";
import {row_rejects} from "../normalise/market-rows.ts";
import {signal_rejects} from "../signals/signal-tables.ts";

/** Everything that was kept back: price rows, and rows of signals. */
export const quarantine = model({
  name: "quarantine",
  reads: [row_rejects, signal_rejects],
  columns: quarantineColumns,
  materialise: "view",
  sql: ({row_rejects, signal_rejects}) =>
    `SELECT ${namesOf(quarantineColumns)} FROM ${row_rejects} UNION ALL SELECT ${namesOf(quarantineColumns)} FROM ${signal_rejects}`,
});
