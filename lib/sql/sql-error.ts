/** An error of DuckDB, with its type: `Catalog` for a missing table, `Conversion` for a value that does not fit, `IO` … */
export class SqlError extends Error {
  readonly type: string;

  constructor(type: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.type = type;
  }

  /** True if the statement itself is wrong, whatever the rows: a table or column that is not there, or text that is no SQL. */
  get isOfStatement(): boolean {
    return ["Catalog", "Binder", "Parser", "Syntax"].includes(this.type);
  }
}

type ErrorJson = {exception_type: string; exception_message: string; position?: string};

/** Does a step of a database that gives errors as JSON (`errors_as_json`); throws a `SqlError` with the words of DuckDB for them. */
export async function withSqlErrors<Made>(sql: string, step: () => Promise<Made>): Promise<Made> {
  try {
    return await step();
  } catch (thrown) {
    throw sqlErrorOf(sql, thrown);
  }
}

/** The typed error for one that DuckDB threw; what is none of its JSON comes back as it is. */
export function sqlErrorOf(sql: string, thrown: unknown): unknown {
  const json = thrown instanceof Error ? /\{"exception_type".*\}$/s.exec(thrown.message)?.[0] : undefined;
  if (json === undefined) return thrown;
  const {exception_type: type, exception_message: message, position} = JSON.parse(json) as ErrorJson;
  return new SqlError(
    type,
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
