import {asOfSql, build_facts} from "../../../lib/models/build-facts.ts";
import {model} from "../../../lib/models/model.ts";
import {marketFiles} from "../../../schemas/market-files.ts";
import {barns} from "./barn-records.ts";
import {previous_venue_status_history} from "./previous-build.ts";

/**
 * The periods of each venue's status: those of earlier builds, which are never rewritten, and of this one. A changed status starts a
 * new period, on the date of its statement if that is after the start of the last period, else on the date of this build.
 */
export const venue_status_history = model({
  name: "venue_status_history",
  reads: [previous_venue_status_history, barns, build_facts],
  columns: marketFiles.venue_status_history.columns,
  materialise: "table",
  sql: () => `
    WITH latest AS (
      SELECT DISTINCT ON (venue_id) venue_id, from_date, status FROM previous_venue_status_history ORDER BY venue_id, from_date DESC NULLS LAST
    )
    FROM previous_venue_status_history UNION ALL
    SELECT venue_id, CASE WHEN l.venue_id IS NULL OR status_since > coalesce(l.from_date, '-infinity'::DATE) THEN status_since
      ELSE ${asOfSql} END, b.status, status_reason
    FROM barns AS b LEFT JOIN latest AS l USING (venue_id) WHERE l.status IS DISTINCT FROM b.status`,
});
