import {conformedColumns} from "../../lib/conform/conformed-table.ts";
import {groupNames} from "../../lib/conform/groups.ts";
import {stateBox} from "../../lib/county-box.ts";
import {type Database, sqlName} from "../../lib/duckdb.ts";
import {originColumn} from "./dedupe-sql.ts";

const hilbertOrder = 16;
const cells = 2 ** hilbertOrder;

/** The order of the rows of a state, over the columns of `orderedParcels`: total, for it ends in a unique key. */
export const rowOrder = "lon IS NULL, d, county_key, parcel_id_std, parcel_id, parcel_uid";

/**
 * SELECT of the parcel rows of table `united` and of `d`, to be sorted by `rowOrder`: rows with a point first, along the Hilbert
 * curve of order 16 over the state's box. Makes table `places` with the place of each row on the curve, which the query reads.
 */
export async function orderedParcels(
  db: Database,
  {united, state}: {united: string; state: string},
): Promise<string> {
  const grid = `SELECT rowid AS row_at, ${cellSql("lon", state)} AS x, ${cellSql("lat", state)} AS y FROM ${sqlName(united)} u`;
  await db.run(`CREATE TABLE places AS SELECT row_at, d FROM (${hilbertSql(grid)})`);
  const used = await usedOrigins(db, united);
  const own = conformedColumns.map(({name}) => `u.${sqlName(name)}`);
  const ids = originNames.map(
    (group) =>
      `${used.has(group) ? `"o ${group}".provenance_id` : "NULL::INTEGER"} AS ${sqlName(`prov_${group}`)}`,
  );
  const joins = [...used].map(
    (group) => `LEFT JOIN origins "o ${group}" ON "o ${group}".origin = u.${originColumn(group)}`,
  );
  return `SELECT ${[...own, ...ids, "p.d"].join(", ")} FROM ${sqlName(united)} u JOIN places p ON p.row_at = u.rowid ${joins.join(" ")}`;
}

const originNames = ["default" as const, ...groupNames];

/** Groups of which some row has an origin of its own: the others need no look-up. */
async function usedOrigins(db: Database, united: string): Promise<Set<(typeof originNames)[number]>> {
  const counts = originNames.map((group) => `count(${originColumn(group)}) AS ${sqlName(group)}`);
  const [row] = await db.rows<Record<string, bigint>>(`SELECT ${counts.join(", ")} FROM ${sqlName(united)}`);
  return new Set(originNames.filter((group) => row![group]! > 0n));
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
