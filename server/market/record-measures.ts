import {existsSync} from "node:fs";
import {join} from "node:path";
import {z} from "zod";
import {openDatabase, sqlText} from "../../lib/sql/duckdb.ts";
import {parquetRelation} from "../../lib/sql/sql-path.ts";
import {tablePath} from "../../lib/storage/build-layout.ts";

/** The measures of `docs/design/market.md` section 7 shown on the terminal; all of them are in the table `derived_measures`. */
const shownMeasures = ["value_of_gain", "slide", "seasonal_index"] as const;

/** One measure of a sale at a venue, for a cell of an answer. */
export type RecordMeasure = {
  readonly measure: (typeof shownMeasures)[number];
  readonly venue_id: string;
  readonly venue_name: string;
  readonly city: string | null;
  readonly state: string;
  readonly report_end_date: string;
  readonly cell_id: string;
  readonly to_cell_id: string | null;
  readonly month: number | null;
  /** Unrounded, in `unit`; null when `reason` explains why. */
  readonly value: number | null;
  readonly unit: string;
  readonly head_count: number | null;
  readonly to_head_count: number | null;
  readonly reason: string | null;
};

/** The members that locate a price record and name its cell. A venue's record names the venue; a trade may have no state. */
const Placed = z.looseObject({
  records: z.array(
    z.looseObject({
      // Lines of mandatory reports have no cell.
      cell_id: z.string().nullish(),
      // Video and direct trades have no place and no measures.
      state: z.string().nullish(),
      county_fips: z.string().nullish(),
      venue_id: z.string().nullish(),
    }),
  ),
});

/**
 * Returns the measures for the cells of a price answer at the venues of its areas (the venue itself, or all of the county or state), in
 * record order, newest sale first. Empty for a build without the tables.
 */
export async function recordMeasures(buildDir: string, answer: unknown): Promise<RecordMeasure[]> {
  const [measures, venues] = ["derived_measures", "barns"].map((table) => join(buildDir, tablePath(table)));
  const records = Placed.parse(answer).records.filter(({cell_id}) => cell_id != null);
  if (records.length === 0 || !existsSync(measures!) || !existsSync(venues!)) return [];
  const wanted = records.map(({cell_id, state, county_fips, venue_id}, n) => {
    const values = [cell_id, state, county_fips, venue_id];
    return `(${[n, ...values.map((value) => (value == null ? "NULL::VARCHAR" : sqlText(value)))].join(", ")})`;
  });
  using db = await openDatabase();
  return await db.rows<RecordMeasure>(`
    WITH wanted(n, cell_id, state, county_fips, venue_id) AS (VALUES ${wanted.join(", ")})
    SELECT d.measure, d.venue_id, v.venue_name, v.city, v.state, d.report_end_date, d.cell_id, d.to_cell_id, d.month, d.value,
      d.unit, d.head_count, d.to_head_count, d.reason
    FROM ${parquetRelation(measures!)} d
      JOIN ${parquetRelation(venues!)} v ON v.venue_id = d.venue_id
      JOIN wanted w ON w.cell_id = d.cell_id AND CASE WHEN w.venue_id IS NOT NULL THEN w.venue_id = v.venue_id
        WHEN w.county_fips IS NOT NULL THEN w.county_fips = v.county_fips ELSE w.state = v.state END
    WHERE d.measure IN (${shownMeasures.map(sqlText).join(", ")})
    GROUP BY ALL ORDER BY min(w.n), d.report_end_date DESC, d.venue_id, d.measure, d.month`);
}
