import {type Database, sqlText} from "../../sql/duckdb.ts";
import type {NumberedSource} from "./same-parcel-sql.ts";

/**
 * Creates the table `aliases` (`county_key`, `_key`, `same_as`, `by_form`) from the table `meetings`: numbers of
 * one parcel share the least of them as key. A chain over several sources that would unite two numbers of one
 * source is left alone. Returns false, and creates no table, when nothing meets.
 */
export async function makeAliases(db: Database, sources: readonly NumberedSource[]): Promise<boolean> {
  if ((await db.rows("SELECT 1 FROM meetings LIMIT 1")).length === 0) return false;
  await db.run(`
    CREATE TABLE links AS SELECT county_key, key AS _key, other_key AS peer, step = 'form' AS by_form FROM meetings
      UNION SELECT county_key, other_key, key, step = 'form' FROM meetings;
    CREATE TABLE aliases AS SELECT county_key, _key, least(_key, min(peer)) AS same_as, bool_or(by_form) AS by_form FROM links GROUP BY county_key, _key`);
  // A chain has at most one link fewer than there are sources.
  for (let link = 2; link < sources.length; link++) {
    await db.run(
      `UPDATE aliases SET same_as = m.least FROM (
         SELECT l.county_key, l._key, min(a.same_as) AS least FROM links l
         JOIN aliases a ON a.county_key = l.county_key AND a._key = l.peer GROUP BY ALL) m
       WHERE m.county_key = aliases.county_key AND m._key = aliases._key AND m.least < aliases.same_as`,
    );
  }
  const isFile = sources.filter(({isFound}) => !isFound).map(({source}) => sqlText(source));
  await db.run(
    `DELETE FROM aliases WHERE (county_key, same_as) IN (
       SELECT a.county_key, a.same_as FROM aliases a JOIN numbers n ON n.county_key = a.county_key AND n.tok = a._key
       WHERE n.source IN (${["''", ...isFile].join(", ")}) GROUP BY a.county_key, a.same_as, n.source HAVING count(*) > 1);
     UPDATE aliases SET by_form = true WHERE (county_key, same_as) IN (SELECT county_key, same_as FROM aliases WHERE by_form);
     DROP TABLE links`,
  );
  return true;
}
