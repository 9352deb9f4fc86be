import {z} from "zod";
import {limitations} from "../../lib/limitations.ts";
import {BoundedChild} from "../../lib/process/bounded-child.ts";
import {ownProgram} from "../../lib/process/own-child.ts";
import {buildFolder, type DataFolder, publishedBuildId} from "../../lib/storage/data-folder.ts";
import {type Description, nothing} from "../text/description.ts";

/** A statement for the process that answers it. */
export type SqlTask = {readonly folder: string; readonly sql: string; readonly mostRows: number};

/** The first rows of a statement, as JSON has them. */
const SqlAnswer = z.object({
  columns: z.array(z.string()).describe("Names of the columns"),
  rows: z.array(z.array(z.unknown())).describe("Values in the order of the columns"),
  truncated: z.boolean().describe("True where there are more rows"),
});
export type SqlAnswer = z.infer<typeof SqlAnswer>;

const usualLimit = 50;
const bounds = {deadlineMs: 10_000, maxKib: 2 ** 20};

const input = z.strictObject({
  sql: z.string().max(10_000).describe("One SELECT, SHOW, DESCRIBE or SUMMARIZE"),
  limit: z.int().min(1).max(500).optional().describe(`Most rows, ${usualLimit} when absent`),
});

/** The tool that answers a statement over the tables of the build; only where the build is on this machine. */
export const sqlTool = {
  name: "ask_sql",
  title: "Tables in SQL",
  description:
    "One statement of DuckDB SQL that reads the published tables, for sums and questions that no other tool answers. SHOW TABLES lists " +
    "them, DESCRIBE barns tells a table's columns. It takes 10 seconds at most; rows past the limit or 24,000 characters are left out.",
  inputSchema: input,
  outputSchema: SqlAnswer.extend({
    build_id: z.string().describe("The data build"),
    limitations: z.array(z.string()).describe("Caveats for the answer"),
  }),
};

/** Answers one statement; rejects with a `UserError` for one that is refused, wrong, too slow or too large. */
export type AskSql = (given: z.infer<typeof input>) => Promise<Description>;

/** Gives a way of asking the tables of the published build in SQL, in a process of its own that can only read them. */
export function sqlOf(data: DataFolder): AskSql {
  const child = new BoundedChild(ownProgram("./sql-program", import.meta.url), {work: "the statement"});
  return async ({sql, limit = usualLimit}) => {
    const build_id = await publishedBuildId(data);
    const task: SqlTask = {folder: buildFolder(data, build_id), sql, mostRows: limit};
    const answer = (await child.ask(task, bounds)) as SqlAnswer;
    const {columns, rows, truncated} = answer;
    const more = truncated ? "; there are more: group, or add WHERE" : "";
    return {
      ...nothing,
      tables: [
        {title: "", columns: columns.map((header) => ({header})), rows: rows.map((row) => row.map(cellText))},
      ],
      notes: [
        ["Shown", `${rows.length} rows${more}`],
        ["Build", build_id],
      ],
      limitations: [limitations.L22],
      facts: {build_id, ...answer},
    };
  };
}

function cellText(value: unknown): string {
  if (value === null) return "NULL";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
