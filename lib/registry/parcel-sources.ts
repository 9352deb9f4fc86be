import {readdirSync} from "node:fs";
import {basename, join} from "node:path";
import {ParcelSource} from "../../schemas/parcel-source.ts";
import {Waves} from "../../schemas/registry-tables.ts";
import {ConfigError, messageOf} from "../errors.ts";
import {parcelsWhere} from "../parcels/conform/references.ts";
import {sourcesDir} from "../paths.ts";
import {readRegistryFile, shownPath} from "./registry-file.ts";
import {withTerms} from "./terms.ts";

/** The folder of the registry entries of bulk parcel sources. */
export const parcelSourcesDir = join(sourcesDir, "parcels");

/**
 * The registry entries of a folder, sorted by id. Throws a `ConfigError` that names file and field for an entry that is not
 * valid, has an unknown field, or has another id than its file's name.
 */
export function loadParcelSources(dir = parcelSourcesDir): ParcelSource[] {
  return readdirSync(dir)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => readParcelSource(join(dir, name)));
}

/** One registry entry. Throws as `loadParcelSources` does. */
export function readParcelSource(path: string): ParcelSource {
  const entry = readRegistryFile(ParcelSource, path);
  const expected = basename(path, ".json");
  if (entry.id !== expected) {
    throw new ConfigError(
      `${shownPath(path)}: id: came "${entry.id}", expected the file's name, "${expected}".`,
    );
  }
  try {
    parcelsWhere(entry);
  } catch (error) {
    throw new ConfigError(`${shownPath(path)}: ${messageOf(error)}`);
  }
  return withTerms(entry);
}

/**
 * The states with wave and required entries, in the file's order. Throws a `ConfigError` that names file and field of a
 * fault.
 */
export function loadWaves(path = join(sourcesDir, "waves.json")): Waves {
  return readRegistryFile(Waves, path);
}
