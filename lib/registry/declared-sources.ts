import {join} from "node:path";
import {type DeclaredSource, DeclaredSources} from "../../schemas/declared-source.ts";
import {sourcesDir} from "../paths.ts";
import {readRegistryFile} from "./registry-file.ts";

/** The declared sources in the file's order. Throws a `ConfigError` that names file and field. */
export function loadDeclaredSources(path = join(sourcesDir, "declared.json")): DeclaredSource[] {
  return readRegistryFile(DeclaredSources, path);
}
