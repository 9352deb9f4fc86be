import {groupNames} from "../../lib/parcels/conform/cells.ts";
import {vintageColumn} from "../../lib/parcels/conform/vintage-sql.ts";
import {type Database, sqlName} from "../../lib/sql/duckdb.ts";

/** Dates of a row that say how new its file is at least: those that its source states for rows, and those of sales. */
const dates = [
  "transfer_date",
  "recording_date",
  `CASE WHEN starts_with(${vintageColumn("default")}, 'row_date ') THEN try_cast(split_part(${vintageColumn("default")}, ' ', 2) AS DATE) END`,
];

/**
 * Gives the name of a relation like a conformed table in which no vintage is a retrieval where the file has any date: the newest
 * plausible date of a row, sale or recording is then the vintage (`docs/design/parcels.md` section 2.2). A date after the retrieval of
 * the file is not plausible. Gives the table itself where every row states a vintage, or no file has a date.
 */
export async function withNewestInFile(db: Database, table: string): Promise<string> {
  const newest = await db.rows<{file: number; day: string}>(
    `SELECT _file AS file, max(day)::VARCHAR AS day FROM (
       SELECT _file, unnest([${dates.join(", ")}]) AS day, _retrieved FROM ${sqlName(table)} WHERE _reject IS NULL
         AND _file IN (SELECT DISTINCT _file FROM ${sqlName(table)} WHERE starts_with(${vintageColumn("default")}, 'retrieved ')))
     WHERE day <= _retrieved::DATE GROUP BY _file ORDER BY _file`,
  );
  if (newest.length === 0) return table;
  const cases = newest.map(({file, day}) => `WHEN ${file} THEN 'newest_in_file ${day}'`).join(" ");
  const columns = (["default", ...groupNames] as const).map((group) => {
    const name = sqlName(vintageColumn(group));
    return `CASE WHEN starts_with(${name}, 'retrieved ') THEN coalesce(CASE _file ${cases} END, ${name}) ELSE ${name} END AS ${name}`;
  });
  const view = `${table}_dated`;
  await db.run(
    `CREATE VIEW ${sqlName(view)} AS SELECT * REPLACE (${columns.join(", ")}) FROM ${sqlName(table)}`,
  );
  return view;
}
