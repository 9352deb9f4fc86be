import type {Database} from "../../../lib/sql/duckdb.ts";
import type {FileReport} from "../../../schemas/build-report.ts";
import type {VenueFacts} from "./venue-facts.ts";

/**
 * Adds to the report of each file the venues that its price rows name and the registry does not know, with the place at which
 * they were located.
 */
export async function withUnregisteredVenues(
  db: Database,
  reports: readonly FileReport[],
  facts: ReadonlyMap<string, VenueFacts>,
): Promise<FileReport[]> {
  const rows = await db.rows<{path: string; venue_id: string}>(`
    SELECT DISTINCT source_path AS path, venue_id FROM price_rows
    WHERE venue_id IN (SELECT venue_id FROM venues_seen GROUP BY venue_id HAVING NOT bool_or(registered))
    ORDER BY path, venue_id`);
  const byPath = Map.groupBy(rows, ({path}) => path);
  return reports.map((report) => {
    const named = byPath.get(report.path);
    if (named === undefined) return report;
    return {...report, unregisteredVenues: named.map(({venue_id: id}) => placeWords(id, facts.get(id)))};
  });
}

function placeWords(id: string, venue: VenueFacts | undefined): string {
  const town = venue?.place ?? "no town";
  return venue?.countyFips == null
    ? `${id}: ${town}, not located`
    : `${id}: ${town}, located by its town in county ${venue.countyFips}`;
}
