import {existsSync, readdirSync} from "node:fs";
import {basename, join} from "node:path";
import {ConfigError} from "../../../../lib/errors.ts";
import {sourcesDir} from "../../../../lib/paths.ts";
import {readRegistryFile, shownPath} from "../../../../lib/reference/registry-file.ts";
import {ListSource} from "../../../../schemas/list-source.ts";

/** Folder with the maps of licence lists and rosters. */
export const listSourcesDir = join(sourcesDir, "lists");

/**
 * The maps of a folder, sorted by id; none if the folder is missing. Throws a `ConfigError` that names file and field of a
 * fault.
 */
export function loadListSources(dir = listSourcesDir): ListSource[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => readListSource(join(dir, name)));
}

/** One map. Throws as `loadListSources` does, and if the id differs from the file name. */
export function readListSource(path: string): ListSource {
  const list = readRegistryFile(ListSource, path);
  const expected = basename(path, ".json");
  if (list.id !== expected)
    throw new ConfigError(
      `${shownPath(path)}: id: expected the file's name, "${expected}", got "${list.id}".`,
    );
  return list;
}
