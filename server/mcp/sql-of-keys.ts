import {UserError} from "../../lib/errors.ts";
import {buildFolder, type DataFolder} from "../../lib/storage/data-folder.ts";
import type {BoundedChild} from "../../lib/system/bounded-child.ts";
import {fileTable} from "../files/file-table.ts";
import {type Generation, oncePer} from "../generation/generation.ts";
import {type AskSql, answerOn, newChild} from "./sql-tool.ts";

/** Statements of all keys that run at once; each may take a GiB. */
const mostAtOnce = 4;

/**
 * Returns a function that makes one that runs SQL for a key, on the tables of a build that `/files/` shows. Each key has one statement at a
 * time, in a process that no other key waits for; one more is refused at once.
 */
export function sqlOfKeys(data: DataFolder): (keyId: string, generation: Generation) => AskSql {
  const idle: BoundedChild[] = [];
  const asking = new Set<string>();
  const tablesOf = oncePer(async ({buildId, manifest}: Generation) => {
    const folder = buildFolder(data, buildId);
    const {files} = await fileTable(folder, manifest);
    return {folder, manifest, paths: [...files.keys()].filter((path) => path.endsWith(".parquet"))};
  });
  return (keyId, generation) => async (given, signal) => {
    if (asking.has(keyId)) throw new UserError("A statement of this key is running; ask when it has ended.");
    if (asking.size >= mostAtOnce)
      throw new UserError(`${mostAtOnce} statements are running here; ask again in some seconds.`);
    asking.add(keyId);
    const child = idle.pop() ?? newChild();
    try {
      return await answerOn(child, await tablesOf(generation), given, signal);
    } finally {
      asking.delete(keyId);
      idle.push(child);
    }
  };
}
