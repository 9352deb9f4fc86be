import type {Point} from "@open-cattle/parcel-outlines";
import type {JoinSpec} from "../../../schemas/parcel-source.ts";
import {column, type DescribedColumn} from "../../../schemas/vocabulary/described-file.ts";
import {ConfigError} from "../../errors.ts";
import {countyAt} from "../../geography/counties.ts";
import {printedCounty} from "../../geography/printed-county.ts";
import {type Database, sqlName, sqlText} from "../../sql/duckdb.ts";
import {
  type ConformEntry,
  cellName,
  cellSql,
  countyOrigin,
  joinNames,
  mainNames,
  namesOf,
} from "./column-references.ts";
import {stagedNames} from "./file-cells.ts";
import {
  type EntrySources,
  factColumns,
  factsSql,
  type GatheredTable,
  geometryColumns,
  type SourceTable,
  tableOf,
} from "./staged-table.ts";
import {textSql} from "./transforms.ts";

/** The key and name of a row's county. */
type RowCounty = {readonly countyKey: string; readonly countyName: string};
/** The reason to reject a row whose cell names no county. */
type CountyFault = "unknown_county" | "ambiguous_county";

/** The area that the county must lie in. */
type CountyScope = {
  readonly country: "US" | "CA";
  readonly state: string;
  /** The county keys that the entry covers, or "all" for the whole state. */
  readonly counties: "all" | readonly string[];
};

/** SELECT of all rows of an entry's files: trimmed cells under the entry's names, and `~county_cell`. */
export function cellsSql(entry: ConformEntry, tables: EntrySources["main"]): string {
  return `SELECT *, ${countyCellSql(entry)} AS "~county_cell" FROM (${trimmedSql(entry, tables, mainNames(entry))})`;
}

/** SELECT of the trimmed cells of all rows of a joined table. */
export function theirsSql(entry: ConformEntry, tables: EntrySources["main"], prefix: string): string {
  return trimmedSql(entry, tables, joinNames(entry, prefix));
}

/** What a row says of its file, beside its cells. */
const ofRow = [
  column("~file", "INTEGER", ""),
  column("~row", "BIGINT", ""),
  column("~retrieved", "VARCHAR", ""),
  column("~layer_edit", "VARCHAR", ""),
];
const geometry = geometryColumns.map(([name, type]) => column(name, String(type), ""));

/** The columns of those statements, over cells of these names. */
export function cellColumns(names: readonly string[], hasCounty = false): DescribedColumn[] {
  return [
    ...ofRow,
    ...names.map((name) => column(cellName(name), "VARCHAR", "")),
    ...geometry,
    ...(hasCounty ? [column("~county_cell", "VARCHAR", "")] : []),
  ];
}

/** The columns of a staged table; `isGathered`: with the facts of the rows' files. */
export function stagedColumns(names: readonly string[], isGathered: boolean): DescribedColumn[] {
  return [
    ...(isGathered ? ofRow : []),
    ...stagedNames(names).map((name) => column(name, "VARCHAR", "")),
    ...geometry,
  ];
}

function countyCellSql(entry: ConformEntry): string {
  const origin = countyOrigin(entry);
  if (origin === null) {
    throw new ConfigError(
      `${entry.id}: coverage.countyFrom: needed where an entry covers more than one county.`,
    );
  }
  if ("point" in origin) return pointSql;
  return "constant" in origin ? sqlText(origin.constant) : textSql(origin.field);
}

/**
 * SQL: a row's location to a hundred metres. County outlines are no finer, and neighbouring rows then share
 * one lookup.
 */
const pointSql = `printf('%.3f %.3f', "~lon", "~lat")`;

/** SQL for the rows of several staged files with trimmed and cleaned cells; without files it returns no rows. */
function trimmedSql(
  entry: ConformEntry,
  tables: readonly (SourceTable | GatheredTable)[],
  names: readonly string[],
): string {
  const staged = stagedNames(names);
  const ids = idNames(entry);
  const cells = names.map((name, i) => {
    const cell = sqlName(staged[i]!);
    return `${ids.has(name) ? `id_text(${cell})` : `trim_text(${cell})`} AS ${cellSql(name)}`;
  });
  const outlines = geometryColumns.map(([name]) => sqlName(name));
  const select = (source: SourceTable | GatheredTable) => {
    const facts = "gathered" in source ? factColumns : factsSql(source);
    return `SELECT ${[...facts, ...cells, ...outlines].join(", ")} FROM ${sqlName(tableOf(source))}`;
  };
  if (tables.length > 0) return tables.map(select).join(" UNION ALL ");
  const empty = [
    `0 AS "~file"`,
    `0::BIGINT AS "~row"`,
    `'' AS "~retrieved"`,
    `NULL::VARCHAR AS "~layer_edit"`,
    ...names.map((name) => `NULL::VARCHAR AS ${cellSql(name)}`),
    ...geometryColumns.map(([name, type]) => `NULL::${type} AS ${sqlName(name)}`),
  ];
  return `SELECT ${empty.join(", ")} WHERE false`;
}

/** The names whose cells are numbers of parcels, or are compared with them. */
function idNames({ids, joins = []}: ConformEntry): ReadonlySet<string> {
  const numbers = "none" in ids ? [] : [ids.raw, ids.parent, ...(ids.alt ?? [])].flatMap(namesOf);
  return new Set([...numbers, ...joins.flatMap(({on}) => [on.ours, on.theirs].flat())]);
}

/** The counties of the cells that name one, in the rows of an entry and in those of tables that are joined by county. */
export async function countyRows(
  db: Database,
  entry: ConformEntry,
  {cells, theirs}: {cells: string; theirs: readonly {join: JoinSpec; table: string}[]},
): Promise<object[]> {
  const named = theirs.flatMap(({join: {on}, table}) =>
    [on.ours]
      .flat()
      .flatMap((name, i) =>
        name === "county_key" ? [`SELECT ${cellSql([on.theirs].flat()[i] ?? "")} AS cell FROM ${table}`] : [],
      ),
  );
  const all = [`SELECT "~county_cell" AS cell FROM ${cells}`, ...named].join(" UNION ALL ");
  const found = await db.rows<{cell: string}>(
    `SELECT DISTINCT cell FROM (${all}) WHERE cell IS NOT NULL ORDER BY cell`,
  );
  return found.flatMap(({cell}): object[] => {
    const county = countyOfCell(cell, entry.coverage);
    if (county === "unknown_county") return [];
    if (typeof county === "string") return [{cell, fault: county}];
    return [{cell, county_key: county.countyKey, county_name: county.countyName}];
  });
}

/**
 * The county of a cell that holds its key, its number within the state, its name, or a row's location; else why there is none:
 * `ambiguous_county` for the name of two counties, `unknown_county` for one that is unknown, outside the state or not covered. In
 * Manitoba the municipality's number is the key (`601 - RM OF ALONSA`, `MB601`, `601`) and the rest of the cell its name.
 */
export function countyOfCell(cell: string, scope: CountyScope): RowCounty | CountyFault {
  const county = scope.country === "CA" ? municipality(cell, scope.state) : usCounty(cell, scope);
  if (county === null) return "unknown_county";
  if (typeof county === "string") return county;
  return covers(scope, county.countyKey) ? county : "unknown_county";
}

function covers({counties}: CountyScope, key: string): boolean {
  return counties === "all" || counties.includes(key);
}

function usCounty(cell: string, scope: CountyScope): RowCounty | CountyFault | null {
  const {state} = scope;
  const place = /^(-?\d+\.\d{3}) (-?\d+\.\d{3})$/.exec(cell);
  if (place !== null) return byPlace({lon: Number(place[1]), lat: Number(place[2])}, state);
  const printed = printedCounty(cell, state);
  if (printed === null) return null;
  if ("county" in printed) return {countyKey: printed.county.key, countyName: shortName(printed.county.name)};
  const [only, second] = printed.ambiguous.filter(({key}) => covers(scope, key));
  return only === undefined || second !== undefined
    ? "ambiguous_county"
    : {countyKey: only.key, countyName: shortName(only.name)};
}

/** The county that contains a location, if it is in the state. */
function byPlace(point: Point, state: string): RowCounty | null {
  const county = countyAt(point);
  return county === undefined || county.state !== state
    ? null
    : {countyKey: county.fips, countyName: shortName(county.name)};
}

function shortName(name: string): string {
  return name.normalize("NFC").toUpperCase();
}

function municipality(cell: string, state: string): RowCounty | null {
  const match = /^(?:[A-Z]{2})?\s*(\d{1,3})(?:\.0+)?(?:\s*[-–]\s*(.+))?$/i.exec(cell);
  if (match === null) return null;
  const number = match[1]!.padStart(3, "0");
  return {
    countyKey: `${state}${number}`,
    countyName: shortName(match[2]?.trim() ?? `MUNICIPALITY ${number}`),
  };
}
