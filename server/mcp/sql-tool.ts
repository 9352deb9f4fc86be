import {z} from "zod";
import {orderedLimitations} from "../../lib/limitations.ts";
import {parcelLimitations} from "../../lib/parcels/record/parcel-limitations.ts";
import {buildFolder, type DataFolder, publishedBuildId} from "../../lib/storage/data-folder.ts";
import {readManifest} from "../../lib/storage/manifest-file.ts";
import {BoundedChild} from "../../lib/system/bounded-child.ts";
import {ownProgram} from "../../lib/system/own-child.ts";
import type {Manifest} from "../../schemas/manifest.ts";
import {type Description, nothing} from "../text/description.ts";
import {listedAsTypes} from "./listed-types.ts";

/** A statement for the child process, on these tables of a build, by default on all. */
export type SqlTask = BuildTables & {readonly sql: string; readonly maxRows: number};

/** Tables of a build: all, or those of these paths below its folder. */
type BuildTables = {readonly folder: string; readonly paths?: readonly string[]};

/** The first rows of the result, as JSON values. */
const SqlAnswer = z.object({
  columns: z.array(z.string()),
  /** Values in the order of the columns. */
  rows: z.array(z.array(z.unknown())),
  /** True where there are more rows. */
  truncated: z.boolean(),
});
export type SqlAnswer = z.infer<typeof SqlAnswer>;

const defaultLimit = 50;
const bounds = {deadlineMs: 10_000, maxKib: 2 ** 20};

const input = z.strictObject({
  sql: z.string().max(10_000).describe("One SELECT, SHOW, DESCRIBE or SUMMARIZE"),
  limit: z.int().min(1).max(500).optional().describe(`Maximum number of rows, ${defaultLimit} by default`),
});

/** The tool that runs SQL on the build's tables. */
export const sqlTool = {
  name: "ask_sql",
  description:
    "Runs one read-only DuckDB SQL statement on the published tables, for sums and questions that no other tool answers. SHOW TABLES lists " +
    "them, DESCRIBE barns shows a table's columns. Limited to 10 seconds; rows past the limit or 24,000 characters are left out.",
  inputSchema: input,
  outputSchema: listedAsTypes(SqlAnswer.extend({build_id: z.string(), limitations: z.array(z.string())})),
};

/** Answers one statement; rejects with a `UserError` if it is refused, wrong, too slow or too large. */
export type AskSql = (given: z.infer<typeof input>, signal?: AbortSignal) => Promise<Description>;

/**
 * Returns a function that runs SQL on the published build's tables, in child processes that can only read them. Two statements run at a
 * time, so that a slow one does not hold the next; `signal` ends one that is no longer wanted.
 */
export function sqlOf(data: DataFolder): AskSql {
  const [first, second] = [newChild(), newChild()];
  return async (given, signal) => {
    const folder = buildFolder(data, await publishedBuildId(data));
    const manifest = await readManifest(folder);
    // Chosen in the step in which it is asked: two statements that wait for a file must not both find it idle.
    const child = first.pending <= second.pending ? first : second;
    return answerOn(child, {folder, manifest}, given, signal);
  };
}

/** A process for statements; it begins with the first. */
export function newChild(): BoundedChild {
  return new BoundedChild(ownProgram("./sql-program", import.meta.url), {work: "the statement"});
}

/** Answers one statement in a process; rejects as an `AskSql` does. */
export async function answerOn(
  child: BoundedChild,
  {manifest, ...tables}: BuildTables & {readonly manifest: Manifest},
  {sql, limit = defaultLimit}: z.infer<typeof input>,
  signal?: AbortSignal,
): Promise<Description> {
  const {build_id, sample} = manifest;
  const task: SqlTask = {...tables, sql, maxRows: limit};
  const answer = (await child.ask(task, bounds, signal)) as SqlAnswer;
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
    limitations: orderedLimitations([parcelLimitations.P01], sample),
    facts: {build_id, ...answer},
  };
}

function cellText(value: unknown): string {
  if (value === null) return "NULL";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
