import {existsSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";

/** The folder of the package: the nearest one upwards with a `package.json`, both from the sources and from `dist/`. */
export const packageRoot = findPackageRoot(dirname(fileURLToPath(import.meta.url)));

function findPackageRoot(from: string): string {
  return existsSync(join(from, "package.json")) ? from : findPackageRoot(dirname(from));
}

/** The registry of sources: `market.json`, `parcels/`, `cadastre/`, `waves.json`. */
export const sourcesDir = join(packageRoot, "data", "sources");

/** The folder of small tables made from public facts. */
export const referenceDir = join(packageRoot, "data", "reference");
