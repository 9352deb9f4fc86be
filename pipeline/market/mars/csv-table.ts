import {createReadStream} from "node:fs";
import {open, readFile, stat} from "node:fs/promises";
import {join} from "node:path";
import {createInterface} from "node:readline";
import {UserError} from "../../../lib/errors.ts";
import {type Database, sqlName, sqlText} from "../../../lib/sql/duckdb.ts";
import {writeScratch} from "../../../lib/storage/whole-file.ts";
import {expansionLimits} from "../../raw/document-reader.ts";
import {mostAbove, namesPriceRows} from "../column-aliases.ts";
import {decodedText, needsDecoding} from "../content-kind.ts";
import {delimiters, rowsParted} from "../signals/lists/delimited-rows.ts";
import {linesAsUtf8, linesOfOtherEncoding} from "./utf8-lines.ts";

/** A line of a table that is no row of it: its number in the file, and what is wrong with it. */
type UnreadLine = {readonly line: number; readonly fault: string};

/** Bytes in which the header line must stand. */
const headerBytes = 1 << 16;
/** A report has a few dozen. */
const maxColumns = 1_000;

/** A CSV file as SQL that reads its rows, all columns as text. */
type CsvTable = {
  readonly relation: string;
  /**
   * The lines that are no rows, once the relation was read: of another length than the header's, with a quote that nothing closes,
   * or of bytes that are no UTF-8. `again` is the relation to read instead where an open quote swallowed rows.
   */
  unread(): Promise<{lines: UnreadLine[]; again: string | null}>;
};

/**
 * Opens a CSV file, whose columns are parted by commas, semicolons, tabs or pipes. Files that are needed meanwhile are made in `tempDir`. Throws a UserError that calls the file `shown` where
 * the first line has no columns.
 */
export async function openCsvTable(
  db: Database,
  {path: came, shown}: {path: string; shown: string},
  tempDir: string,
): Promise<CsvTable> {
  const {path, damaged} = await plainCopy({path: came, shown}, tempDir);
  const header = await headerOf({path, shown});
  const {columns} = header;
  if (columns.length < 2)
    throw new UserError(
      `${shown}: the first line has ${columns.length === 0 ? "no column" : `the one column ${JSON.stringify(columns[0])}`}; the names of the table's columns were expected there.`,
    );
  await forgetFaults(db);
  return {
    relation: everyColumn(readCsv(path, header), columns),
    async unread() {
      const lines = [...damaged, ...(await faults(db))];
      return lines.some(({fault}) => fault.includes("\n"))
        ? withClosedQuotes(db, {path, header, lines, damaged}, tempDir)
        : {lines, again: null};
    },
  };
}

/** An open quote swallowed lines: without the lines whose quotes do not close the others may be rows again. */
async function withClosedQuotes(
  db: Database,
  {path, header, lines, damaged}: {path: string; header: Header; lines: UnreadLine[]; damaged: UnreadLine[]},
  tempDir: string,
): Promise<{lines: UnreadLine[]; again: string | null}> {
  const rows = (file: string) => everyColumn(readCsv(file, header), header.columns);
  const count = async (file: string) => {
    const [counted] = await db.rows<{n: number}>(`SELECT count(*)::INTEGER AS n FROM ${rows(file)}`);
    return counted!.n;
  };
  const whole = await count(path);
  const {paired, odd} = await withoutOddLines(path, join(tempDir, "paired.csv"));
  await forgetFaults(db);
  if ((await count(paired)) <= whole) return {lines, again: null};
  return {lines: [...damaged, ...odd, ...(await faults(db))], again: rows(paired)};
}

/** A file that DuckDB can read, and the lines that are left out of it. */
type PlainFile = {readonly path: string; readonly damaged: UnreadLine[]};

/**
 * The same table as plain UTF-8 from its header on, in a file of its own where it is not so already. Several lines that are no UTF-8 are of
 * another encoding; one alone is damaged, and left out.
 */
async function plainCopy({path, shown}: {path: string; shown: string}, tempDir: string): Promise<PlainFile> {
  const plain = join(tempDir, "plain.csv");
  if (needsDecoding(await startOf(path))) {
    if ((await stat(path)).size > expansionLimits.memoryBytes)
      throw new UserError(
        `${shown}: too large to be decoded from UTF-16 or without its "sep=" line; give it as plain UTF-8.`,
      );
    await writeScratch(plain, [decodedText(await readFile(path))]);
    return {path: plain, damaged: []};
  }
  const foreign = await linesOfOtherEncoding(path);
  if (foreign.size === 0) return {path, damaged: []};
  const [first = 0] = foreign;
  const isDamage = foreign.size === 1 && first > 1;
  await writeScratch(plain, linesAsUtf8(path, foreign, isDamage));
  return {
    path: plain,
    damaged: isDamage ? [{line: first, fault: "bytes that are no UTF-8"}] : [],
  };
}

async function startOf(path: string): Promise<Buffer> {
  await using file = await open(path);
  const {buffer, bytesRead} = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
  return buffer.subarray(0, bytesRead);
}

/** `above` counts the lines of a title above the names of the columns. */
type Header = {readonly columns: readonly string[]; readonly delimiter: string; readonly above: number};

/** The names of the columns, and the delimiter that parts most of them; a comma where none parts any. */
async function headerOf({path, shown}: {path: string; shown: string}): Promise<Header> {
  const lines = (await startOf(path))
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/, mostAbove);
  const named = lines.findIndex((each) =>
    namesPriceRows(delimiters.map((part) => rowsParted(each, part)?.[0] ?? [])),
  );
  const above = Math.max(named, 0);
  const line = lines[above] ?? "";
  const read = delimiters.map((delimiter) => ({names: rowsParted(line, delimiter)?.[0] ?? [], delimiter}));
  const {names, delimiter} = read.reduce((best, next) =>
    next.names.length > best.names.length ? next : best,
  );
  if (names.length > maxColumns)
    throw new UserError(`${shown}: ${names.length} columns came; at most ${maxColumns} are read.`);
  const taken = new Set<string>();
  const columns = names.map((name) => {
    let free = name === "" ? "column" : name;
    while (taken.has(free.toLowerCase())) free = `${free}_`;
    taken.add(free.toLowerCase());
    return free;
  });
  return {columns, delimiter, above};
}

function readCsv(path: string, {columns, delimiter, above}: Header): string {
  const types = columns.map((name) => `${sqlName(name)}: 'VARCHAR'`).join(", ");
  return `read_csv(${sqlText(path)}, auto_detect = false, header = true, skip = ${above}, delim = ${sqlText(delimiter)}, quote = '"', escape = '"', columns = {${types}},
    store_rejects = true, rejects_table = 'csv_faults', rejects_scan = 'csv_scans')`;
}

/**
 * SQL of all rows of a relation. DuckDB sees the faults of a line only in the columns that a query reads, so the condition, which always
 * holds, names them all.
 */
function everyColumn(relation: string, columns: readonly string[]): string {
  return `(SELECT * FROM ${relation} WHERE row(${columns.map(sqlName).join(", ")}) IS NOT NULL)`;
}

async function forgetFaults(db: Database): Promise<void> {
  await db.run("DROP TABLE IF EXISTS csv_faults; DROP TABLE IF EXISTS csv_scans");
}

/** The faults of the reading since they were forgotten. */
async function faults(db: Database): Promise<UnreadLine[]> {
  return db.rows<UnreadLine>(`SELECT line::INTEGER AS line, min(error_message || ': ' || csv_line) AS fault FROM csv_faults
    GROUP BY line ORDER BY line`);
}

/** A copy of a file without the lines whose number of quotes is odd. */
async function withoutOddLines(path: string, paired: string): Promise<{paired: string; odd: UnreadLine[]}> {
  const odd: UnreadLine[] = [];
  async function* kept(): AsyncGenerator<string> {
    let number = 0;
    // Lines are read from here on: those that come before somebody takes them are lost, and so would be the end.
    const input = createReadStream(path, "utf8");
    const lines = createInterface({input, crlfDelay: Number.POSITIVE_INFINITY});
    for await (const line of lines) {
      number += 1;
      if (line.split('"').length % 2 === 1) yield `${line}\n`;
      else odd.push({line: number, fault: `a quote that nothing closes: ${line}`});
    }
  }
  await writeScratch(paired, kept());
  return {paired, odd};
}
