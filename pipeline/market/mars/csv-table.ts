import {createReadStream, createWriteStream} from "node:fs";
import {open} from "node:fs/promises";
import {join} from "node:path";
import {createInterface} from "node:readline";
import {Readable} from "node:stream";
import {pipeline} from "node:stream/promises";
import {parse} from "csv-parse/sync";
import {UserError} from "../../../lib/errors.ts";
import {type Database, sqlName, sqlText} from "../../../lib/sql/duckdb.ts";

/** A line of a table that is no row of it: its number in the file, and what is wrong with it. */
export type UnreadLine = {readonly line: number; readonly fault: string};

/** Bytes in which the header line must stand. */
const headerBytes = 1 << 16;

/**
 * Reads a CSV file into the table `csv_rows`, all columns as text, and gives the lines that are no rows: of another length than
 * the header's, with a quote that nothing closes, or of bytes that are no UTF-8. The other lines are rows. Files that are
 * needed meanwhile are made in `tempDir`. Throws a UserError that calls the file `shown` where the first line has no columns.
 */
export async function readCsvTable(
  db: Database,
  {path, shown}: {path: string; shown: string},
  tempDir: string,
): Promise<UnreadLine[]> {
  const columns = await headerOf(path);
  if (columns.length < 2)
    throw new UserError(
      `${shown}: the first line has ${columns.length === 0 ? "no column" : `the one column ${JSON.stringify(columns[0])}`}; the names of the table's columns were expected there.`,
    );
  const unread = await readInto(db, path, columns);
  if (!unread.some(({fault}) => fault.includes("\n"))) return unread;
  // An open quote swallowed lines: without the lines whose quotes do not close the others are rows again.
  const [whole] = await db.rows<{n: number}>("SELECT count(*)::INTEGER AS n FROM csv_rows");
  const {paired, odd} = await withoutOddLines(path, join(tempDir, "paired.csv"));
  const alone = await readInto(db, paired, columns);
  const [lines] = await db.rows<{n: number}>("SELECT count(*)::INTEGER AS n FROM csv_rows");
  if (lines!.n > whole!.n) return [...odd, ...alone];
  return readInto(db, path, columns);
}

async function headerOf(path: string): Promise<string[]> {
  await using file = await open(path);
  const {buffer, bytesRead} = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
  const [header = ""] = buffer
    .subarray(0, bytesRead)
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/, 1);
  const [names = []] = parse(header, {relax_quotes: true, trim: true}) as string[][];
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name === "" ? "column" : name;
    while (taken.has(free.toLowerCase())) free = `${free}_`;
    taken.add(free.toLowerCase());
    return free;
  });
}

async function readInto(db: Database, path: string, columns: readonly string[]): Promise<UnreadLine[]> {
  const types = columns.map((name) => `${sqlName(name)}: 'VARCHAR'`).join(", ");
  await db.run(`DROP TABLE IF EXISTS csv_faults; DROP TABLE IF EXISTS csv_scans;
    CREATE OR REPLACE TEMP TABLE csv_rows AS SELECT * FROM read_csv(${sqlText(path)}, auto_detect = false, header = true, delim = ',',
      quote = '"', escape = '"', columns = {${types}}, store_rejects = true, rejects_table = 'csv_faults', rejects_scan = 'csv_scans')`);
  return db.rows<UnreadLine>(`SELECT line::INTEGER AS line, min(error_message || ': ' || csv_line) AS fault FROM csv_faults
    GROUP BY line ORDER BY line`);
}

/** A copy of a file without the lines whose number of quotes is odd. */
async function withoutOddLines(path: string, paired: string): Promise<{paired: string; odd: UnreadLine[]}> {
  const odd: UnreadLine[] = [];
  const lines = createInterface({input: createReadStream(path, "utf8"), crlfDelay: Number.POSITIVE_INFINITY});
  async function* kept(): AsyncGenerator<string> {
    let number = 0;
    for await (const line of lines) {
      number += 1;
      if (line.split('"').length % 2 === 1) yield `${line}\n`;
      else odd.push({line: number, fault: `a quote that nothing closes: ${line}`});
    }
  }
  await pipeline(Readable.from(kept()), createWriteStream(paired));
  return {paired, odd};
}
