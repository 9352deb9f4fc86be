import {stateBox} from "../../lib/geography/county-box.ts";
import {groupNames} from "../../lib/parcels/conform/cells.ts";
import {conformedColumns} from "../../lib/parcels/conform/conformed-table.ts";
import {originColumn} from "../../lib/parcels/dedupe/dedupe-sql.ts";
import {sqlName, sqlText} from "../../lib/sql/duckdb.ts";
import {parquetTypes} from "../../schemas/column-kind.ts";
import {hilbertOrder, hilbertSql} from "./hilbert-sql.ts";
import type {UnitedFacts} from "./united-facts.ts";

const cells = 2 ** hilbertOrder;

/** Columns that order rows of one place on the curve; the order is total because it ends in a unique key. */
const orderColumns = ["county_key", "parcel_id_std", "parcel_id", "parcel_uid"];

/**
 * Gives the SELECT of the parcel rows of `united` in their order: rows with a point first, along the Hilbert curve of order 16
 * over the state's box. Columns that have the same value in every row, or repeat others, are not sorted.
 */
export function orderedParcels({
  united,
  state,
  facts,
}: {
  united: string;
  state: string;
  facts: Pick<UnitedFacts, "constants" | "repeated">;
}): string {
  const {constants, repeated} = facts;
  const isSorted = (name: string) => !constants.has(name) && !repeated.has(name);
  const varying = conformedColumns.map(({name}) => name).filter(isSorted);
  const grid = `SELECT u.*, ${cellSql("lon", state)} AS x, ${cellSql("lat", state)} AS y FROM ${sqlName(united)} u`;
  const ids = originNames.filter((group) => !constants.has(originColumn(group)));
  const origin = (group: (typeof originNames)[number]) => sqlName(`o ${group}`);
  const joins = ids.map(
    (group) => `LEFT JOIN origins ${origin(group)} ON ${origin(group)}.origin = u.${originColumn(group)}`,
  );
  const sorted = [
    ...varying.map((name) => `u.${sqlName(name)}`),
    ...ids.map((group) => `${origin(group)}.provenance_id AS ${sqlName(`prov_${group}`)}`),
    "u.d",
  ];
  const order = ["u.lon IS NULL", "u.d", ...orderColumns.filter(isSorted).map((name) => `u.${name}`)];
  const rows = `SELECT ${sorted.join(", ")} FROM (${hilbertSql(grid)}) u ${joins.join(" ")} ORDER BY ${order.join(", ")}`;
  const same = [...constants].flatMap(([name, text]) => {
    const kind = conformedColumns.find((column) => column.name === name)?.kind;
    return kind === undefined ? [] : [`${constantSql(parquetTypes[kind], text)} AS ${sqlName(name)}`];
  });
  const none = originNames.filter((group) => !ids.includes(group));
  const whole = `SELECT *, ${[...same, ...none.map((group) => `NULL::INTEGER AS ${sqlName(`prov_${group}`)}`)].join(", ")} FROM (${rows})`;
  const columns = [
    ...conformedColumns.map(({name}) =>
      repeated.has(name) ? `${repeated.get(name)} AS ${sqlName(name)}` : sqlName(name),
    ),
    ...originNames.map((group) => sqlName(`prov_${group}`)),
  ];
  return `SELECT ${columns.join(", ")} FROM (${whole})`;
}

const originNames = ["default" as const, ...groupNames];

/**
 * Gives the SQL of a value that is the same in every row. A text becomes the one member of an enumeration, which Parquet stores
 * like any text: it takes one byte a row in memory and not 16, with which sixty such columns would fill the memory of the writer.
 */
function constantSql(type: string, text: string | null): string {
  const value = text === null ? "NULL" : sqlText(text);
  return type === "VARCHAR" ? `${value}::ENUM(${sqlText(text ?? "")})` : `${value}::${type}`;
}

/** Gives the SQL of the column, or row, of the grid over the state's box that holds a coordinate. */
export function cellSql(axis: "lon" | "lat", state: string): string {
  const box = stateBox(state) ?? {west: -180, south: -90, east: 180, north: 90};
  const [from, to] = axis === "lon" ? [box.west, box.east] : [box.south, box.north];
  return `least(greatest(floor((u.${axis} - (${from})) / (${to - from}) * ${cells}), 0), ${cells - 1})::INTEGER`;
}
