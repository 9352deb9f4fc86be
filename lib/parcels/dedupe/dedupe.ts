import type {ParcelSource} from "../../../schemas/parcel-source.ts";
import {parquetTypes} from "../../../schemas/vocabulary/described-file.ts";
import {type Database, sqlName, sqlText} from "../../sql/duckdb.ts";
import {conformedColumns, conformedExtras} from "../conform/conformed-table.ts";
import {groupNames} from "../conform/file-cells.ts";
import {ensureMacros} from "../conform/mapped-table.ts";
import {
  comparedArea,
  digestSql,
  mergedOwnersSql,
  mergedSql,
  originColumn,
  ownOrigins,
  precedenceSql,
} from "./dedupe-sql.ts";
import {mergeOutlines} from "./repair-outline.ts";

type NumberedEntry = {readonly entry: {readonly id: string}; readonly table: string};

const hasName = (source: string, key: string) =>
  `EXISTS (SELECT 1 FROM named n WHERE n.main AND n.source = ${source} AND n.county_key = pairs.county_key AND n._key = ${key})`;

const aliasesSql = `WITH pairs AS (
    SELECT DISTINCT a.county_key, a.source AS one, b.source AS other, a._key AS key, b._key AS other_key
    FROM named a JOIN named b ON b.county_key = a.county_key AND b.tok = a.tok AND b.source > a.source
    WHERE a._key <> b._key AND NOT (a.main AND b.main)),
  single AS (
    SELECT * FROM pairs WHERE NOT ${hasName("other", "key")} AND NOT ${hasName("one", "other_key")}
    QUALIFY count(*) OVER (PARTITION BY county_key, one, other, key) = 1 AND count(*) OVER (PARTITION BY county_key, one, other, other_key) = 1)
  SELECT county_key, greatest(key, other_key) AS _key, min(least(key, other_key)) AS same_as FROM single GROUP BY ALL`;

/** The conformed table of one entry. */
type ConformedEntry = {
  readonly entry: Pick<ParcelSource, "id" | "authority">;
  readonly table: string;
};

/** Numbers of a file's rows that did not become a parcel of their own: exact copies and merged rows. */
export type RowOutcomes = {readonly file: number; readonly copies: number; readonly merged: number};

/** Columns of the merged table besides those of the parcel row. */
const mergedExtras = [
  "_key",
  "_file",
  "_row",
  "_wkb",
  originColumn("default"),
  ...groupNames.map((group) => originColumn(group)),
];

/**
 * Creates the view `into` with one row per parcel from the accepted rows of all entries of a state, and
 * returns the outcomes of the rows by file (`docs/design/parcels.md` sections 5.1 and 9). Rows of one county
 * with equal `tok` are one parcel. Exact copies within a source are dropped and recorded in the table
 * `copies` by file and row. If rows of a source differ in their roll year, or in the day on which their files
 * were retrieved, only the newest count. Other rows are merged, and flagged `duplicate_id` if a source has
 * several accounts for the parcel. Records without a parcel number and with the same digest stay separate,
 * with a suffix; a numbered parcel with the same address and location replaces them. Most rows share their
 * parcel with no other; they stay in their tables, which the view reads until `dropMerged`.
 */
export async function dedupe(
  db: Database,
  entries: readonly ConformedEntry[],
  into: string,
): Promise<RowOutcomes[]> {
  // The pool holds the accepted rows of all entries; `shared` has the keys that occur more than once.
  const aliased = await makeAliases(db, entries);
  const own = entries.map((entry) => poolSql(entry, aliased));
  await db.run(`CREATE VIEW pool AS ${[emptySql(), ...own].join(" UNION ALL ")}`);
  await db.run(
    `CREATE TABLE shared AS SELECT county_key, _key FROM pool WHERE _key IS NOT NULL GROUP BY county_key, _key HAVING count(*) > 1`,
  );
  // Rows that share a key are ranked, and each group of them becomes one row of `groups`.
  await makeRanked(db);
  const kept = [...conformedColumns.map(({name}) => sqlName(name)), ...mergedExtras.map(sqlName)].join(", ");
  await db.run(
    `CREATE TABLE groups AS ${mergedSql("(SELECT * FROM ranked WHERE _of > 1 AND _key NOT LIKE '~%')")}`,
  );
  await mergeOwners(db);
  await mergeOutlines(db, {merged: "groups", ranked: "ranked"});
  await db.run(
    `UPDATE groups SET flags = ${comparedArea} WHERE acres_basis IN ('deeded', 'assessed') AND geom_acres IS NOT NULL`,
  );
  // The view consists of the rows that share no key and the table `met`: rows that stay separate, and merged
  // groups.
  const unshared = (await hasRows(db, "shared"))
    ? " ANTI JOIN shared s ON s.county_key = p.county_key AND s._key = p._key"
    : "";
  const alone = `SELECT ${kept} FROM (SELECT * FROM (SELECT *, ${ownOrigins().join(", ")} FROM pool) p${unshared})`;
  const apart = `SELECT * REPLACE (CASE WHEN _place > 1 THEN parcel_uid || '~' || _place ELSE parcel_uid END AS parcel_uid) FROM ranked WHERE _of = 1 OR _key LIKE '~%'`;
  await db.run(`CREATE TABLE met AS SELECT ${kept} FROM (${apart}) UNION ALL SELECT ${kept} FROM groups`);
  const query = `${alone} UNION ALL SELECT * FROM met`;
  await db.run(`CREATE VIEW ${sqlName(into)} AS ${query}`);
  // Records without a number are removed if a numbered parcel replaces them; then all outcomes are known.
  const replaced = await replaceUnnumbered(db, {view: into, query});
  const outcomes = await rowOutcomes(db, replaced);
  await db.run("DROP TABLE ranked; DROP TABLE groups; DROP TABLE older");
  return outcomes;
}

/** Drops the view and the tables of `dedupe`. */
export async function dropMerged(db: Database, merged: string): Promise<void> {
  await db.run(
    `DROP VIEW ${sqlName(merged)}; DROP VIEW pool; DROP TABLE IF EXISTS aliases; DROP TABLE shared; DROP TABLE met; DROP TABLE replaced`,
  );
}

async function hasRows(db: Database, table: string, condition = "true"): Promise<boolean> {
  return (await db.rows(`SELECT 1 FROM ${sqlName(table)} WHERE ${condition} LIMIT 1`)).length > 0;
}

/** SELECT of no rows with the columns of a conformed table, because a state may have no usable source. */
function emptySql(): string {
  const columns = [
    ...conformedColumns.map(({name, kind}) => [name, parquetTypes[kind]] as const),
    ...conformedExtras,
  ];
  const typed = columns.map(([name, type]) => `NULL::${type} AS ${sqlName(name)}`);
  return `SELECT ${typed.join(", ")}, '' AS _entry, '' AS _authority WHERE false`;
}

/**
 * SELECT of the accepted rows of an entry, under the shared key when sources use different numbers for a
 * parcel.
 */
function poolSql({entry, table}: ConformedEntry, aliased: boolean): string {
  const facts = `${sqlText(entry.id)} AS _entry, ${sqlText(entry.authority)} AS _authority`;
  if (!aliased) return `SELECT *, ${facts} FROM ${sqlName(table)} WHERE _reject IS NULL`;
  return `SELECT t.* REPLACE (coalesce(a.same_as, t._key) AS _key), ${facts} FROM ${sqlName(table)} t
    LEFT JOIN aliases a ON a.county_key = t.county_key AND a._key = t._key WHERE t._reject IS NULL`;
}

/**
 * Creates the table `ranked` with the rows that share a parcel, their rank and the number of rows, and two
 * tables of excluded rows: `older` (of a year or a file before the newest of their source) and `copies` (exact
 * copies).
 */
async function makeRanked(db: Database): Promise<void> {
  await db.run(
    `CREATE TABLE ranked AS
     SELECT *, row_number() OVER (PARTITION BY county_key, _key ORDER BY ${precedenceSql("_authority")}) AS _rank,
       max(_year) OVER (PARTITION BY county_key, _key, _entry) AS _newest_year,
       max(CASE WHEN _file >= 0 THEN _retrieved END) OVER (PARTITION BY county_key, _key, _entry, _year, lon IS NULL) AS _newest_day,
       ${digestSql("facts")} AS _digest, ${digestSql("account")} AS _account, md5(_wkb) AS _outline, ${ownOrigins().join(", ")}
     FROM pool p SEMI JOIN shared s ON s.county_key = p.county_key AND s._key = p._key`,
  );
  // A file without outlines completes an older one that has them, and replaces an older one that has none either.
  const isOlder = "(_year < _newest_year OR (_file >= 0 AND _retrieved < _newest_day))";
  await db.run(`CREATE TABLE older AS SELECT _file, _row FROM ranked WHERE ${isOlder}`);
  await db.run(`DELETE FROM ranked WHERE ${isOlder}`);
  await db.run(
    `CREATE TABLE copies AS SELECT _file, _row FROM (
       SELECT _file, _row, row_number() OVER w AS n, _outline, first_value(_outline) OVER w AS first_outline
       FROM ranked WINDOW w AS (PARTITION BY county_key, _key, _entry, _digest ORDER BY _rank))
     WHERE n > 1 AND (_outline IS NULL OR _outline = first_outline)`,
  );
  await db.run(
    `CREATE OR REPLACE TABLE ranked AS
     SELECT r.* EXCLUDE (_rank, _account), row_number() OVER w AS _rank, row_number() OVER w AS _place, count(*) OVER (PARTITION BY county_key, _key) AS _of,
       CASE WHEN r._file >= 0 THEN count(DISTINCT CASE WHEN r._file >= 0 THEN _account END) OVER (PARTITION BY county_key, _key, _entry) END AS _accounts
     FROM ranked r ANTI JOIN copies c ON c._file = r._file AND c._row = r._row
     WINDOW w AS (PARTITION BY county_key, _key ORDER BY r._rank)`,
  );
}

async function mergeOwners(db: Database): Promise<void> {
  const distinctInOrder = "list_filter(o.tokens, lambda token, i: list_position(o.tokens, token) = i)";
  await db.run(
    `UPDATE groups SET owner_raw = o.owner_raw, owner_name = o.owner_name, owner_last = o.owner_last, owner_kind = o.owner_kind,
       owner_tokens = ${distinctInOrder}
     FROM (${mergedOwnersSql("(SELECT * FROM ranked WHERE _of > 1 AND _key NOT LIKE '~%')")}) o
     WHERE o.county_key = groups.county_key AND o._key = groups._key`,
  );
}

/**
 * Drops records without a parcel number when a numbered parcel with the same address has a bounding box
 * around their point. Returns the number of dropped records by file.
 */
async function replaceUnnumbered(
  db: Database,
  {view, query}: {view: string; query: string},
): Promise<Map<number, number>> {
  await db.run("CREATE TABLE replaced (parcel_uid VARCHAR, _file INTEGER)");
  if (!(await hasRows(db, view, "parcel_id IS NULL"))) return new Map();
  const same = ["county_key", "situs_number", "situs_name"].map((name) => `n.${name} = u.${name}`);
  const alike = ["situs_pre", "situs_type", "situs_post", "situs_unit"].map(
    (name) => `n.${name} IS NOT DISTINCT FROM u.${name}`,
  );
  const place = "u.lon BETWEEN n.xmin AND n.xmax AND u.lat BETWEEN n.ymin AND n.ymax";
  await db.run(
    `INSERT INTO replaced SELECT DISTINCT u.parcel_uid, u._file FROM ${sqlName(view)} u JOIN ${sqlName(view)} n
       ON ${[...same, ...alike].join(" AND ")} AND n.parcel_id IS NOT NULL AND u.parcel_id IS NULL AND ${place}`,
  );
  const rows = await db.rows<{file: number; n: bigint}>(
    `SELECT _file AS file, count(*) AS n FROM replaced GROUP BY file ORDER BY file`,
  );
  if (rows.length > 0) {
    await db.run(
      `CREATE OR REPLACE VIEW ${sqlName(view)} AS SELECT u.* FROM (${query}) u ANTI JOIN replaced r ON r.parcel_uid = u.parcel_uid`,
    );
  }
  return new Map(rows.map(({file, n}) => [file, Number(n)]));
}

async function rowOutcomes(db: Database, replaced: ReadonlyMap<number, number>): Promise<RowOutcomes[]> {
  const rows = await db.rows<{file: number; copies: bigint; merged: bigint}>(
    `SELECT file, sum(copies)::BIGINT AS copies, sum(merged)::BIGINT AS merged FROM (
       SELECT _file AS file, count(*) AS copies, 0 AS merged FROM copies GROUP BY file
       UNION ALL
       SELECT _file AS file, 0, count(*) FROM older GROUP BY file
       UNION ALL
       SELECT _file AS file, 0, count(*) FROM ranked WHERE _of > 1 AND _rank > 1 AND _key NOT LIKE '~%' GROUP BY file)
     GROUP BY file ORDER BY file`,
  );
  const files = new Map(
    rows.map(({file, copies, merged}) => [file, {file, copies: Number(copies), merged: Number(merged)}]),
  );
  for (const [file, n] of replaced) {
    const outcome = files.get(file) ?? {file, copies: 0, merged: 0};
    files.set(file, {...outcome, merged: outcome.merged + n});
  }
  return [...files.values()];
}

/**
 * Creates the table `aliases` (`county_key`, `_key`, `same_as`) of keys that different sources use for one
 * parcel: one source lists the other's number as another id (`docs/design/parcels.md` section 9). Two keys of
 * one source are two parcels, and a number that would fit several parcels is left alone. Returns false, and
 * creates no table, when there is nothing to merge.
 */
async function makeAliases(db: Database, entries: readonly NumberedEntry[]): Promise<boolean> {
  if (entries.length < 2) return false;
  // In a state with found parcels only, nothing has been conformed here yet.
  await ensureMacros(db);
  await db.run(`CREATE TABLE named AS SELECT DISTINCT * FROM (${entries.map(namesSql).join(" UNION ALL ")})`);
  await db.run(`CREATE TABLE aliases AS ${aliasesSql}; DROP TABLE named`);
  // A parcel of three sources gets the first of its keys.
  await db.run(
    `UPDATE aliases SET same_as = b.same_as FROM aliases b WHERE b.county_key = aliases.county_key AND b._key = aliases.same_as`,
  );
  if ((await db.rows("SELECT 1 FROM aliases LIMIT 1")).length > 0) return true;
  await db.run("DROP TABLE aliases");
  return false;
}

/** SELECT of a source's names for each of its parcels: its key, and the `tok` spellings of its other ids. */
function namesSql({entry, table}: NumberedEntry): string {
  const rows = `FROM ${sqlName(table)} WHERE _reject IS NULL AND parcel_id IS NOT NULL AND _file >= 0`;
  const names = `SELECT county_key, _key, _key AS tok, true AS main ${rows}
    UNION ALL SELECT county_key, _key, id_tok(unnest(alt_ids)) AS tok, false AS main ${rows} AND len(alt_ids) > 0`;
  return `SELECT ${sqlText(entry.id)} AS source, * FROM (${names})`;
}
