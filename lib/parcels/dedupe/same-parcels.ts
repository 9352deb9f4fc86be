import {type Database, sqlName, sqlText} from "../../sql/duckdb.ts";
import {ensureMacros} from "../conform/conform.ts";

type NumberedEntry = {readonly entry: {readonly id: string}; readonly table: string};

/**
 * Makes table `aliases` (`county_key`, `_key`, `same_as`) of the keys by which different sources call one parcel: one source
 * prints the number of the other as another id of its own (`docs/design/parcels.md` section 9). Two keys of one source are two
 * parcels, and a number that would fit several parcels is left alone. Gives false, and makes no table, where nothing is to unite.
 */
export async function makeAliases(db: Database, entries: readonly NumberedEntry[]): Promise<boolean> {
  if (entries.length < 2) return false;
  // A state of finds alone has conformed no row here.
  await ensureMacros(db);
  await db.run(`CREATE TABLE named AS SELECT DISTINCT * FROM (${entries.map(namesSql).join(" UNION ALL ")})`);
  await db.run(`CREATE TABLE aliases AS ${aliasesSql}; DROP TABLE named`);
  // A parcel of three sources takes the first of its keys.
  await db.run(
    `UPDATE aliases SET same_as = b.same_as FROM aliases b WHERE b.county_key = aliases.county_key AND b._key = aliases.same_as`,
  );
  if ((await db.rows("SELECT 1 FROM aliases LIMIT 1")).length > 0) return true;
  await db.run("DROP TABLE aliases");
  return false;
}

/** Gives the SELECT of the names that a source has for each of its parcels: its key, and the `tok` forms of other ids. */
function namesSql({entry, table}: NumberedEntry): string {
  const rows = `FROM ${sqlName(table)} WHERE _reject IS NULL AND parcel_id IS NOT NULL AND _file >= 0`;
  const names = `SELECT county_key, _key, _key AS tok, true AS main ${rows}
    UNION ALL SELECT county_key, _key, id_tok(unnest(alt_ids)) AS tok, false AS main ${rows} AND len(alt_ids) > 0`;
  return `SELECT ${sqlText(entry.id)} AS source, * FROM (${names})`;
}

const knows = (source: string, key: string) =>
  `EXISTS (SELECT 1 FROM named n WHERE n.main AND n.source = ${source} AND n.county_key = pairs.county_key AND n._key = ${key})`;

const aliasesSql = `WITH pairs AS (
    SELECT DISTINCT a.county_key, a.source AS one, b.source AS other, a._key AS key, b._key AS other_key
    FROM named a JOIN named b ON b.county_key = a.county_key AND b.tok = a.tok AND b.source > a.source
    WHERE a._key <> b._key AND NOT (a.main AND b.main)),
  single AS (
    SELECT * FROM pairs WHERE NOT ${knows("other", "key")} AND NOT ${knows("one", "other_key")}
    QUALIFY count(*) OVER (PARTITION BY county_key, one, other, key) = 1 AND count(*) OVER (PARTITION BY county_key, one, other, other_key) = 1)
  SELECT county_key, greatest(key, other_key) AS _key, min(least(key, other_key)) AS same_as FROM single GROUP BY ALL`;
