import {z} from "zod";
import {messageOf, UserError} from "../../lib/errors.ts";
import {limitations} from "../../lib/limitations.ts";
import {shortTable} from "./short-text.ts";
import type {AskSql} from "./sql-question.ts";

const usualLimit = 50;

/** The tool that answers a statement over the tables of the build; only where the build is on this machine. */
export const sqlTool = {
  name: "ask_sql",
  title: "Tables in SQL",
  description:
    "One statement of DuckDB SQL that reads the published tables, for sums and questions that no other tool answers. SHOW TABLES lists " +
    "them, DESCRIBE barns tells a table's columns. It takes 10 seconds at most; rows past the limit or 24,000 characters are left out.",
  input: z.strictObject({
    sql: z.string().max(10_000).describe("One SELECT, SHOW, DESCRIBE or SUMMARIZE"),
    limit: z.int().min(1).max(500).optional().describe(`Most rows, ${usualLimit} when absent`),
  }),
  output: z.looseObject({
    build_id: z.string().describe("The data build"),
    columns: z.array(z.string()).describe("Names of the columns"),
    rows: z.array(z.array(z.unknown())).describe("Values in the order of the columns"),
    truncated: z.boolean().describe("True where there are more rows"),
    limitations: z.array(z.string()).describe("Caveats for the answer"),
  }),
};

/** Answers a statement; one that is refused, wrong or too slow is an error result in words. */
export async function answerSql({sql, limit = usualLimit}: z.infer<typeof sqlTool.input>, ask: AskSql) {
  const answer = await ask(sql, limit).catch((error: unknown) => {
    if (error instanceof UserError) return messageOf(error);
    throw error;
  });
  if (typeof answer === "string") return {isError: true, content: textOf(answer)};
  const {buildId, columns, rows, truncated} = answer;
  const caveats = [limitations.L22];
  const lines = [
    shortTable({
      title: "",
      columns: columns.map((header) => ({header})),
      rows: rows.map((row) => row.map(cellText)),
    }),
    `Shown: ${rows.length} rows${truncated ? "; there are more: group, or add WHERE" : ""}`,
    `Build: ${buildId}`,
    `Limitations: ${caveats.join(" ")}`,
  ];
  return {
    content: textOf(lines.join("\n")),
    structuredContent: {build_id: buildId, columns, rows, truncated, limitations: caveats},
  };
}

function textOf(text: string) {
  return [{type: "text" as const, text}];
}

function cellText(value: unknown): string {
  if (value === null) return "NULL";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
