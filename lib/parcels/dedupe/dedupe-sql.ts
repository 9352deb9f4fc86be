import {sqlName, sqlText} from "../../sql/duckdb.ts";
import {areaTolerance} from "../conform/area-sql.ts";
import {conformedColumns} from "../conform/conformed-table.ts";
import {
  groupFlags,
  groupNames,
  groupRanks,
  type ProvenanceGroup,
  partlyReadCodes,
  provenanceGroups,
} from "../conform/file-cells.ts";
import {vintageColumn} from "../conform/vintage-sql.ts";

/** Authorities, best first, for rows of equal vintage (`docs/design/parcels.md` section 9). */
const authorityOrder = ["county", "state", "aggregate", "copy", "derived", "unknown"];

/**
 * Columns that follow from the geometry or other columns; rows that differ only in these are still copies.
 */
const derivedColumns: ReadonlySet<string> = new Set([
  ...provenanceGroups.location,
  "flags",
  "acres",
  "land_area_sqft",
  "acres_basis",
]);

/** Columns that merge the lists of all rows of a parcel. */
const unionColumns: ReadonlySet<string> = new Set(["alt_ids", "alt_ids_std", "flags"]);

/** Key columns of a parcel, which come from the row of least `keyRank`. */
const keyColumns: ReadonlySet<string> = new Set([
  "parcel_uid",
  "parcel_id",
  "parcel_id_tok",
  "parcel_id_std",
  "parcel_id_loose",
]);

/**
 * SQL for the order in which rows give their parcel its key: as the previous build served it (2 in this print, 1 in
 * another), then as a file prints it. Of numbers that are only alike, one found on a miss was served, and one with separators says more.
 */
const keyRank = `row(-_served, CASE WHEN _by_form THEN _file >= 0 ELSE _file < 0 END, _by_form AND NOT contains(parcel_id_tok, '-'), _rank)`;

/**
 * The column with the provenance of a group as text (file and vintage); null when the group follows the
 * default.
 */
export function originColumn(group: ProvenanceGroup | "default"): string {
  return `_from_${group}`;
}

/** SQL for the origin columns of a row that shares its parcel with no other row. */
export function ownOrigins(): string[] {
  const fallback = vintageColumn("default");
  const origin = (vintage: string) => `_file || ' ' || ${vintage}`;
  return [
    `${origin(fallback)} AS ${originColumn("default")}`,
    ...groupNames.map((group) => {
      const vintage = vintageColumn(group);
      return `CASE WHEN ${vintage} <> ${fallback} THEN ${origin(vintage)} END AS ${originColumn(group)}`;
    }),
  ];
}

/**
 * SQL for a digest of a source's facts on a parcel, without the outline. With "account" it leaves out what
 * differs between the parts of one account, because each part may state its own area.
 */
export function digestSql(of: "facts" | "account"): string {
  const said = conformedColumns
    .map(({name}) => name)
    .filter((name) => !derivedColumns.has(name) && name !== "parcel_uid");
  const counts = of === "facts" ? "NOT _area_from_outline" : "_wkb IS NULL";
  const area = ["acres", "land_area_sqft", "acres_basis"].map(
    (name) => `CASE WHEN ${counts} THEN ${name} END`,
  );
  const line = of === "facts" ? "_line" : "CASE WHEN _wkb IS NULL THEN _line END";
  return `md5(row(${[line, ...said.map(sqlName), ...area].join(", ")})::VARCHAR)`;
}

/**
 * SQL for the precedence of a parcel's rows: latest vintage first, then rows found on a miss (`_file` below
 * 0), then by authority and retrieval, then rows with a point, then in file order.
 */
export function precedenceSql(authority: string): string {
  const rank = `CASE ${authority} ${authorityOrder.map((name, i) => `WHEN '${name}' THEN ${i}`).join(" ")} END`;
  return `${ageSql(vintageColumn("default"))} DESC, _file >= 0, ${rank}, _retrieved DESC, lon IS NULL, _file, _row`;
}

/** SQL for the sort key of a group's vintage. */
function groupAgeSql(group: ProvenanceGroup): string {
  return ageSql(`coalesce(${vintageColumn(group)}, ${vintageColumn("default")})`);
}

/**
 * SQL for the sort key of a vintage: a bare year counts as its first day; a retrieval date precedes all dates
 * of its year, and what states no age at all precedes everything.
 */
function ageSql(vintage: string): string {
  const date = `split_part(${vintage}, ' ', 2)`;
  return `CASE WHEN starts_with(${vintage}, 'unknown ') THEN '' WHEN starts_with(${vintage}, 'retrieved ') THEN left(${date}, 4) || '-00-00' WHEN length(${date}) = 4 THEN ${date} || '-01-01' ELSE ${date} END`;
}

/**
 * SELECT of one row per parcel of the table `many`, whose rows have `_rank` and `_entry`. Columns without a
 * group come from the leading row. Each provenance group comes from the row with its latest vintage, then what
 * was found on a miss, then best rank, that has any of its facts. Other ids and codes come from all rows.
 */
export function mergedSql(many: string): string {
  // Columns taken from the leading row, and columns that merge the lists of all rows.
  const grouped = new Set<string>(groupNames.flatMap((group) => [...provenanceGroups[group]]));
  const plain = conformedColumns
    .map(({name}) => name)
    .filter((name) => !grouped.has(name) && !unionColumns.has(name));
  const lists = [...unionColumns].map(
    (name) => `list_sort(list_distinct(flatten(list(${name})))) AS ${name}`,
  );
  // One struct per provenance group, from the row that knows it best.
  const groups = groupNames.map(
    (group) =>
      `arg_max(${groupStruct(group)}, row(${groupOrder(group)}, _file < 0, ${group === "use" ? "coalesce(_use_line, -1)" : "0"}, -_rank)) FILTER (WHERE ${groupKnown(group)}) AS "g ${group}"`,
  );
  const lead = plain.map((name) => {
    const isKey = keyColumns.has(name);
    const first = `arg_min(${sqlName(name)}, ${isKey ? keyRank : "_rank"})${isKey ? "" : " FILTER (WHERE _rank = 1)"}`;
    return `${first} AS ${sqlName(name)}`;
  });
  // Bookkeeping of the leading row, the ids of all rows, and their addresses.
  const facts = [
    ...["_file", "_row"].map((name) => `arg_min(${name}, _rank) AS ${name}`),
    "max(_accounts) > 1 AS several",
    "list(struct_pack(id := parcel_id, std := parcel_id_std, tok := parcel_id_tok)) AS ids",
    `list(struct_pack(entry := _entry, parts := ${addressParts}, line := ${printedAddress}, alts := alt_situs)) FILTER (WHERE situs_status = 'numbered') AS addresses`,
  ];
  // The result columns: structs are unpacked, and lists lose the parcel's own number.
  const columns = conformedColumns.map(({name}) => {
    if (name === "flags") return `${mergedFlags} AS flags`;
    if (name === "alt_ids") return `${otherIds("alt_ids", "id")} AS alt_ids`;
    if (name === "alt_ids_std") return `${otherIds("alt_ids_std", "std")} AS alt_ids_std`;
    if (name === "alt_situs") return `${otherAddresses} AS alt_situs`;
    if (!grouped.has(name)) return sqlName(name);
    const group = groupNames.find((each) => (provenanceGroups[each] as readonly string[]).includes(name))!;
    const value = `"g ${group}".${sqlName(name)}`;
    if (name === "owner_withheld") return `coalesce(${value}, false) AS ${sqlName(name)}`;
    return name === "situs_status"
      ? `coalesce(${value}, 'blank') AS situs_status`
      : `${value} AS ${sqlName(name)}`;
  });
  // A group's origin is null when it equals that of the leading row.
  const origins = groupNames.map((group) => {
    const origin = `"g ${group}"._from`;
    return `CASE WHEN ${origin} <> ${originColumn("default")} THEN ${origin} END AS ${originColumn(group)}`;
  });
  return `SELECT ${[...columns, "_key", "_file", "_row", `len(${otherAddresses}) > len(coalesce("g situs".alt_situs, [])) AS _addressed`, '"g land"._area_from_outline AS _area_from_outline', '"g land"._entry AS _area_entry', '"g location"._wkb AS _wkb', '"g location"._entry AS _outline_entry', originColumn("default"), ...origins].join(", ")}
    FROM (SELECT county_key AS "~county", _key, ${[...lead, ...lists, ...facts, `arg_min(${originColumn("default")}, _rank) AS ${originColumn("default")}`, ...groups].join(", ")}
      FROM ${many} GROUP BY county_key, _key)`;
}

/** SQL for the order of the rows that know a group, the greatest first; what was found on a miss wins a tie. */
export function groupOrder(group: ProvenanceGroup): string {
  return `row(${rankSql(group)}, ${groupAgeSql(group)})`;
}

/** SQL for the rank of a row in a group, which goes before its vintage. */
function rankSql(group: ProvenanceGroup): string {
  const rank = groupRanks[group];
  if (rank === undefined) return "0";
  const cases = Object.entries(rank.ranks).map(([value, place]) => `WHEN ${sqlText(value)} THEN ${place}`);
  return `CASE ${rank.column} ${cases.join(" ")} ELSE ${rank.other} END`;
}

/** SQL for the other ids of all rows, including the numbers that other rows use for the parcel. */
function otherIds(column: string, form: "id" | "std"): string {
  const own = form === "id" ? "parcel_id" : "parcel_id_std";
  const named = `list_transform(list_filter(ids, lambda each: each.tok <> parcel_id_tok), lambda each: each.${form})`;
  return `list_sort(list_distinct(list_filter(${column} || ${named}, lambda each: each <> ${own})))`;
}

/** SQL that tells two addresses apart, however they are spelt. */
const addressParts = `concat_ws('|', ${[
  "situs_number",
  "situs_number_hi",
  "situs_fraction",
  "situs_pre",
  "situs_name",
  "situs_type",
  "situs_post",
  "situs_unit",
  "city",
]
  .map((part) => `coalesce(${part}::VARCHAR, '')`)
  .join(", ")})`;

/** SQL for a row's line, of its parts where the source prints none, with its town and ZIP. */
const lineOfRow = `coalesce(situs_raw, concat_ws(' ', situs_number, situs_fraction, situs_pre, situs_name, situs_type, situs_post, situs_unit_type, situs_unit))`;
const printedAddress = `concat_ws(', ', ${lineOfRow}, nullif(concat_ws(' ', CASE WHEN NOT coalesce(contains(upper(situs_raw), city), false) THEN city END, zip), ''))`;

/** SQL for the addresses that rows of the same source print beside that of the chosen row. */
const otherAddresses = `list_sort(list_distinct(coalesce("g situs".alt_situs, []) || flatten(list_transform(
  list_filter(coalesce(addresses, []), lambda each: each.entry = "g situs"._entry AND each.parts <> "g situs"._address AND "g situs".situs_status = 'numbered'),
  lambda each: list_append(coalesce(each.alts, []), each.line)))))`;

/**
 * SQL for the merged flags: those of each group's row (of all rows if no row knows the group), and those of
 * the parcel.
 */
const mergedFlags = `list_sort(list_distinct(${[
  `list_filter(flags, lambda code: NOT list_contains(${codeList(["partly_read", ...Object.values(groupFlags).flat()])}, code))`,
  "CASE WHEN several THEN ['duplicate_id'] ELSE [] END",
  `CASE WHEN len(${otherAddresses}) > 0 THEN ['several_addresses'] ELSE [] END`,
  // A declared area that was held says so beside the computed one that is served instead, whosever outline that is of.
  `CASE WHEN "g land".acres_basis = 'computed' THEN list_filter(flags, lambda code: code = 'area_scale') ELSE [] END`,
  ...groupNames.flatMap((group) => {
    const codes = groupFlags[group];
    if (codes === undefined) return [];
    const from = `CASE WHEN "g ${group}"._from IS NULL THEN flags ELSE "g ${group}"._flags END`;
    const own = `list_filter(${from}, lambda code: list_contains(${codeList(codes)}, code))`;
    const part = partlyReadCodes[group];
    if (part === undefined) return [own];
    // A row of an older program has no code of its part: the address is meant.
    const isOld =
      group === "situs"
        ? ` OR (list_contains(${from}, 'partly_read') AND NOT list_has_any(${from}, ${codeList(Object.values(partlyReadCodes))}))`
        : "";
    return [own, `CASE WHEN list_contains(${from}, '${part}')${isOld} THEN ['partly_read'] ELSE [] END`];
  }),
].join(" || ")}))`;

function codeList(codes: readonly string[]): string {
  return `[${codes.map(sqlText).join(", ")}]`;
}

function groupStruct(group: ProvenanceGroup): string {
  const own = provenanceGroups[group].map((name) => `${sqlName(name)} := ${sqlName(name)}`);
  const beside = [
    "_entry",
    ...(group === "location" ? ["_wkb"] : []),
    ...(group === "situs" ? ["_address"] : []),
    ...(group === "land" ? ["_area_from_outline"] : []),
  ];
  return `struct_pack(${[
    ...own,
    ...beside.map((name) => `${name} := ${name === "_address" ? addressParts : name}`),
    "_flags := flags",
    `_from := coalesce(${originColumn(group)}, ${originColumn("default")})`,
  ].join(", ")})`;
}

/** Columns whose empty list says nothing. */
const lists = new Set(conformedColumns.filter(({kind}) => kind === "list").map(({name}) => name));

/** Columns that are always filled, so they do not show that their group is known. */
const alwaysFilled: ReadonlySet<string> = new Set(["situs_status", "owner_withheld", "geom_acres"]);

/** SQL that is true for a row that says anything about a group; a withheld owner counts. */
export function groupKnown(group: ProvenanceGroup): string {
  const known = provenanceGroups[group]
    .filter((name) => !alwaysFilled.has(name))
    .map((name) => (lists.has(name) ? `len(${sqlName(name)}) > 0` : `${sqlName(name)} IS NOT NULL`));
  return group === "owner" ? `(${known.join(" OR ")} OR owner_withheld)` : `(${known.join(" OR ")})`;
}

/**
 * SELECT of the merged owners of parcels in the table `many` whose source prints several owner lines: the key
 * and the changed owner columns. Only lines with the source and vintage of the chosen owner group are joined.
 */
export function mergedOwnersSql(many: string): string {
  const person = "owner_kind IN ('person', 'persons')";
  const vintage = `coalesce(${vintageColumn("owner")}, ${vintageColumn("default")})`;
  return `WITH chosen AS (
      SELECT county_key, _key, arg_max(struct_pack(entry := _entry, vintage := ${vintage}, withheld := owner_withheld), row(${groupAgeSql("owner")}, _file < 0, -_rank)) AS of
      FROM ${many} WHERE ${groupKnown("owner")} GROUP BY ALL)
    SELECT county_key, _key,
      string_agg(owner_raw, '; ' ORDER BY r) AS owner_raw, string_agg(owner_name, '; ' ORDER BY r) AS owner_name,
      string_agg(owner_last, '; ' ORDER BY r) AS owner_last, flatten(list(owner_tokens ORDER BY r)) AS tokens,
      CASE WHEN bool_and(${person}) THEN 'persons' ELSE arg_min(owner_kind, r) END AS owner_kind
    FROM (SELECT m.county_key, m._key, owner_raw, min(_rank) AS r, arg_min(owner_name, _rank) AS owner_name, arg_min(owner_last, _rank) AS owner_last,
        arg_min(owner_tokens, _rank) AS owner_tokens, arg_min(owner_kind, _rank) AS owner_kind
      FROM ${many} m JOIN chosen c ON c.county_key = m.county_key AND c._key = m._key AND c.of.entry = m._entry AND c.of.vintage = ${vintage}
      WHERE owner_raw IS NOT NULL AND NOT owner_withheld AND NOT c.of.withheld
      GROUP BY m.county_key, m._key, owner_raw)
    GROUP BY county_key, _key HAVING count(*) > 1`;
}

/**
 * SQL for the flags of a merged parcel whose area and outline come from different rows: compares the stated
 * area with the outline.
 */
export const comparedArea = `list_sort(list_filter(flags, lambda code: code <> 'area_mismatch')
  || CASE WHEN abs(acres - geom_acres) > ${areaTolerance} * acres THEN ['area_mismatch'] ELSE [] END)`;

/**
 * SQL for the flags of a parcel that shares its outline with another one. A stated area no larger than the outline
 * is that parcel's share of the land, so it does not contradict the outline.
 */
export const sharedOutlineFlags = `list_sort(list_distinct(list_append(list_filter(flags, lambda code: code <> 'area_mismatch' OR NOT coalesce(acres <= geom_acres * ${1 + areaTolerance}, false)), 'shared_outline')))`;
