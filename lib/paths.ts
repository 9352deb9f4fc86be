import {existsSync, readFileSync} from "node:fs";
import {dirname, join, resolve} from "node:path";
import {fileURLToPath} from "node:url";

/** The folder of the package: the nearest one upwards with a `package.json`, both from the sources and from `dist/`. */
export const packageRoot = findPackageRoot(dirname(fileURLToPath(import.meta.url)));

function findPackageRoot(from: string): string {
  return existsSync(join(from, "package.json")) ? from : findPackageRoot(dirname(from));
}

/**
 * The registry of sources: `market.json`, `parcels/`, `lists/`, `cadastre/`, `waves.json`. The setting `CATTLE_REGISTRY` names a folder of
 * the operator's that takes the place of the program's own.
 */
export const sourcesDir = process.env["CATTLE_REGISTRY"]
  ? resolve(process.env["CATTLE_REGISTRY"])
  : join(packageRoot, "data", "sources");

/** The folder of small tables made from public facts. */
export const referenceDir = join(packageRoot, "data", "reference");

/** The version of this program, from `package.json`. */
export function programVersion(): string {
  const {version} = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")) as {version: string};
  return version;
}
