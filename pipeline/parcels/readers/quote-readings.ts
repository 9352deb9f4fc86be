import {messageOf, UserError} from "../../../lib/errors.ts";
import {resolveColumn, stagedNames} from "../../../lib/parcels/conform/file-cells.ts";
import {geometryColumns} from "../../../lib/parcels/conform/staged-table.ts";
import {type Database, sqlName, sqlText} from "../../../lib/sql/duckdb.ts";
import {csvRelation} from "../../../lib/sql/sql-path.ts";
import {isSystemFault} from "../../raw/document-reader.ts";

/** Maximum bytes of a row; even long legal descriptions are shorter. */
const longestRow = 16 * 2 ** 20;

type DelimitedLoad = {
  path: string;
  shownPath: string;
  table: string;
  columns: readonly string[];
  delimiter: string;
  titleLines: number;
  wantedColumns: readonly string[];
};

/** How quotes are read: as RFC 4180 has them, escaped by a backslash, or as letters. */
const quotings = [
  {quote: '"', escape: '"', said: "quotes doubled"},
  {quote: '"', escape: "\\", said: "quotes escaped by a backslash"},
  {quote: "", escape: "", said: "quotes as letters of their cells"},
] as const;
type Quoting = (typeof quotings)[number];

/** Bytes and quotation marks of the rows that could not be split. */
export type LostText = {readonly bytes: number; readonly quotes: number};

type Reading = {
  readonly rows: number;
  readonly malformed: number;
  readonly lost: LostText;
  readonly remark: string | null;
};

/** Loads the table. Where rows are lost, it is loaded with the other ways to quote, and the way with most whole rows counts. */
export async function loadDelimited(db: Database, load: DelimitedLoad): Promise<Reading> {
  const [usual, ...others] = quotings;
  const first = {...(await loadRows(db, load, usual)), quoting: usual as Quoting};
  let best = first;
  if (first.hasLostQuotes) {
    for (const quoting of others) {
      const table = `${load.table}_other`;
      const reading = await loadRows(db, {...load, table}, quoting);
      const isBetter = reading.rows > best.rows;
      await db.run(
        isBetter
          ? `DROP TABLE ${sqlName(load.table)}; ALTER TABLE ${sqlName(table)} RENAME TO ${sqlName(load.table)}`
          : `DROP TABLE ${sqlName(table)}`,
      );
      if (isBetter) best = {...reading, quoting};
    }
  }
  const {rows, malformed, lost} = best;
  if (best === first) return {rows, malformed, lost, remark: null};
  return {
    rows,
    malformed,
    lost,
    remark: `read with ${best.quoting.said}: ${best.rows} whole rows; with ${usual.said} it has ${first.rows}, and ${first.malformed} rows are lost.`,
  };
}

/** Loads the table and returns its rows, and the number of those that do not split into the header's columns. */
async function loadRows(
  db: Database,
  {path, shownPath, table, columns, delimiter, titleLines, wantedColumns}: DelimitedLoad,
  {quote, escape: escapeSign}: Pick<Quoting, "quote" | "escape">,
): Promise<Omit<Reading, "remark"> & {hasLostQuotes: boolean}> {
  const rejects = `${table}_rejects`;
  const scans = `${table}_scans`;
  const types = columns.map((_, i) => `'c${i}': 'VARCHAR'`).join(", ");
  const staged = stagedNames(wantedColumns);
  const cells = wantedColumns.map((name, i) => `${cellSql(name, columns, quote)} AS ${sqlName(staged[i]!)}`);
  const noGeometry = geometryColumns.map(([name, type]) => `NULL::${type} AS ${sqlName(name)}`);
  const load = db.run(
    `CREATE TABLE ${sqlName(table)} AS SELECT ${[...cells, ...noGeometry].join(", ")}
     FROM ${csvRelation(
       path,
       `auto_detect = false, header = true, skip = ${titleLines}, columns = {${types}}, delim = ${sqlText(delimiter)}, quote = ${sqlText(quote)}`,
       `escape = ${sqlText(escapeSign)}, strict_mode = true, store_rejects = true, rejects_table = ${sqlText(rejects)}, rejects_scan = ${sqlText(scans)}`,
       `rejects_limit = 0, max_line_size = ${longestRow}, compression = 'none'`,
     )}`,
  );
  await load.catch((error: unknown) => {
    if (isSystemFault(error)) throw error;
    throw new UserError(`${shownPath}: not readable as delimited text: ${messageOf(error).split("\n")[0]}`);
  });
  // An unterminated quote swallows all following rows; count the lines in it that look like rows.
  const whole = `len(string_split(each, ${sqlText(delimiter)})) >= ${columns.length}`;
  const after = `list_filter(string_split(csv_line, chr(10))[2:], lambda each: ${whole})`;
  const open = `CASE WHEN error_type = 'UNQUOTED VALUE' THEN 1 + len(${after}) ELSE 1 END`;
  const [counted] = await db.rows<{n: bigint; bytes: bigint; quotes: bigint}>(
    `SELECT coalesce(sum(lines), 0)::BIGINT AS n, coalesce(sum(bytes), 0)::BIGINT AS bytes, coalesce(sum(quotes), 0)::BIGINT AS quotes
     FROM (SELECT line, max(${open}) AS lines, max(strlen(csv_line)) AS bytes, max(${quotesSql("csv_line")}) AS quotes
       FROM ${sqlName(rejects)} GROUP BY line)`,
  );
  await db.run(`DROP TABLE ${sqlName(rejects)}; DROP TABLE ${sqlName(scans)}`);
  const swallowed = await dropSwallowed(db, {table, staged, columns: columns.length, delimiter});
  const [loaded] = await db.rows<{n: bigint}>(`SELECT count(*) AS n FROM ${sqlName(table)}`);
  return {
    rows: Number(loaded!.n),
    malformed: Number(counted!.n) + swallowed.rows,
    lost: {
      bytes: Number(counted!.bytes) + swallowed.bytes,
      quotes: Number(counted!.quotes) + swallowed.quotes,
    },
    hasLostQuotes: counted!.quotes > 0n || swallowed.rows > 0,
  };
}

function quotesSql(text: string): string {
  return `strlen(${text}) - strlen(replace(${text}, '"', ''))`;
}

/** Minimum column count for telling swallowed rows from text with line feeds. */
const fewestToTell = 4;

/**
 * Drops rows with a cell that contains whole rows, because a quote in one row was closed in another; returns the rows lost, with the bytes and
 * quotation marks of such cells. Such
 * a cell has exactly the delimiters of the rows that its line feeds end.
 */
async function dropSwallowed(
  db: Database,
  {
    table,
    staged,
    columns,
    delimiter,
  }: {table: string; staged: readonly string[]; columns: number; delimiter: string},
): Promise<{rows: number} & LostText> {
  const none = {rows: 0, bytes: 0, quotes: 0};
  if (columns < fewestToTell || staged.length === 0) return none;
  const hasFeed = staged.map((name) => `contains(${sqlName(name)}, chr(10))`).join(" OR ");
  const [feed] = await db.rows(`SELECT true AS found FROM ${sqlName(table)} WHERE ${hasFeed} LIMIT 1`);
  // Most tables have none, and for a small table planning the full check costs more than reading it.
  if (feed === undefined) return none;
  const swallowed = staged.map((name) => {
    const [cell, feeds] = [sqlName(name), `len(string_split(${sqlName(name)}, chr(10))) - 1`];
    const delimiters = `len(string_split(${cell}, ${sqlText(delimiter)})) - 1`;
    return `CASE WHEN contains(${cell}, chr(10)) AND ${delimiters} = (${feeds}) * ${columns - 1} THEN ${feeds} END`;
  });
  const lines = `greatest(${swallowed.join(", ")})`;
  const cells = `concat_ws('', ${staged.map(sqlName).join(", ")})`;
  const [counted] = await db.rows<{n: bigint; bytes: bigint; quotes: bigint}>(
    `SELECT coalesce(sum(lines + 1), 0)::BIGINT AS n, coalesce(sum(strlen(cells)), 0)::BIGINT AS bytes, coalesce(sum(${quotesSql("cells")}), 0)::BIGINT AS quotes
     FROM (SELECT ${lines} AS lines, ${cells} AS cells FROM ${sqlName(table)}) WHERE lines IS NOT NULL`,
  );
  const rows = Number(counted!.n);
  if (rows > 0) await db.run(`DELETE FROM ${sqlName(table)} WHERE ${lines} IS NOT NULL`);
  return {rows, bytes: Number(counted!.bytes), quotes: Number(counted!.quotes)};
}

function cellSql(name: string, columns: readonly string[], quote: string): string {
  const column = resolveColumn(name, columns);
  if (column === undefined) return "NULL::VARCHAR";
  // Excel's formula for a number that keeps its zeros: ="0012".
  const cell = `c${columns.indexOf(column)}`;
  const whole = `regexp_full_match(${cell}, '"[^"]*"')`;
  if (quote === "") return `CASE WHEN ${whole} THEN ${cell}[2:-2] ELSE ${cell} END`;
  return `CASE WHEN starts_with(${cell}, '="') AND ends_with(${cell}, '"') THEN ${cell}[3:-2] ELSE ${cell} END`;
}
