import type {JoinSpec} from "../../../schemas/parcel-source.ts";
import {column, type DescribedColumn} from "../../../schemas/vocabulary/described-file.ts";
import {ConfigError} from "../../errors.ts";
import {sqlName} from "../../sql/duckdb.ts";
import {cellColumns} from "./cells-table.ts";
import {type ConformEntry, cellName, cellSql, countyOrigin, joinNames} from "./column-references.ts";
import {geometryColumns, type JoinedRows} from "./staged-table.ts";
import {textSql} from "./transforms.ts";

type JoinRequest = {readonly entry: ConformEntry; readonly join: JoinSpec};
type KeyPair = {readonly ours: string; readonly theirs: string};

const fileColumns = ["~file", "~row", "~retrieved", "~layer_edit"].map(sqlName);

// A joined table is joined to the cells of an entry by text keys (`county_key` compares digits only); the joined cells are named
// `<join prefix>.<name>`. If the keys are county and parcel number, its rows without a match become rows of their own.

function keyPairs({entry, join: {on, prefix}}: JoinRequest): KeyPair[] {
  const [ours, theirs] = [[on.ours].flat(), [on.theirs].flat()];
  if (ours.length !== theirs.length) {
    throw new ConfigError(
      `${entry.id}: joins.${prefix}.on: ${ours.length} names of ours and ${theirs.length} of theirs.`,
    );
  }
  return ours.map((name, i) => ({ours: name, theirs: theirs[i]!}));
}

function keyNames(pairs: readonly KeyPair[]): string[] {
  return pairs.map((_, i) => `"~key${i}"`);
}

/**
 * SELECT of the joined table's rows with their keys, their position among the rows of the same key, and the number of those rows. Throws a
 * `ConfigError` when the numbers of keys differ.
 */
export function keyedSql(request: JoinRequest, {theirs, county}: {theirs: string; county: string}): string {
  const pairs = keyPairs(request);
  const keys = pairs.map(({ours, theirs: name}, i) => {
    const key =
      ours === "county_key"
        ? `(SELECT county_key FROM ${county} WHERE cell = t.${cellSql(name)})`
        : `t.${cellSql(name)}`;
    return `${key} AS "~key${i}"`;
  });
  const window = `PARTITION BY ${keyNames(pairs).join(", ")}`;
  return `SELECT *, row_number() OVER (${window} ORDER BY "~file", "~row") AS "~place", count(*) OVER (${window}) AS "~of"
    FROM (SELECT t.*, ${keys.join(", ")} FROM ${theirs} t)`;
}

/** The columns of that statement; without the place of a row, and its outline, where `isWhole` is false: those of lists of cells. */
export function keyedColumns(request: JoinRequest, isWhole = true): DescribedColumn[] {
  const names = joinNames(request.entry, request.join.prefix);
  const keys = keyPairs(request).map((_, i) => column(`~key${i}`, "VARCHAR", ""));
  if (!isWhole) return [...keys, ...cellColumns(names).slice(0, fileColumns.length + names.length)];
  return [...cellColumns(names), ...keys, ...["~place", "~of"].map((name) => column(name, "BIGINT", ""))];
}

/** SELECT of one row per key: the first row, a list of all distinct cells, or only keys with a single row. */
export function singleSql(request: JoinRequest, keyed: string): string {
  const {entry, join} = request;
  const keys = keyNames(keyPairs(request));
  const allKeysGiven = keys.map((key) => `${key} IS NOT NULL`).join(" AND ");
  if (join.many !== "list") {
    return `SELECT * FROM ${keyed} WHERE ${allKeysGiven} AND ${join.many === "first" ? '"~place" = 1' : '"~of" = 1'}`;
  }
  const cells = joinNames(entry, join.prefix).map(cellSql);
  const order = 'ORDER BY "~file", "~row"';
  const listed = cells.map((cell) => `string_agg(${cell}, '; ' ${order}) AS ${cell}`);
  const facts = fileColumns.map((name) => `first(${name} ${order}) AS ${name}`);
  const cellsOnce = join.oncePer === undefined ? cells : [cellSql(join.oncePer)];
  const differing = `SELECT * FROM ${keyed} WHERE ${allKeysGiven} QUALIFY row_number() OVER (PARTITION BY ${[...keys, ...cellsOnce].join(", ")} ${order}) = 1`;
  return `SELECT ${[...keys, ...facts, ...listed].join(", ")} FROM (${differing}) GROUP BY ${keys.join(", ")}`;
}

/** The columns of `joinedSql` over those of the cells. */
export function joinedColumns(
  {entry, join: {prefix}}: JoinRequest,
  cells: readonly DescribedColumn[],
): DescribedColumn[] {
  const theirs = joinNames(entry, prefix).map((name) => column(cellName(`${prefix}.${name}`), "VARCHAR", ""));
  return [...cells, ...theirs];
}

/** SELECT of the cells with those of the joined table. */
export function joinedSql(
  request: JoinRequest,
  {cells, single, county}: {cells: string; single: string; county: string},
): string {
  const {entry, join} = request;
  const pairs = keyPairs(request);
  const own = pairs.map(({ours}, i) => `${ownKeySql(ours, entry)} AS "~own${i}"`);
  const same = pairs.map((_, i) => `j."~key${i}" = o."~own${i}"`).join(" AND ");
  const theirs = joinNames(entry, join.prefix).map(
    (name) => `j.${cellSql(name)} AS ${cellSql(`${join.prefix}.${name}`)}`,
  );
  const ours = `SELECT c.*, n.county_key AS "~county_key", ${own.join(", ")}
    FROM (SELECT * FROM ${cells}) c LEFT JOIN ${county} n ON n.cell = c."~county_cell"`;
  const drop = `EXCLUDE (${['"~county_key"', ...pairs.map((_, i) => `"~own${i}"`)].join(", ")})`;
  const inner = `SELECT o.* ${drop}, ${theirs.join(", ")} FROM o LEFT JOIN ${single} j ON ${same}`;
  const lone = loneRowCells(request, pairs);
  if (lone === null) return `WITH o AS (${ours}) ${inner}`;
  const facts = fileColumns.map((name) => `j.${name}`);
  const noGeometry = geometryColumns.map(([name, type]) => `NULL::${type} AS ${sqlName(name)}`);
  return `WITH o AS MATERIALIZED (${ours}) ${inner} UNION ALL BY NAME
    SELECT ${[...facts, ...lone, ...noGeometry, ...theirs].join(", ")} FROM ${single} j WHERE NOT EXISTS (SELECT 1 FROM o WHERE ${same})`;
}

function ownKeySql(ours: string, entry: ConformEntry): string {
  if (ours === "county_key") return "n.county_key";
  if (ours === "parcel_id") return "none" in entry.ids ? "NULL::VARCHAR" : textSql(entry.ids.raw);
  return `c.${cellSql(ours)}`;
}

/**
 * The cells of ours that a row of the joined table can fill by itself; null unless the keys are county and
 * parcel number.
 */
function loneRowCells({entry}: JoinRequest, pairs: readonly KeyPair[]): string[] | null {
  const {ids} = entry;
  if ("none" in ids || typeof ids.raw !== "string") return null;
  const raw = ids.raw;
  const id = pairs.find(({ours}) => ours === "parcel_id" || ours === raw);
  const county = pairs.find(({ours}) => ours === "county_key");
  const origin = countyOrigin(entry);
  const constant = origin !== null && "constant" in origin ? `'${origin.constant}'` : null;
  const countyCell = county === undefined ? constant : `j.${cellSql(county.theirs)}`;
  if (id === undefined || countyCell === null) return null;
  return [`j.${cellSql(id.theirs)} AS ${cellSql(raw)}`, `${countyCell} AS "~county_cell"`];
}

/** SELECT by file of the joined table's rows: those that became rows of their own, lack a key, and repeat one. */
export function joinCountsSql({keyed, joined}: {keyed: string; joined: string}): string {
  return `SELECT k."~file" AS file, count(*) AS all_rows,
       count(*) FILTER (n."~row" IS NOT NULL) AS lone,
       count(*) FILTER (k."~key0" IS NULL) AS keyless,
       count(*) FILTER (k."~key0" IS NOT NULL AND k."~of" > 1) AS repeated
     FROM ${keyed} k LEFT JOIN (SELECT "~file", "~row" FROM ${joined}) n ON n."~file" = k."~file" AND n."~row" = k."~row"
     GROUP BY k."~file"`;
}

type JoinCounts = {file: number; all_rows: bigint; lone: bigint; keyless: bigint; repeated: bigint};

/** The counts of a joined table as a report has them: rows without a key, or that repeat a key which must be unique, are rejected, all others with a match are merged. */
export function outcomesOf(counts: readonly JoinCounts[], many: JoinSpec["many"]): JoinedRows[] {
  return counts.map(({file, all_rows, lone, keyless, repeated}) => {
    const refused = many === "reject" ? Number(repeated) : 0;
    const rejected: Record<string, number> = {};
    if (keyless > 0n) rejected.null_id = Number(keyless);
    if (refused > 0) rejected.duplicate_id = refused;
    return {file, merged: Number(all_rows) - Number(lone) - Number(keyless) - refused, rejected};
  });
}
