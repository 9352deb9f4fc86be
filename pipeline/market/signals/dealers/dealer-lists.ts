import {readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {z} from "zod";
import {ConfigError} from "../../../../lib/errors.ts";
import {sourcesDir} from "../../../../lib/paths.ts";
import {DealerList} from "../../../../schemas/dealer-list.ts";

/** The licence lists of `data/sources/dealers/`, by file name. Throws a ConfigError that names the file and the fault. */
export function loadDealerLists(folder: string = join(sourcesDir, "dealers")): DealerList[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const parsed = DealerList.safeParse(JSON.parse(readFileSync(path, "utf8")));
      if (!parsed.success) throw new ConfigError(`${path}: ${z.prettifyError(parsed.error)}`);
      return parsed.data;
    });
}

/** The list of a file below `dealers/`: one that matches the start of its name or a folder's, else the list for any file. */
export function dealerListOf(lists: readonly DealerList[], path: string): DealerList | undefined {
  const parts = path.toLowerCase().split("/").slice(2);
  const begins = (list: DealerList) =>
    list.match.some((start) => parts.some((part) => part.startsWith(start.toLowerCase())));
  return lists.find(begins) ?? lists.find(({match}) => match.length === 0);
}
