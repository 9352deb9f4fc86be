import {conformedColumns} from "../../lib/conform/conformed-table.ts";
import {groupNames} from "../../lib/conform/groups.ts";
import {stateBox} from "../../lib/county-box.ts";
import {type Database, sqlName} from "../../lib/duckdb.ts";
import {parcelColumns} from "../../schemas/parcel-columns.ts";
import {originColumn} from "./dedupe-sql.ts";

const hilbertOrder = 16;
const cells = 2 ** hilbertOrder;

/**
 * Makes table `into`, whose `rowid` is the row number of all files: rows with a point first, along the Hilbert curve of order 16
 * over the state's box, then county, id and `parcel_uid`, a total order. Its columns are those of the parcel row and `_wkb`.
 */
export async function orderParcels(
  db: Database,
  {united, into, state}: {united: string; into: string; state: string},
): Promise<void> {
  const own = conformedColumns.map(({name}) => `u.${sqlName(name)}`);
  const names = ["default" as const, ...groupNames];
  const ids = names.map((group) => `"o ${group}".provenance_id AS ${sqlName(`prov_${group}`)}`);
  const joins = names.map(
    (group) => `LEFT JOIN origins "o ${group}" ON "o ${group}".origin = u.${originColumn(group)}`,
  );
  const all = `SELECT ${[...own, ...ids, "u._wkb"].join(", ")}, ${cellSql("lon", state)} AS x, ${cellSql("lat", state)} AS y FROM ${sqlName(united)} u ${joins.join(" ")}`;
  const columns = [...parcelColumns.map(({name}) => sqlName(name)), "_wkb"].join(", ");
  await db.run(
    `CREATE TABLE ${sqlName(into)} AS SELECT ${columns} FROM (${hilbertSql(all)})
     ORDER BY lon IS NULL, d, county_key, parcel_id_std, parcel_id, parcel_uid`,
  );
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
