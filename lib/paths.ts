import {existsSync, readFileSync} from "node:fs";
import {dirname, join, resolve} from "node:path";
import {fileURLToPath} from "node:url";

/** The package folder: the nearest ancestor with a `package.json`, for both the sources and `dist/`. */
export const packageRoot = findPackageRoot(dirname(fileURLToPath(import.meta.url)));

function findPackageRoot(from: string): string {
  return existsSync(join(from, "package.json")) ? from : findPackageRoot(dirname(from));
}

/**
 * The registry of sources: `market.json`, `parcels/`, `lists/`, `cadastre/`, `waves.json`. An operator can
 * replace it by a folder named in the setting `CATTLE_REGISTRY`.
 */
export const sourcesDir = process.env["CATTLE_REGISTRY"]
  ? resolve(process.env["CATTLE_REGISTRY"])
  : join(packageRoot, "data", "sources");

/** Small reference tables, made from public facts. */
export const referenceDir = join(packageRoot, "data", "reference");

/** The version of this program, from `package.json`. */
export function programVersion(): string {
  const {version} = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")) as {version: string};
  return version;
}
