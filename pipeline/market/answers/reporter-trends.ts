import {model} from "../../../lib/models/model.ts";
import {marketFiles} from "../../../schemas/market-files.ts";
import {namesOf} from "../../../schemas/vocabulary/market-column.ts";
import {sale_events, summary_events} from "../normalise/sale-events.ts";

const {columns} = marketFiles.reporter_trends;
const trendColumns = columns.slice(6);
const form = JSON.stringify([Object.fromEntries(trendColumns.map(({name, type}) => [name, type]))]);

/** What reporters say of the market: a row for each statement of the current issues. */
export const reporter_trends = model({
  name: "reporter_trends",
  reads: [sale_events, summary_events],
  columns,
  materialise: "table",
  sql: () => `
  WITH said AS (
    SELECT DISTINCT ON (issue_id) issue_id, report_slug, report_end_date, venue_id, state, reporter FROM (
      SELECT issue_id, report_slug, report_end_date, venue_id, state, reporter FROM sale_events
      UNION ALL SELECT issue_id, report_slug, week_end_date, NULL, state, reporter FROM summary_events)
    WHERE reporter IS NOT NULL ORDER BY issue_id, venue_id
  ), listed AS (
    SELECT * EXCLUDE (reporter), from_json(json_extract(reporter, '$.trend'), '${form}') AS trend FROM said
  ), numbered AS (
    SELECT * EXCLUDE (trend), unnest(trend) AS entry, unnest(range(1, len(trend) + 1))::INTEGER AS ordinal FROM listed
  )
  SELECT ${namesOf(columns)} FROM (SELECT * EXCLUDE (entry), unnest(entry) FROM numbered)`,
});
