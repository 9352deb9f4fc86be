import type {ParcelSource} from "../../../schemas/parcel-source.ts";
import {column, type DescribedColumn, parquetTypes} from "../../../schemas/vocabulary/described-file.ts";
import {
  type AnyModel,
  type Columns,
  columnTypes,
  type Materialise,
  model,
  type Run,
} from "../../models/model.ts";
import {sqlName, sqlText} from "../../sql/duckdb.ts";
import {conformedColumns, conformedExtras} from "../conform/conformed-table.ts";
import {groupNames} from "../conform/file-cells.ts";
import {
  comparedArea,
  digestSql,
  mergedOwnersSql,
  mergedSql,
  originColumn,
  ownOrigins,
  precedenceSql,
} from "./dedupe-sql.ts";
import {unitedOutlines, withUnited} from "./merge-outlines.ts";

/** The conformed table of one entry. */
export type ConformedEntry = {
  readonly entry: Pick<ParcelSource, "id" | "authority">;
  readonly table: string;
  /** True for parcels that were found on misses. */
  readonly isFound?: boolean;
  /** The source of the parcel numbers, if it is not the entry: several entries may stand for one. */
  readonly source?: string;
};

type MergeRequest = {
  readonly into: string;
  readonly served: string | null;
  readonly inputs: readonly AnyModel[];
  readonly aliases: AnyModel | null;
  readonly unclear: AnyModel | null;
};

/** The models of a state's parcels, from the accepted rows of its entries to one row for each. */
export function mergeModels(
  entries: readonly ConformedEntry[],
  {into, served, inputs, aliases, unclear}: MergeRequest,
) {
  const made = (
    name: string,
    reads: readonly AnyModel[],
    sql: (run: Run) => string | Promise<string>,
    {
      columns = mergedColumns,
      materialise = "table",
    }: {columns?: Columns | readonly DescribedColumn[]; materialise?: Materialise} = {},
  ) => model({name, reads, columns, materialise, sql: (_, run) => sql(run)});
  const isUsed = unclear !== null && entries.some(({isFound}) => isFound === true);
  const own = entries.map((entry) =>
    poolSql(entry, {aliased: aliases !== null, isCompared: unclear !== null}),
  );
  const all = made(
    "all_rows",
    [...inputs, ...(aliases === null ? [] : [aliases]), ...(isUsed ? [unclear] : [])],
    () => [emptySql(), ...own].join(" UNION ALL "),
    {columns: allColumns, materialise: "view"},
  );
  const repeated = made(
    "repeated_keys",
    [all],
    () =>
      "SELECT county_key, _key FROM all_rows WHERE _key IS NOT NULL GROUP BY county_key, _key HAVING count(*) > 1",
    {columns: keyColumns},
  );
  // Parcels whose numbers are printed in several ways keep the uid and number that the previous build gave them.
  const spelt = made(
    "several_spellings",
    [all, repeated],
    () => `SELECT p.county_key, p._key FROM all_rows p SEMI JOIN repeated_keys s ON s.county_key = p.county_key AND s._key = p._key
      WHERE p._key NOT LIKE '~%' GROUP BY ALL HAVING count(DISTINCT p.parcel_id) > 1`,
    {columns: keyColumns},
  );
  const earlier = model({
    name: "earlier_uids",
    reads: served === null ? [] : [all, spelt],
    columns: {VARCHAR: "served_uid served_id"},
    materialise: "table",
    ...(served === null ? {} : {nothingWithout: spelt}),
    sql: () =>
      served === null
        ? "SELECT NULL::VARCHAR AS served_uid, NULL::VARCHAR AS served_id WHERE false"
        : `SELECT DISTINCT b.parcel_uid AS served_uid, b.parcel_id AS served_id FROM ${served} b
           SEMI JOIN (SELECT parcel_uid FROM all_rows p SEMI JOIN several_spellings s ON s.county_key = p.county_key AND s._key = p._key) p ON p.parcel_uid = b.parcel_uid`,
  });
  const shared = made(
    "shared_rows",
    [all, earlier, repeated],
    () =>
      `SELECT *, row_number() OVER (PARTITION BY county_key, _key ORDER BY ${precedenceSql("_authority")}) AS _rank,
       max(_year) OVER (PARTITION BY county_key, _key, _entry) AS _newest_year,
       max(CASE WHEN _file >= 0 THEN _retrieved END) OVER (PARTITION BY county_key, _key, _entry, _year, lon IS NULL) AS _newest_day,
       ${digestSql("facts")} AS _digest, ${digestSql("account")} AS _account, md5(_wkb) AS _outline, ${ownOrigins().join(", ")}, CASE WHEN served_uid IS NULL THEN 0 WHEN served_id = parcel_id THEN 2 ELSE 1 END AS _served
     FROM all_rows p LEFT JOIN earlier_uids v ON v.served_uid = p.parcel_uid SEMI JOIN repeated_keys s ON s.county_key = p.county_key AND s._key = p._key`,
    {columns: sharedColumns},
  );
  // A file without outlines completes an older one that has them, and replaces an older one that has none either.
  const isOlder = "(_year < _newest_year OR (_file >= 0 AND _retrieved < _newest_day))";
  const superseded = made(
    "superseded_rows",
    [shared],
    () => `SELECT _file, _row FROM shared_rows WHERE ${isOlder}`,
    {columns: placeColumns},
  );
  const current = made("current_rows", [shared], () => `FROM shared_rows WHERE (${isOlder}) IS NOT TRUE`, {
    columns: sharedColumns,
    materialise: "view",
  });
  const copied = made(
    "copied_rows",
    [current],
    () => `SELECT _file, _row FROM (
       SELECT _file, _row, row_number() OVER w AS n, _outline, first_value(_outline) OVER w AS first_outline
       FROM current_rows WINDOW w AS (PARTITION BY county_key, _key, _entry, _digest ORDER BY _rank))
     WHERE n > 1 AND (_outline IS NULL OR _outline = first_outline)`,
    {columns: placeColumns},
  );
  const ranked = made(
    "ranked_rows",
    [current, copied],
    () =>
      `SELECT r.* EXCLUDE (_rank, _account), row_number() OVER w AS _rank, count(*) OVER (PARTITION BY county_key, _key) AS _of,
       CASE WHEN r._file >= 0 THEN count(DISTINCT CASE WHEN r._file >= 0 THEN _account END) OVER (PARTITION BY county_key, _key, _entry) END AS _accounts
     FROM current_rows r ANTI JOIN copied_rows c ON c._file = r._file AND c._row = r._row
     WINDOW w AS (PARTITION BY county_key, _key ORDER BY r._rank)`,
    {columns: rankedColumns},
  );
  const grouped = "(SELECT * FROM ranked_rows WHERE _of > 1 AND _key NOT LIKE '~%')";
  const drafts = made("merge_drafts", [ranked], () => mergedSql(grouped), {columns: groupColumns});
  const united = unitedOutlines(ranked, drafts);
  const ownerColumns = ["owner_raw", "owner_name", "owner_last", "owner_kind", "owner_tokens"];
  const owners = ownerColumns.map((name) => {
    const value =
      name === "owner_tokens"
        ? "list_filter(o.tokens, lambda token, i: list_position(o.tokens, token) = i)"
        : `o.${name}`;
    return `CASE WHEN o._key IS NULL THEN m.${name} ELSE ${value} END AS ${name}`;
  });
  const owned = `(SELECT m.* REPLACE (${owners.join(", ")}) FROM merge_drafts m LEFT JOIN (${mergedOwnersSql(grouped)}) o
    ON o.county_key = m.county_key AND o._key = m._key)`;
  const groups = made(
    "merge_groups",
    [ranked, drafts, united],
    () => `SELECT * REPLACE (CASE WHEN acres_basis IN ('deeded', 'assessed') AND geom_acres IS NOT NULL THEN ${comparedArea} ELSE flags END AS flags)
      FROM (${withUnited(owned)})`,
    {columns: groupColumns},
  );
  const columnList = columnTypes(mergedColumns)
    .map(({name}) => sqlName(name))
    .join(", ");
  const apart = `SELECT * REPLACE (CASE WHEN _rank > 1 THEN parcel_uid || '~' || _rank ELSE parcel_uid END AS parcel_uid) FROM ranked_rows WHERE _of = 1 OR _key LIKE '~%'`;
  const several = made(
    "merged_rows",
    [ranked, groups],
    () => `SELECT ${columnList} FROM (${apart}) UNION ALL SELECT ${columnList} FROM merge_groups`,
  );
  // Rows that share no key stay in their tables.
  const parcels = made(
    "numbered_rows",
    [all, repeated, several],
    async (run) => {
      const unshared = (await run.rows(repeated, "LIMIT 1")).length > 0;
      const alone = `SELECT * FROM (SELECT *, ${ownOrigins().join(", ")} FROM all_rows) p${
        unshared
          ? " ANTI JOIN repeated_keys s ON s.county_key = p.county_key AND s._key = p._key"
          : " WHERE NOT EXISTS (SELECT 1 FROM repeated_keys)"
      }`;
      return `SELECT ${columnList} FROM (${alone}) UNION ALL FROM merged_rows`;
    },
    {materialise: "view"},
  );
  const address = [
    "county_key",
    ...["situs_number", "situs_name", "situs_pre", "situs_type", "situs_post", "situs_unit"],
  ];
  const unnumbered = made(
    "unnumbered_rows",
    [parcels],
    () =>
      `SELECT parcel_uid, _file, lon, lat, ${address.join(", ")} FROM numbered_rows WHERE parcel_id IS NULL`,
    {
      columns: {
        VARCHAR: `parcel_uid ${address.join(" ")}`,
        INTEGER: "_file",
        DOUBLE: "lon lat",
      },
    },
  );
  const same = address.map((name, n) => `n.${name} ${n < 3 ? "=" : "IS NOT DISTINCT FROM"} u.${name}`);
  const replaced = {
    ...made(
      "replaced_records",
      [parcels, unnumbered],
      () => `SELECT DISTINCT u.parcel_uid, u._file FROM unnumbered_rows u JOIN numbered_rows n
         ON ${same.join(" AND ")} AND n.parcel_id IS NOT NULL AND u.lon BETWEEN n.xmin AND n.xmax AND u.lat BETWEEN n.ymin AND n.ymax`,
      {columns: {VARCHAR: "parcel_uid", INTEGER: "_file"}},
    ),
    nothingWithout: unnumbered,
  };
  const merged = made(
    into,
    [parcels, replaced],
    async (run) =>
      (await run.rows(replaced, "LIMIT 1")).length > 0
        ? "SELECT u.* FROM numbered_rows u ANTI JOIN replaced_records r ON r.parcel_uid = u.parcel_uid"
        : "FROM numbered_rows",
    {materialise: "view"},
  );
  return {merged, all, groups, ranked, superseded, copied, replaced};
}

const keyColumns = {VARCHAR: "county_key _key"};
const placeColumns = {INTEGER: "_file", BIGINT: "_row"};
const columnsOf = (columns: Columns) => columnTypes(columns).map(({name, type}) => column(name, type, ""));
const parcelColumns = conformedColumns.map(({name, kind}) => column(name, parquetTypes[kind], ""));
/** Columns of a conformed table. */
export const rowColumns = [
  ...parcelColumns,
  ...conformedExtras.map(([name, type]) => column(name, type, "")),
];
const allColumns = [...rowColumns, ...columnsOf({VARCHAR: "_entry _authority", BOOLEAN: "_by_form"})];
const originNames = ["default" as const, ...groupNames].map(originColumn).join(" ");
const sharedColumns = [
  ...allColumns,
  ...columnsOf({BIGINT: "_rank", SMALLINT: "_newest_year", INTEGER: "_served"}),
  ...columnsOf({VARCHAR: `_newest_day _digest _account _outline served_uid served_id ${originNames}`}),
];
const rankedColumns = [
  ...sharedColumns.filter(({name}) => name !== "_account"),
  ...columnsOf({BIGINT: "_of _accounts"}),
];
const mergedColumns = [
  ...parcelColumns,
  ...columnsOf({VARCHAR: `_key ${originNames}`, INTEGER: "_file", BIGINT: "_row", BLOB: "_wkb"}),
];
const groupColumns = [
  ...mergedColumns,
  ...columnsOf({BOOLEAN: "_addressed _area_from_outline", VARCHAR: "_area_entry _outline_entry"}),
];

/** SELECT of no rows with the columns of a conformed table, because a state may have no usable source. */
function emptySql(): string {
  const typed = rowColumns.map(({name, type}) => `NULL::${type} AS ${sqlName(name)}`);
  return `SELECT ${typed.join(", ")}, '' AS _entry, '' AS _authority, false AS _by_form WHERE false`;
}

/** The name of the source of an entry's numbers. */
export function sourceName({entry, isFound, source = entry.id}: ConformedEntry): string {
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
