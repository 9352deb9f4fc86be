import {parcelColumns} from "../../../schemas/parcel-columns.ts";
import {parquetTypes} from "../../../schemas/vocabulary/described-file.ts";
import {countyBox} from "../../geography/county-box.ts";
import {type Database, sqlName} from "../../sql/duckdb.ts";
import {areaTolerance, largestAcres} from "./area-sql.ts";
import type {ConformEntry} from "./column-references.ts";
import {groupNames} from "./file-cells.ts";
import {finalColumns} from "./final-columns.ts";
import {idAnswer, type idParts, idShape} from "./id-sql.ts";
import {ownerAnswer, ownerParts} from "./owner-sql.ts";
import {answerColumn} from "./packed-text.ts";
import {mailParts} from "./parsed-mail.ts";
import {questionWithNumber, situsAnswer, situsParts} from "./parsed-situs.ts";
import {hasUse, useParts} from "./parsed-use.ts";
import type {Parse} from "./parses.ts";
import {valueColumns, valueFlags} from "./value-sql.ts";
import {vintageColumn} from "./vintage-sql.ts";

/** Minimum acres of vacant land that may be open range, and the states that have open range. */
const rangeAcres = 40;
const rangeStates: ReadonlySet<string> = new Set(
  "AZ CA CO ID KS MT ND NE NM NV OK OR SD TX UT WA WY".split(" "),
);

/**
 * Columns of a conformed table besides those of the parcel row: origin, reject reason, outline, vintages.
 *
 * The first character of a column's name says whose it is, here and in the merge of rows (`../dedupe/`):
 *
 * - a letter: a column of the parcel row; in a staged table the source's own, under its own name;
 * - `~`: a step between the cells of a source row and the parcel row, which leaves this room with no table. With a number it belongs to a
 *   cell of a list: of the numbers in `ids.raw`, `ids.alt` (`~id 0` as printed, `~bare 0` whether it is plain, `~tok 0`, `~std 0` and
 *   `~alt 0` its forms) or of the vintage rules (`~vintage cell 1`, `~vintage day 1`, `~vintage 1`);
 * - `_`: goes with the conformed row into the merge and into no file. `_from_<group>` is the origin (file and vintage) of the facts of a
 *   provenance group, null where it is that of `_from_default`;
 * - `g <group>`, in the merge alone: the facts of a provenance group as a struct, taken from one row of the parcel.
 */
export const conformedExtras = [
  ["_file", "INTEGER"],
  ["_row", "BIGINT"],
  ["_reject", "VARCHAR"],
  ["_key", "VARCHAR"],
  ["_line", "VARCHAR"],
  ["_year", "SMALLINT"],
  ["_use_line", "DOUBLE"],
  ["_wkb", "BLOB"],
  ["_area_from_outline", "BOOLEAN"],
  ["_retrieved", "VARCHAR"],
  ["_cure", "VARCHAR"],
  ["_use", "VARCHAR"],
  [vintageColumn("default"), "VARCHAR"],
  ...groupNames.map((group) => [vintageColumn(group), "VARCHAR"] as const),
] as const;

/** Parcel columns of a conformed table: all but the provenance ids, which are assigned per state. */
export const conformedColumns = parcelColumns.filter(({name}) => !name.startsWith("prov_"));

const boxGrowthDegrees = 0.05;

/** The enlarged bounding boxes of the counties in use. */
export async function boxRows(db: Database, county: string): Promise<object[]> {
  const keys = await db.rows<{county_key: string}>(
    `SELECT DISTINCT county_key FROM ${county} WHERE county_key IS NOT NULL ORDER BY county_key`,
  );
  return keys.flatMap(({county_key}) => {
    const extent = countyBox(county_key);
    if (extent === undefined) return [];
    const {west, south, east, north} = extent;
    return {
      county_key,
      west: west - boxGrowthDegrees,
      south: south - boxGrowthDegrees,
      east: east + boxGrowthDegrees,
      north: north + boxGrowthDegrees,
    };
  });
}

type Conforming = {
  /** The name of a table by its part. */
  readonly tables: (part: string) => string;
  readonly asOf: string;
  readonly parses: readonly Parse[];
  readonly isBuild: boolean;
};

/** SELECT of the conformed rows, from the mapped rows and the answers. */
export function conformedSql(entry: ConformEntry, conforming: Conforming): string {
  const columns = typedColumns(entry, conforming.isBuild).map(
    ({name, type, sql}) => `(${sql})::${type} AS ${sqlName(name)}`,
  );
  return `${steps(entry, conforming)} SELECT ${columns.join(", ")} FROM checked`;
}

/** SQL of the columns that are constant or follow from other columns. */
export function derivedColumns(entry: ConformEntry, isBuild: boolean): Record<string, string> {
  const constant = typedColumns(entry, isBuild).filter(({sql}) => sql === "NULL" || /^'[^']*'$/.test(sql));
  const ofNumber = {parcel_uid: `county_key || '-' || upper(parcel_id)`, _key: "parcel_id_tok"};
  return {
    ...("none" in entry.ids ? {} : ofNumber),
    ...Object.fromEntries(constant.map(({name, type, sql}) => [name, `${sql}::${type}`])),
  };
}

/** The columns of a conformed row with their types and SQL. */
function typedColumns(entry: ConformEntry, isBuild: boolean): {name: string; type: string; sql: string}[] {
  const final = new Map(finalColumns(entry));
  // Rows of a county's reply keep the facts behind their land use; rows of a file are classified again from the file.
  final.set("_use", isBuild ? "NULL" : '"~use"');
  return [
    ...conformedColumns.map(({name, kind}) => ({
      name,
      type: parquetTypes[kind],
      sql: final.get(name) ?? "NULL",
    })),
    ...conformedExtras.map(([name, type]) => ({name, type, sql: final.get(name) ?? sqlName(name)})),
  ];
}

/**
 * The common table expressions that join mapped rows with their answers and then decide the fields step by
 * step.
 */
function steps(entry: ConformEntry, {tables: name, asOf, parses}: Conforming): string {
  const hasField = (column: string) => column in entry.fields;
  const point = hasField("lon") && hasField("lat");
  // Both exactly 0 stand for a place that is not known.
  const placed = (axis: "lon" | "lat") =>
    point
      ? `coalesce("~${axis}", CASE WHEN NOT (m.lon = 0 AND m.lat = 0) THEN round(m.${axis}, 7) END)`
      : `"~${axis}"`;
  return `WITH joined AS (
    SELECT m.*, c.county_key AS "~county_key", c.county_name AS "~table_name", c.fault AS "~county_fault", b.west, b.south, b.east, b.north,
      ${parses.flatMap((parse) => answers(entry, parse)).join(", ")},
      coalesce(s.shape <> ${idShape(entry, "m")}, false) AS "~odd_id",
      ${placed("lon")} AS "~x", ${placed("lat")} AS "~y"
    FROM ${name("mapped")} m
      LEFT JOIN ${name("county")} c ON c.cell = m."~county_cell" LEFT JOIN ${name("box")} b ON b.county_key = c.county_key
      LEFT JOIN ${name("shape")} s ON s.file = m."~file"
      LEFT JOIN ${name("odd")} d ON d.question = m."~situs"
      ${parses.map((parse) => `LEFT JOIN ${name(parse.name)} "${parse.name}" ON "${parse.name}".question = ${parse.name === "situs" ? situsKey : `m."~${parse.name}"`}`).join(" ")}),
  located AS (
    SELECT *, "~x" IS NOT NULL AND west IS NOT NULL AND NOT ("~x" BETWEEN west AND east AND "~y" BETWEEN south AND north) AS "~outside"
    FROM joined),
  valued AS (SELECT *, ${valueColumns(entry, asOf).join(", ")} FROM located),
  sized AS (
    SELECT *,
      CASE WHEN "~acres_stated" <= ${largestAcres} AND NOT ${stretched} THEN "~acres_stated" END AS "~declared",
      CASE WHEN NOT "~outside" THEN round("~acres", 6) END AS "~geom_acres"
    FROM valued),
  checked AS (SELECT *, ${flagsSql(entry, asOf)} AS "~flags" FROM sized)`;
}

/**
 * SQL: true when the source computed an area in the plane that is far from the outline's area on the
 * ellipsoid. Web Mercator stretches areas by a third and more at these latitudes.
 */
const stretched = `coalesce("~acres_stated_basis" = 'computed' AND NOT "~outside" AND "~acres" > 0 AND abs("~acres_stated" - "~acres") > ${areaTolerance} * "~acres", false)`;

/** Key of a row's address answer: the question, with the house number when the answer depends on it. */
const situsKey = `CASE WHEN d.question IS NULL THEN m."~situs" ELSE ${questionWithNumber("m")} END`;

/** SQL columns for the parts of an answer, whether SQL computed them itself or the question was asked. */
function answers(entry: ConformEntry, {name, parts}: Parse): string[] {
  return parts.map((part, n) => {
    const asked = `"${name}".p${n}`;
    const read: Readonly<Record<string, () => string>> = {
      situs: () => situsAnswer(part as (typeof situsParts)[number], asked),
      owner: () => ownerAnswer(entry, part as (typeof ownerParts)[number], asked),
      ids: () => idAnswer(entry, part as (typeof idParts)[number], asked),
    };
    return `${read[name]?.() ?? asked} AS ${answerColumn(name, n)}`;
  });
}

/** SQL for the sorted list of a row's cleaning codes. */
function flagsSql(entry: ConformEntry, asOf: string): string {
  const flags = [...flagConditions(entry, asOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  const cases = flags.map(([code, condition]) => `CASE WHEN ${condition} THEN '${code}' END`);
  // Most rows have no code, so they skip building a list.
  return `CASE WHEN ${flags.map(([, condition]) => `(${condition})`).join(" OR ")}
    THEN list_filter([${cases.join(", ")}]::VARCHAR[], lambda code: code IS NOT NULL) ELSE []::VARCHAR[] END`;
}

function* flagConditions(entry: ConformEntry, asOf: string): Generator<[code: string, condition: string]> {
  yield* valueFlags(entry, asOf);
  yield ["null_text", '"~null_text"'];
  yield ["bad_number", '"~bad_number"'];
  yield ["bad_date", '"~bad_date"'];
  yield ["no_geometry", '"~x" IS NULL AND "~geometry_unread" IS DISTINCT FROM true'];
  yield ["geometry_unread", '"~x" IS NULL AND "~geometry_unread"'];
  yield ["point_outside", '"~outside"'];
  yield ["invalid_geometry", '"~invalid"'];
  yield ["outline_partly_read", '"~partly_read"'];
  yield ["area_unit_unknown", '"~unit_unknown"'];
  yield ["area_implausible", `"~acres_stated" > ${largestAcres} OR "~geom_acres" > ${largestAcres}`];
  yield [
    "area_mismatch",
    `"~declared" > 0 AND "~acres_stated_basis" <> 'computed'
      AND abs("~declared" - coalesce("~geom_acres", "~acres_computed")) > ${areaTolerance} * "~declared"`,
  ];
  yield ["owner_withheld", `${answerColumn("owner", ownerParts.indexOf("withheld"))} = '1'`];
  yield ["situs_is_mailing", situsIsMailing(entry)];
  yield ["address_unparsed", addressUnparsed()];
  yield ["several_addresses", `len(${answerColumn("situs", situsParts.indexOf("alt_situs"))}) > 0`];
  const address = `${answerColumn("situs", situsParts.indexOf("unread"))} = '1'`;
  yield ["address_partly_read", address];
  yield ["mail_partly_read", mailPartlyRead(entry)];
  yield ["partly_read", `"~partly_read" OR ${address} OR ${mailPartlyRead(entry)}`];
  if (hasUse(entry)) yield* useFlags(entry);
}

/**
 * Conditions for a code that is implausible for land of this size, and for vacant land that may be open
 * range.
 */
function* useFlags(entry: ConformEntry): Generator<[code: string, condition: string]> {
  const part = (name: (typeof useParts)[number]) => answerColumn("use", useParts.indexOf(name));
  yield ["code_implausible_for_area", `${part("flag")} = 'code_implausible_for_area'`];
  const isPrinted = "use_description" in entry.fields || entry.use?.descriptionFrom !== undefined;
  if (!isPrinted || !rangeStates.has(entry.coverage.state)) return;
  const built = ["building_value", "building_area"]
    .filter((column) => column in entry.fields)
    .map((column) => ` AND NOT coalesce(${sqlName(column)} > 0, false)`);
  yield [
    "open_range_possible",
    `${part("category")} = 'vacant' AND "use_description" ILIKE '%vacant land%'
      AND coalesce(nullif("~declared", 0), "~geom_acres") >= ${rangeAcres}${built.join("")}`,
  ];
}

/** SQL: true for an address in another state, which cannot be that of the land. */
function situsIsMailing({coverage}: ConformEntry): string {
  if (coverage.country !== "US") return "false";
  const part = (name: (typeof situsParts)[number]) => answerColumn("situs", situsParts.indexOf(name));
  return `${part("state")} <> '${coverage.state}'`;
}

/** SQL: true for a mailing address in whose line the town is left, where the row has one. */
function mailPartlyRead({owners, terms}: ConformEntry): string {
  if (owners?.published !== true || !terms.redistributeOwners) return "false";
  const unread = `${answerColumn("mail", mailParts.indexOf("unread"))} = '1'`;
  return `${unread} AND ${answerColumn("owner", ownerParts.indexOf("withheld"))} IS DISTINCT FROM '1'`;
}

/** SQL: true for a line that is neither an address nor a known kind of line without one. */
function addressUnparsed(): string {
  const part = (name: (typeof situsParts)[number]) => answerColumn("situs", situsParts.indexOf(name));
  return `"~situs" IS NOT NULL AND ${part("situs_status")} = 'name_only'`;
}
