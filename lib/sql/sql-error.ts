import {constants} from "node:os";
import type {DuckDBConnection, DuckDBResult} from "@duckdb/node-api";
import {duckdbLibrary} from "./duckdb-library.ts";

/** An error of DuckDB, with its type: `Catalog` for a missing table, `Conversion` for a value that does not fit, `IO` … */
export class SqlError extends Error {
  readonly type: string;
  /** Number of the system error behind it, if there is one. */
  readonly errno: number | null;

  constructor(
    {type, errno = null}: {type: string; errno?: number | null},
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.type = type;
    this.errno = errno;
  }

  /** True if the statement itself is wrong, whatever the rows: a table or column that is not there, or text that is no SQL. */
  get isOfStatement(): boolean {
    return ["Catalog", "Binder", "Parser", "Syntax"].includes(this.type);
  }

  /** True for a fault of the machine, whatever the statement and the rows: no memory, or no room on the disk. */
  get isOfMachine(): boolean {
    return this.type === "Out of Memory" || (this.errno !== null && machineErrors.has(this.errno));
  }
}

const {ENOSPC, EDQUOT, EIO, EMFILE, ENFILE, ENOMEM} = constants.errno;
const machineErrors: ReadonlySet<number> = new Set([ENOSPC, EDQUOT, EIO, EMFILE, ENFILE, ENOMEM]);

type ErrorJson = {exception_type: string; exception_message: string; position?: string; errno?: string};

/** Does a step of a database that gives errors as JSON (`errors_as_json`); throws a `SqlError` with the words of DuckDB for them. */
export async function withSqlErrors<Made>(sql: string, step: () => Promise<Made>): Promise<Made> {
  try {
    return await step();
  } catch (thrown) {
    throw sqlErrorOf(sql, thrown);
  }
}

/**
 * Throws the error that ended a streamed result; DuckDB stops giving chunks then, as it does after the last row. Call it after the last
 * chunk, with the connection and the statement of the stream.
 */
export async function refuseCutStream(
  connection: DuckDBConnection,
  result: DuckDBResult,
  sql: string,
): Promise<void> {
  if (result.returnType !== duckdbLibrary().ResultReturnType.INVALID) return;
  // The result keeps its error to itself; the same statement, run once more without its rows, tells it.
  if ((await connection.extractStatements(sql)).count === 1)
    await withSqlErrors(sql, () => connection.run(`EXPLAIN ANALYZE ${sql}`));
  throw new SqlError(
    {type: "Unknown"},
    "Unknown Error: the rows were cut short by an error that DuckDB does not tell",
  );
}

/** The typed error for one that DuckDB threw; what is none of its JSON comes back as it is. */
export function sqlErrorOf(sql: string, thrown: unknown): unknown {
  const json = thrown instanceof Error ? /\{"exception_type".*\}$/s.exec(thrown.message)?.[0] : undefined;
  if (json === undefined) return thrown;
  const {exception_type: type, exception_message: message, position, errno} = JSON.parse(json) as ErrorJson;
  return new SqlError(
    {type, errno: errno === undefined ? null : Number(errno)},
    `${type} Error: ${message}${position === undefined ? "" : lineAt(sql, +position)}`,
    {
      cause: thrown,
    },
  );
}

/** Characters of a line shown on each side of an error. */
const shownSide = 40;

/** The line of a statement with a mark below the byte at which the error is, as DuckDB shows it. */
function lineAt(sql: string, position: number): string {
  const before = Buffer.from(sql).subarray(0, position).toString();
  const start = before.lastIndexOf("\n") + 1;
  const from = Math.max(start, before.length - shownSide);
  const line = sql.slice(from, before.length + shownSide).split("\n", 1)[0]!;
  const label = `LINE ${before.split("\n").length}: `;
  return `\n\n${label}${line}\n${" ".repeat(label.length + before.length - from)}^`;
}
