import {UserError} from "../../lib/errors.ts";
import {BoundedChild} from "../../lib/process/bounded-child.ts";
import {ownProgram} from "../../lib/process/own-child.ts";
import {buildFolder, currentBuildId, type DataFolder} from "../../lib/storage/data-folder.ts";

/** A statement for the process that answers it. */
export type SqlTask = {readonly folder: string; readonly sql: string; readonly mostRows: number};

/** The first rows of a statement, as JSON has them; `truncated` where there are more. */
export type SqlAnswer = {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly truncated: boolean;
};

/** Answers one statement; rejects with a `UserError` for one that is refused, wrong, too slow or too large. */
export type AskSql = (sql: string, mostRows: number) => Promise<SqlAnswer & {readonly buildId: string}>;

const bounds = {deadlineMs: 10_000, mostKib: 2 ** 20};

/** Gives a way of asking the tables of the published build in SQL, in a process of its own that can only read them. */
export function sqlOf(data: DataFolder): AskSql {
  const child = new BoundedChild(ownProgram("./sql-program", import.meta.url), {work: "the statement"});
  return async (sql, mostRows) => {
    const buildId = await currentBuildId(data);
    if (buildId === null) throw new UserError(`${data.current}: nothing is published. Run "cattle build".`);
    const task: SqlTask = {folder: buildFolder(data, buildId), sql, mostRows};
    return {...((await child.ask(task, bounds)) as SqlAnswer), buildId};
  };
}
