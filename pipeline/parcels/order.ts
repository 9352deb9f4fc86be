import {conformedColumns, sqlType} from "../../lib/conform/conformed-table.ts";
import {groupNames} from "../../lib/conform/groups.ts";
import {stateBox} from "../../lib/county-box.ts";
import {type Database, sqlName, sqlText} from "../../lib/duckdb.ts";
import {originColumn} from "./dedupe-sql.ts";

const hilbertOrder = 16;
const cells = 2 ** hilbertOrder;

/** Columns behind the place on the curve in the order of the rows of a state: total, for it ends in a unique key. */
const orderColumns = ["county_key", "parcel_id_std", "parcel_id", "parcel_uid"];

/**
 * SELECT of the parcel rows of `united` in their order: rows with a point first, along the Hilbert curve of order 16 over the
 * state's box. Columns that hold the same in every row are not sorted.
 */
export async function orderedParcels(
  db: Database,
  {united, state}: {united: string; state: string},
): Promise<string> {
  const known = await constants(db, united);
  const varying = conformedColumns.map(({name}) => name).filter((name) => !known.has(name));
  const grid = `SELECT u.*, ${cellSql("lon", state)} AS x, ${cellSql("lat", state)} AS y FROM ${sqlName(united)} u`;
  const ids = originNames.filter((group) => !known.has(originColumn(group)));
  const origin = (group: (typeof originNames)[number]) => sqlName(`o ${group}`);
  const joins = ids.map(
    (group) => `LEFT JOIN origins ${origin(group)} ON ${origin(group)}.origin = u.${originColumn(group)}`,
  );
  const sorted = [
    ...varying.map((name) => `u.${sqlName(name)}`),
    ...ids.map((group) => `${origin(group)}.provenance_id AS ${sqlName(`prov_${group}`)}`),
    "u.d",
  ];
  const order = [
    "u.lon IS NULL",
    "u.d",
    ...orderColumns.filter((name) => varying.includes(name)).map((name) => `u.${name}`),
  ];
  const rows = `SELECT ${sorted.join(", ")} FROM (${hilbertSql(grid)}) u ${joins.join(" ")} ORDER BY ${order.join(", ")}`;
  const columns = [
    ...conformedColumns.map(({name, kind}) =>
      known.has(name) ? `${known.get(name)}::${sqlType(kind)} AS ${sqlName(name)}` : sqlName(name),
    ),
    ...originNames.map(
      (group) => (ids.includes(group) ? "" : "NULL::INTEGER AS ") + sqlName(`prov_${group}`),
    ),
  ];
  return `SELECT ${columns.join(", ")} FROM (${rows})`;
}

const originNames = ["default" as const, ...groupNames];

/** Columns that have no value in any row, and texts that all rows have, as SQL. */
async function constants(db: Database, united: string): Promise<Map<string, string>> {
  const names = [...conformedColumns.map(({name}) => name), ...originNames.map(originColumn)];
  const same = conformedColumns.filter(({kind}) => kind === "dictionary").map(({name}) => name);
  const [row] = await db.rows<Record<string, string | bigint | null>>(
    `SELECT count(*) AS "~rows", ${[...names.map((name) => `count(${sqlName(name)}) AS ${sqlName(name)}`), ...same.map((name) => `CASE WHEN min(${sqlName(name)}) = max(${sqlName(name)}) THEN min(${sqlName(name)}) END AS ${sqlName(`~${name}`)}`)].join(", ")} FROM ${sqlName(united)}`,
  );
  const all = row!["~rows"];
  const known = new Map<string, string>();
  for (const name of names) {
    const value = row![`~${name}`];
    if (row![name] === 0n) known.set(name, "NULL");
    else if (row![name] === all && typeof value === "string") known.set(name, sqlText(value));
  }
  return known;
}

/** Column of the grid over the state's box in which a coordinate lies. */
function cellSql(axis: "lon" | "lat", state: string): string {
  const box = stateBox(state) ?? {west: -180, south: -90, east: 180, north: 90};
  const [from, to] = axis === "lon" ? [box.west, box.east] : [box.south, box.north];
  return `least(greatest(floor((u.${axis} - (${from})) / (${to - from}) * ${cells}), 0), ${cells - 1})::INTEGER`;
}

/** The distance `d` along the curve of the cell `x`, `y`: one nested query for each bit (`engineering-notes.md` section 5). */
function hilbertSql(query: string): string {
  let sql = `SELECT *, 0::BIGINT AS d FROM (${query})`;
  for (let bit = hilbertOrder - 1; bit >= 0; bit--) {
    const bits = `SELECT *, (x >> ${bit}) & 1 AS rx, (y >> ${bit}) & 1 AS ry FROM (${sql})`;
    const turn = (kept: string, turned: string) =>
      `CASE WHEN ry = 1 THEN ${kept} WHEN rx = 1 THEN ${cells - 1} - ${turned} ELSE ${turned} END`;
    sql = `SELECT * EXCLUDE (x, y, d, rx, ry), ${turn("x", "y")} AS x, ${turn("y", "x")} AS y, d * 4 + xor(3 * rx, ry) AS d FROM (${bits})`;
  }
  return sql;
}
