import type {ParcelSource} from "../../../schemas/parcel-source.ts";
import {parquetTypes} from "../../../schemas/vocabulary/described-file.ts";
import {type Database, sqlName, sqlText} from "../../sql/duckdb.ts";
import {conformedColumns, conformedExtras} from "../conform/conformed-table.ts";
import {groupNames} from "../conform/file-cells.ts";
import {makeAliases} from "./aliases.ts";
import {
  comparedArea,
  digestSql,
  mergedOwnersSql,
  mergedSql,
  originColumn,
  ownOrigins,
  precedenceSql,
} from "./dedupe-sql.ts";
import {mergeOutlines} from "./merge-outlines.ts";
import {dropMeetings, makeMeetings, type NumberedSource} from "./same-parcel-sql.ts";
import {countMeetings, type SourceMeeting} from "./source-meetings.ts";

/** The conformed table of one entry. */
type ConformedEntry = {
  readonly entry: Pick<ParcelSource, "id" | "authority">;
  readonly table: string;
  /** True for parcels that were found on misses. */
  readonly isFound?: boolean;
  /** The source of the parcel numbers, if it is not the entry: several entries may stand for one. */
  readonly source?: string;
};

/** What became of the rows, and how far the parcel numbers of a county's sources meet. */
type Deduped = {
  readonly outcomes: RowOutcomes[];
  readonly meetings: SourceMeeting[];
  /** Counts of cleaning codes that come from several rows of a parcel, by file. */
  readonly notes: ReadonlyMap<number, Readonly<Record<string, number>>>;
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
 * `copied_rows` by file and row. If rows of a source differ in their roll year, or in the day on which their files
 * were retrieved, only the newest count. Other rows are merged, and flagged `duplicate_id` if a source has
 * several accounts for the parcel. Records without a parcel number and with the same digest stay separate,
 * with a suffix; a numbered parcel with the same address and location replaces them. Most rows share their
 * parcel with no other; they stay in their tables, which the view reads until `dropMerged`. `served` is the relation of
 * the previous build's parcels; meetings are only counted if `isCounted`.
 */
export async function dedupe(
  db: Database,
  entries: readonly ConformedEntry[],
  {into, served = null, isCounted = true}: {into: string; served?: string | null; isCounted?: boolean},
): Promise<Deduped> {
  const sources = numberedSources(entries);
  const isCompared = await makeMeetings(db, sources);
  const meetings = isCompared && isCounted ? await countMeetings(db) : [];
  const aliased = isCompared && (await makeAliases(db, sources));
  // `all_rows` holds the accepted rows of all entries; `repeated_keys` has the keys that occur more than once.
  const own = entries.map((entry) => poolSql(entry, {aliased, isCompared}));
  await db.run(`CREATE VIEW all_rows AS ${[emptySql(), ...own].join(" UNION ALL ")}`);
  await db.run(
    `CREATE TABLE repeated_keys AS SELECT county_key, _key FROM all_rows WHERE _key IS NOT NULL GROUP BY county_key, _key HAVING count(*) > 1`,
  );
  // Rows that share a key are ranked, and each group of them becomes one row of `merge_groups`.
  await makeEarlierUids(db, served);
  await makeRanked(db);
  const columnList = [...conformedColumns.map(({name}) => sqlName(name)), ...mergedExtras.map(sqlName)].join(
    ", ",
  );
  await db.run(
    `CREATE TABLE merge_groups AS ${mergedSql("(SELECT * FROM ranked_rows WHERE _of > 1 AND _key NOT LIKE '~%')")}`,
  );
  await mergeOwners(db);
  await mergeOutlines(db, {merged: "merge_groups", ranked: "ranked_rows"});
  await db.run(
    `UPDATE merge_groups SET flags = ${comparedArea} WHERE acres_basis IN ('deeded', 'assessed') AND geom_acres IS NOT NULL`,
  );
  // The view consists of the rows that share no key and the table `merged_rows`: rows that stay separate, and merged
  // groups.
  const unshared = (await hasRows(db, "repeated_keys"))
    ? " ANTI JOIN repeated_keys s ON s.county_key = p.county_key AND s._key = p._key"
    : "";
  const alone = `SELECT ${columnList} FROM (SELECT * FROM (SELECT *, ${ownOrigins().join(", ")} FROM all_rows) p${unshared})`;
  const apart = `SELECT * REPLACE (CASE WHEN _place > 1 THEN parcel_uid || '~' || _place ELSE parcel_uid END AS parcel_uid) FROM ranked_rows WHERE _of = 1 OR _key LIKE '~%'`;
  await db.run(
    `CREATE TABLE merged_rows AS SELECT ${columnList} FROM (${apart}) UNION ALL SELECT ${columnList} FROM merge_groups`,
  );
  const query = `${alone} UNION ALL SELECT * FROM merged_rows`;
  await db.run(`CREATE VIEW ${sqlName(into)} AS ${query}`);
  // Records without a number are removed if a numbered parcel replaces them; then all outcomes are known.
  const replaced = await replaceUnnumbered(db, {view: into, query});
  const outcomes = await rowOutcomes(db, replaced);
  const several = await db.rows<{file: number; n: number}>(
    "SELECT _file AS file, count(*)::INTEGER AS n FROM merge_groups WHERE _addressed GROUP BY file ORDER BY file",
  );
  const notes = new Map(several.map(({file, n}) => [file, {several_addresses: n}]));
  await db.run(
    "DROP TABLE ranked_rows; DROP TABLE merge_groups; DROP TABLE superseded_rows; DROP TABLE earlier_uids",
  );
  return {outcomes, meetings, notes};
}

/** Drops the view and the tables of `dedupe`. */
export async function dropMerged(db: Database, merged: string): Promise<void> {
  await db.run(
    `DROP VIEW ${sqlName(merged)}; DROP VIEW all_rows; DROP TABLE IF EXISTS aliases; DROP TABLE repeated_keys; DROP TABLE merged_rows; DROP TABLE replaced_records`,
  );
  await dropMeetings(db);
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
  return `SELECT ${typed.join(", ")}, '' AS _entry, '' AS _authority, false AS _by_form WHERE false`;
}

/** The sources whose numbers are compared: what was found on misses is a source of its own. */
function numberedSources(entries: readonly ConformedEntry[]): NumberedSource[] {
  const bySource = Map.groupBy(entries, sourceName);
  return [...bySource].map(([source, own]) => ({
    source,
    rows: own.map(({table}) => `(SELECT * FROM ${sqlName(table)} WHERE _reject IS NULL)`),
    isFound: own[0]!.isFound === true,
  }));
}

function sourceName({entry, isFound, source = entry.id}: ConformedEntry): string {
  return isFound === true ? `${source} (discoveries)` : source;
}

/**
 * SELECT of the accepted rows of an entry, under the shared key when sources use different numbers for a
 * parcel. A parcel found on a miss whose number may be that of a file's row is flagged.
 */
function poolSql(
  each: ConformedEntry,
  {aliased, isCompared}: {aliased: boolean; isCompared: boolean},
): string {
  const {entry, table} = each;
  // What was found on a miss is a newer account of the parcel, not a further row of a file of its source.
  const facts = `${sqlText(each.isFound === true ? sourceName(each) : entry.id)} AS _entry, ${sqlText(entry.authority)} AS _authority`;
  const isUnclear = isCompared && each.isFound === true;
  const replaced = [
    ...(aliased ? ["coalesce(a.same_as, t._key) AS _key"] : []),
    ...(isUnclear
      ? [
          "CASE WHEN u.tok IS NULL THEN t.flags ELSE list_sort(list_append(t.flags, 'same_number_unclear')) END AS flags",
        ]
      : []),
  ];
  const columns = replaced.length === 0 ? "t.*" : `t.* REPLACE (${replaced.join(", ")})`;
  const joins = [
    ...(aliased ? ["LEFT JOIN aliases a ON a.county_key = t.county_key AND a._key = t._key"] : []),
    ...(isUnclear
      ? [
          `LEFT JOIN unclear u ON u.source = ${sqlText(sourceName(each))} AND u.county_key = t.county_key AND u.tok = t._key`,
        ]
      : []),
  ];
  const byForm = aliased ? "coalesce(a.by_form, false)" : "false";
  return `SELECT ${columns}, ${facts}, ${byForm} AS _by_form FROM ${sqlName(table)} t ${joins.join(" ")} WHERE t._reject IS NULL`;
}

/** Creates the table `earlier_uids` with uids and numbers of the previous build, of parcels whose numbers are printed in several ways. */
async function makeEarlierUids(db: Database, served: string | null): Promise<void> {
  await db.run("CREATE TABLE earlier_uids (served_uid VARCHAR, served_id VARCHAR)");
  if (served === null) return;
  const several = `SELECT p.county_key, p._key FROM all_rows p SEMI JOIN repeated_keys s ON s.county_key = p.county_key AND s._key = p._key
    WHERE p._key NOT LIKE '~%' GROUP BY ALL HAVING count(DISTINCT p.parcel_id) > 1`;
  if ((await db.rows(`${several} LIMIT 1`)).length === 0) return;
  await db.run(
    `INSERT INTO earlier_uids SELECT DISTINCT b.parcel_uid, b.parcel_id FROM ${served} b
     SEMI JOIN (SELECT parcel_uid FROM all_rows p SEMI JOIN (${several}) s ON s.county_key = p.county_key AND s._key = p._key) p ON p.parcel_uid = b.parcel_uid`,
  );
}

/**
 * Creates the table `ranked_rows` with the rows that share a parcel, their rank and the number of rows, and two
 * tables of excluded rows: `superseded_rows` (of a year or a file before the newest of their source) and `copied_rows` (exact
 * copies).
 */
async function makeRanked(db: Database): Promise<void> {
  await db.run(
    `CREATE TABLE ranked_rows AS
     SELECT *, row_number() OVER (PARTITION BY county_key, _key ORDER BY ${precedenceSql("_authority")}) AS _rank,
       max(_year) OVER (PARTITION BY county_key, _key, _entry) AS _newest_year,
       max(CASE WHEN _file >= 0 THEN _retrieved END) OVER (PARTITION BY county_key, _key, _entry, _year, lon IS NULL) AS _newest_day,
       ${digestSql("facts")} AS _digest, ${digestSql("account")} AS _account, md5(_wkb) AS _outline, ${ownOrigins().join(", ")}, CASE WHEN served_uid IS NULL THEN 0 WHEN served_id = parcel_id THEN 2 ELSE 1 END AS _served
     FROM all_rows p LEFT JOIN earlier_uids v ON v.served_uid = p.parcel_uid SEMI JOIN repeated_keys s ON s.county_key = p.county_key AND s._key = p._key`,
  );
  // A file without outlines completes an older one that has them, and replaces an older one that has none either.
  const isOlder = "(_year < _newest_year OR (_file >= 0 AND _retrieved < _newest_day))";
  await db.run(`CREATE TABLE superseded_rows AS SELECT _file, _row FROM ranked_rows WHERE ${isOlder}`);
  await db.run(`DELETE FROM ranked_rows WHERE ${isOlder}`);
  await db.run(
    `CREATE TABLE copied_rows AS SELECT _file, _row FROM (
       SELECT _file, _row, row_number() OVER w AS n, _outline, first_value(_outline) OVER w AS first_outline
       FROM ranked_rows WINDOW w AS (PARTITION BY county_key, _key, _entry, _digest ORDER BY _rank))
     WHERE n > 1 AND (_outline IS NULL OR _outline = first_outline)`,
  );
  await db.run(
    `CREATE OR REPLACE TABLE ranked_rows AS
     SELECT r.* EXCLUDE (_rank, _account), row_number() OVER w AS _rank, row_number() OVER w AS _place, count(*) OVER (PARTITION BY county_key, _key) AS _of,
       CASE WHEN r._file >= 0 THEN count(DISTINCT CASE WHEN r._file >= 0 THEN _account END) OVER (PARTITION BY county_key, _key, _entry) END AS _accounts
     FROM ranked_rows r ANTI JOIN copied_rows c ON c._file = r._file AND c._row = r._row
     WINDOW w AS (PARTITION BY county_key, _key ORDER BY r._rank)`,
  );
}

async function mergeOwners(db: Database): Promise<void> {
  const distinctInOrder = "list_filter(o.tokens, lambda token, i: list_position(o.tokens, token) = i)";
  await db.run(
    `UPDATE merge_groups SET owner_raw = o.owner_raw, owner_name = o.owner_name, owner_last = o.owner_last, owner_kind = o.owner_kind,
       owner_tokens = ${distinctInOrder}
     FROM (${mergedOwnersSql("(SELECT * FROM ranked_rows WHERE _of > 1 AND _key NOT LIKE '~%')")}) o
     WHERE o.county_key = merge_groups.county_key AND o._key = merge_groups._key`,
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
  await db.run("CREATE TABLE replaced_records (parcel_uid VARCHAR, _file INTEGER)");
  if (!(await hasRows(db, view, "parcel_id IS NULL"))) return new Map();
  const same = ["county_key", "situs_number", "situs_name"].map((name) => `n.${name} = u.${name}`);
  const alike = ["situs_pre", "situs_type", "situs_post", "situs_unit"].map(
    (name) => `n.${name} IS NOT DISTINCT FROM u.${name}`,
  );
  const place = "u.lon BETWEEN n.xmin AND n.xmax AND u.lat BETWEEN n.ymin AND n.ymax";
  await db.run(
    `INSERT INTO replaced_records SELECT DISTINCT u.parcel_uid, u._file FROM ${sqlName(view)} u JOIN ${sqlName(view)} n
       ON ${[...same, ...alike].join(" AND ")} AND n.parcel_id IS NOT NULL AND u.parcel_id IS NULL AND ${place}`,
  );
  const rows = await db.rows<{file: number; n: bigint}>(
    `SELECT _file AS file, count(*) AS n FROM replaced_records GROUP BY file ORDER BY file`,
  );
  if (rows.length > 0) {
    await db.run(
      `CREATE OR REPLACE VIEW ${sqlName(view)} AS SELECT u.* FROM (${query}) u ANTI JOIN replaced_records r ON r.parcel_uid = u.parcel_uid`,
    );
  }
  return new Map(rows.map(({file, n}) => [file, Number(n)]));
}

async function rowOutcomes(db: Database, replaced: ReadonlyMap<number, number>): Promise<RowOutcomes[]> {
  const rows = await db.rows<{file: number; copies: bigint; merged: bigint}>(
    `SELECT file, sum(copies)::BIGINT AS copies, sum(merged)::BIGINT AS merged FROM (
       SELECT _file AS file, count(*) AS copies, 0 AS merged FROM copied_rows GROUP BY file
       UNION ALL
       SELECT _file AS file, 0, count(*) FROM superseded_rows GROUP BY file
       UNION ALL
       SELECT _file AS file, 0, count(*) FROM ranked_rows WHERE _of > 1 AND _rank > 1 AND _key NOT LIKE '~%' GROUP BY file)
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
