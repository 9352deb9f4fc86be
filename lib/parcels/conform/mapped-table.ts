import type {FieldSpec} from "../../../schemas/field-map.ts";
import {parcelColumns} from "../../../schemas/parcel-columns.ts";
import {
  type ColumnKind,
  column,
  type DescribedColumn,
  parquetTypes,
} from "../../../schemas/vocabulary/described-file.ts";
import {sqlName, sqlText} from "../../sql/duckdb.ts";
import {areaCell, areaColumns} from "./area-sql.ts";
import {type ConformEntry, cellSql, parcelsWhere} from "./column-references.ts";
import {bareIds, idCells, idQuestion, idTokens} from "./id-sql.ts";
import {ownerCells, ownerQuestion, plainOwner} from "./owner-sql.ts";
import {packSql} from "./packed-text.ts";
import {mailSql} from "./parsed-mail.ts";
import {houseCells, houseColumn, situsSql} from "./parsed-situs.ts";
import {asksAcres, codeFields, hasUse} from "./parsed-use.ts";
import {geometryColumns} from "./staged-table.ts";
import {type FieldSql, fieldSql, givenColumn, textSql} from "./transforms.ts";
import {partsContradict} from "./value-sql.ts";
import {vintageCells, vintageColumns, vintageDates, vintageDays} from "./vintage-sql.ts";

const kinds = new Map(parcelColumns.map(({name, kind}) => [name, kind]));

/** Columns that later steps derive, whatever the field map says. */
const derived: ReadonlySet<string> = new Set(["geometry", "county_name", "parcel_id"]);

/**
 * SELECT of each mapped column of the cells in its type, the packed questions on address, owner and ids (`~situs`, `~owner`, `~mail`,
 * `~ids`), stated areas, vintages, and flags for unreadable cells.
 */
export function mappedSql(entry: ConformEntry, {cells, asOf}: {cells: string; asOf: string}): string {
  const {given, read, spelt, derived, dropped} = stepsOf(entry, asOf);
  const readRows = `SELECT *, ${read.join(", ")} FROM (SELECT ${given.join(", ")} FROM ${cells})`;
  const withSpellings = `SELECT *, ${spelt.join(", ")} FROM (${readRows})`;
  const left = dropped.length === 0 ? "" : ` EXCLUDE (${dropped.join(", ")})`;
  return `SELECT *${left}, ${derived.join(", ")} FROM (${withSpellings})`;
}

/** The columns of that statement. */
export function mappedColumns(entry: ConformEntry): DescribedColumn[] {
  const {given, read, spelt, derived, dropped} = stepsOf(entry, "");
  const names = [given, read, spelt]
    .flat()
    .map(aliasOf)
    .filter((name) => !dropped.includes(sqlName(name)));
  return [...names, ...derived.map(aliasOf)].map((name) => column(name, typeOf(name), ""));
}

/** The columns of each step, in SQL, and those of the first that are left out in the end. */
function stepsOf(entry: ConformEntry, asOf: string) {
  const fields = mappedFields(entry)
    .filter(([column]) => !derived.has(column))
    .map(([column, spec]): Mapped => {
      const kind = kinds.get(column)!;
      return {column, kind, ...fieldSql(column, kind, spec)};
    });
  const columns = new Set(fields.map(({column}) => column));
  return {
    given: givenColumns(entry, fields),
    read: [
      ...fields.map(({column, value}) => `${value} AS ${sqlName(column)}`),
      ...vintageDays(entry),
      ...houseCells(columns),
      ...bareIds(entry),
    ],
    spelt: [houseColumn(columns), ...plainOwner(entry), ...idTokens(entry), ...vintageDates(entry, asOf)],
    derived: [
      ...unreadColumns(fields),
      ...vintageColumns(entry),
      ...areaColumns(entry),
      ...idQuestion(entry),
      ownerQuestion(entry),
      `${situsSql(columns)} AS "~situs"`,
      `${useSql(entry, columns)} AS "~use"`,
      `${titleRowSql(entry, [...columns])} AS "~title_row"`,
    ],
    dropped: fields.map(({column}) => givenColumn(column)),
  };
}

/** The name of a column in SQL: what stands behind its last AS, or the column itself. */
function aliasOf(sql: string): string {
  return /"?([^"]+?)"?$/.exec(/ AS ("[^"]+"|\w+)$/.exec(sql)?.[1] ?? sql)![1]!;
}

/** Types of steps by their names; all others are texts. */
const typesOfSteps: readonly (readonly [names: RegExp, type: string])[] = [
  ...geometryColumns.map(([name, type]) => [new RegExp(`^${name}$`), String(type)] as const),
  [/^~file$/, "INTEGER"],
  [/^~row$/, "BIGINT"],
  [/^~roll_year$/, "SMALLINT"],
  [/^~(acres|sqft)_(stated|computed)$|^~(ag_acres|use_line)$/, "DOUBLE"],
  [
    /^~(bare \d+|plain_ids|number_is_house|no_parcel|title_row|null_text|unit_unknown|word_for_number|bad_\w+)$/,
    "BOOLEAN",
  ],
  [/^~owner_words$/, "VARCHAR[]"],
];

function typeOf(name: string): string {
  const kind = kinds.get(name);
  return kind === undefined
    ? (typesOfSteps.find(([names]) => names.test(name))?.[1] ?? "VARCHAR")
    : parquetTypes[kind];
}

type Mapped = FieldSql & {readonly column: string; readonly kind: ColumnKind};

function givenColumns(entry: ConformEntry, fields: readonly Mapped[]): string[] {
  return [
    ...[
      "~file",
      "~row",
      "~retrieved",
      "~layer_edit",
      "~county_cell",
      ...geometryColumns.map(([name]) => name),
    ].map(sqlName),
    ...fields.map(({column, given}) => `${given} AS ${givenColumn(column)}`),
    `${entry.fields.county_name === undefined ? "NULL::VARCHAR" : textSql(entry.fields.county_name)} AS "~county_name"`,
    `${noParcelSql(entry)} AS "~no_parcel"`,
    ...idCells(entry),
    `${lineSql(entry)} AS "~line"`,
    `${noNumberSql(entry)} AS "~key"`,
    ...ownerCells(entry),
    `${mailSql(entry)} AS "~mail"`,
    ...useCells(entry),
    ...vintageCells(entry),
    ...areaCells(entry),
  ];
}

/** SQL columns that are true for rows with a cell that cannot be read as its column's kind. */
function unreadColumns(fields: readonly Mapped[]): string[] {
  const isText = (kind: string) => kind === "text" || kind === "dictionary" || kind === "list";
  const isNumber = (kind: string) => !isText(kind) && kind !== "date";
  const unread = (wanted: (kind: string) => boolean, text = "IS NOT NULL") =>
    anySql(
      fields
        .filter(({kind}) => wanted(kind))
        .map(({column}) => `(${givenColumn(column)} ${text} AND ${sqlName(column)} IS NULL)`),
    );
  return [
    `${unread((kind) => kind === "date")} AS "~bad_date"`,
    `${unread(isNumber)} AS "~bad_number"`,
    // Letters before any digit: `(1,200)`, `-500` and `12 AC` are numbers, not words.
    `${unread(isNumber, String.raw`SIMILAR TO '[^\d]*\p{L}.*'`)} AS "~word_for_number"`,
    `${unread(isText)} AS "~null_text"`,
  ];
}

/** The field map, plus the code and description of `use` unless the map names them. */
function mappedFields({fields, use}: ConformEntry): [string, FieldSpec][] {
  return Object.entries({
    ...(use === undefined ? {} : {use_code: {from: use.codeFrom}}),
    ...(use?.descriptionFrom === undefined ? {} : {use_description: {from: use.descriptionFrom}}),
    ...fields,
    ...(fields.zip !== undefined && fields.zip_plus_four === undefined
      ? {zip_plus_four: zipPlusFour(fields.zip)}
      : {}),
  });
}

/** The spec for the whole ZIP cell, from which the nine digits are read later. */
function zipPlusFour(zip: FieldSpec): FieldSpec {
  return {...zip, transform: (zip.transform ?? []).filter((step) => step !== "zip5")};
}

/** The cells that `areaColumns` reads, under names that none of our columns has. */
function areaCells({area}: ConformEntry): string[] {
  const names = area === undefined ? [] : [...[area.from].flat(), ...[area.unitFrom ?? []].flat()];
  return [...new Set(names)].map((name) => `${cellSql(name)} AS ${areaCell(name)}`);
}

/**
 * SQL: true for rows that the entry's `where` excludes, as a server would: water, rights of way, parent
 * parcels.
 */
function noParcelSql(entry: ConformEntry): string {
  const where = parcelsWhere(entry);
  return where === null ? "false" : `NOT coalesce(${where.sql}, false)`;
}

/** SQL for the cells that distinguish the lines of one parcel, in addition to our columns. */
function lineSql({ids}: ConformEntry): string {
  return "none" in ids || ids.line === undefined ? "NULL::VARCHAR" : packSql(ids.line.map(cellSql));
}

/**
 * SQL for a digest that distinguishes records without a parcel number, from their declared fields and
 * outline.
 */
function noNumberSql({ids}: ConformEntry): string {
  if (!("none" in ids)) return "NULL::VARCHAR";
  const cells = packSql(ids.key.map((name) => `upper(${cellSql(name)})`));
  return `left(md5(${cells} || chr(31) || coalesce(md5("~wkb"), '')), 12)`;
}

/** Words of page, sum and end lines, and text with blanks, in place of a parcel number. */
const titleText = String.raw`(^|[^A-Z])(TOTALS?|SUBTOTALS?|PAGE|COUNT|END)([^A-Z]|$)|[A-Z]{3}.*\s|\s.*[A-Z]{3}`;
/** A table with fewer other columns does not show that a line is empty but for one. */
const fewestOthers = 3;

/** SQL: true for a line of a listing that is no row: a page, a title or a sum, with at most one cell beside it. */
function titleRowSql(entry: ConformEntry, columns: readonly string[]): string {
  const {area, ids} = entry;
  const areas = area === undefined ? [] : [area.from].flat().map(areaCell);
  const others = [...columns.map(sqlName), ...areas];
  if ("none" in ids || others.length < fewestOthers) return "false";
  const filled = others.map((cell) => `CASE WHEN ${cell} IS NULL THEN 0 ELSE 1 END`);
  return `CASE WHEN "~bare 0" OR "~lon" IS NOT NULL THEN false WHEN regexp_matches(upper("~id published"), ${sqlText(titleText)}) THEN (${filled.join(" + ")}) <= 1 ELSE false END`;
}

/** The cells that are only needed for the land use, under names of their own. */
function useCells(entry: ConformEntry): string[] {
  const {taxStatusFrom, agAcresFrom, linesFrom} = entry.use ?? {};
  const codes = codeFields(entry);
  const cell = (name: string | undefined) => (name === undefined ? "NULL::VARCHAR" : cellSql(name));
  return [
    `${codes.length === 0 ? "''" : packSql(codes.map(cellSql))} AS "~use_codes"`,
    `${cell(taxStatusFrom)} AS "~tax_status"`,
    `${sumSql([agAcresFrom ?? []].flat())} AS "~ag_acres"`,
    `${linesFrom === undefined ? "NULL::DOUBLE" : numberSql(linesFrom)} AS "~use_line"`,
  ];
}

function numberSql(name: string): string {
  return `try_cast(number_text(null_number(${cellSql(name)})) AS DOUBLE)`;
}

/** SQL for the sum of the numeric cells; null when there is none. */
function sumSql(names: readonly string[]): string {
  return names.length === 0 ? "NULL::DOUBLE" : `list_sum([${names.map(numberSql).join(", ")}])`;
}

/**
 * SQL for the question of `parsedUse`. It keeps distinct values few: values only by sign, areas rounded to
 * steps.
 */
function useSql(entry: ConformEntry, mapped: ReadonlySet<string>): string {
  if (!hasUse(entry)) return "NULL::VARCHAR";
  const column = (name: string) => (mapped.has(name) ? sqlName(name) : "NULL");
  const positive = (names: readonly string[]) =>
    `CASE WHEN ${names.map((name) => `coalesce(${column(name)} > 0, false)`).join(" OR ")} THEN '1' END`;
  const acres = `coalesce(nullif("~acres_stated", 0), "~acres")`;
  const improvement = mapped.has("building_value")
    ? `CASE WHEN "building_value" > 0 THEN '1' WHEN "building_value" = 0 AND NOT ${partsContradict(entry)} THEN '0' END`
    : "NULL";
  return packSql([
    column("use_description"),
    improvement,
    positive(["land_value", "assessed_value", "market_value"]),
    positive(["building_area"]),
    asksAcres(entry) ? `least(ceil(${acres}), 1000)::INTEGER::VARCHAR` : "NULL",
    entry.use?.agAcresFrom === undefined
      ? "NULL"
      : `(floor("~ag_acres" / nullif(${acres}, 0) * 10) / 10)::VARCHAR`,
    `"~tax_status"`,
    `"~use_codes"`,
  ]);
}

function anySql(conditions: readonly string[]): string {
  return conditions.length === 0 ? "false" : `(${conditions.join(" OR ")})`;
}
