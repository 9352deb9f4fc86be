import {conformedColumns, conformedExtras} from "../../../lib/parcels/conform/conformed-table.ts";
import {groupNames} from "../../../lib/parcels/conform/groups.ts";
import {type Database, sqlName, sqlText} from "../../../lib/sql/duckdb.ts";
import {parquetTypes} from "../../../schemas/column-kind.ts";
import type {ParcelSource} from "../../../schemas/parcel-source.ts";
import {uniteOutlines} from "../outlines/unite-outlines.ts";
import {
  digestSql,
  originColumn,
  ownOrigins,
  precedenceSql,
  unitedOwnersSql,
  unitedSql,
} from "./dedupe-sql.ts";
import {makeAliases} from "./same-parcels.ts";

/** A conformed table of one entry. */
type ConformedEntry = {
  readonly entry: Pick<ParcelSource, "id" | "authority">;
  readonly table: string;
};

/** Rows of a file that are no parcel of their own. */
export type RowFates = {readonly file: number; readonly copies: number; readonly merged: number};

/** Columns of the united table beside those of the parcel row. */
const unitedExtras = [
  "_key",
  "_file",
  "_row",
  "_wkb",
  originColumn("default"),
  ...groupNames.map((group) => originColumn(group)),
];

/**
 * Makes view `into` with one row for each parcel from the accepted rows of all entries of a state (`docs/design/parcels.md` sections 5.1
 * and 9): the same county and equal `tok` are one parcel. Exact copies within a source are dropped; other rows are united,
 * flagged `duplicate_id`. Table `copies` (file and row of the exact copies) stays. Records without a parcel number that share their digest stay apart, with a suffix; where a numbered
 * parcel has their address and place, it replaces them. Gives what became of the rows, by file. `dropUnited` gives up the view:
 * most rows meet no other, so that the view shows them where they are.
 */
export async function dedupe(
  db: Database,
  entries: readonly ConformedEntry[],
  into: string,
): Promise<RowFates[]> {
  const aliased = await makeAliases(db, entries);
  const own = entries.map((entry) => poolSql(entry, aliased));
  await db.run(`CREATE VIEW pool AS ${[emptySql(), ...own].join(" UNION ALL ")}`);
  await db.run(
    `CREATE TABLE shared AS SELECT county_key, _key FROM pool WHERE _key IS NOT NULL GROUP BY county_key, _key HAVING count(*) > 1`,
  );
  await makeRanked(db);
  const kept = [...conformedColumns.map(({name}) => sqlName(name)), ...unitedExtras.map(sqlName)].join(", ");
  await db.run(
    `CREATE TABLE groups AS ${unitedSql("(SELECT * FROM ranked WHERE _of > 1 AND _key NOT LIKE '~%')")}`,
  );
  await unitedOwners(db);
  await uniteOutlines(db, {united: "groups", ranked: "ranked"});
  const unshared = (await hasRows(db, "shared"))
    ? " ANTI JOIN shared s ON s.county_key = p.county_key AND s._key = p._key"
    : "";
  const alone = `SELECT ${kept} FROM (SELECT * FROM (SELECT *, ${ownOrigins().join(", ")} FROM pool) p${unshared})`;
  const apart = `SELECT * REPLACE (CASE WHEN _place > 1 THEN parcel_uid || '~' || _place ELSE parcel_uid END AS parcel_uid) FROM ranked WHERE _of = 1 OR _key LIKE '~%'`;
  await db.run(`CREATE TABLE met AS SELECT ${kept} FROM (${apart}) UNION ALL SELECT ${kept} FROM groups`);
  const query = `${alone} UNION ALL SELECT * FROM met`;
  await db.run(`CREATE VIEW ${sqlName(into)} AS ${query}`);
  const replaced = await replaceUnnumbered(db, {view: into, query});
  const fates = await rowFates(db, replaced);
  await db.run("DROP TABLE ranked; DROP TABLE groups");
  return fates;
}

/** Gives up what `dedupe` made. */
export async function dropUnited(db: Database, united: string): Promise<void> {
  await db.run(
    `DROP VIEW ${sqlName(united)}; DROP VIEW pool; DROP TABLE IF EXISTS aliases; DROP TABLE shared; DROP TABLE met; DROP TABLE replaced`,
  );
}

async function hasRows(db: Database, table: string, condition = "true"): Promise<boolean> {
  return (await db.rows(`SELECT 1 FROM ${sqlName(table)} WHERE ${condition} LIMIT 1`)).length > 0;
}

/** No rows, in the columns of a conformed table: a state may have no source that can be used. */
function emptySql(): string {
  const columns = [
    ...conformedColumns.map(({name, kind}) => [name, parquetTypes[kind]] as const),
    ...conformedExtras,
  ];
  const typed = columns.map(([name, type]) => `NULL::${type} AS ${sqlName(name)}`);
  return `SELECT ${typed.join(", ")}, '' AS _entry, '' AS _authority WHERE false`;
}

/** The accepted rows of an entry; where sources call a parcel by different numbers, under the key that they share. */
function poolSql({entry, table}: ConformedEntry, aliased: boolean): string {
  const facts = `${sqlText(entry.id)} AS _entry, ${sqlText(entry.authority)} AS _authority`;
  if (!aliased) return `SELECT *, ${facts} FROM ${sqlName(table)} WHERE _reject IS NULL`;
  return `SELECT t.* REPLACE (coalesce(a.same_as, t._key) AS _key), ${facts} FROM ${sqlName(table)} t
    LEFT JOIN aliases a ON a.county_key = t.county_key AND a._key = t._key WHERE t._reject IS NULL`;
}

/** Table `ranked`: rows that share a parcel with another, exact copies left out (table `copies`), with place and number of rows. */
async function makeRanked(db: Database): Promise<void> {
  await db.run(
    `CREATE TABLE ranked AS
     SELECT *, row_number() OVER (PARTITION BY county_key, _key ORDER BY ${precedenceSql("_authority")}) AS _rank, ${digestSql()} AS _digest,
       md5(_wkb) AS _outline, ${ownOrigins().join(", ")}
     FROM pool p SEMI JOIN shared s ON s.county_key = p.county_key AND s._key = p._key`,
  );
  await db.run(
    `CREATE TABLE copies AS SELECT _file, _row FROM (
       SELECT _file, _row, row_number() OVER w AS n, _outline, first_value(_outline) OVER w AS first_outline
       FROM ranked WINDOW w AS (PARTITION BY county_key, _key, _entry, _digest ORDER BY _rank))
     WHERE n > 1 AND (_outline IS NULL OR _outline = first_outline)`,
  );
  await db.run(
    `CREATE OR REPLACE TABLE ranked AS
     SELECT r.* EXCLUDE (_rank), row_number() OVER w AS _rank, row_number() OVER w AS _place, count(*) OVER (PARTITION BY county_key, _key) AS _of
     FROM ranked r ANTI JOIN copies c ON c._file = r._file AND c._row = r._row
     WINDOW w AS (PARTITION BY county_key, _key ORDER BY r._rank)`,
  );
}

async function unitedOwners(db: Database): Promise<void> {
  const distinctInOrder = "list_filter(o.tokens, lambda token, i: list_position(o.tokens, token) = i)";
  await db.run(
    `UPDATE groups SET owner_raw = o.owner_raw, owner_name = o.owner_name, owner_last = o.owner_last, owner_kind = o.owner_kind,
       owner_tokens = ${distinctInOrder}
     FROM (${unitedOwnersSql("(SELECT * FROM ranked WHERE _of > 1 AND _key NOT LIKE '~%')")}) o
     WHERE o.county_key = groups.county_key AND o._key = groups._key`,
  );
}

/**
 * Drops records without a parcel number that a numbered parcel of the same address stands for: its box holds their point, or
 * neither has one. Gives their number by file.
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

async function rowFates(db: Database, replaced: ReadonlyMap<number, number>): Promise<RowFates[]> {
  const rows = await db.rows<{file: number; copies: bigint; merged: bigint}>(
    `SELECT file, sum(copies)::BIGINT AS copies, sum(merged)::BIGINT AS merged FROM (
       SELECT _file AS file, count(*) AS copies, 0 AS merged FROM copies GROUP BY file
       UNION ALL
       SELECT _file AS file, 0, count(*) FROM ranked WHERE _of > 1 AND _rank > 1 AND _key NOT LIKE '~%' GROUP BY file)
     GROUP BY file ORDER BY file`,
  );
  const files = new Map(
    rows.map(({file, copies, merged}) => [file, {file, copies: Number(copies), merged: Number(merged)}]),
  );
  for (const [file, n] of replaced) {
    const fate = files.get(file) ?? {file, copies: 0, merged: 0};
    files.set(file, {...fate, merged: fate.merged + n});
  }
  return [...files.values()];
}
