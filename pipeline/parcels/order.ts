import {stateBox} from "../../lib/geography/county-box.ts";
import {conformedColumns} from "../../lib/parcels/conform/conformed-table.ts";
import {groupNames} from "../../lib/parcels/conform/file-cells.ts";
import {originColumn} from "../../lib/parcels/dedupe/dedupe-sql.ts";
import {sqlName, sqlText} from "../../lib/sql/duckdb.ts";
import {parquetTypes} from "../../schemas/vocabulary/described-file.ts";
import type {MergedFacts} from "./merged-facts.ts";

/** Bits per coordinate on the curve. */
export const hilbertOrder = 16;
/** Bits per lookup, in a table of 4 x 16 x 16 entries. */
const lookupBits = 4;

const cells = 2 ** hilbertOrder;

/** Tie-breaking columns for rows in one cell of the curve; the order is total because the last one is unique. */
const orderColumns = ["county_key", "parcel_id_std", "parcel_id", "parcel_uid"];

/**
 * SELECT of the parcel rows of `merged` in file order: rows with a point first, along the Hilbert curve of order 16 over the state's box.
 * Columns that are constant or repeat others are excluded from the sort.
 */
export function orderedParcels({
  merged,
  state,
  facts,
}: {
  merged: string;
  state: string;
  facts: Pick<MergedFacts, "constants" | "repeated">;
}): string {
  const {constants, repeated} = facts;
  const isSorted = (name: string) => !constants.has(name) && !repeated.has(name);
  const varying = conformedColumns.map(({name}) => name).filter(isSorted);
  const grid = `SELECT u.*, ${cellSql("lon", state)} AS x, ${cellSql("lat", state)} AS y FROM ${sqlName(merged)} u`;
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
 * SQL for a constant value. Text becomes a single-member enum, which Parquet stores like any text. It takes one byte per row in memory
 * instead of 16; sixty such columns would otherwise fill the writer's memory.
 */
function constantSql(type: string, text: string | null): string {
  const value = text === null ? "NULL" : sqlText(text);
  return type === "VARCHAR" ? `${value}::ENUM(${sqlText(text ?? "")})` : `${value}::${type}`;
}

/** SQL for the grid column (or row) over the state's box that contains a coordinate. */
export function cellSql(axis: "lon" | "lat", state: string): string {
  const box = stateBox(state) ?? {west: -180, south: -90, east: 180, north: 90};
  const [from, to] = axis === "lon" ? [box.west, box.east] : [box.south, box.north];
  return `least(greatest(floor((u.${axis} - (${from})) / (${to - from}) * ${cells}), 0), ${cells - 1})::INTEGER`;
}

/**
 * SELECT that replaces the integer columns `x` and `y` of a query, 0 to 2^16 - 1, with the distance `d` along the Hilbert curve
 * (`docs/design/measurements.md` section 5). It looks up four bits at a time, because one step per bit takes four times as long.
 */
export function hilbertSql(query: string): string {
  const table = `[${curveTable().join(", ")}]::USMALLINT[]`;
  const side = 2 ** lookupBits - 1;
  const entry = 2 * lookupBits;
  let sql = `SELECT *, 0 AS turn, 0::BIGINT AS d FROM (${query})`;
  for (let shift = hilbertOrder - lookupBits; shift >= 0; shift -= lookupBits) {
    const [x, y] = ["x", "y"].map((axis) => `((${axis} >> ${shift}) & ${side})`);
    const looked = `SELECT *, (${table})[1 + ((((turn << ${lookupBits}) | ${x}) << ${lookupBits}) | ${y})]::INTEGER AS entry FROM (${sql})`;
    sql = `SELECT * EXCLUDE (turn, d, entry), entry >> ${entry} AS turn, (d << ${entry}) | (entry & ${2 ** entry - 1}) AS d FROM (${looked})`;
  }
  return `SELECT * EXCLUDE (x, y, turn) FROM (${sql})`;
}

/** For each turn of the curve and each cell of a 16 x 16 square: the turn within the cell and, in the low bits, its distance. */
function curveTable(): number[] {
  const cells = 2 ** lookupBits;
  return Array.from({length: 4 * cells * cells}, (_, i) => {
    const turn = Math.floor(i / (cells * cells));
    return entryOf(turn, Math.floor(i / cells) % cells, i % cells);
  });
}

/** Applies the elementary rule bit by bit. A turn swaps the axes (1), reverses both (2), or does both. */
function entryOf(turn: number, cellX: number, cellY: number): number {
  const last = 2 ** lookupBits - 1;
  let [x, y, next, d] = [cellX, cellY, turn, 0];
  if ((turn & 2) !== 0) [x, y] = [last - x, last - y];
  if ((turn & 1) !== 0) [x, y] = [y, x];
  for (let bit = lookupBits - 1; bit >= 0; bit--) {
    const right = (x >> bit) & 1;
    const upper = (y >> bit) & 1;
    d = d * 4 + ((3 * right) ^ upper);
    if (upper === 1) continue;
    if (right === 1) [x, y, next] = [last - x, last - y, next ^ 2];
    [x, y, next] = [y, x, next ^ 1];
  }
  return (next << (2 * lookupBits)) | d;
}
