import {ConfigError} from "../../errors.ts";
import {type Database, sqlName, sqlText} from "../../sql/duckdb.ts";
import {stagedNames} from "./cells.ts";
import {countyOfCell, type RowCounty} from "./county-keys.ts";
import {textSql} from "./field-sql.ts";
import {addJoin} from "./join-table.ts";
import {type ConformEntry, cellSql, countyOrigin, joinNames, mainNames} from "./references.ts";
import {
  type EntrySources,
  factColumns,
  factsSql,
  type GatheredTable,
  type JoinedRows,
  type SourceTable,
  tableOf,
} from "./sources.ts";
import {geometryColumns} from "./staged-table.ts";

/**
 * Makes table (or view) `<prefix>cells` with all rows of an entry's files: trimmed cells under the entry's names, joined
 * cells beside them, and `~county_cell`. Makes table `<prefix>county` with the county that each of those cells means. Rows
 * of a joined table that fit no row of ours become rows if the keys of the join are county and parcel number. Gives the
 * fate of the joined rows.
 */
export async function makeCells(
  db: Database,
  entry: ConformEntry,
  sources: EntrySources,
  {prefix, steps}: {prefix: string; steps: "TABLE" | "VIEW"},
): Promise<JoinedRows[]> {
  const cells = sqlName(`${prefix}cells`);
  await db.run(
    `CREATE TABLE ${sqlName(`${prefix}county`)} (cell VARCHAR, county_key VARCHAR, county_name VARCHAR)`,
  );
  await db.run(
    `CREATE ${steps} ${cells} AS SELECT *, ${countyCellSql(entry)} AS "~county_cell" FROM (${trimmedSql(sources.main, mainNames(entry))})`,
  );
  await resolveCounties(db, entry, prefix, `SELECT "~county_cell" AS cell FROM ${cells}`);
  const fates: JoinedRows[] = [];
  for (const join of entry.joins ?? []) {
    const theirs = trimmedSql(sources.joins[join.prefix] ?? [], joinNames(entry, join.prefix));
    await db.run(`CREATE TABLE ${sqlName(`${prefix}theirs`)} AS ${theirs}`);
    for (const [i, name] of [join.on.ours].flat().entries()) {
      const cell = cellSql([join.on.theirs].flat()[i] ?? "");
      if (name === "county_key")
        await resolveCounties(db, entry, prefix, `SELECT ${cell} AS cell FROM ${sqlName(`${prefix}theirs`)}`);
    }
    fates.push(...(await addJoin(db, {entry, prefix, join})));
  }
  return fates;
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

/** SQL: the place of a row to a hundred metres. Outlines of counties are no finer, and neighbours share the answer. */
const pointSql = `printf('%.3f %.3f', "~lon", "~lat")`;

/** Gives SQL of the rows of several staged files with trimmed cells; without files it gives no rows. */
function trimmedSql(tables: readonly (SourceTable | GatheredTable)[], names: readonly string[]): string {
  const staged = stagedNames(names);
  const cells = names.map((name, i) => `trim_text(${sqlName(staged[i]!)}) AS ${cellSql(name)}`);
  const geometry = geometryColumns.map(([name]) => sqlName(name));
  const select = (source: SourceTable | GatheredTable) => {
    const facts = "gathered" in source ? factColumns : factsSql(source);
    return `SELECT ${[...facts, ...cells, ...geometry].join(", ")} FROM ${sqlName(tableOf(source))}`;
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

/** Adds the counties of the cells that are not resolved yet. */
async function resolveCounties(
  db: Database,
  entry: ConformEntry,
  prefix: string,
  cellsSql: string,
): Promise<void> {
  const table = sqlName(`${prefix}county`);
  const news = await db.rows<{cell: string}>(
    `SELECT DISTINCT cell FROM (${cellsSql}) WHERE cell IS NOT NULL AND cell NOT IN (SELECT cell FROM ${table}) ORDER BY cell`,
  );
  const {country, state, counties} = entry.coverage;
  const known = news.flatMap(({cell}) => {
    const county = countyOfCell(cell, {country, state, counties});
    return county === null ? [] : [{cell, ...county}];
  });
  for (let at = 0; at < known.length; at += 1000) {
    await db.run(
      `INSERT INTO ${table} VALUES ${known
        .slice(at, at + 1000)
        .map(countyRow)
        .join(", ")}`,
    );
  }
}

function countyRow({cell, countyKey, countyName}: RowCounty & {cell: string}): string {
  return `(${[cell, countyKey, countyName].map(sqlText).join(", ")})`;
}
