import {readFileSync} from "node:fs";
import {join} from "node:path";
import {filesBelow} from "@open-cattle/safe-files";
import {openDatabase, sqlName, sqlText} from "../lib/sql/duckdb.ts";

// Compares two builds of the same raw files and day, row by row and cell by cell, and prints what differs: to show that a change of the code
// changes no value. Tables of the same values differ in their bytes when builds do, since they name the build.
const [before, after] = process.argv.slice(2);
if (before === undefined || after === undefined) throw new Error("usage: compare-tables BUILD BUILD");
const db = await openDatabase();

/** Reads a table with its rows numbered. */
const numbered = (path: string) =>
  `(SELECT *, row_number() OVER () AS compared_row FROM read_parquet(${sqlText(path)}, hive_partitioning = false))`;

async function columnsOf(path: string): Promise<string[]> {
  const columns = await db.rows<{column_name: string}>(`DESCRIBE FROM ${numbered(path)}`);
  return columns.map(({column_name}) => column_name);
}

/** The columns with a cell that differs, and in how many rows each; rows that only one table has differ in all of them. */
async function differences(file: string): Promise<{rows: number; cells: Record<string, number>}> {
  const [a, b] = [join(before!, file), join(after!, file)];
  const columns = await columnsOf(a);
  if (columns.join() !== (await columnsOf(b)).join())
    throw new Error(`${file}: other columns, or another order`);
  const counts = columns
    .map(sqlName)
    .map((name) => `count(*) FILTER (x.${name} IS DISTINCT FROM y.${name}) AS ${name}`);
  const [counted] = await db.rows<Record<string, number>>(
    `SELECT count(*) AS all_rows, ${counts.join(", ")} FROM ${numbered(a)} AS x FULL JOIN ${numbered(b)} AS y USING (compared_row)`,
  );
  const {all_rows: rows, compared_row: _, ...cells} = counted!;
  return {
    rows: Number(rows),
    cells: Object.fromEntries(Object.entries(cells).filter(([, count]) => count > 0)),
  };
}

const files = await filesBelow(join(before, "/"));
const others = await filesBelow(join(after, "/"));
for (const file of files.filter((each) => !others.includes(each))) console.log(`${file}: only in ${before}`);
for (const file of others.filter((each) => !files.includes(each))) console.log(`${file}: only in ${after}`);
const shared = files.filter((file) => others.includes(file));
const tables = shared.filter((file) => file.endsWith(".parquet"));
const rest = shared.filter((file) => !file.endsWith(".parquet"));
let rows = 0;
for (const file of tables) {
  const found = await differences(file);
  rows += found.rows;
  for (const [column, count] of Object.entries(found.cells))
    console.log(`${file}: ${column} differs in ${count} of ${found.rows} rows`);
}
const unequal = rest.filter(
  (file) => !readFileSync(join(before, file)).equals(readFileSync(join(after, file))),
);
for (const file of unequal) console.log(`${file}: other bytes`);
console.log(
  `${tables.length} tables of ${rows} rows compared, ${rest.length - unequal.length} of ${rest.length} other files have the same bytes`,
);
