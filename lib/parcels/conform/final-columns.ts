import {sqlName, sqlText} from "../../sql/duckdb.ts";
import {largestAcres} from "./area-sql.ts";
import type {ConformEntry} from "./column-references.ts";
import {idParts} from "./id-sql.ts";
import {ownerParts} from "./owner-sql.ts";
import {answerColumn} from "./packed-text.ts";
import {mailColumns} from "./parsed-mail.ts";
import {situsParts} from "./parsed-situs.ts";
import {hasUse, useParts} from "./parsed-use.ts";
import {filledValues, valueNames} from "./value-sql.ts";

/**
 * SQL for the columns of a conformed row, built on the earlier steps; columns that the entry cannot fill are
 * omitted.
 */
export function* finalColumns(entry: ConformEntry): Generator<[string, string]> {
  yield* identity(entry);
  yield* passThrough(entry);
  for (const [n, column] of situsParts.entries())
    if (column !== "state" && column !== "unread") yield [column, answerColumn("situs", n)];
  yield ["situs_status", `coalesce(${answerColumn("situs", situsParts.indexOf("situs_status"))}, 'blank')`];
  yield* ownerColumns(entry);
  yield* areaFinals(entry);
  yield* locationColumns();
  const {country} = entry.coverage;
  const money = [
    "assessed_value",
    "land_value",
    "building_value",
    "market_land_value",
    "market_building_value",
    "market_value",
    "taxable_value",
    "use_value",
    "tax_amount",
  ];
  yield [
    "currency",
    `CASE WHEN coalesce(${money.map((column) => `"~${column}"`).join(", ")}, "~transfer_price") IS NOT NULL THEN '${country === "CA" ? "CAD" : "USD"}' END`,
  ];
  if (hasUse(entry)) yield* useColumns(entry);
  yield ["flags", `"~flags"`];
}

function* useColumns(entry: ConformEntry): Generator<[string, string]> {
  const part = (name: (typeof useParts)[number]) => answerColumn("use", useParts.indexOf(name));
  const description =
    "use_description" in entry.fields || entry.use?.descriptionFrom !== undefined
      ? '"use_description"'
      : "NULL";
  const code = "use_code" in entry.fields || entry.use !== undefined ? '"use_code"' : "NULL";
  const published = `coalesce(${code}, ${description}) IS NOT NULL`;
  yield ["land_use_method", `CASE WHEN ${published} THEN ${part("method")} END`];
  yield ["use_code_system", `CASE WHEN ${published} THEN ${part("system")} END`];
  yield ["land_use_category", part("category")];
  yield ["land_use_confidence", part("confidence")];
  yield ["is_vacant_land", `${part("vacant")} = '1'`];
  yield ["open_range_possible", `CASE WHEN list_contains("~flags", 'open_range_possible') THEN true END`];
}

function* identity(entry: ConformEntry): Generator<[string, string]> {
  const part = (name: (typeof idParts)[number]) => answerColumn("ids", idParts.indexOf(name));
  const numbered = !("none" in entry.ids);
  // Sources print the letters of a number in either case; the uid is upper case so that all spellings share
  // it.
  const tail = numbered ? `upper(${part("id")})` : `'~' || "~key"`;
  yield ["parcel_uid", `"~county_key" || '-' || ${tail}`];
  yield ["country", sqlText(entry.coverage.country)];
  yield ["state", sqlText(entry.coverage.state)];
  yield ["county_key", `"~county_key"`];
  yield [
    "county_name",
    entry.coverage.country === "CA" ? `upper(coalesce("~county_name", "~table_name"))` : `"~table_name"`,
  ];
  if (numbered) {
    yield ["parcel_id", part("id")];
    yield ["parcel_id_tok", part("tok")];
    yield ["parcel_id_std", part("std")];
    yield ["parcel_id_loose", part("loose")];
    if ("parent_id" in entry.fields) yield ["parent_id", '"parent_id"'];
    else if ("parent" in entry.ids && entry.ids.parent !== undefined) yield ["parent_id", '"~parent"'];
    yield ["alt_ids", answerColumn("ids", idParts.indexOf("alts"))];
    yield ["alt_ids_std", answerColumn("ids", idParts.indexOf("altStds"))];
  }
  const id = numbered ? part("reject") : "NULL";
  const badText = [numbered ? part("id") : "NULL", "owner_raw" in entry.fields ? '"owner_raw"' : "NULL"]
    .map((text) => `coalesce(contains(${text}, chr(65533)), false)`)
    .join(" OR ");
  yield [
    "_reject",
    `CASE WHEN "~no_parcel" THEN 'non_parcel' WHEN "~title_row" THEN 'not_a_parcel_row' WHEN ${badText} THEN 'bad_encoding' WHEN ${id} IS NOT NULL THEN ${id} WHEN ${isShifted(entry)} THEN 'shifted_row' WHEN "~county_key" IS NULL THEN coalesce("~county_fault", 'unknown_county') END`,
  ];
  yield ["_key", numbered ? part("tok") : `'~' || "~key"`];
  yield ["_line", "line" in entry.ids && entry.ids.line !== undefined ? '"~line"' : "NULL"];
  yield ["_year", '"~roll_year"'];
  yield ["_use_line", '"~use_line"'];
  yield ["_file", `"~file"`];
  yield ["_row", `"~row"`];
  yield ["_retrieved", `"~retrieved"`];
  yield ["_cure", cureSql];
}

/** SQL of degrees from metres of web Mercator (EPSG:3857). */
const mercatorLon = `degrees("~x" / 6378137)`;
const mercatorLat = `degrees(2 * atan(exp("~y" / 6378137)) - pi() / 2)`;
/** SQL: what would bring a point that is outside its county into it: latitude and longitude swapped, or another system. */
const cureSql = `CASE WHEN NOT "~outside" THEN NULL WHEN "~y" BETWEEN west AND east AND "~x" BETWEEN south AND north THEN 'swapped'
  WHEN abs("~x") > 180 AND abs("~y") < 30000000 AND ${mercatorLon} BETWEEN west AND east AND ${mercatorLat} BETWEEN south AND north THEN 'EPSG:3857' END`;

/**
 * Columns of words: numbers in them mean that the row's cells are shifted by a column. Not those of the mailing address, since owners abroad
 * have postal codes and numbers there.
 */
const wordColumns = ["city", "owner_raw"] as const;
const onlyNumber = String.raw`[\s$,.\d-]*\d[\s$,.\d-]*`;

/**
 * SQL: true for a row whose cells do not fit their columns (`shifted_row`). At least two signs are required:
 * a number among words, words among numbers, or a parcel number of a different shape than nearly all others
 * in the file.
 */
function isShifted(entry: ConformEntry): string {
  const numbers = wordColumns
    .filter((column) => column in entry.fields)
    .map((column) => `regexp_full_match(${sqlName(column)}, '${onlyNumber}')`);
  const signs = [...numbers, '"~word_for_number"', '"~odd_id"'];
  const counted = signs.map((sign) => `CASE WHEN ${sign} THEN 1 ELSE 0 END`);
  return `(${counted.join(" + ")}) >= 2`;
}

/** Columns that are filled directly from the map. */
function* passThrough(entry: ConformEntry): Generator<[string, string]> {
  for (const column of Object.keys(entry.fields)) {
    if (!handled.has(column)) yield [column, sqlName(column)];
  }
  if (entry.use !== undefined) yield ["use_code", '"use_code"'];
  if (entry.use?.descriptionFrom !== undefined) yield ["use_description", '"use_description"'];
  for (const column of filledValues(entry)) yield [column, `"~${column}"`];
}

const handled: ReadonlySet<string> = new Set([
  ...valueNames,
  "geometry",
  "county_name",
  "parcel_id",
  "acres",
  "land_area_sqft",
  "lon",
  "lat",
  "owner_raw",
  "owner_care_of",
  "mail_line1",
  "mail_city",
  "mail_state",
  "mail_zip",
]);

function* ownerColumns(entry: ConformEntry): Generator<[string, string]> {
  const part = (name: (typeof ownerParts)[number]) => answerColumn("owner", ownerParts.indexOf(name));
  const withheld = `coalesce(${part("withheld")} = '1', false)`;
  yield ["owner_withheld", withheld];
  if (entry.owners?.published !== true || !entry.terms.redistributeOwners) return;
  const unlessWithheld = (sql: string) => `CASE WHEN NOT ${withheld} THEN ${sql} END`;
  if ("owner_raw" in entry.fields) yield ["owner_raw", unlessWithheld(`replace("owner_raw", chr(10), '; ')`)];
  yield ["owner_name", part("name")];
  yield ["owner_last", part("last")];
  const careOf =
    "owner_care_of" in entry.fields ? `coalesce("owner_care_of", ${part("careOf")})` : part("careOf");
  yield ["owner_care_of", unlessWithheld(careOf)];
  yield ["owner_kind", part("kind")];
  yield [
    "owner_tokens",
    `CASE WHEN NOT ${withheld} THEN ${answerColumn("owner", ownerParts.indexOf("tokens"))} END`,
  ];
  for (const [n, column] of mailColumns.entries()) {
    const mapped = column in entry.fields ? sqlName(column) : "NULL";
    const plain =
      column === "mail_zip" ? `coalesce(zip9_text(${mapped}), zip5_text(${mapped}), ${mapped})` : mapped;
    // A state or ZIP in a column of its own stands beside lines that end in the city.
    const answer = answerColumn("mail", n);
    const isSplit = column === "mail_line1" || (column === "mail_city" && !("mail_state" in entry.fields));
    const read = isSplit
      ? `coalesce(${answer}, ${column === "mail_line1" ? "NULL" : plain})`
      : `coalesce(${plain}, ${answer})`;
    yield [column, unlessWithheld(`CASE WHEN "~mail" IS NOT NULL THEN ${read} ELSE ${plain} END`)];
  }
}

function* areaFinals(entry: ConformEntry): Generator<[string, string]> {
  const implausible = `"~geom_acres" > ${largestAcres}`;
  yield [
    "acres",
    `round(coalesce(nullif("~declared", 0), CASE WHEN NOT ${implausible} THEN "~geom_acres" END), 4)`,
  ];
  const published = "land_area_sqft" in entry.fields ? `nullif("land_area_sqft", 0)` : "NULL";
  yield [
    "land_area_sqft",
    `round(coalesce(${published}, CASE WHEN "~declared" > 0 THEN "~sqft_stated" END, CASE WHEN "~declared" > 0 THEN "~declared" WHEN NOT ${implausible} THEN "~geom_acres" END * 43560.0))`,
  ];
  yield [
    "acres_basis",
    `CASE WHEN "~declared" > 0 THEN "~acres_stated_basis" WHEN NOT ${implausible} THEN 'computed' END`,
  ];
  yield ["_area_from_outline", `coalesce("~declared" > 0, false) = false AND "~geom_acres" IS NOT NULL`];
  yield ["geom_acres", `"~geom_acres"`];
}

function* locationColumns(): Generator<[string, string]> {
  const inside = (sql: string) => `CASE WHEN "~x" IS NOT NULL AND NOT "~outside" THEN ${sql} END`;
  yield ["lon", inside(`"~x"`)];
  yield ["lat", inside(`"~y"`)];
  yield ["point_method", inside(`coalesce("~point_method", 'source_point')`)];
  for (const [edge, axis] of [
    ["xmin", "x"],
    ["ymin", "y"],
    ["xmax", "x"],
    ["ymax", "y"],
  ] as const) {
    yield [edge, inside(`coalesce("~${edge}", "~${axis}")`)];
  }
  yield ["_wkb", inside(`"~wkb"`)];
}
