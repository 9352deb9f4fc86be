import {existsSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";

/** Folder of the package: the nearest one upwards that holds `package.json`, from sources and from `dist/` alike. */
export const packageRoot = findPackageRoot(dirname(fileURLToPath(import.meta.url)));

function findPackageRoot(from: string): string {
  return existsSync(join(from, "package.json")) ? from : findPackageRoot(dirname(from));
}

/** Registry of sources: `market.json`, `parcels/`, `cadastre/`, `waves.json`. */
export const sourcesDir = join(packageRoot, "data", "sources");

/** Small tables made from public facts. */
export const referenceDir = join(packageRoot, "data", "reference");
