import {type AnyModel, type Columns, model} from "../../models/model.ts";
import {sqlText} from "../../sql/duckdb.ts";

/** The rows of one source: relations with the columns of a conformed table, without rejected rows. */
export type NumberedSource = {
  readonly source: string;
  readonly rows: readonly string[];
  /** True for parcels found on misses: several of them may be accounts of one parcel of a file. */
  readonly isFound: boolean;
};

/** Looser forms of the column `tok`, in the order in which they are tried; the last one strips zeros of each part. */
const forms = [
  "replace(tok, '-', '')",
  "ltrim(replace(tok, '-', ''), '0')",
  "id_loose(tok) || '/' || len(string_split(tok, '-'))",
] as const;
const looseLevel = forms.length - 1;

/** SQL: where separators cut `tok`, counted without zeros at the front (of each part, for the last form). */
const cutsSql = (tok: string) => {
  const parts = `CASE WHEN level = ${looseLevel} THEN list_transform(string_split(${tok}, '-'), lambda part: ltrim(part, '0')) ELSE string_split(${tok}, '-') END`;
  const std = `replace(${tok}, '-', '')`;
  const zeros = `CASE WHEN level = ${looseLevel} THEN 0 ELSE strlen(${std}) - strlen(ltrim(${std}, '0')) END`;
  const each = `list_transform(range(1, len(${parts})), lambda n: strlen(array_to_string((${parts})[1:n], '')) - (${zeros}))`;
  return `list_filter(${each}, lambda cut: cut > 0)`;
};

/** The models that say how the parcel numbers of sources meet. */
export type MeetingModels = ReturnType<typeof meetingModels>;

/**
 * Pairs the parcel numbers of the sources of each county of a state (`docs/design/parcels.md` section 5.1): equal
 * numbers meet, then a number and another id, then numbers that are alike without their separators or zeros.
 * `numbers` (`source`, `county_key`, `tok`) are those of the counties with several sources, which are `several`, and `meetings`
 * (`county_key`, `one`, `other`, `key`, `other_key`, `step`) the numbers that meet although they differ:
 * `alt`, or `form`. `unclear` (`source`, `county_key`, `tok`) has the numbers found on misses that
 * are alike to one of a file and do not meet it. All but `several` have nothing where no county has several sources.
 */
export function meetingModels(
  sources: readonly NumberedSource[],
  {prefix = "", reads}: {prefix?: string; reads: readonly AnyModel[]},
) {
  const ofAll = (select: (rows: string) => string) =>
    sources
      .flatMap(({source, rows}) =>
        rows.map((each) => `SELECT ${sqlText(source)} AS source, * FROM (${select(each)})`),
      )
      .join(" UNION ALL ");
  const numbered = (rows: string) => `FROM ${rows} WHERE parcel_id IS NOT NULL`;
  const made = (part: string, on: readonly AnyModel[], columns: Columns, sql: () => string) =>
    model({name: prefix + part, reads: on, columns, materialise: "table", sql});
  const all = made(
    "all_numbers",
    reads,
    numberColumns,
    () =>
      `SELECT DISTINCT source, county_key, tok FROM (${ofAll((rows) => `SELECT county_key, _key AS tok ${numbered(rows)}`)})`,
  );
  const several = made(
    "several",
    [all],
    {VARCHAR: "county_key"},
    () => `SELECT county_key FROM ${all.name} GROUP BY county_key HAVING count(DISTINCT source) > 1`,
  );
  const among = (part: string, on: readonly AnyModel[], columns: Columns, sql: () => string) => ({
    ...made(part, on, columns, sql),
    nothingWithout: several,
  });
  const numbers = among(
    "numbers",
    [all, several],
    numberColumns,
    () => `SELECT n.* FROM ${all.name} n SEMI JOIN ${several.name} s ON s.county_key = n.county_key`,
  );
  const others = among(
    "others",
    [...reads, several],
    {VARCHAR: "source county_key tok alt"},
    () =>
      `SELECT DISTINCT o.* FROM (${ofAll((rows) => `SELECT county_key, _key AS tok, id_tok(unnest(alt_ids)) AS alt ${numbered(rows)} AND len(alt_ids) > 0`)}) o
      SEMI JOIN ${several.name} s ON s.county_key = o.county_key`,
  );
  const listed = among("listed_meetings", [numbers, others, several], meetingColumns, () =>
    listedSql(sources, {numbers: numbers.name, others: others.name}),
  );
  const alike = among("alike_meetings", [...reads, numbers, listed, several], meetingColumns, () =>
    alikeSql(
      ofAll(
        (rows) =>
          `SELECT county_key, _key AS tok, situs_number, situs_name ${numbered(rows)} AND situs_number IS NOT NULL AND situs_name IS NOT NULL`,
      ),
      {numbers: numbers.name, listed: listed.name},
    ),
  );
  const meetings = made(
    "meetings",
    [listed, alike],
    meetingColumns,
    () => `FROM ${listed.name} UNION ALL FROM ${alike.name}`,
  );
  const unclear = among("unclear", [numbers, meetings, several], numberColumns, () =>
    unclearSql(sources, {numbers: numbers.name, meetings: meetings.name}),
  );
  return {several, numbers, meetings, unclear};
}

const numberColumns = {VARCHAR: "source county_key tok"};
const meetingColumns = {VARCHAR: "county_key one other key other_key step"};

/** SELECT of all numbers in each looser form. */
const formedSql = (numbers: string) =>
  forms
    .map(
      (form, level) => `SELECT source, county_key, tok, ${level} AS level, ${form} AS form FROM ${numbers}`,
    )
    .join(" UNION ALL ");

/** SQL: the cuts of one number are among those of the other. */
const areCutAlike = `(${[
  "cuts, lambda cut: NOT list_contains(other_cuts, cut)",
  "other_cuts, lambda cut: NOT list_contains(cuts, cut)",
]
  .map((filter) => `len(list_filter(${filter})) = 0`)
  .join(" OR ")})`;

/** Numbers found on misses that are alike to a number of a file, and are neither equal to one nor meet one. */
function unclearSql(
  sources: readonly NumberedSource[],
  {numbers, meetings}: {numbers: string; meetings: string},
): string {
  const found = sources.filter(({isFound}) => isFound).map(({source}) => sqlText(source));
  const isFound = (source: string) => `${source} IN (${["''", ...found].join(", ")})`;
  return `WITH formed AS (${formedSql(numbers)}),
    pairs AS (
      SELECT f.source, f.county_key, f.tok AS key, n.tok AS other_key, f.level FROM formed f
      JOIN formed n ON n.county_key = f.county_key AND n.level = f.level AND n.form = f.form
      WHERE ${isFound("f.source")} AND NOT ${isFound("n.source")} AND f.tok <> n.tok),
    alike AS (SELECT *, ${cutsSql("key")} AS cuts, ${cutsSql("other_key")} AS other_cuts FROM pairs)
    SELECT DISTINCT source, county_key, key AS tok FROM alike a WHERE ${areCutAlike}
      AND NOT EXISTS (SELECT 1 FROM ${meetings} m WHERE m.county_key = a.county_key AND m.one = a.source AND m.key = a.key)
      AND NOT EXISTS (SELECT 1 FROM ${meetings} m WHERE m.county_key = a.county_key AND m.other = a.source AND m.other_key = a.key)
      AND NOT EXISTS (SELECT 1 FROM ${numbers} n WHERE n.county_key = a.county_key AND n.tok = a.key AND NOT ${isFound("n.source")})`;
}

/** SQL: the source has a number of its own that is equal to the key. */
const hasNumber = (numbers: string, source: string, key: string) =>
  `EXISTS (SELECT 1 FROM ${numbers} n WHERE n.source = ${source} AND n.county_key = pairs.county_key AND n.tok = ${key})`;

/** Pairs of which one lists the other's number among its ids, one to one but for accounts found on misses. */
function listedSql(
  sources: readonly NumberedSource[],
  {numbers, others}: {numbers: string; others: string},
): string {
  const foundSources = `[${sources.filter(({isFound}) => isFound).map(({source}) => sqlText(source))}]::VARCHAR[]`;
  const pair = (one: string, other: string, key: string, otherKey: string) =>
    `SELECT o.county_key, ${one} AS one, ${other} AS other, ${key} AS key, ${otherKey} AS other_key
     FROM ${others} o JOIN ${numbers} m ON m.county_key = o.county_key AND m.tok = o.alt WHERE m.tok <> o.tok`;
  const count = (side: string) => `count(*) OVER (PARTITION BY county_key, one, other, ${side})`;
  return `WITH pairs AS (
      SELECT DISTINCT * FROM (${pair("o.source", "m.source", "o.tok", "m.tok")} AND o.source < m.source
        UNION ALL ${pair("m.source", "o.source", "m.tok", "o.tok")} AND m.source < o.source)),
    free AS (SELECT * FROM pairs WHERE NOT ${hasNumber(numbers, "other", "key")} AND NOT ${hasNumber(numbers, "one", "other_key")})
    SELECT *, 'alt' AS step FROM free
    QUALIFY (${count("key")} = 1 OR list_contains(${foundSources}, other)) AND (${count("other_key")} = 1 OR list_contains(${foundSources}, one))`;
}

/**
 * Pairs of numbers of one form, each the only one of it in its source, that met neither as equal nor as listed.
 * `addressed` selects the addressed rows of all sources.
 */
function alikeSql(addressed: string, {numbers, listed}: {numbers: string; listed: string}): string {
  const isListed = (key: string) =>
    `EXISTS (SELECT 1 FROM ${listed} m WHERE m.county_key = pairs.county_key AND m.one = pairs.one AND m.other = pairs.other AND m.${key} = pairs.${key})`;
  const address = (alias: string, source: string, key: string) =>
    `LEFT JOIN addresses ${alias} ON ${alias}.source = f.${source} AND ${alias}.county_key = f.county_key AND ${alias}.tok = f.${key}`;
  const first = (key: string) => `level = min(level) OVER (PARTITION BY county_key, one, other, ${key})`;
  return `WITH formed AS (${formedSql(numbers)}),
    lone AS (SELECT source, county_key, level, form, any_value(tok) AS tok FROM formed GROUP BY source, county_key, level, form HAVING count(*) = 1),
    pairs AS (
      SELECT a.county_key, a.source AS one, b.source AS other, a.tok AS key, b.tok AS other_key, a.level
      FROM lone a JOIN lone b ON b.county_key = a.county_key AND b.level = a.level AND b.form = a.form AND b.source > a.source
      WHERE a.tok <> b.tok),
    free AS (SELECT *, ${cutsSql("key")} AS cuts, ${cutsSql("other_key")} AS other_cuts FROM pairs
      WHERE NOT ${hasNumber(numbers, "other", "key")} AND NOT ${hasNumber(numbers, "one", "other_key")} AND NOT ${isListed("key")} AND NOT ${isListed("other_key")}),
    addresses AS (
      SELECT a.source, a.county_key, a.tok, list(DISTINCT situs_number) AS houses, list(DISTINCT situs_name) AS streets FROM (${addressed}) a
      SEMI JOIN (SELECT county_key, one AS source, key AS tok FROM free UNION ALL SELECT county_key, other, other_key FROM free) f
        ON f.source = a.source AND f.county_key = a.county_key AND f.tok = a.tok
      GROUP BY ALL),
    sound AS (
      SELECT f.* FROM free f ${address("a", "one", "key")} ${address("b", "other", "other_key")}
      WHERE ${areCutAlike}
        AND (a.tok IS NULL OR b.tok IS NULL OR list_has_any(a.houses, b.houses) OR list_has_any(a.streets, b.streets)))
    SELECT county_key, one, other, key, other_key, 'form' AS step FROM sound QUALIFY ${first("key")} AND ${first("other_key")}`;
}
