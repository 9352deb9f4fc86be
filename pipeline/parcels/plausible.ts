import {type Database, sqlName} from "../../lib/sql/duckdb.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";

/** The numbers of `docs/design/fetching.md` section 5, in the order of its rules. */
export const firstPull = {
  /** Least number of rows, areas or codes of which anything is judged: a handful proves nothing. */
  judgedRows: 1000,
  /** Least share of rows with a number of their own: the lines of one parcel are several, a wrong column repeats itself. */
  leastDistinct: 0.5,
  /** Least share of rows with a place, for a layer with outlines. */
  leastPlaced: 0.5,
  /** Stated areas of a source in the unit of its entry are near those of its outlines. */
  leastAreaRatio: 0.5,
  mostAreaRatio: 2,
  /** Least share of printed codes that the code systems of the entry know. */
  leastKnownCodes: 0.5,
} as const;

type Figures = {
  rows: number;
  ids: number;
  points: number;
  areas: number;
  ratio: number | null;
  codes: number;
  known: number;
};

/**
 * Gives the reason for which rows of a source that nobody has read cannot be what its entry says, as a sentence with what came and
 * what was expected: numbers that repeat, rows without a place, areas that outlines contradict, codes that no table knows. Null
 * where they are plausible, for an entry that real rows prove, and for few rows (`docs/design/fetching.md` section 5).
 */
export async function implausible(
  db: Database,
  {entry, table}: {entry: ParcelSource; table: string},
): Promise<string | null> {
  if (entry.verified !== false || entry.accept.rows.length > 0) return null;
  const [figures] = await db.rows<Figures>(
    `SELECT count(*)::INTEGER AS rows, count(DISTINCT parcel_uid)::INTEGER AS ids, count(lon)::INTEGER AS points,
       count(*) FILTER (acres > 0 AND geom_acres > 0 AND acres_basis IS DISTINCT FROM 'computed')::INTEGER AS areas,
       median(acres / geom_acres) FILTER (acres > 0 AND geom_acres > 0 AND acres_basis IS DISTINCT FROM 'computed') AS ratio,
       count(use_code)::INTEGER AS codes, count(land_use_category) FILTER (use_code IS NOT NULL)::INTEGER AS known
     FROM ${sqlName(table)} WHERE _reject IS NULL`,
  );
  return figures === undefined || figures.rows < firstPull.judgedRows ? null : firstFault(entry, figures);
}

function firstFault({id, area, use}: ParcelSource, found: Figures): string | null {
  const percent = (part: number, all: number) => `${((100 * part) / all).toFixed(1)} %`;
  const {judgedRows, leastDistinct, leastPlaced, leastAreaRatio, mostAreaRatio, leastKnownCodes} = firstPull;
  if (found.ids < leastDistinct * found.rows)
    return `implausible: ${found.ids} different parcel numbers in ${found.rows} rows of ${id}; expected nearly as many as rows. Correct "ids.raw".`;
  if (found.points < leastPlaced * found.rows)
    return `implausible: ${percent(found.points, found.rows)} of the rows of ${id} have a point; expected at least ${leastPlaced * 100} %.`;
  const {ratio} = found;
  if (found.areas >= judgedRows && ratio !== null && (ratio < leastAreaRatio || ratio > mostAreaRatio))
    return `implausible: stated areas of ${id} are ${ratio.toFixed(2)} times those of the outlines; expected about 1. Correct "area.unit" (${area?.unit}).`;
  if (
    (use?.systems.length ?? 0) > 0 &&
    found.codes >= judgedRows &&
    found.known < leastKnownCodes * found.codes
  )
    return `implausible: ${percent(found.known, found.codes)} of the use codes of ${id} are known to ${use?.systems.join(", ")}; expected at least ${leastKnownCodes * 100} %. Correct "use".`;
  return null;
}
