import {isUtf8} from "node:buffer";
import {createReadStream} from "node:fs";
import {open, readFile, stat} from "node:fs/promises";
import {join, resolve} from "node:path";
import {createInterface} from "node:readline";
import {expansionLimits, isUtf8File} from "@open-cattle/parcel-files";
import {writeScratch} from "@open-cattle/safe-files";
import {decodedText, needsDecoding, type TableHead, tableHead} from "@open-cattle/usda-reports";
import {UserError} from "../../../lib/errors.ts";
import {type Database, sqlName, sqlText} from "../../../lib/sql/duckdb.ts";
import {csvRelation} from "../../../lib/sql/sql-path.ts";
import {ofReport} from "../documents/content-kind.ts";

/** An unreadable line of a table: its number in the file and the fault. */
export type UnreadLine = {readonly line: number; readonly fault: string};

/** The header must lie within this many bytes. */
const headerBytes = 1 << 16;
/** A CSV file as SQL that reads its rows, with all columns as text. */
type CsvTable = {
  readonly relation: string;
  /**
   * The unreadable lines, available once the relation was read: of another length than the header, with an unclosed quote, or
   * not valid UTF-8. If an open quote swallowed rows, `retry` is the relation to read instead.
   */
  unread(): Promise<{lines: UnreadLine[]; retry: string | null}>;
};

/**
 * Opens a CSV file delimited by commas, semicolons, tabs or pipes; temporary files go into `tempDir`. Throws a UserError,
 * naming the file `shownPath`, if its first line has no columns.
 */
export async function openCsvTable(
  db: Database,
  {path: came, shownPath}: {path: string; shownPath: string},
  tempDir: string,
): Promise<CsvTable> {
  const {path, damaged} = await plainCopy({path: came, shownPath}, tempDir);
  const header = await ofReport(shownPath, async () => tableHead((await startOf(path)).toString("utf8")));
  return {
    relation: everyColumn(readCsv(path, header), header.columns),
    async unread() {
      const lines = [...damaged, ...(await faults(db, path))];
      return lines.some(({fault}) => fault.includes("\n"))
        ? withoutOpenQuotes(db, {path, header, lines, damaged}, tempDir)
        : {lines, retry: null};
    },
  };
}

/** Tries again without the lines whose quotes are unbalanced, because an open quote may have swallowed rows. */
async function withoutOpenQuotes(
  db: Database,
  {
    path,
    header,
    lines,
    damaged,
  }: {path: string; header: TableHead; lines: UnreadLine[]; damaged: UnreadLine[]},
  tempDir: string,
): Promise<{lines: UnreadLine[]; retry: string | null}> {
  const rows = (file: string) => everyColumn(readCsv(file, header), header.columns);
  const count = async (file: string) => {
    const [counted] = await db.rows<{n: number}>(`SELECT count(*)::INTEGER AS n FROM ${rows(file)}`);
    return counted!.n;
  };
  const whole = await count(path);
  const {paired, odd} = await withoutUnpairedQuotes(path, join(tempDir, "paired.csv"));
  if ((await count(paired)) <= whole) return {lines, retry: null};
  return {lines: [...damaged, ...odd, ...(await faults(db, paired))], retry: rows(paired)};
}

/** A file that DuckDB can read, and the lines left out of it. */
type PlainFile = {readonly path: string; readonly damaged: UnreadLine[]};

/**
 * The table as plain UTF-8, in a new file unless it already is. If several lines are not valid UTF-8, the file has another
 * encoding; a single one is damaged and left out.
 */
async function plainCopy(
  {path, shownPath}: {path: string; shownPath: string},
  tempDir: string,
): Promise<PlainFile> {
  const plain = join(tempDir, "plain.csv");
  if (needsDecoding(await startOf(path))) {
    if ((await stat(path)).size > expansionLimits.memoryBytes)
      throw new UserError(
        `${shownPath}: too large to be decoded from UTF-16 or without its "sep=" line; give it as plain UTF-8.`,
      );
    await writeScratch(plain, [decodedText(await readFile(path))]);
    return {path: plain, damaged: []};
  }
  const foreign = await nonUtf8Lines(path);
  if (foreign.size === 0) return {path, damaged: []};
  const [first = 0] = foreign;
  const isDamage = foreign.size === 1 && first > 1;
  await writeScratch(plain, linesAsUtf8(path, foreign, isDamage));
  return {
    path: plain,
    damaged: isDamage ? [{line: first, fault: "bytes that are no UTF-8"}] : [],
  };
}

/** Line numbers, from 1, of the lines that are not valid UTF-8. */
async function nonUtf8Lines(path: string): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  if (await isUtf8File(path)) return found;
  let number = 0;
  for await (const line of linesOf(path)) {
    number += 1;
    if (!isUtf8(line)) found.add(number);
  }
  return found;
}

/**
 * Yields the lines of a file as UTF-8. The given lines are decoded from Windows-1252, in which spreadsheets save CSV, or
 * dropped if `without`.
 */
async function* linesAsUtf8(
  path: string,
  foreign: ReadonlySet<number>,
  without: boolean,
): AsyncGenerator<string> {
  let number = 0;
  for await (const line of linesOf(path)) {
    number += 1;
    if (!foreign.has(number)) yield `${line.toString("utf8")}\n`;
    else if (!without) yield `${decodedText(line)}\n`;
  }
}

async function* linesOf(path: string): AsyncGenerator<Buffer> {
  // Created where it is iterated: readline loses lines, and the end, that arrive before.
  const input = createReadStream(path, "latin1");
  for await (const line of createInterface({input, crlfDelay: Number.POSITIVE_INFINITY}))
    yield Buffer.from(line, "latin1");
}

async function startOf(path: string): Promise<Buffer> {
  await using file = await open(path);
  const {buffer, bytesRead} = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
  return buffer.subarray(0, bytesRead);
}

function readCsv(path: string, {columns, delimiter, above}: TableHead): string {
  const types = columns.map((name) => `${sqlName(name)}: 'VARCHAR'`).join(", ");
  return csvRelation(
    path,
    `auto_detect = false, header = true, skip = ${above}, delim = ${sqlText(delimiter)}, quote = '"', escape = '"', columns = {${types}}`,
    "store_rejects = true, rejects_table = 'csv_faults', rejects_scan = 'csv_scans'",
  );
}

/**
 * SQL: all rows of a relation. DuckDB reports faults only in columns that a query reads, so the condition, which is always
 * true, mentions every column.
 */
function everyColumn(relation: string, columns: readonly string[]): string {
  return `(SELECT * FROM ${relation} WHERE row(${columns.map(sqlName).join(", ")}) IS NOT NULL)`;
}

/** The faults that DuckDB noted in a file whenever it read it. */
async function faults(db: Database, path: string): Promise<UnreadLine[]> {
  return db.rows<UnreadLine>(`SELECT line::INTEGER AS line, min(error_message || ': ' || csv_line) AS fault
    FROM csv_faults JOIN csv_scans USING (scan_id, file_id) WHERE file_path = ${sqlText(resolve(path))}
    GROUP BY line ORDER BY line`);
}

/** Copies a file without the lines that have an odd number of quotes. */
async function withoutUnpairedQuotes(
  path: string,
  paired: string,
): Promise<{paired: string; odd: UnreadLine[]}> {
  const odd: UnreadLine[] = [];
  async function* keptLines(): AsyncGenerator<string> {
    let number = 0;
    for await (const bytes of linesOf(path)) {
      const line = bytes.toString("utf8");
      number += 1;
      if (line.split('"').length % 2 === 1) yield `${line}\n`;
      else odd.push({line: number, fault: `a quote that nothing closes: ${line}`});
    }
  }
  await writeScratch(paired, keptLines());
  return {paired, odd};
}
